import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { projectFolder } from '../../kernel/project-folder.ts';
import { ask, createToyServer } from '../../platform/http/toy-server.test-support.ts';
import { docsPlaces } from '../public-pages.ts';
import { guidesPages } from './guides-pages.ts';

const server = createToyServer({
  openApi: () => ({ openapi: '3.1.0', info: { title: 'Toys', version: '1' }, paths: {} }),
  publicPages: guidesPages(docsPlaces),
});
afterAll(() => server.close());

const page = (url: string) => ask(server, { url });
const linksOf = (html: string) => [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href!);

test('the root of the service leads to the documents', async () => {
  const { status, headers } = await page('/');
  expect([status, headers.location]).toEqual([301, '/docs/']);
});

test('the index names each guide once', async () => {
  const files = readdirSync(join(projectFolder(), 'docs', 'guides'));
  const { text, status } = await page('/docs/guides/');
  expect(status).toBe(200);
  const guides = linksOf(text).filter((href) => /^\/docs\/guides\/./.test(href));
  expect(guides.toSorted()).toEqual(
    files.map((file) => `/docs/guides/${file.replace('.md', '')}`).toSorted(),
  );
});

test('every link of every page leads to a page, and every anchor to a heading', async () => {
  const pages = new Map<string, string>();
  const left = ['/docs/guides/'];
  const broken: string[] = [];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    const { status, text } = await page(path);
    if (status !== 200) broken.push(path);
    pages.set(path, text);
    if (!path.startsWith('/docs/guides/')) continue;
    for (const href of linksOf(text)) {
      const [target] = href.split('#') as [string];
      // Served by other rooms, which are not here.
      if (!/^\/docs\/(guides|examples)\//.test(target) || pages.has(target) || left.includes(target))
        continue;
      left.push(target);
    }
  }
  for (const [path, text] of pages) {
    for (const href of path.startsWith('/docs/guides/') ? linksOf(text) : []) {
      const [target, anchor] = href.split('#') as [string, string?];
      if (anchor === undefined || /^https?:/.test(target)) continue;
      if (!pages.get(target || path)?.includes(`id="${anchor}"`)) broken.push(`${path}: ${href}`);
    }
  }
  expect(broken).toEqual([]);
  expect(pages.size).toBeGreaterThan(10);
});

test('a page runs no script and has no style but its stylesheet', async () => {
  const { text, headers } = await page('/docs/guides/webhooks');
  expect(headers['content-security-policy']).toContain("default-src 'none'; style-src 'self'");
  expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
  const style = await page('/docs/style.css');
  expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
});
