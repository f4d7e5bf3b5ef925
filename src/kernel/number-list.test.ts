import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NumberList } from './number-list.ts';

const numbers = fc.array(fc.double({ noNaN: true }), { maxLength: 50 });

describe('A list of numbers', () => {
  test('gives what was added, in order', () => {
    fc.assert(
      fc.property(numbers, (added) => {
        const list = new NumberList(50);
        for (const number of added) list.push(number);
        expect([...list.values]).toEqual(added);
        expect(list.length).toBe(added.length);
        expect(list.first).toBe(added[0]);
        expect(list.last).toBe(added.at(-1));
      }),
    );
  });

  test('leaves values that were read as they were', () => {
    fc.assert(
      fc.property(numbers, numbers, (earlier, later) => {
        const list = new NumberList(100);
        for (const number of earlier) list.push(number);
        const { values } = list;
        for (const number of later) list.push(number);
        expect([...values]).toEqual(earlier);
      }),
    );
  });

  test.each([0, 1, 15, 16, 17, 40])('takes %i where there is room for so many, and no more', (capacity) => {
    const list = new NumberList(capacity);
    for (let number = 0; number < capacity; number++) list.push(number);
    expect(() => list.push(capacity)).toThrow(RangeError);
    expect([...list.values]).toEqual(Array.from({ length: capacity }, (_, number) => number));
  });
});
