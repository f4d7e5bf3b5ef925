import { expect, test } from 'vitest';
import { ApiFailure } from '../api.ts';
import { keyedWrite } from './use-keyed-write.ts';

/** A service that answers a key once, and then with what it answered: it may save, and its answer may be lost. */
function openService() {
  const saved = new Map<string, number>();
  const sentKeys: string[] = [];
  let fate: 'answered' | 'answer lost' | 'never arrived' | 'offline' = 'answered';
  const noAnswer = () => new ApiFailure({ message: 'Gone.', code: 'NO_CONNECTION', status: 0 });
  return {
    saved,
    sentKeys,
    next: (to: typeof fate) => {
      fate = to;
    },
    write: keyedWrite<number, number>(
      async (amount, key) => {
        sentKeys.push(key);
        const now = fate;
        fate = 'answered';
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
    ),
  };
}

test('what is sent again after a lost answer is saved once, and answered', async () => {
  const service = openService();
  service.next('answer lost');
  await expect(service.write(5)).rejects.toMatchObject({ name: 'UnansweredWrite', status: 0 });
  expect(await service.write(5)).toBe(5);
  expect([...service.saved.values()]).toEqual([5]);
});

test('what is changed after a lost answer is not taken for saved: what was saved before is told instead', async () => {
  const service = openService();
  service.next('answer lost');
  await expect(service.write(5)).rejects.toThrow('may have been saved');
  await expect(service.write(6)).rejects.toThrow(
    'was saved. It was 5. What you have changed since is not saved',
  );
  expect([...service.saved.values()]).toEqual([5]);
  expect(await service.write(6)).toBe(6);
  expect([...service.saved.values()]).toEqual([5, 6]);
});

test('what never arrived is not sent in the place of what it was changed to', async () => {
  const service = openService();
  service.next('never arrived');
  await expect(service.write(5)).rejects.toThrow('may have been saved');
  expect(await service.write(6)).toBe(6);
  expect([...service.saved.values()]).toEqual([6]);
});

test('a refusal in between does not forget what may have been saved', async () => {
  const service = openService();
  service.next('answer lost');
  await expect(service.write(5)).rejects.toThrow();
  await expect(service.write(-1)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  await expect(service.write(6)).rejects.toThrow('It was 5.');
});

test('of two that were not answered the one that is told is the one that was saved', async () => {
  const service = openService();
  for (const amount of [5, 6]) {
    service.next('answer lost');
    await expect(service.write(amount)).rejects.toThrow('may have been saved');
  }
  await expect(service.write(6)).rejects.toThrow('It was 5.');
});

test('offline nothing is sent; what was sent before without an answer may still have been saved', async () => {
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

test('each write that was answered has a key of its own', async () => {
  const service = openService();
  await service.write(5);
  await service.write(5);
  expect(new Set(service.sentKeys).size).toBe(2);
});
