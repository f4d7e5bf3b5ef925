import { expect, test } from 'vitest';
import { ManualClock } from '../../kernel/clock.ts';
import { organizationId } from '../../kernel/ids.ts';
import { MenuCache, type MenuSource } from './menu-cache.ts';

const shop = organizationId(1);

/** A shop whose menu is one word, with counters of its reads. */
function setUp() {
  const clock = new ManualClock(1_000_000);
  const state = { word: 'open', commitCount: 0, asked: [] as string[], fails: false };
  const cache = new MenuCache({
    wallClock: clock,
    database: { commitCount: () => state.commitCount } as never,
  });
  const answer = <Value>(asked: string, value: Value): Promise<Value> => {
    state.asked.push(asked);
    return state.fails ? Promise.reject(new Error('the database is away')) : Promise.resolve(value);
  };
  const source: MenuSource = {
    digest: () => answer('digest', `of ${state.word}`),
    render: (withDigest) =>
      answer(withDigest ? 'text and digest' : 'text', {
        bytes: Buffer.from(state.word),
        digest: withDigest ? `of ${state.word}` : undefined,
      }),
  };
  /** The current menu and the number of reads it needed. */
  const look = async () => {
    state.asked = [];
    const { bytes } = await cache.page(shop, 'delivery', () => source);
    return [bytes.toString(), ...state.asked];
  };
  return { clock, state, cache, source, look };
}

test('a menu that is only read is rendered twice, and then only its digest is checked', async () => {
  const { clock, look } = setUp();
  expect(await look()).toEqual(['open', 'text']);
  expect(await look()).toEqual(['open']);
  clock.advance(900);
  expect(await look()).toEqual(['open', 'text and digest']);
  for (let round = 0; round < 3; round++) {
    clock.advance(900);
    expect(await look()).toEqual(['open', 'digest']);
    expect(await look()).toEqual(['open']);
  }
  clock.advance(3_600_000);
  expect(await look()).toEqual(['open', 'digest']);
});

test('a change by another process shows within a second, also when it is reverted', async () => {
  const { clock, state, look } = setUp();
  await look();
  for (const word of ['shut', 'open', 'open', 'shut', 'shut', 'shut']) {
    state.word = word;
    clock.advance(900);
    expect((await look())[0]).toBe(word);
  }
});

test('a write of this process renders the menu again at once, without a digest that the next write would outdate', async () => {
  const { clock, state, look } = setUp();
  await look();
  clock.advance(900);
  await look();
  state.commitCount += 1;
  state.word = 'shut';
  expect(await look()).toEqual(['shut', 'text']);
  state.commitCount += 1;
  clock.advance(900);
  expect(await look()).toEqual(['shut', 'text']);
});

test('concurrent readers share a read; a failed read is repeated by the next one', async () => {
  const { clock, state, cache, source, look } = setUp();
  await look();
  clock.advance(900);
  await look();
  for (const fails of [true, false]) {
    clock.advance(900);
    state.fails = fails;
    state.asked = [];
    const readers = Array.from({ length: 5 }, async () => cache.page(shop, 'delivery', () => source));
    const outcomes = new Set((await Promise.allSettled(readers)).map(({ status }) => status));
    expect([[...outcomes], state.asked]).toEqual([[fails ? 'rejected' : 'fulfilled'], ['digest']]);
    state.fails = false;
    expect((await look())[0]).toBe('open');
  }
});
