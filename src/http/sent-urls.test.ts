import findMyWay, { type HTTPMethod, type HTTPVersion } from 'find-my-way';
import { beforeEach, expect, test } from 'vitest';
import { SentUrls } from './sent-urls.ts';

const router = findMyWay<HTTPVersion.V1>();
const never = () => {};
router.on(['GET', 'HEAD'], '/toys', never, 'list');
router.on('POST', '/toys', never, 'place');
router.on('GET', '/toys/:toyId', never, 'one');
router.on('GET', '/pages/*', never, 'page');

let findCount = 0;
let urls: SentUrls<string>;
beforeEach(() => {
  findCount = 0;
  const find = (method: HTTPMethod, url: string) => {
    findCount += 1;
    return router.find(method, url);
  };
  urls = new SentUrls({ find }, 'nothing');
});

test.each([
  ['GET', '/toys?kind=soft&kind=hard', { route: 'list', params: {}, query: { kind: ['soft', 'hard'] } }],
  ['HEAD', '/toys?kind=soft', { route: 'list', params: {}, query: { kind: 'soft' } }],
  ['POST', '/toys', { route: 'place', params: {}, query: {} }],
  ['GET', '/toys/7?deep=true', { route: 'one', params: { toyId: '7' }, query: { deep: 'true' } }],
  ['GET', '/pages/a/b', { route: 'page', params: { '*': 'a/b' }, query: {} }],
  ['GET', '/nothing?a=1', { route: 'nothing', params: {}, query: {} }],
  ['GET', '/toys/%zz', { route: 'nothing', params: {}, query: {} }],
  ['DELETE', '/toys', { route: 'nothing', params: {}, query: {} }],
  ['BREW', '/toys', { route: 'nothing', params: {}, query: {} }],
])('%s %s means the same each time', (method, url, meaning) => {
  for (let time = 0; time < 3; time++) expect(urls.read(method, url)).toMatchObject(meaning);
});

test('a GET that comes again is read once, whatever else comes to its path', () => {
  const first = urls.read('GET', '/toys?kind=soft');
  expect(urls.read('HEAD', '/toys?kind=soft')).not.toBe(first);
  expect(urls.read('GET', '/toys?kind=hard')).not.toBe(first);
  expect(urls.read('GET', '/toys?kind=soft')).toBe(first);
  expect([findCount, first.isKept]).toEqual([3, true]);
});

test.each([
  ['HEAD', '/toys'],
  ['POST', '/toys'],
  ['GET', '/toys/7'],
  ['GET', '/pages/a'],
  ['GET', '/nothing'],
  ['GET', `/toys?kind=${'x'.repeat(200)}`],
])('%s %s is not kept', (method, url) => {
  expect(urls.read(method, url)).not.toBe(urls.read(method, url));
  expect(urls.read(method, url).isKept).toBe(false);
});

test('a thousand URLs are kept, and no more', () => {
  const some = Array.from({ length: 1000 }, (_, number) => `/toys?number=${number}`);
  const readAll = () => some.map((url) => urls.read('GET', url));
  const first = readAll();
  expect(readAll()).toEqual(first);
  expect(findCount).toBe(1000);
  urls.read('GET', '/toys?one=more');
  expect(urls.read('GET', some[0]!)).not.toBe(first[0]);
  expect(readAll().map(({ query }) => query)).toEqual(first.map(({ query }) => query));
});
