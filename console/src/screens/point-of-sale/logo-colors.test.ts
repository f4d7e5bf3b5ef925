import { expect, test } from 'vitest';
import { readableOn, strongestColor } from './logo-colors.ts';

const pixels = (...colors: readonly (readonly [number, number, number, number])[]) => colors.flat();

test('the color of a logo is its most frequent one that is neither gray nor see-through', () => {
  expect(
    strongestColor(
      pixels(
        [255, 255, 255, 255],
        [250, 250, 250, 255],
        [20, 120, 90, 255],
        [21, 121, 91, 255],
        [200, 30, 30, 255],
      ),
    ),
  ).toEqual([21, 121, 91]);
  expect(strongestColor(pixels([200, 30, 30, 0], [90, 90, 90, 255]))).toBeNull();
});

test('text on a color is black or white, whichever is easier to read', () => {
  expect(readableOn([15, 118, 110])).toBe('#ffffff');
  expect(readableOn([250, 220, 60])).toBe('#000000');
});
