import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { ServiceNames } from './sent-host.ts';

/** Whether the service accepts a request for this host that arrived at this address. */
function knows(host: string, names: ServiceNames, localAddress = '192.168.1.5', localPort = 8080): boolean {
  return names.know({ headers: { host }, socket: { localAddress, localPort } } as unknown as IncomingMessage);
}

test('the host of PUBLIC_URL, address and name of the listener, and loopback names are known', () => {
  const names = new ServiceNames('https://shop.example.com/');
  names.boundHost = 'till.example.com';
  for (const host of [
    ...['shop.example.com', 'SHOP.example.com', 'shop.example.com:443'],
    ...['192.168.1.5:8080', 'till.example.com:8080', 'Till.example.com:8080'],
    // A tunnel or a container uses another port, and only this machine resolves these names.
    ...['localhost:8080', 'localhost', '127.0.0.1:18080', '127.0.0.9', '[::1]:8080'],
  ]) {
    expect([host, knows(host, names)]).toEqual([host, true]);
  }
  expect(knows('192.168.1.5', names, '::ffff:192.168.1.5', 80)).toBe(true);
  expect(knows('[fd00::7]:8080', names, 'fd00::7')).toBe(true);
});

test('every other name is unknown, because an attacker may point it at this machine', () => {
  const names = new ServiceNames('https://shop.example.com');
  names.boundHost = '0.0.0.0';
  for (const host of [
    ...['evil.example.com:8080', 'shop.example.com.evil.example.com', 'shop.example.com:8080'],
    ...['192.168.1.5', '192.168.1.5:81', '192.168.1.6:8080', 'till.example.com:8080'],
    ...['localhost.evil.example.com', '127.0.0.1.evil.example.com', 'evil.example.com@localhost'],
    ...['localhost/', 'localhost?', 'localhost#', '[', 'a b', ''],
  ]) {
    expect([host, knows(host, names)]).toEqual([host, false]);
  }
});
