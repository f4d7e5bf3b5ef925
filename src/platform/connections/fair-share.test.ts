import { expect, test } from 'vitest';
import { FairShare } from './connection-pool.ts';

/** Work that ends when it is told to, and what of it runs. */
function desk(isLate: boolean) {
  const lag = { isLate };
  const shares = new FairShare<string>({ capacity: 8, waitMsMax: 60_000, lag });
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const taken: Promise<void>[] = [];
  const settle = async () => {
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  };
  return {
    lag,
    running,
    take: (key: string, kind: 'read' | 'write', name: string) => {
      const done = shares.take(key, kind, async () => {
        running.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        running.splice(running.indexOf(name), 1);
      });
      taken.push(done);
      return settle();
    },
    end: async (name: string) => {
      ends.get(name)!();
      await settle();
    },
    endAll: async () => {
      while (running.length > 0) {
        for (const name of [...running]) ends.get(name)!();
        await settle();
      }
      await Promise.all(taken);
    },
  };
}

const numbered = (head: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${head}${at + 1}`);

test('one organization holds three quarters at most, also alone and late', async () => {
  for (const isLate of [false, true]) {
    const { running, take, endAll } = desk(isLate);
    for (const name of numbered('a', 10)) await take('a', 'read', name);
    expect(running).toEqual(numbered('a', 6));
    await endAll();
  }
});

test('while the process is late and others ask, an organization runs two reads at a time, and its writes do not wait for its reads', async () => {
  const { running, take, end, endAll, lag } = desk(true);
  await take('b', 'read', 'b1');
  await end('b1');
  for (const name of numbered('a', 5)) await take('a', 'read', name);
  expect(running).toEqual(['a1', 'a2']);
  await take('a', 'write', 'sale');
  await take('b', 'read', 'b2');
  expect(running).toEqual(['a1', 'a2', 'sale', 'b2']);
  await end('a1');
  expect(running).toEqual(['a2', 'sale', 'b2', 'a3']);
  // When it has caught up, each waiting read begins with the next end.
  lag.isLate = false;
  await end('b2');
  expect(running).toEqual(['a2', 'sale', 'a3', 'a4', 'a5']);
  await endAll();
});

test('those that wait take turns by organization', async () => {
  const { running, take, end, endAll } = desk(false);
  for (const name of numbered('a', 9)) await take('a', 'read', name);
  for (const name of numbered('b', 4)) await take('b', 'read', name);
  expect(running).toEqual([...numbered('a', 6), 'b1', 'b2']);
  await end('a1');
  await end('a2');
  expect(running.slice(-2).sort()).toEqual(['a7', 'b3']);
  await endAll();
});
