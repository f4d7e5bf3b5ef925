import { expect, test } from 'vitest';
import { hasCheckDigit, isScanCode, sameProductCode } from './scan-codes.ts';

test.each([
  ['036000291452', true, true],
  ['0036000291452', true, true],
  ['00036000291452', true, true],
  ['036000291453', true, false],
  ['1A4060300003B01000000838', true, false],
  ['ABCDEFGHIJKLMNOPQRSTUVWX', false, false],
  ['4155550177', false, false],
  ['coffee grinder', false, false],
])('%s is a code: %s, with a valid check digit: %s', (text, isCode, isChecked) => {
  expect(isScanCode(text)).toBe(isCode);
  expect(hasCheckDigit(text)).toBe(isChecked);
});

test('a UPC-A is the same product as an EAN-13 or GTIN-14', () => {
  expect(sameProductCode('036000291452', '0036000291452')).toBe(true);
  expect(sameProductCode('36000291452', '00036000291452')).toBe(true);
  expect(sameProductCode('036000291452', '036000291459')).toBe(false);
});
