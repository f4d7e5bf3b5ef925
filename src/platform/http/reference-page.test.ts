import { afterAll, expect, it } from 'vitest';
import { ask, createToyServer } from './toy-server.test-support.ts';

const openApi = { openapi: '3.1.0', info: { title: 'Toys', version: '1' }, paths: {} };
const server = createToyServer({ openApi: () => openApi });
afterAll(() => server.close());

it('the document is served unchanged', async () => {
  expect((await ask(server, { url: '/openapi.json' })).json).toEqual(openApi);
  expect((await ask(server, { url: '/docs/openapi.json' })).json).toEqual(openApi);
});

it('the page and its scripts come from this service, no script is inline, and the page names no other host', async () => {
  const moved = await ask(server, { url: '/docs' });
  expect([moved.status, moved.headers.location]).toEqual([301, '/docs/']);
  const page = await ask(server, { url: '/docs/' });
  expect(page.status).toBe(200);
  expect(page.text).not.toMatch(/https?:|\/\/[a-z]/i);
  const scripts = [...page.text.matchAll(/<script src="(js\/\w+\.js)"><\/script>/g)].map(([, path]) => path);
  expect(scripts).toEqual(['js/styles.js', 'js/scalar.js', 'js/start.js']);
  expect(page.text.match(/<script/g)).toHaveLength(scripts.length);
  for (const path of scripts) {
    const script = await ask(server, { url: `/docs/${path}` });
    expect([script.status, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
  }
});

it('the content security policy allows connections to this service only, and no inline scripts', async () => {
  const policies = [];
  for (const url of ['/docs/', '/docs/']) {
    const { headers, text } = await ask(server, { url });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/https?:|\*|unsafe/);
    expect(text).toContain(`nonce="${/'nonce-([^']+)'/.exec(policy)![1]}"`);
    policies.push(policy);
  }
  expect(policies[0]).not.toBe(policies[1]);
});

it('a broken Host header is not an internal error', async () => {
  for (const host of ['[', '::x::', 'a b', '']) {
    expect((await ask(server, { url: '/docs/', headers: { host } })).status).toBe(200);
  }
});

it('an unknown path below the page is refused like any other', async () => {
  for (const url of ['/docs/nothing', '/docs//', '/docs/%zz']) {
    const { status, code, headers } = await ask(server, { url });
    expect([status, code, headers['cache-control']]).toEqual([404, 'ROUTE_NOT_FOUND', 'no-store']);
  }
  expect((await ask(server, { method: 'POST', url: '/docs/' })).code).toBe('ROUTE_NOT_FOUND');
});

it('there is no page at the menu address', async () => {
  const menu = createToyServer({ address: 'menu', openApi: () => openApi });
  for (const url of ['/docs', '/docs/', '/openapi.json']) expect((await ask(menu, { url })).status).toBe(404);
  await menu.close();
});
