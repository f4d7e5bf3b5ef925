import { expect, test } from 'vitest';
import { CodesInView, scannedText } from './camera-codes.ts';

test.each([
  ['upc_e', '01234565', '012345000065'],
  ['upc_e', '04252614', '042100005264'],
  ['upc_e', '01234531', '012300000451'],
  ['upc_e', '01234541', '012340000051'],
  ['upc_a', '036000291452', '036000291452'],
  ['ean_8', '96385074', '0000096385074'],
  ['code_128', '1A4060300003B01000000838', '1A4060300003B01000000838'],
  ['qr_code', '01234565', '01234565'],
] as const)('a camera gives %s %s as a scanner types it: %s', (format, text, typed) => {
  expect(scannedText({ format, text })).toBe(typed);
});

test('a code in view is given once, and again only after it was away', () => {
  const inView = new CodesInView();
  const at = (nowMs: number, ...texts: string[]) => inView.see(texts, nowMs);
  expect(at(0, 'A')).toEqual([]);
  expect(at(200, 'A')).toEqual(['A']);
  for (let nowMs = 400; nowMs < 20_000; nowMs += 700) expect(at(nowMs, 'A')).toEqual([]);
  // Out of focus for a second.
  expect(at(20_900, 'A')).toEqual([]);
  expect(at(22_500)).toEqual([]);
  expect(at(22_600, 'A')).toEqual([]);
  expect(at(22_800, 'A', 'B')).toEqual(['A']);
  expect(at(23_000, 'B')).toEqual(['B']);
});

test('what only one picture showed is not given', () => {
  const inView = new CodesInView();
  expect(inView.see(['A'], 0)).toEqual([]);
  expect(inView.see(['B'], 2_000)).toEqual([]);
  expect(inView.see(['A'], 4_000)).toEqual([]);
});
