import { afterAll, describe, expect, test } from 'vitest';
import { createClientKey } from '../../src/access/keys/keys.ts';
import { startOwnTestService, type TestReply, type TestRequest } from '../harness/test-service.ts';
import {
  createTestKeys,
  createTestShop,
  deliveryBody,
  pickupBody,
  testOrigin,
} from '../harness/test-shop.ts';
import { openWitness } from '../harness/witness.ts';
import { nowhereId } from './contract-world.ts';

const service = await startOwnTestService({ rateLimits: 'on' });
const { context, clock } = service;
const shop = await createTestShop(context, { hasDelivery: false });
const witness = await openWitness(service.database);
afterAll(async () => {
  await witness.end();
  await service.close();
});

const { organizationId, integrator } = shop;
const keysWith = async (settings: Parameters<typeof createTestKeys>[3]) =>
  (await createTestKeys(context, organizationId, integrator, settings)).keys;
const place = (request: TestRequest) => service.call('POST', '/api/v1/orders', request);
const codeOf = ({ error }: TestReply) => error?.code;

describe('placing an order that is wrong in every way (D13)', () => {
  const bodyBytesMax = 1_048_576;
  const line = (productOptionId: number, quantity: number) => ({ productOptionId, quantity });
  const wrong = {
    idempotencyKey: 'not a key',
    type: 'delivery',
    lineItems: [line(nowhereId(1) as number, 0), { quantity: 0 }],
    customer: { firstName: 'M', lastName: '' },
    payments: [{ paymentTypeId: nowhereId(1), amount: 1 }],
    discountCodes: ['NONE'],
    expectedCustomerGrandTotal: 1,
  };
  const complete = {
    ...wrong,
    lineItems: [line(nowhereId(1) as number, 0)],
    customer: { firstName: 'M', lastName: '', email: 'no email' },
    address: { street1: '1 Elm', city: 'Oakland', state: 'CA', postalCode: '90210' },
  };
  const valid = {
    ...complete,
    idempotencyKey: '7b0c9d7e-3f43-4f0e-9a51-0f6f0a4c1c55',
    lineItems: [line(nowhereId(1) as number, 1)],
    customer: { firstName: 'M', lastName: 'O', email: 'm@customers.example.com' },
  };
  const retired = { ...valid, lineItems: [line(shop.optionId('retired'), 1)] };
  const paid = { ...retired, payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }] };
  const pickup = { ...paid, type: 'pickup' };
  const onMenu = { ...pickup, lineItems: [line(shop.optionId('sold out'), 1)] };
  const undiscounted = { ...onMenu, discountCodes: [] };

  const form = { 'content-type': 'text/plain' };
  const huge = 'x'.repeat(bodyBytesMax + 1);

  test('is refused for the first of its remaining faults', async () => {
    const powerless = await keysWith({ permissions: ['menu'] });
    const exhausted = await keysWith({});
    while (codeOf(await place({ keys: exhausted, body: {} })) !== 'RATE_LIMITED');
    const keys = await keysWith({});
    const before = await witness.contents();
    const steps: readonly (readonly [string, Promise<TestReply>])[] = [
      ['ROUTE_NOT_FOUND', service.call('POST', '/api/v1/order', { body: huge, headers: form })],
      ['METHOD_NOT_ALLOWED', service.call('PUT', '/api/v1/orders', { body: huge, headers: form })],
      ['INVALID_API_CREDENTIALS', place({ body: huge, headers: form })],
      ['INSUFFICIENT_PERMISSIONS', place({ keys: powerless, body: huge, headers: form })],
      ['RATE_LIMITED', place({ keys: exhausted, body: huge, headers: form })],
      ['UNSUPPORTED_MEDIA_TYPE', place({ keys, body: huge, headers: form })],
      ['PAYLOAD_TOO_LARGE', place({ keys, body: huge })],
      ['INVALID_JSON', place({ keys, body: 'x' })],
      ['MISSING_PARAMS', place({ keys, body: wrong })],
      ['INVALID_ORDER_QUANTITY', place({ keys, body: complete })],
      ['PRODUCT_OPTION_NOT_FOUND', place({ keys, body: valid })],
      ['PAYMENT_TYPE_NOT_FOUND', place({ keys, body: retired })],
      ['INVALID_ORDER_TYPE', place({ keys, body: paid })],
      ['PRODUCT_IS_INACTIVE', place({ keys, body: pickup })],
      ['DISCOUNT_CODE_INVALID', place({ keys, body: onMenu })],
      ['PRICE_CHANGED', place({ keys, body: undiscounted })],
    ];
    const codes = await Promise.all(steps.map(async ([, reply]) => codeOf(await reply)));
    expect(codes).toEqual(steps.map(([code]) => code));
    const outOfStock = place({ keys, body: { ...undiscounted, expectedCustomerGrandTotal: undefined } });
    expect(codeOf(await outOfStock)).toBe('OUT_OF_STOCK');
    expect(await witness.contents()).toEqual(before);
  });

  test('a missing permission comes before an exceeded rate', async () => {
    const powerless = await keysWith({ permissions: ['menu'] });
    for (let count = 0; count < 40; count++) {
      expect(codeOf(await place({ keys: powerless, body: {} }))).toBe('INSUFFICIENT_PERMISSIONS');
    }
  });

  test('lists all missing fields at once, also those that other fields require', async () => {
    const keys = await keysWith({});
    const { error } = await place({ keys, body: wrong });
    expect(error!.meta).toEqual({
      missing: ['lineItems[1].productOptionId', 'address', 'customer.email', 'customer.phone'],
    });
  });
});

describe('names that are not declared (D5)', () => {
  const strange = {
    ...pickupBody(shop),
    lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 1, note: 'dry' }],
    delivryNotes: 'Ring twice',
    __proto: 1,
  };

  test('are ignored for most keys', async () => {
    const keys = await keysWith({});
    const { lineItems, delivryNotes: _, __proto: __, ...known } = strange;
    const priced = await service.call('POST', '/api/v1/orders/pricing', { keys, body: strange });
    const plain = await service.call('POST', '/api/v1/orders/pricing', {
      keys,
      body: { ...known, lineItems: lineItems.map(({ note: _, ...line }) => line) },
    });
    expect({ ...priced.data, idempotencyKey: '' }).toEqual({ ...plain.data, idempotencyKey: '' });
    const listed = await service.call('GET', '/api/v1/orders', { keys, query: { sort: 'up' } });
    expect(listed.status).toBe(200);
  });

  test('are refused for a strict key, with the nearest name; other faults come first', async () => {
    const keys = await keysWith({ strict: true });
    const messageOf = async (changes: object) => {
      const { error } = await place({ keys, body: { ...pickupBody(shop), ...changes } });
      return error && `${error.code}: ${error.message}`;
    };
    expect(await messageOf({ delivryNotes: '' })).toBe(
      'INVALID_PARAMS: delivryNotes is not known; the nearest is deliveryNotes.',
    );
    // No name is near, so none is guessed.
    expect(await messageOf({ lineItems: strange.lineItems })).toBe(
      'INVALID_PARAMS: lineItems[0].note is not known.',
    );
    expect(await messageOf({ delivryNotes: '', type: 'curbside' })).toMatch(/^INVALID_PARAMS: type must be/);
    expect(await messageOf({ delivryNotes: '', customer: undefined })).toMatch(/^MISSING_PARAMS/);
    const listed = await service.call('GET', '/api/v1/orders', { keys, query: { startingafter: 'x' } });
    expect(listed.error).toMatchObject({
      code: 'INVALID_PARAMS',
      message: 'startingafter is not known; the nearest is startingAfter.',
    });
    expect(await messageOf({})).toBeUndefined();
  });

  test('a key of the staging environment is strict by default', async () => {
    const issue = async (environment: 'staging' | 'production') => {
      const { id } = await createClientKey(context, environment, testOrigin, organizationId, {
        integratorId: integrator.id,
        name: 'Key',
        permissions: ['menu'],
        expiresAtMs: null,
      });
      const [row] = await witness.query('select strict from client_keys where id = $1', [id], organizationId);
      return row.strict;
    };
    expect(await issue('staging')).toBe(true);
    expect(await issue('production')).toBe(false);
  });
});

describe('rate limits (D10)', () => {
  const limitsOf = ({ status, headers }: TestReply) => [
    status,
    ...['limit', 'remaining', 'reset'].map((name) => Number(headers[`ratelimit-${name}`])),
  ];

  test('allow a burst of twice the rate, report it in every reply, and refill with time', async () => {
    const keys = await keysWith({});
    const ask = () => service.call('GET', '/api/v1/organization', { keys });
    expect(limitsOf(await ask())).toEqual([200, 30, 29, 1]);
    for (let count = 2; count < 30; count++) await ask();
    expect(limitsOf(await ask())).toEqual([200, 30, 0, 2]);
    const refused = await ask();
    expect(limitsOf(refused)).toEqual([429, 30, 0, 2]);
    expect(refused.headers['retry-after']).toBe('1');
    clock.advance(1000);
    expect(limitsOf(await ask())).toEqual([200, 30, 14, 2]);
    clock.advance(60_000);
    expect(limitsOf(await ask())).toEqual([200, 30, 29, 1]);
  });

  test('count the menu group and every key separately', async () => {
    const keys = await keysWith({});
    const menu = () => service.call('GET', '/api/v1/menu', { keys });
    for (let count = 0; count < 7; count++) expect((await menu()).status).toBe(200);
    expect(limitsOf(await service.call('GET', '/api/v1/products/tags', { keys }))).toEqual([200, 8, 0, 2]);
    expect(limitsOf(await menu())).toEqual([429, 8, 0, 2]);
    expect(limitsOf(await service.call('GET', '/api/v1/organization', { keys }))[0]).toBe(200);
    expect(limitsOf(await service.call('GET', '/api/v1/menu', { keys: await keysWith({}) }))[0]).toBe(200);
  });

  test('are on refusals too, and follow the limits of the key', async () => {
    const { id, keys } = await createTestKeys(context, organizationId, integrator);
    await witness.query(
      'update client_keys set other_requests_per_second = 2 where id = $1',
      [id],
      organizationId,
    );
    expect(limitsOf(await place({ keys, body: '{' }))).toEqual([400, 4, 3, 1]);
    expect(limitsOf(await service.call('GET', '/api/v1/orders/none', { keys }))).toEqual([404, 4, 2, 1]);
    const powerless = await keysWith({ permissions: ['menu'] });
    expect(limitsOf(await place({ keys: powerless, body: '{' }))).toEqual([403, 30, 29, 1]);
  });

  test('refuse an address after many failed keys, and still serve its valid keys', async () => {
    const keys = await keysWith({});
    clock.advance(60_000);
    const bad = () => service.call('GET', '/api/v1/organization', { keys: { ...keys, clientKey: 'x' } });
    for (let count = 0; count < 20; count++) expect((await bad()).status).toBe(401);
    const refused = await bad();
    expect(refused).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED' } });
    expect(refused.headers['retry-after']).toBe('1');
    expect((await service.call('GET', '/api/v1/organization', { keys })).status).toBe(200);
    clock.advance(1000);
    expect((await bad()).status).toBe(401);
  });
});

test('a delivery with a wrong address below its minimum is refused for the address', async () => {
  const far = await createTestShop(context);
  const body = deliveryBody(far, {
    address: { street1: '1 Elm', city: 'Los Angeles', state: 'CA', postalCode: '90210' },
    lineItems: [{ productOptionId: far.optionId('sold out'), quantity: 1 }],
  });
  expect(codeOf(await place({ keys: far.keys, body }))).toBe('DELIVERY_AREA_NOT_SERVED');
});
