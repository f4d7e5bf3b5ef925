import { expect, test } from 'vitest';
import { createStaffClient } from './staff-client.ts';
import { WriteKeys } from './write-keys.ts';

/** A service that answers as configured and records the keys it gets. */
function openService() {
  const keys: (string | null)[] = [];
  const outcomes: ('lost' | number)[] = [];
  const client = createStaffClient({
    baseUrl: 'http://shop.example',
    fetch: async (request) => {
      keys.push(request.headers.get('idempotency-key'));
      const outcome = outcomes.shift() ?? 200;
      if (outcome === 'lost') throw new TypeError('gone');
      return Response.json(outcome < 300 ? { data: {} } : { error: { message: 'No.', code: 'X' } }, {
        status: outcome,
      });
    },
  });
  return {
    keys,
    outcomes,
    post: (name: string) => client.POST('/staff/v1/tags', { body: { name } }),
    client,
  };
}

test.each([['lost'], [502], [503]] as const)(
  'a write sent again after no answer (%s) keeps its key until it is answered',
  async (outcome) => {
    const { keys, outcomes, post } = openService();
    outcomes.push(outcome);
    await expect(post('Fresh')).rejects.toThrow();
    await post('Fresh');
    await post('Fresh');
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  },
);

test.each([401, 403, 429])(
  'what is refused before its key is looked at (%i) says nothing of an earlier try: the key stays',
  async (status) => {
    const { keys, outcomes, post } = openService();
    outcomes.push('lost', status);
    await expect(post('Fresh')).rejects.toThrow();
    await expect(post('Fresh')).rejects.toThrow();
    await post('Fresh');
    await post('Fresh');
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
  },
);

test('every other write has its own key, and a read has none', async () => {
  const { keys, outcomes, post, client } = openService();
  outcomes.push('lost', 400);
  await expect(post('Fresh')).rejects.toThrow();
  await expect(post('Ripe')).rejects.toThrow();
  await post('Ripe');
  await Promise.all([post('Same'), post('Same')]);
  await client.DELETE('/staff/v1/tags/{tagId}', { params: { path: { tagId: 1 } } });
  await client.GET('/staff/v1/tags');
  expect(keys.pop()).toBeNull();
  expect(new Set(keys).size).toBe(keys.length);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f-]{36}$/);
});

test('a key given by the caller is used as it is', async () => {
  const { keys, client } = openService();
  await client.POST('/staff/v1/tags', { body: { name: 'Fresh' }, headers: { 'Idempotency-Key': 'mine' } });
  expect(keys).toEqual(['mine']);
});

test('after ten minutes the same write gets a new key', () => {
  let nowMs = 0;
  const keys = new WriteKeys(() => nowMs);
  const key = keys.take('POST /tags');
  keys.leftUnanswered('POST /tags', key);
  nowMs = 600_000;
  expect(keys.take('POST /tags')).toBe(key);
  nowMs++;
  expect(keys.take('POST /tags')).not.toBe(key);
});
