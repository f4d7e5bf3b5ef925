import { expect, it } from 'vitest';
import { californiaShop } from './california-shop.ts';
import { drawIllustration } from './illustrations.ts';
import { michiganShop } from './michigan-shop.ts';

const illustrations = [californiaShop, michiganShop].flatMap(({ products }) =>
  products.flatMap((product) => product.illustrations),
);

it('draws every product photo in under 6 kB of plain ASCII without text or outside references', () => {
  for (const illustration of illustrations) {
    const svg = drawIllustration(illustration);
    expect(svg.length).toBeLessThan(6000);
    expect(svg).toMatch(/^<svg [ -~]+<\/svg>$/);
    expect(svg).not.toMatch(/<text|href|url\((?!#)|NaN|undefined/);
  }
});

it('draws the same illustration the same way, and another strain another way', () => {
  const one = { shape: 'jar', paletteSeed: 'a brand', patternSeed: 'a strain' } as const;
  expect(drawIllustration(one)).toBe(drawIllustration({ ...one }));
  expect(drawIllustration({ ...one, patternSeed: 'another strain' })).not.toBe(drawIllustration(one));
});
