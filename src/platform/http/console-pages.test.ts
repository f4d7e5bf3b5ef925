import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import inject from 'light-my-request';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consolePages } from './console-pages.ts';
import type { HttpServer } from './server.ts';
import { createToyServer } from './toy-server.test-support.ts';

const script = 'assets/console-AbC123.js';
let folder: string;
let server: HttpServer;
let madeCount = 0;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dispensary-console-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<meta property="csp-nonce" nonce="__CSP_NONCE__">');
  writeFileSync(join(folder, script), 'as it is');
  writeFileSync(join(folder, 'offline-worker.js'), 'of the build');
  writeFileSync(join(folder, `${script}.br`), 'by brotli');
  writeFileSync(join(folder, `${script}.gz`), 'by gzip');
  const randomBytes = (count: number): Uint8Array => new Uint8Array(count).fill(++madeCount);
  server = createToyServer({ console: consolePages(folder, randomBytes) });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}, of = server) =>
  inject(of.handle, { method: 'GET', url, headers });

test('every path of the console serves the same page, except the files of the build', async () => {
  for (const path of ['/console', '/console/', '/console/orders', '/console/settings/taxes?tab=1']) {
    const page = await get(path);
    expect(page).toMatchObject({ statusCode: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
  }
  for (const name of ['none-AbC123', 'a'.repeat(300)]) {
    expect((await get(`/console/assets/${name}.js`)).statusCode).toBe(404);
  }
  expect((await get('/consoles')).statusCode).toBe(404);
});

test('the worker of offline sales is asked for each time, and runs what is of this service only', async () => {
  const { payload, headers } = await get('/console/offline-worker.js');
  expect(payload).toBe('of the build');
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': "default-src 'self'",
    'x-content-type-options': 'nosniff',
  });
});

test('the page is never cached, and its policy allows styles with a nonce unique to the reply', async () => {
  const pages = [await get('/console'), await get('/console')];
  const nonces = pages.map(({ payload }) => /nonce="([^"]+)"/.exec(payload)?.[1]);
  expect(new Set(nonces).size).toBe(2);
  for (const [index, { headers }] of pages.entries()) {
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('same-origin');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain(`style-src 'self' 'nonce-${nonces[index]}'`);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  }
});

test('files of the build are cached forever, and sent in the best encoding the browser accepts', async () => {
  const answers = [
    { accepts: 'gzip, deflate, br', body: 'by brotli', encoding: 'br' },
    { accepts: 'gzip', body: 'by gzip', encoding: 'gzip' },
    { accepts: 'br;q=0, gzip', body: 'by gzip', encoding: 'gzip' },
    { accepts: '', body: 'as it is', encoding: undefined },
  ];
  for (const { accepts, body, encoding } of answers) {
    const file = await get(`/console/${script}`, { 'accept-encoding': accepts });
    expect(file).toMatchObject({ statusCode: 200, payload: body });
    expect(file.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    expect(file.headers['content-encoding']).toBe(encoding);
  }
});

test('no path reaches outside the folder of the build', async () => {
  for (const path of ['..%2findex.html', '../index.html', '%2e%2e/index.html', 'a/b.js', '.js', '']) {
    expect((await get(`/console/assets/${path}`)).payload).not.toContain('csp-nonce" nonce="__CSP');
  }
  expect((await get('/console/assets/..%2findex.html')).statusCode).toBe(404);
});

test('a console that is not built is an error reply', async () => {
  const bare = createToyServer({
    console: consolePages(join(folder, 'none'), () => new Uint8Array(16)),
  });
  const none = await get('/console', {}, bare);
  expect(none.statusCode).toBe(404);
  expect(none.json()).toEqual({
    error: { code: 'ROUTE_NOT_FOUND', message: 'The console is not built: npm run build.' },
  });
  await bare.close();
});

test('the console accepts GET and HEAD only', async () => {
  const posted = await inject(server.handle, { method: 'POST', url: '/console/orders' });
  expect(posted).toMatchObject({ statusCode: 405, headers: { allow: 'GET, HEAD' } });
});
