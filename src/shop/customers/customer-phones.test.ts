import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { addCredit } from '../../../test/harness/test-promotions.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestKeys, createTestShop, pickupBody } from '../../../test/harness/test-shop.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { Receiver, testWorker } from '../webhooks/webhooks.test-support.ts';

/* How a customer proves a phone number (D62), and who gets to see the code on its way (D70). */

const service = await startTestService();
const witness = await openWitness(service.database);
const { context, clock } = service;
const worker = testWorker(service);
const receivers: Receiver[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const receiver of receivers.splice(0)) await receiver.close();
  expect(service.faults).toEqual([]);
});
afterAll(async () => {
  await worker.stop();
  await witness.end();
  await service.close();
});

const origin = 'https://shop.example';
const phone = '+14155550123';
const codes = ['customer.code_requested'];
const endpoints = '/staff/v1/webhook-endpoints';

async function openShop() {
  const shop = await createTestShop(context);
  const { organizationId } = shop;
  const settings = { permissions: ['create-orders', 'menu'], origins: [origin] } as const;
  const { keys } = await createTestKeys(context, organizationId, shop.integrator, settings);
  const owner = await service.staff(shop);
  const page = (path: string, body: object) =>
    service.call('POST', `/api/v1/${path}`, {
      keys: { clientKey: keys.clientKey },
      headers: { origin },
      body,
    });
  const placeFor = async (customer: object) => {
    const body = pickupBody(shop, { customer: { firstName: 'Ada', lastName: 'Moreno', ...customer } });
    return (await service.call('POST', '/api/v1/orders', { keys: shop.keys, body })).data;
  };
  const ownOrders = async (token: string) => {
    const headers = { origin, 'x-customer-token': token };
    const { data } = await service.call('GET', '/api/v1/own-orders', {
      keys: { clientKey: keys.clientKey },
      headers,
    });
    return (data as { id: string }[]).map(({ id }) => id);
  };
  return { shop, organizationId, owner, page, placeFor, ownOrders, pass: () => worker.pass(organizationId) };
}

/** A shop whose owner has made an endpoint for codes. */
async function openShopWithCodes(status = 204) {
  const made = await openShop();
  const receiver = await Receiver.answering(status);
  receivers.push(receiver);
  const body = { clientKeyId: made.shop.clientKeyId, url: receiver.url, types: codes };
  const { data, error } = await made.owner.call('POST', endpoints, body);
  expect(error).toBeUndefined();
  const ask = async () => {
    expect((await made.page('customer-sessions', { phone })).status).toBe(202);
    await made.pass();
    return receiver.received.at(-1)!.body as unknown as { data: { phone: string; code: string } };
  };
  const signIn = async (): Promise<{ token: string; customer: object | null }> => {
    const { code } = (await ask()).data;
    return (await made.page('customer-sessions/verify', { phone, code })).data;
  };
  return { ...made, receiver, endpointId: data.id as number, ask, signIn };
}

/** The tables that have a text as characters, or as bytes. */
async function tablesWith(text: string, organization: number): Promise<string[]> {
  const plain = new RegExp(`(?<![0-9a-f.])${text}(?![0-9a-f])`, 'i');
  const bytes = Buffer.from(text).toString('hex');
  const tables = await witness.query(
    `select relnamespace::regnamespace || '.' || relname as name from pg_class
      where relkind = 'r' and relnamespace::regnamespace::text in ('public', 'graphile_worker')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await witness.query(
      `select t::text as text from ${name} t where coalesce(to_jsonb(t) ->> 'organization_id', $1) = $1`,
      [String(organization)],
      organization as never,
    );
    if (rows.some((row) => plain.test(row.text) || row.text.includes(bytes))) found.push(name);
  }
  return found;
}

const sealed = async (organization: number) =>
  (
    await witness.query(
      'select id from webhook_deliveries where sealed_body is not null and organization_id = $1',
      [organization],
      organization as never,
    )
  ).length;

/** The next code is this one. */
function plant(code: string): void {
  const draw = context.randomBytes;
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(Number(code));
  vi.spyOn(context, 'randomBytes').mockImplementation((count) => (count === 4 ? bytes : draw(count)));
}

describe('the code of a phone', () => {
  test('goes to the endpoint for codes, and signs its customer in with orders and credits', async () => {
    const { shop, organizationId, page, placeFor, ownOrders, ask, receiver } = await openShopWithCodes();
    const order = await placeFor({ phone: '(415) 555-0123' });
    await addCredit(context, organizationId, order.customer.id, { cents: 300 });
    const sent = await ask();
    expect(sent).toEqual({
      type: 'customer.code_requested',
      timestamp: expect.any(String),
      data: {
        phone,
        code: expect.stringMatching(/^\d{6}$/),
        expiresAt: new Date(clock.now() + 600_000).toISOString(),
      },
    });
    const { code } = sent.data;
    const session = await page('customer-sessions/verify', { phone: '(415) 555-0123', code });
    expect(session.data.customer).toEqual({ firstName: 'Ada', lastName: 'Moreno', phone, birthday: null });
    expect((await page('customer-sessions/verify', { phone, code })).error?.code).toBe(
      'CUSTOMER_CODE_INVALID',
    );
    const { token } = session.data;
    const customer = { firstName: 'Ada', lastName: 'Moreno', email: 'other@customers.example.com', token };
    const preview = await page('orders/pricing', pickupBody(shop, { customer }));
    expect(preview.data.credits).toMatchObject([{ amountUsed: 300 }]);
    expect(await ownOrders(token)).toEqual([order.id]);
    expect(receiver.received).toHaveLength(1);
  });

  test('reaches no endpoint of an integrator, no feed and no record of deliveries', async () => {
    const { shop, owner, ask, receiver, endpointId } = await openShopWithCodes();
    receiver.answer = ({ text }, response) => void response.writeHead(200).end(text);
    const all = await Receiver.answering(204);
    receivers.push(all);
    const { keys } = shop;
    const made = await service.call('POST', '/api/v1/webhook-endpoints', { keys, body: { url: all.url } });
    expect(made.status).toBe(201);
    const { code } = (await ask()).data;
    const changes = await service.call('GET', '/api/v1/changes', { keys });
    const deliveries = await owner.call('GET', `${endpoints}/${endpointId}/deliveries`);
    expect(deliveries.data).toMatchObject([
      { type: 'customer.code_requested', status: 'delivered', lastAttempt: { status: 200, answer: null } },
    ]);
    for (const text of [changes.text, deliveries.text, ...all.received.map((received) => received.text)]) {
      expect(text).not.toMatch(new RegExp(`\\b${code}\\b|4155550123|code_requested"?,"facts`));
    }
  });

  test('is stored encrypted until it is delivered, and as a digest then', async () => {
    const { organizationId, page, pass, receiver } = await openShopWithCodes();
    plant('918273');
    await page('customer-sessions', { phone });
    vi.restoreAllMocks();
    expect(await sealed(organizationId)).toBe(1);
    expect(await tablesWith('918273', organizationId)).toEqual([]);
    await pass();
    expect(receiver.received[0]!.text).toContain('"918273"');
    expect(await sealed(organizationId)).toBe(0);
    expect(await tablesWith('918273', organizationId)).toEqual([]);
    // The search does find what is there.
    expect(await tablesWith(phone.slice(1), organizationId)).toContain('public.customer_codes');
  });

  test('goes when it is used, replaced or over, though it was not delivered', async () => {
    const { organizationId, page, ask, pass, receiver } = await openShopWithCodes(500);
    const { code } = (await ask()).data;
    expect(await sealed(organizationId)).toBe(1);
    expect((await page('customer-sessions/verify', { phone, code })).status).toBe(201);
    expect(await sealed(organizationId)).toBe(0);
    await ask();
    await ask();
    expect([await sealed(organizationId), receiver.received.length]).toEqual([1, 3]);
    clock.advance(600_000);
    await pass();
    expect([await sealed(organizationId), receiver.received.length]).toEqual([0, 3]);
  });

  test('goes with the erasure of its customer, though it was not delivered', async () => {
    const { organizationId, owner, placeFor, ask, pass, receiver } = await openShopWithCodes(500);
    const { id, customer } = await placeFor({ phone });
    expect(
      (await owner.call('POST', `/staff/v1/orders/${id}/cancel`, { reason: 'By mistake' })).error,
    ).toBeUndefined();
    await ask();
    expect([await sealed(organizationId), receiver.received.length]).toEqual([1, 1]);
    expect((await owner.call('DELETE', `/staff/v1/customers/${customer.id}`)).error).toBeUndefined();
    expect(await sealed(organizationId)).toBe(0);
    clock.advance(60_000);
    await pass();
    expect(receiver.received).toHaveLength(1);
    expect(await tablesWith(phone.slice(1), organizationId)).toEqual([]);
  });

  test('is not sent without an endpoint for codes, and the reply is the same', async () => {
    const { organizationId, page } = await openShop();
    const asked = await page('customer-sessions', { phone });
    expect([asked.status, asked.data]).toEqual([202, { expiresInSeconds: 600 }]);
    // The owner reads the deliveries of all organizations.
    const sent = 'select id from webhook_deliveries where organization_id = $1';
    expect(await witness.query(sent, [organizationId], organizationId)).toEqual([]);
  });

  test('is asked for five times within an hour, for a phone or an email but not for both', async () => {
    const { page } = await openShop();
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++) {
      statuses.push((await page('customer-sessions', { phone })).status);
    }
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
    const refused = async (body: object) => (await page('customer-sessions', body)).error;
    expect(await refused({ phone, email: 'ada@customers.example.com' })).toMatchObject({
      code: 'INVALID_PARAMS',
      message: 'Send either email or phone.',
    });
    expect(await refused({ phone: 'five' })).toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining('phone'),
    });
    expect(await refused({})).toMatchObject({ code: 'MISSING_PARAMS' });
  });
});

describe('the endpoint for codes', () => {
  test('is made and changed by owners alone, for nothing else, and once', async () => {
    const { shop, owner, endpointId } = await openShopWithCodes();
    const manager = await service.staff(shop, 'manager');
    const url = 'https://hooks.example.com/codes';
    const body = { clientKeyId: shop.clientKeyId, url, types: codes };
    const codeOf = async (staff: typeof owner, method: string, path: string, sent?: object) =>
      (await staff.call(method as 'POST', `${endpoints}${path}`, sent)).error?.code;
    const one = `/${endpointId}`;
    for (const [method, path, sent] of [
      ['POST', '', body],
      ['PATCH', one, { url }],
      ['DELETE', one],
      ['POST', `${one}/rotate-secret`],
      ['POST', `${one}/test`],
      ['POST', `${one}/send-since`, { cursor: '0-0' }],
    ] as const) {
      expect([path, await codeOf(manager, method, path, sent)]).toEqual([path, 'INSUFFICIENT_PERMISSIONS']);
    }
    expect(await codeOf(owner, 'POST', '', body)).toBe('WEBHOOK_ENDPOINT_LIMIT');
    for (const types of [[...codes, 'order.placed'], [], ['order.*']]) {
      expect(await codeOf(owner, 'PATCH', one, { types })).toBe('INVALID_PARAMS');
    }
    expect(await codeOf(owner, 'POST', `${one}/send-since`, { cursor: '0-0' })).toBe('INVALID_PARAMS');
    const { data: events } = await owner.call('POST', endpoints, { ...body, types: ['order.*'] });
    expect(await codeOf(owner, 'PATCH', `/${events.id}`, { types: codes })).toBe('INVALID_PARAMS');
    expect(await codeOf(owner, 'PATCH', one, { url })).toBeUndefined();
    expect(await codeOf(owner, 'DELETE', one)).toBeUndefined();
    expect(await codeOf(owner, 'POST', '', body)).toBeUndefined();
  });

  test('is not there for integrators, whose key it has', async () => {
    const { shop, ask, endpointId, receiver, owner } = await openShopWithCodes();
    await ask();
    const [delivery] = (await owner.call('GET', `${endpoints}/${endpointId}/deliveries`)).data;
    const { keys } = shop;
    const call = (method: string, path: string, body?: object) =>
      service.call(method, `/api/v1/webhook-endpoints${path}`, { keys, ...(body && { body }) });
    const one = `/${endpointId}`;
    for (const [method, path, body] of [
      ['PATCH', one, { url: 'https://hooks.example.com/mine' }],
      ['DELETE', one],
      ['POST', `${one}/rotate-secret`],
      ['GET', `${one}/deliveries`],
      ['POST', `${one}/deliveries/${delivery.id}/send`],
      ['POST', `${one}/send-since`, { cursor: '0-0' }],
      ['POST', `${one}/test`],
    ] as const) {
      const { error } = await call(method, path, body);
      expect([path, error?.code]).toEqual([path, 'WEBHOOK_ENDPOINT_NOT_FOUND']);
    }
    expect((await call('GET', '')).data).toEqual([]);
    const url = 'https://hooks.example.com/mine';
    for (const types of [codes, ['customer.code_requested', 'order.placed']]) {
      expect((await call('POST', '', { url, types })).error?.code).toBe('INVALID_PARAMS');
    }
    const { data: own } = await call('POST', '', { url });
    expect((await call('PATCH', `/${own.id}`, { types: codes })).error?.code).toBe('INVALID_PARAMS');
    expect(receiver.received).toHaveLength(1);
  });
});

describe('a phone that a visitor only claimed', () => {
  test('opens no profile, and is of its owner from the first order on', async () => {
    const { shop, organizationId, page, signIn, ownOrders } = await openShopWithCodes();
    const stranger = { firstName: 'Sly', lastName: 'Fox', email: 'sly@customers.example.com', phone };
    expect((await page('orders', pickupBody(shop, { customer: stranger }))).status).toBe(201);
    const { token, customer } = await signIn();
    expect([customer, await ownOrders(token)]).toEqual([null, []]);
    const mine = { firstName: 'Ada', lastName: 'Moreno', email: 'sly@customers.example.com', token };
    const order = await page('orders', pickupBody(shop, { customer: mine }));
    expect([order.status, order.error]).toEqual([201, undefined]);
    expect(await ownOrders(token)).toEqual([order.data.id]);
    const profiles = await witness.query(
      'select first_name, email, phone from customers where organization_id = $1 order by id',
      [organizationId],
      organizationId,
    );
    expect(profiles).toEqual([
      { first_name: 'Sly', email: 'sly@customers.example.com', phone: null },
      { first_name: 'Ada', email: null, phone },
    ]);
  });

  test('is a way in once staff have written it down', async () => {
    const { shop, organizationId, owner, page, signIn } = await openShopWithCodes();
    const visitor = { firstName: 'Ada', lastName: 'Moreno', email: 'ada@customers.example.com', phone };
    expect((await page('orders', pickupBody(shop, { customer: visitor }))).status).toBe(201);
    const [{ id }] = await witness.query(
      'select id from customers where organization_id = $1',
      [organizationId],
      organizationId,
    );
    for (const to of ['+14155550124', phone]) {
      expect((await owner.call('PATCH', `/staff/v1/customers/${id}`, { phone: to })).error).toBeUndefined();
    }
    expect((await signIn()).customer).toMatchObject({ firstName: 'Ada', phone });
  });
});
