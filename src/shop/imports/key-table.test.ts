import { expect, test } from 'vitest';
import { KeyTable } from './key-table.ts';

test('a table of many keys answers as a map does, whatever their number', () => {
  const table = new KeyTable();
  const map = new Map<string, number>();
  for (let at = 0; at < 20_000; at++) {
    const key = `sale ${at % 7000} ${at % 3}`;
    table.set(key, at);
    map.set(key, at);
  }
  for (const [key, number] of map) expect(table.get(key)).toBe(number);
  expect([table.get('none'), table.has('none'), table.has('sale 1 1')]).toEqual([undefined, false, true]);
});
