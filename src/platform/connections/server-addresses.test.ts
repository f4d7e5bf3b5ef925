import { expect, test } from 'vitest';
import { serverAddresses } from './server-addresses.ts';

test.each([
  ['postgres://me:p@db:5432/shop?sslmode=require', ['postgres://me:p@db:5432/shop?sslmode=require']],
  ['postgres://me@a:5432,b:5433/shop', ['postgres://me@a:5432/shop', 'postgres://me@b:5433/shop']],
  ['postgresql://a,b,[::1]:7/s', ['postgresql://a/s', 'postgresql://b/s', 'postgresql://[::1]:7/s']],
  // A comma in a password is one.
  ['postgres://me:p,w@a/shop', ['postgres://me:p,w@a/shop']],
  ['postgres://me:p,w@a,b/shop?x=1,2', ['postgres://me:p,w@a/shop?x=1,2', 'postgres://me:p,w@b/shop?x=1,2']],
  [
    'postgres:///shop?host=/run/a,/run/b&port=5432,5433',
    ['postgres:///shop?host=%2Frun%2Fa&port=5432', 'postgres:///shop?host=%2Frun%2Fb&port=5433'],
  ],
  [
    'postgres:///shop?host=/run/a,/run/b&port=5433',
    ['postgres:///shop?host=%2Frun%2Fa&port=5433', 'postgres:///shop?host=%2Frun%2Fb&port=5433'],
  ],
  // A user without a host, as libpq and the driver take it for a socket.
  ['postgres://u:p@/shop?host=/run/a', ['postgres://u:p@/shop?host=/run/a']],
  [
    'postgres://u:p@/shop?host=/run/a,/run/b',
    ['postgres://u:p@/shop?host=%2Frun%2Fa', 'postgres://u:p@/shop?host=%2Frun%2Fb'],
  ],
  ['postgres:///shop?host=/a,/b,/c&port=1,2', []],
  ['postgres://a:x,b/shop', []],
  ['mysql://a,b/shop', []],
])('%s names %j', (address, expected) => {
  expect(serverAddresses(address)).toEqual(expected);
});
