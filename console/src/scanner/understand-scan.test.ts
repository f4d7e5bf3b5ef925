import { expect, test } from 'vitest';
import { isLicenseText } from './license-text.ts';
import {
  isScanText,
  orderCodeOf,
  scanInWords,
  understandLicense,
  understandScan,
} from './understand-scan.ts';

const license =
  '@\nANSI 636014080102DL00410288ZA03290015DLDAQY7654321\nDCSQUILLFEATHER\nDACZEPHYRINE\nDBB11231971\n';

test.each([
  ['036000291452', 'product', /product code 036000291452/],
  ['036000291453', 'product', /check digit is wrong/],
  ['1A4060300003B01000000838', 'package', /package 1A406/],
  [orderCodeOf(1042), 'order', /order 1042/],
  ['R6101-9F3A-12', 'offline-sale', /offline sale R6101-9F3A-12/],
  [license, 'license', /driver's license/],
  [license.replaceAll('\n', ''), 'unreadable-license', /drops the line breaks/],
  [license.replace('DBB11231971\n', 'DBA11232031\n'), 'unreadable-license', /Scan it again/],
])('%j is understood as %s', async (text, kind, words) => {
  expect(isScanText(text)).toBe(true);
  const scan = isLicenseText(text) ? await understandLicense(text) : understandScan(text);
  expect(scan.kind).toBe(kind);
  expect(scanInWords(scan)).toMatch(words);
});

test('the words about a license do not say whose it is', async () => {
  expect(scanInWords(await understandLicense(license))).not.toMatch(/quill|zephyr|1971|7654321/i);
});

test('the code of an order is long enough to be told from typing, and any other text is not a scan', () => {
  expect(orderCodeOf(7)).toBe('ORDER000007');
  expect(understandScan(orderCodeOf(123_456_789))).toEqual({ kind: 'order', number: 123_456_789 });
  expect(['coffee', 'ORDER7', 'someone@example.com'].some(isScanText)).toBe(false);
});
