import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createStaff } from '../../src/access/staff/staff.ts';
import { publicPages } from '../../src/app/public-pages.ts';
import { startOwnTestService } from '../harness/test-service.ts';
import { createTestShop, testOrigin } from '../harness/test-shop.ts';

// Over TLS, as in production (OWASP ASVS 5, sections 3.3 and 3.4).
const publicUrl = 'https://shop.example.com';
const consoleFolder = mkdtempSync(join(tmpdir(), 'dispensary-console-'));
writeFileSync(join(consoleFolder, 'index.html'), '<title>Console</title>');
const service = await startOwnTestService({ publicUrl, consoleFolder });
afterAll(async () => {
  await service.close();
  rmSync(consoleFolder, { recursive: true });
});

const answered = await Promise.all(
  [
    ...Object.keys(
      publicPages(service.context, { openApi: () => ({ paths: {} }), securityContact: undefined }),
    ),
    '/console',
    '/console/orders',
    '/docs/',
    '/staff/docs/',
  ].map(async (path) => ({ path, reply: await service.call('GET', path) })),
);
const pages = answered.filter(({ reply }) => String(reply.headers['content-type']).startsWith('text/html'));

test('the pages are those of the console, the guides, the references and the limits', () => {
  const paths = pages.map(({ path }) => path);
  for (const path of [
    '/console',
    '/docs/',
    '/staff/docs/',
    '/docs/limits',
    '/docs/guides/',
    '/docs/guides/first-order',
  ]) {
    expect(paths).toContain(path);
  }
  expect(paths.length).toBeGreaterThan(15);
});

test.each(pages)(
  '$path runs only what is of this service, stands in no frame, and tells others nothing',
  ({ reply }) => {
    const policy = new Map(
      reply.headers['content-security-policy']!.split('; ').map((directive) => {
        const [name, ...sources] = directive.split(' ');
        return [name!, sources] as const;
      }),
    );
    for (const source of [...policy.values()].flat()) {
      expect(source).toMatch(/^('self'|'none'|'nonce-[\w+/=]{22,}'|data:|blob:)$/);
    }
    expect([["'self'"], ["'none'"]]).toContainEqual(policy.get('script-src') ?? policy.get('default-src'));
    expect(policy.get('object-src') ?? policy.get('default-src')).toEqual(["'none'"]);
    expect(policy.get('frame-ancestors')).toEqual(["'none'"]);
    expect(policy.get('base-uri')).toEqual(["'none'"]);
    expect([["'self'"], ["'none'"]]).toContainEqual(policy.get('form-action'));
    expect(reply.headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': expect.stringMatching(/^(same-origin|no-referrer)$/),
      'strict-transport-security': expect.stringMatching(/^max-age=31536000/),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    for (const name of ['access-control-allow-origin', 'server', 'x-powered-by']) {
      expect([name, reply.headers[name]]).toEqual([name, undefined]);
    }
  },
);

test('files and replies that are no pages are never taken for one', () => {
  for (const { path, reply } of answered.filter(({ reply }) => reply.status === 200)) {
    expect([path, reply.headers['x-content-type-options']]).toEqual([path, 'nosniff']);
    expect(reply.headers['content-type']).toMatch(
      /^(text\/(html|css|plain|markdown|javascript)|image\/|font\/|application\/)/,
    );
  }
});

test('cookies of staff are for this host, TLS and no script, and are not sent with requests of other pages', async () => {
  const shop = await createTestShop(service.context);
  const [email, password] = ['hester@shop.example.com', 'lantern-orchard-9-quiet'];
  await createStaff(service.context, testOrigin, shop.organizationId, [
    { email, firstName: 'Hester', lastName: 'Quan', role: 'owner', password },
  ]);
  const signedIn = await service.call('POST', '/staff/v1/sessions', {
    headers: { origin: publicUrl, host: 'shop.example.com', 'sec-fetch-site': 'same-origin' },
    body: { email, password },
  });
  expect(signedIn.status).toBe(201);
  const cookies = [signedIn.headers['set-cookie']].flat();
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) {
    expect(cookie).toMatch(/^__Host-\w+=/);
    for (const rule of ['Path=/', 'HttpOnly', 'Secure']) expect(cookie!.split('; ')).toContain(rule);
    expect(cookie).toMatch(/SameSite=(Lax|Strict)/);
    expect(cookie).not.toMatch(/Domain=/i);
  }
});
