import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { clientAddress } from './sent-host.ts';

function addressOf(trusted: readonly string[], connection: string | undefined, forwarded?: string): string {
  const headers = { ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) };
  return clientAddress(trusted)({ socket: { remoteAddress: connection }, headers } as IncomingMessage);
}

const proxies = ['10.0.0.0/8', '2001:db8:1::/48'];

test('no proxy is trusted by default, nor one that is not on the list', () => {
  expect(addressOf([], '10.0.0.1', '203.0.113.7')).toBe('10.0.0.1');
  expect(addressOf(proxies, '192.0.2.1', '203.0.113.7')).toBe('192.0.2.1');
  expect(addressOf(proxies, '2001:db8:2::1', '203.0.113.7')).toBe('2001:db8:2::1');
});

test('behind a trusted proxy the address is the one the proxy reports, not one the sender wrote', () => {
  expect(addressOf(proxies, '10.0.0.1', '203.0.113.7')).toBe('203.0.113.7');
  expect(addressOf(proxies, '10.0.0.1', '127.0.0.1, 10.9.9.9, 203.0.113.7')).toBe('203.0.113.7');
  expect(addressOf(proxies, '10.0.0.1', 'spoofed,,"; drop, 203.0.113.7')).toBe('203.0.113.7');
});

test('a chain of trusted proxies resolves to the first address that is not trusted', () => {
  expect(addressOf(proxies, '10.0.0.1', '1.1.1.1, 203.0.113.7, 2001:db8:1::9 , 10.1.1.1')).toBe(
    '203.0.113.7',
  );
  // An untrusted proxy hides the addresses behind it.
  expect(addressOf(proxies, '10.0.0.1', '203.0.113.7, 192.0.2.1, 10.1.1.1')).toBe('192.0.2.1');
  // All are trusted: the farthest one is the client.
  expect(addressOf(proxies, '10.0.0.1', '10.2.2.2, 10.1.1.1')).toBe('10.2.2.2');
});

test('addresses are read in the forms of proxies and sockets: IPv6, IPv4-mapped, with a port', () => {
  for (const [connection, forwarded, address] of [
    ['::ffff:10.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['2001:db8:1::1', '2001:DB8:7::9', '2001:db8:7::9'],
    ['10.0.0.1', '::ffff:203.0.113.7', '203.0.113.7'],
    ['10.0.0.1', '203.0.113.7:51820', '203.0.113.7'],
    ['10.0.0.1', '[2001:db8:7::9]:443', '2001:db8:7::9'],
    ['10.0.0.1', '[2001:db8:7::9]', '2001:db8:7::9'],
    ['10.0.0.1', '203.0.113.7,10.3.3.3:80', '203.0.113.7'],
  ] as const) {
    expect([forwarded, addressOf(proxies, connection, forwarded)]).toEqual([forwarded, address]);
  }
  expect(addressOf(proxies, '::ffff:192.0.2.1', '203.0.113.7')).toBe('192.0.2.1');
});

test('for an invalid entry from a trusted proxy, the address is that of the proxy', () => {
  for (const junk of [
    '',
    ' ',
    ',',
    'unknown',
    '_hidden',
    '203.0.113',
    '203.0.113.7:x',
    '[::1',
    '1.2.3.4, ',
  ]) {
    expect([junk, addressOf(proxies, '10.0.0.1', junk)]).toEqual([junk, '10.0.0.1']);
  }
  expect(addressOf(proxies, '10.0.0.1', '203.0.113.7, unknown, 10.1.1.1')).toBe('10.1.1.1');
  expect(addressOf(proxies, '10.0.0.1', '9'.repeat(16_000))).toBe('10.0.0.1');
  expect(addressOf(proxies, '10.0.0.1')).toBe('10.0.0.1');
  expect(addressOf(proxies, undefined, '203.0.113.7')).toBe('');
});
