import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { AnyEndpoint } from '../../src/platform/http/endpoint.ts';
import { productBody } from '../../src/shop/catalog/product-bodies.test-support.ts';
import { documentBody, pathOf, propertyNames } from '../contract/contract-world.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import { startOwnTestService, type TestReply } from '../harness/test-service.ts';
import { createTestKeys, createTestShop, pickupBody } from '../harness/test-shop.ts';
import { bearerHeader } from '../harness/test-staff.ts';

/* What comes from elsewhere: requests of foreign pages, addresses that lead inside, and files that are something else. */

const service = await startOwnTestService({ webhookHostsAllowed: ['hooks.shop.lan', '10.20.30.40:9000'] });
const { context, call, endpoints, staffEndpoints } = service;
const shop = await createTestShop(context);
const owner = await service.staff(shop);
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const evil = 'https://evil.example.com';
const named = (endpoint: AnyEndpoint) =>
  pathOf(endpoint, Object.fromEntries(propertyNames(endpoint.params).map((name) => [name, 1])));

describe('a page of another site', () => {
  const cookie = `dispensary_session=${owner.token}`;
  const ways: readonly Readonly<Record<string, string>>[] = [
    { origin: evil },
    { origin: 'null' },
    { referer: `${evil}/console` },
    { 'sec-fetch-site': 'same-site' },
    // A name that an attacker points at this machine.
    { host: 'evil.example.com', origin: 'http://evil.example.com' },
    // A form that a page sends without saying where it is from.
    {},
  ];

  test('gets none of the writes of staff done with the cookie of a person, by any header, without a round trip', async () => {
    await owner.call('GET', '/staff/v1/me');
    const { statistics } = context.database;
    const before = statistics.roundTrips;
    const done: unknown[] = [];
    const writes = staffEndpoints.filter(({ method, roles }) => method !== 'GET' && roles !== 'anyone');
    for (const endpoint of writes) {
      for (const headers of ways) {
        const { status, error } = await call(endpoint.method, named(endpoint), {
          headers: { ...headers, cookie },
        });
        if (status !== 403 || error?.code !== 'CROSS_ORIGIN_REQUEST')
          done.push([endpoint.id, headers, status]);
      }
    }
    expect(done).toEqual([]);
    expect(statistics.roundTrips - before).toBe(0);
  });

  test('signs no person in, and reads no reply of any operation with secret keys or a session', async () => {
    const readable: unknown[] = [];
    for (const endpoint of [...endpoints, ...staffEndpoints]) {
      const isStaff = 'roles' in endpoint;
      if (isStaff && endpoint.roles === 'anyone') {
        const body = endpoint.requestExample;
        const reply = await call(endpoint.method, named(endpoint), { body, headers: { origin: evil } });
        expect([endpoint.id, reply.status, reply.error?.code]).toEqual([
          endpoint.id,
          403,
          'CROSS_ORIGIN_REQUEST',
        ]);
      }
      const { headers } = await call('GET', named(endpoint), {
        address: endpoint.address,
        headers: { origin: evil, ...(isStaff ? { cookie } : {}) },
        ...(!isStaff && { keys: shop.keys }),
      });
      if (headers['access-control-allow-origin'] !== undefined) readable.push(endpoint.id);
    }
    expect(readable).toEqual([]);
  });

  test('does nothing with the publishable key of another page', async () => {
    const { keys } = await createTestKeys(context, shop.organizationId, shop.integrator, {
      permissions: ['create-orders', 'menu'],
      origins: ['https://shop.example'],
    });
    const order = (headers: Record<string, string>) =>
      call('POST', '/api/v1/orders', {
        keys: { clientKey: keys.clientKey },
        headers,
        body: pickupBody(shop),
      });
    for (const origin of [
      evil,
      'null',
      'https://shop.example.evil.example.com',
      'http://shop.example',
      undefined,
    ]) {
      const reply = await order(origin === undefined ? {} : { origin });
      expect([origin, reply.status, reply.error?.code]).toEqual([origin, 403, 'ORIGIN_NOT_ALLOWED']);
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});

/** The operations that take an address which this service then asks. */
const doors: Readonly<Record<string, (url: string) => Promise<TestReply>>> = {
  webhooks: (url) => call('POST', '/api/v1/webhook-endpoints', { keys: shop.keys, body: { url } }),
  'webhooks of the console': (url) =>
    owner.call('POST', '/staff/v1/webhook-endpoints', { clientKeyId: shop.clientKeyId, url, types: [] }),
  'the identity provider': (issuer) =>
    owner.call('PUT', '/staff/v1/identity-provider', {
      ...{ issuer, client: 'shop', clientSecret: 'secret of the shop', emailDomains: ['example.com'] },
      secondFactor: 'never',
    }),
};

test.each(Object.entries(doors))(
  '%s: an address that is none of the web, or carries a password, is refused',
  async (_, ask) => {
    for (const url of [
      'file:///etc/passwd',
      'gopher://127.0.0.1:6379/_FLUSHALL',
      'javascript:alert(1)',
      'data:text/html,hello',
      'https://user:password@hooks.example.com/',
      '//hooks.example.com/',
      'https://hooks.example.com/\r\nX-Injected: 1\r\n\u0000',
    ]) {
      const reply = await ask(url);
      expect([url, reply.status >= 400 && reply.status < 500]).toEqual([url, true]);
    }
    expect((await ask('https://hooks.example.com/')).status).toBeLessThan(300);
  },
);

/** Hosts that no request from here can ever reach on the public internet, in every spelling. */
const ownHosts = [
  ...[
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '0.0.0.0',
  ],
  ...[
    '10.0.0.5',
    '172.16.9.9',
    '192.168.1.1',
    '169.254.169.254',
    '168.63.129.16',
    '100.100.100.200',
    '255.255.255.255',
  ],
  ...[
    '[::1]',
    '[::]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '[::ffff:10.0.0.5]',
    '[64:ff9b::a00:5]',
    '[2002:a00:5::1]',
  ],
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'api.localhost',
    'intranet',
    'db',
    'printer.local',
    'vault.internal',
  ],
  ...[
    'metadata.google.internal',
    'router.home.arpa',
    'nas.lan',
    'wiki.corp',
    'something.onion',
    'hooks.example.invalid',
  ],
];

const product = (changes: Readonly<Record<string, unknown>>) =>
  productBody({ name: `Reached ${randomUUID()}`, ...changes });
const option = { amount: 3.5, price: 3500, content: '3.5' };

describe('an address that can never be reached is refused when it is saved', () => {
  const portals: typeof doors = {
    ...doors,
    'a webhook that is changed': async (url) => {
      const { data } = await call('POST', '/api/v1/webhook-endpoints', {
        ...{ keys: shop.keys, body: { url: 'https://hooks.example.com/' } },
      });
      const reply = await call('PATCH', `/api/v1/webhook-endpoints/${data.id}`, {
        keys: shop.keys,
        body: { url },
      });
      await call('DELETE', `/api/v1/webhook-endpoints/${data.id}`, { keys: shop.keys });
      return reply;
    },
    'a photo': (url) =>
      call('POST', '/api/v1/products', { keys: shop.keys, body: product({ photos: [url] }) }),
    'a photo of an option': (url) =>
      call('POST', '/api/v1/products', {
        keys: shop.keys,
        body: product({ options: [{ ...option, photos: [{ url, altText: 'A jar' }] }] }),
      }),
    'a photo that staff enter': (url) => owner.call('POST', '/staff/v1/products', product({ photos: [url] })),
    'a photo of a product that is changed': async (url) =>
      call('PUT', `/api/v1/products/${shop.productId('Moonlit Grove')}`, {
        ...{ keys: shop.keys, body: { photos: [url] } },
      }),
    'a certificate of a laboratory': (certificateUrl) =>
      owner.call(
        'POST',
        '/staff/v1/products',
        product({ labResults: [{ lab: 'Green Lab', certificateUrl }] }),
      ),
  };

  test.each(Object.entries(portals))('%s', async (_, ask) => {
    for (const host of ownHosts) {
      const url = `https://${host}/x`;
      const { status, error } = await ask(url);
      expect([url, status, error?.code]).toEqual([url, 400, 'INVALID_PARAMS']);
      expect(error?.message).toMatch(/public internet|public web/);
    }
    // A name of the public web is taken, whatever address it has now.
    const reply = await ask('https://hooks.example.com/x');
    expect([reply.error?.message, reply.status < 300]).toEqual([undefined, true]);
  });

  test('a host that the operator allows for webhooks is taken there, at its port, and nowhere else', async () => {
    const webhook = doors.webhooks!;
    expect((await webhook('http://hooks.shop.lan:8443/x')).status).toBe(201);
    expect((await webhook('http://10.20.30.40:9000/x')).status).toBe(201);
    expect((await webhook('http://10.20.30.40:9001/x')).status).toBe(400);
    expect((await doors['the identity provider']!('https://hooks.shop.lan/')).status).toBe(400);
    // A public host at another port than those of the web gets nothing, either.
    expect((await webhook('https://hooks.example.com:8443/x')).error?.message).toContain('port 80 or 443');
  });
});

describe('a file', () => {
  const zip = Buffer.from('504b0506000000000000000000000000000000000000', 'hex');
  const picture = Buffer.from(documentBody.documentBase64, 'base64');
  const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const hostile: Readonly<Record<string, Buffer>> = {
    'a page': Buffer.from('<!doctype html><script>alert(1)</script>'),
    'a drawing with a script': Buffer.from(script),
    'a drawing that reads a file': Buffer.from(
      '<!DOCTYPE s [<!ENTITY f SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><text>&f;</text></svg>',
    ),
    'a program': Buffer.from('7f454c46020101000000000000000000', 'hex'),
    'an archive': zip,
    'a picture that is cut off': picture.subarray(0, 40),
    'a picture of 4 billion pixels': Buffer.concat([
      picture.subarray(0, 16),
      Buffer.from('0000ffff0000ffff', 'hex'),
      picture.subarray(24),
    ]),
    nothing: Buffer.alloc(0),
  };

  const filesOf = (endpoint: AnyEndpoint) => ('bodyFile' in endpoint ? endpoint.bodyFile : undefined) ?? [];
  // The message of a provider is no upload: its signature is checked before it is read.
  const uploads = [...endpoints, ...staffEndpoints].filter(
    (endpoint) => filesOf(endpoint).length > 0 && endpoint.id !== 'receivePaymentEvent',
  );
  const places: Readonly<Record<string, string>> = {
    uploadProductPhoto: `/staff/v1/products/${shop.productId('Moonlit Grove')}/photos`,
    uploadOptionPhoto: `/staff/v1/products/${shop.productId('Moonlit Grove')}/options/${shop.optionId('eighth')}/photos`,
    uploadShopLogo: '/staff/v1/shop-profile/logo',
    staffUploadMenu: '/staff/v1/menu-imports?fileName=menu.csv',
    uploadMoveFile: '/staff/v1/move/files?kind=customers&fileName=people.csv',
  };

  test('goes to few operations, each of which has a bound', () => {
    expect(uploads.map(({ id }) => id).toSorted()).toEqual(Object.keys(places).toSorted());
    for (const { bodyBytesMax } of uploads) expect(bodyBytesMax).toBeLessThanOrEqual(50 * 1_048_576);
  });

  test.each(uploads.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s takes no other kind of file, and keeps nothing of it',
    async (id, endpoint) => {
      const kept = async () =>
        (
          await tenantSql(
            context.database,
            shop.organizationId,
            'select count(*)::int as n from menu_imports',
          )
        )[0]!.n;
      const before = await kept();
      const send = (bytes: Buffer, type: string) =>
        owner.call(endpoint.method, places[id]!, bytes, { headers: { 'content-type': type } });
      for (const [name, bytes] of Object.entries(hostile)) {
        const reply = await send(bytes, filesOf(endpoint)[0]!);
        expect([name, reply.status, reply.error?.code]).toEqual([
          name,
          422,
          ['staffUploadMenu', 'uploadMoveFile'].includes(id) ? 'INVALID_MENU_FILE' : 'INVALID_PHOTO',
        ]);
      }
      expect((await send(picture, 'image/svg+xml')).status).toBe(415);
      expect((await send(Buffer.alloc(endpoint.bodyBytesMax + 1), filesOf(endpoint)[0]!)).status).toBe(413);
      expect(await kept()).toBe(before);
    },
  );

  test.each(Object.entries(hostile))('%s is no document of a customer', async (_, bytes) => {
    const customer = { firstName: 'Noor', lastName: 'Sandoval', email: 'noor@customers.example.com' };
    const order = await call('POST', '/api/v1/orders', {
      keys: shop.keys,
      body: pickupBody(shop, { customer }),
    });
    const path = `/api/v1/documents/${order.data.customer.id}/license`;
    for (const documentMime of ['image/png', 'image/jpeg', 'application/pdf']) {
      const body = { documentBase64: bytes.toString('base64'), documentMime };
      const reply = await call('POST', path, { keys: shop.keys, body });
      expect([reply.status, reply.error?.code]).toEqual([422, 'INVALID_DOCUMENT']);
    }
  });

  test('is asked for outside the folders of pictures, and is not there', async () => {
    for (const path of [
      '/photos/../../../etc/passwd',
      '/photos/..%2f..%2fetc%2fpasswd',
      '/photos/%2e%2e/%2e%2e/documents',
      '/console/..%2f..%2fpackage.json',
      '/photos/a%00.webp',
    ]) {
      const reply = await call('GET', path, { headers: bearerHeader(owner.token) });
      expect([path, reply.status >= 400 && reply.status < 500]).toEqual([path, true]);
      expect(reply.text).not.toMatch(/root:|"dependencies"/);
    }
  });
});
