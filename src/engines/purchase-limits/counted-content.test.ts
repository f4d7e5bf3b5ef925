import { expect, test } from 'vitest';
import { countedContent } from './check-purchase-limits.ts';

const jar = { cannabisType: 'non-concentrated', content: null, unit: 'gram', amount: '3.5' } as const;

test('an option counts its recorded content, whatever its amount is', () => {
  expect(countedContent({ ...jar, content: '3.4' })).toBe('3.4');
  expect(countedContent({ ...jar, cannabisType: 'edibles', unit: 'item', content: '100' })).toBe('100');
});

test('flower by the gram counts its amount if it has no recorded content; no other option does', () => {
  expect(countedContent(jar)).toBe('3.5');
  expect(countedContent({ ...jar, unit: 'item' })).toBeNull();
  expect(countedContent({ ...jar, cannabisType: 'concentrated' })).toBeNull();
});

test('products without cannabis count nothing', () => {
  expect(countedContent({ ...jar, cannabisType: 'none', content: '3.5' })).toBeNull();
});
