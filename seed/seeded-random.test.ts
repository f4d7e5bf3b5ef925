import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seededRandom } from './seeded-random.ts';

const drawSome = (seed: string) => {
  const random = seededRandom(seed);
  return Array.from({ length: 20 }, () => random.next());
};

it('gives the same draws for the same seed and others for another', () => {
  expect(drawSome('a')).toEqual(drawSome('a'));
  expect(drawSome('a')).not.toEqual(drawSome('b'));
});

it('keeps a fork apart from the draws of its parent', () => {
  const parent = seededRandom('a');
  const before = parent.fork('part').next();
  parent.next();
  expect(parent.fork('part').next()).toBe(before);
});

it('draws whole numbers within both bounds and reaches each', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.integer({ min: -50, max: 50 }),
      fc.integer({ min: 0, max: 5 }),
      (seed, min, span) => {
        const random = seededRandom(seed);
        const drawn = new Set(Array.from({ length: 400 }, () => random.integer(min, min + span)));
        expect([...drawn].sort((one, other) => one - other)).toEqual(
          Array.from({ length: span + 1 }, (_, index) => min + index),
        );
      },
    ),
  );
});

it('picks by weight, never what weighs nothing', () => {
  const random = seededRandom('weights');
  const counts = new Map<string, number>();
  for (let draw = 0; draw < 10_000; draw++) {
    const item = random.pickWeighted(
      ['never', 'often', 'seldom'],
      (name) => ({ never: 0, often: 3, seldom: 1 })[name]!,
    );
    counts.set(item, (counts.get(item) ?? 0) + 1);
  }
  expect(counts.has('never')).toBe(false);
  expect(counts.get('often')! / counts.get('seldom')!).toBeGreaterThan(2.7);
  expect(counts.get('often')! / counts.get('seldom')!).toBeLessThan(3.3);
});

it('shuffles without losing, adding or touching anything', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.integer()), (seed, items) => {
      const copy = [...items];
      const shuffled = seededRandom(seed).shuffle(items);
      expect([...shuffled].sort()).toEqual([...items].sort());
      expect(items).toEqual(copy);
    }),
  );
});
