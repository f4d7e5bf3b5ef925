import { expect, test } from 'vitest';
import { shownUrl } from './shown-url.ts';

test.each([
  ['127.0.0.1', 'http://127.0.0.1:9050'],
  ['shop.example.com', 'http://shop.example.com:9050'],
  ['0.0.0.0', 'http://127.0.0.1:9050'],
  ['::', 'http://127.0.0.1:9050'],
  ['::1', 'http://[::1]:9050'],
])('with HOST %s a listener is reached at %s', (host, url) => {
  expect(shownUrl(host, 9050)).toBe(url);
  expect(new URL(url).port).toBe('9050');
});
