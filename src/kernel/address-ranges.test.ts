import { expect, test } from 'vitest';
import { addressFilter, isAddressOrRange } from './address-ranges.ts';

test('a list accepts addresses and ranges of both families, and nothing else', () => {
  for (const good of [
    '203.0.113.7',
    '203.0.113.0/24',
    '0.0.0.0/0',
    '2001:db8::1',
    '2001:db8::/32',
    '::/0',
    '::1/128',
  ]) {
    expect([good, isAddressOrRange(good)]).toEqual([good, true]);
  }
  for (const bad of [
    '',
    'shop.example.com',
    '203.0.113',
    '203.0.113.7/33',
    '203.0.113.7/',
    '203.0.113.7/08',
    '1.2.3.4/8/8',
    '203.0.113.7/-1',
    '2001:db8::/129',
    'fe80::1%eth0',
    ' 203.0.113.7',
    '203.0.113.7/2.0',
  ]) {
    expect([bad, isAddressOrRange(bad)]).toEqual([bad, false]);
  }
});

test('an address is allowed by itself or by its range, in any form of a socket', () => {
  const isAllowed = addressFilter(['203.0.113.7', '198.51.100.0/24', '2001:db8:1::/48']);
  for (const good of ['203.0.113.7', '::ffff:203.0.113.7', '198.51.100.255', '2001:db8:1:ffff::9']) {
    expect([good, isAllowed(good)]).toEqual([good, true]);
  }
  for (const bad of ['203.0.113.8', '198.51.101.0', '::ffff:203.0.113.8', '2001:db8:2::1', '', 'nowhere']) {
    expect([bad, isAllowed(bad)]).toEqual([bad, false]);
  }
});

test('without a list every address is allowed', () => {
  expect(addressFilter([])('')).toBe(true);
});
