import { expect, test } from 'vitest';
import { ApiFailure } from '../api.ts';
import { type KeptKey, keyedWrite } from './use-keyed-write.ts';

/** A service that executes a key once and then repeats its answer. It may save and lose the answer. */
function openService(kept?: KeptKey) {
  const saved = new Map<string, number>();
  const sentKeys: string[] = [];
  let outcome: 'answered' | 'answer lost' | 'never arrived' | 'offline' = 'answered';
  const noAnswer = () => new ApiFailure({ message: 'Gone.', code: 'NO_CONNECTION', status: 0 });
  const open = () =>
    keyedWrite<number, number>(
      async (amount, key) => {
        sentKeys.push(key);
        const now = outcome;
        outcome = 'answered';
        if (now === 'offline') throw new ApiFailure({ message: 'Off.', code: 'OFFLINE', status: 0 });
        if (now === 'never arrived') throw noAnswer();
        if (amount < 0) throw new ApiFailure({ message: 'No.', code: 'INVALID_PARAMS', status: 400 });
        const isReplayed = saved.has(key);
        if (!isReplayed) saved.set(key, amount);
        if (now === 'answer lost') throw noAnswer();
        const headers = isReplayed ? { 'Idempotent-Replayed': 'true' } : undefined;
        return { data: { data: saved.get(key)! }, response: new Response(null, headers && { headers }) };
      },
      (amount) => `It was ${amount}.`,
      kept,
    );
  return {
    saved,
    sentKeys,
    next: (to: typeof outcome) => {
      outcome = to;
    },
    write: open(),
    /** The same form after the page was loaded again. */
    loadAgain: open,
  };
}

test('a write sent again after a lost answer is saved once and answered', async () => {
  const service = openService();
  service.next('answer lost');
  await expect(service.write(5)).rejects.toMatchObject({ name: 'UnansweredWrite', status: 0 });
  expect(await service.write(5)).toBe(5);
  expect([...service.saved.values()]).toEqual([5]);
});

test('a change made after a lost answer does not count as saved: the earlier write is reported instead', async () => {
  const service = openService();
  service.next('answer lost');
  await expect(service.write(5)).rejects.toThrow('may have been saved');
  await expect(service.write(6)).rejects.toThrow(
    'was saved. It was 5. Your changes since then are not saved',
  );
  expect([...service.saved.values()]).toEqual([5]);
  expect(await service.write(6)).toBe(6);
  expect([...service.saved.values()]).toEqual([5, 6]);
});

test('a changed write is sent in place of one that never arrived', async () => {
  const service = openService();
  service.next('never arrived');
  await expect(service.write(5)).rejects.toThrow('may have been saved');
  expect(await service.write(6)).toBe(6);
  expect([...service.saved.values()]).toEqual([6]);
});

test('a refusal in between keeps the record of a write that may be saved', async () => {
  const service = openService();
  service.next('answer lost');
  await expect(service.write(5)).rejects.toThrow();
  await expect(service.write(-1)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  await expect(service.write(6)).rejects.toThrow('It was 5.');
});

test('of two unanswered writes, the saved one is reported', async () => {
  const service = openService();
  for (const amount of [5, 6]) {
    service.next('answer lost');
    await expect(service.write(amount)).rejects.toThrow('may have been saved');
  }
  await expect(service.write(6)).rejects.toThrow('It was 5.');
});

test('offline nothing is sent; an earlier unanswered write may still be saved', async () => {
  const service = openService();
  service.next('offline');
  await expect(service.write(5)).rejects.toMatchObject({ name: 'ApiFailure', code: 'OFFLINE' });
  service.next('answer lost');
  await expect(service.write(5)).rejects.toThrow('may have been saved');
  service.next('offline');
  await expect(service.write(5)).rejects.toThrow('may have been saved');
  expect(await service.write(5)).toBe(5);
  expect([...service.saved.values()]).toEqual([5]);
});

test('each answered write has its own key', async () => {
  const service = openService();
  await service.write(5);
  await service.write(5);
  expect(new Set(service.sentKeys).size).toBe(2);
});

/** What a browser keeps, as text. */
function keptInBrowser(): KeptKey {
  let text = 'null';
  return {
    read: () => JSON.parse(text),
    write: (sent) => {
      text = JSON.stringify(sent);
    },
  };
}

test('a draft that a page sends again after it was loaded again is saved once', async () => {
  const service = openService(keptInBrowser());
  service.next('answer lost');
  await expect(service.write(5)).rejects.toThrow('may have been saved');
  const write = service.loadAgain();
  expect(await write(5)).toBe(5);
  expect([...service.saved.values()]).toEqual([5]);
  // The answered key is over.
  await service.loadAgain()(7);
  expect([...service.saved.values()]).toEqual([5, 7]);
});

test('a page that was left before the answer, and a changed draft after it: the earlier write is reported', async () => {
  const service = openService(keptInBrowser());
  void service.write(5);
  const write = service.loadAgain();
  await expect(write(6)).rejects.toThrow('It was 5.');
  expect([...service.saved.values()]).toEqual([5]);
  expect(await write(6)).toBe(6);
});

test('a refusal leaves nothing in the browser', async () => {
  const kept = keptInBrowser();
  const service = openService(kept);
  await expect(service.write(-1)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  expect(kept.read()).toBeNull();
});
