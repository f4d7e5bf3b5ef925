import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { projectFolder } from '../../kernel/project-folder.ts';
import { ask, createToyServer } from '../../platform/http/toy-server.test-support.ts';
import { publicPages } from '../public-pages.ts';
import { findParts } from './docs-search.ts';

/* The pages beside the guides: changes, search, and what assistants and finders of weaknesses read. */

const contract = JSON.parse(readFileSync(join(projectFolder(), 'contract', 'v1.json'), 'utf8'));
const nowMs = Date.parse('2026-03-01T17:05:09.123Z');
const context = {
  clock: { now: () => nowMs },
  law: { current: { edition: { jurisdictions: [] } } },
} as never;
const server = createToyServer({
  openApi: () => contract,
  publicPages: publicPages(context, {
    openApi: () => contract,
    securityContact: 'mailto:security@shop.example.com',
  }),
});
afterAll(() => server.close());
const page = (url: string) => ask(server, { url });

test('the changes are a page and a feed with the same entries, each with its own id', async () => {
  const { text, status } = await page('/docs/changes');
  const feed = await page('/docs/changes.atom');
  expect([status, feed.status, feed.headers['content-type']]).toEqual([
    200,
    200,
    'application/atom+xml; charset=utf-8',
  ]);
  const ids = [...feed.text.matchAll(/<entry><id>([^<]+)/g)].map(([, id]) => id);
  expect(ids.length).toBeGreaterThan(20);
  expect(new Set(ids).size).toBe(ids.length);
  expect(text.match(/<li>/g)).toHaveLength(ids.length);
  expect(feed.text).not.toMatch(/&(?!amp;|lt;|gt;|quot;)/);
});

test('a search finds sections of guides, operations and error codes; every place that it names is there', async () => {
  const titles = async (query: string) => {
    const { text, status } = await page(`/docs/search?q=${encodeURIComponent(query)}`);
    expect(status).toBe(200);
    return [...text.matchAll(/<li><a href="([^"]+)">([^<]+)/g)].map(([, path, title]) => ({ path, title }));
  };
  const cancel = await titles('customer cancel');
  expect(cancel.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      '/docs/guides/cancel-an-order',
      '/docs/#tag/orders/POST/api/v1/own-orders/{orderId}/cancel',
    ]),
  );
  const [best] = await titles('PRICE_CHANGED');
  expect(best?.path).toMatch(/^\/docs\/guides\/error-codes#/);
  for (const { path } of await titles('webhook signature')) {
    const [address, anchor] = path!.split('#') as [string, string?];
    if (!address.startsWith('/docs/guides/')) continue;
    const { text, status } = await page(address);
    expect([path, status, anchor === undefined || text.includes(`id="${anchor}"`)]).toEqual([
      path,
      200,
      true,
    ]);
  }
  expect(await titles('zzzz')).toEqual([]);
  const strange = await page('/docs/search?q=%3Cscript%3E');
  expect(strange.text).not.toContain('<script');
  expect(strange.headers['content-security-policy']).toContain("form-action 'self'");
});

test('what a search finds has every word, and titles come first', () => {
  const parts = [
    { title: 'Points', path: '/a', text: 'a cancel of an order gives points back' },
    { title: 'Cancel an order', path: '/b', text: 'how' },
    { title: 'Orders', path: '/c', text: 'nothing of it' },
  ];
  expect(findParts(parts, 'cancel order').map(({ path }) => path)).toEqual(['/b', '/a']);
  expect(findParts(parts, ' ')).toEqual([]);
});

test('llms.txt names each guide, whose Markdown is there; security.txt has a contact and an end', async () => {
  const { text } = await page('/llms.txt');
  const links = [...text.matchAll(/\]\((\/docs\/guides\/[^)]+\.md)\)/g)].map(([, href]) => href!);
  expect(links.length).toBeGreaterThan(15);
  const statuses = await Promise.all(links.map(async (link) => (await page(link)).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await page('/llms-full.txt')).text).toContain('# Let a customer cancel');
  const security = await page('/.well-known/security.txt');
  expect(security.text).toBe(
    'Contact: mailto:security@shop.example.com\nExpires: 2026-08-28T00:00:00.000Z\nPreferred-Languages: en, es\n',
  );
});

test('the Postman collection and the script of the embedded menu are files of the service', async () => {
  expect(
    (JSON.parse((await page('/docs/postman.json')).text) as { item: object[] }).item.length,
  ).toBeGreaterThan(5);
  const script = await page('/embed/menu.js');
  expect([
    script.status,
    script.headers['content-type'],
    script.headers['cross-origin-resource-policy'],
  ]).toEqual([200, 'text/javascript; charset=utf-8', 'cross-origin']);
  expect(Buffer.byteLength(script.text)).toBeLessThan(30_000);
});
