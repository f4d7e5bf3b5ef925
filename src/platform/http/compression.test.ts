import { createHook } from 'node:async_hooks';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody } from '../../../test/harness/test-shop.ts';
import { acceptedEncoding, compressed } from './compression.ts';

const service = await startTestService();
const shop = await createTestShop(service.context);
const { baseUrl, menuUrl } = await service.listen();
for (let count = 0; count < 3; count += 1) {
  await service.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop) });
}
afterAll(() => service.close());

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Without the decoding that `fetch` does. */
function get(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  { method = 'GET', url = baseUrl } = {},
): Promise<Received> {
  const keys = { 'x-consumer-key': shop.keys.consumerKey!, 'x-client-key': shop.keys.clientKey! };
  return new Promise((resolve, reject) => {
    httpRequest(`${url}${path}`, { method, headers: { ...keys, ...headers } }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', () =>
        resolve({ status: reply.statusCode!, headers: reply.headers, bytes: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

test('a reply of more than 1 KB is compressed for a caller that accepts it, and is the same', async () => {
  const plain = await get('/api/v1/orders');
  expect(plain.headers).toMatchObject({
    vary: 'Accept-Encoding',
    'content-length': String(plain.bytes.length),
  });
  expect(plain.headers['content-encoding']).toBeUndefined();
  for (const [accept, encoding, unpack] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ] as const) {
    const reply = await get('/api/v1/orders', { 'accept-encoding': accept });
    expect([accept, reply.headers['content-encoding']]).toEqual([accept, encoding]);
    expect(reply.headers).toMatchObject({
      vary: 'Accept-Encoding',
      'content-length': String(reply.bytes.length),
      'content-type': 'application/json; charset=utf-8',
    });
    expect(reply.bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(unpack(reply.bytes).equals(plain.bytes)).toBe(true);
  }
});

test('a small reply, a refusal and the reply to HEAD are sent as they are', async () => {
  const all = { 'accept-encoding': 'br, gzip' };
  for (const reply of [
    await get('/api/v1/whoami', all),
    await get('/api/v1/orders/none', all),
    await get('/api/v1/orders', all, { method: 'HEAD' }),
  ]) {
    expect(reply.headers['content-encoding']).toBeUndefined();
  }
});

test('a reply that shows a secret is never compressed', async () => {
  const owner = await service.staff(shop);
  const reply = await fetch(`${baseUrl}/staff/v1/client-keys`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${owner.token}`,
      'content-type': 'application/json',
      'accept-encoding': 'br, gzip',
    },
    body: JSON.stringify({
      integratorId: shop.integrator.id,
      name: 'x'.repeat(100),
      permissions: ['menu'],
    }),
  });
  expect(reply.status).toBeLessThan(500);
  expect(reply.headers.get('content-encoding')).toBeNull();
});

test('the tag of a compressed reply is weak, and is good for revalidation', async () => {
  const menu = (headers: Readonly<Record<string, string>>) => get('/api/v1/menu', headers, { url: menuUrl });
  const strong = (await menu({})).headers.etag!;
  const packed = await menu({ 'accept-encoding': 'br' });
  expect([packed.headers['content-encoding'], packed.headers.etag]).toEqual(['br', `W/${strong}`]);
  const unchanged = await menu({ 'accept-encoding': 'br', 'if-none-match': packed.headers.etag! });
  expect([unchanged.status, unchanged.headers.vary]).toEqual([304, 'Accept-Encoding']);
});

test('the kept pages of the menu are packed once for each encoding', async () => {
  let packedCount = 0;
  const hook = createHook({
    init(_, type) {
      if (type === 'ZLIB') packedCount += 1;
    },
  }).enable();
  try {
    const seller = await createTestShop(service.context);
    const keys = { 'x-consumer-key': seller.keys.consumerKey!, 'x-client-key': seller.keys.clientKey! };
    for (let count = 0; count < 3; count += 1) {
      for (const encoding of ['br', 'gzip']) {
        const headers = { ...keys, 'accept-encoding': encoding };
        const reply = await get('/api/v1/menu', headers, { url: menuUrl });
        expect(reply.headers['content-encoding']).toBe(encoding);
      }
    }
  } finally {
    hook.disable();
  }
  expect(packedCount).toBe(2);
});

test('bytes that are kept are packed once', async () => {
  const bytes = Buffer.from('x'.repeat(5_000));
  const [first, second] = await Promise.all([compressed(bytes, 'br', true), compressed(bytes, 'br', true)]);
  expect(second).toBe(first);
  expect(await compressed(bytes, 'gzip', true)).not.toBe(first);
  expect(await compressed(bytes, 'br', false)).not.toBe(first);
});

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['BR', 'br'],
  ['gzip;q=0, br;q=0.000', undefined],
  ['deflate, gzip;q=1.0, *;q=0.5', 'gzip'],
  ['broken, brr', undefined],
] as const)('Accept-Encoding %j allows %s', (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding);
});
