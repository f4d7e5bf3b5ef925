import { expect, test, vi } from 'vitest';
import { ApiFailure } from '../../../sdk/src/api-failure.ts';
import { type Kept, type KeptQueue, sendInOrder } from './kept-queue.ts';

interface Act extends Kept {
  readonly name: string;
}

/** A queue in memory. */
function queueOf(...names: string[]) {
  const kept = new Map<number, Act>(
    names.map((name, key) => [
      key,
      { name, organizationId: name.startsWith('other') ? 2 : 1, refusal: null },
    ]),
  );
  const queue: KeptQueue<Act> = {
    all: async () => [...kept].map(([key, queued]) => ({ key, queued })),
    add: async () => {},
    drop: async (key) => void kept.delete(key),
    refuse: async (key, refusal) => void kept.set(key, { ...kept.get(key)!, refusal }),
  };
  return { queue, left: () => [...kept.values()].map(({ name, refusal }) => [name, refusal]) };
}

const failure = (status: number, code: string) =>
  new ApiFailure({ message: `refused by ${status}`, code, status });

vi.stubGlobal('navigator', {
  locks: { request: (_: string, __: object, use: (lock: object) => Promise<void>) => use({}) },
});

test.each([
  [
    'goes in its order; a refused one stays with the reason, and one of another shop waits',
    409,
    ['a', 'b', 'c'],
    [
      ['b', 'refused by 409'],
      ['other', null],
    ],
  ],
  [
    'stops at the first one without an answer',
    503,
    ['a', 'b'],
    [
      ['b', null],
      ['c', null],
      ['other', null],
    ],
  ],
  [
    'stops when the session has ended',
    401,
    ['a', 'b'],
    [
      ['b', null],
      ['c', null],
      ['other', null],
    ],
  ],
  [
    'stops at one that collided with others, which is sent again',
    409,
    ['a', 'b'],
    [
      ['b', null],
      ['c', null],
      ['other', null],
    ],
    'TRANSACTION_RETRY_EXCEEDED',
  ],
] as const)('what waits %s', async (_, status, expectedSent, expectedLeft, code: string = 'X') => {
  vi.useFakeTimers();
  const { queue, left } = queueOf('a', 'b', 'c', 'other');
  const sent: string[] = [];
  const again = vi.fn();
  await sendInOrder<Act>({
    ...{ name: `queue ${status}`, queue, organizationId: 1, again, onDone: async () => {} },
    send: async ({ name }) => {
      sent.push(name);
      if (name === 'b') throw failure(status, code);
    },
  });
  expect(sent).toEqual(expectedSent);
  expect(left()).toEqual(expectedLeft);
  vi.runAllTimers();
  expect(again).toHaveBeenCalledTimes(status === 409 && code === 'X' ? 0 : 1);
  vi.useRealTimers();
});
