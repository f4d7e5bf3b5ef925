import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { mailedCode } from '../../../test/harness/test-mails.ts';
import { addCredit } from '../../../test/harness/test-promotions.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import {
  createTestKeys,
  createTestShop,
  pickupBody,
  type TestShop,
} from '../../../test/harness/test-shop.ts';
import { fieldsThatMayBeKnown } from './known-fields.test-support.ts';

/* What an integrator gets whose key does not vouch for its customers (D62). */

const service = await startTestService();
const { context } = service;
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const known = { firstName: 'Marisol', lastName: 'Okafor', email: 'marisol@customers.example.com' };
const unknown = { ...known, email: 'new-here@customers.example.com' };
/** The names that the integrator sends. */
const sent = { firstName: 'Some', lastName: 'Body' };

/** A shop with a customer who has orders, credits, points and a medical card; and a key that does not vouch. */
async function openShop() {
  const shop = await createTestShop(context, { state: 'OK' });
  const { keys } = await createTestKeys(context, shop.organizationId, shop.integrator, {
    permissions: ['create-orders', 'menu'],
    vouches: false,
  });
  const trusted = await service.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: pickupBody(shop, { customer: known }),
  });
  const customerId = trusted.data.customer.id as number;
  await addCredit(context, shop.organizationId, customerId, { cents: 5000 });
  const owner = await service.staff(shop);
  const { error } = await owner.call('PATCH', `/staff/v1/customers/${customerId}`, {
    medicalCardExpiration: '2030-01-01',
    birthday: '1980-01-01',
  });
  expect(error).toBeUndefined();
  await owner.call('POST', `/staff/v1/customers/${customerId}/loyalty-events`, {
    type: 'adjusted',
    pointsAmount: '250',
    reason: 'A welcome',
  });
  return { shop, keys, customerId };
}

const cartOf = (shop: TestShop, email: string, changes: object = {}) =>
  pickupBody(shop, { customer: { ...sent, email }, ...changes });

/** What differs between two equal orders: ids, keys, numbers and times. */
function comparable(text: string): unknown {
  return JSON.parse(text, (name, value) => {
    if (
      /^(id|.*Id|number|idempotencyKey|createdAt|updatedAt|.*At|at|cursor|digest)$/.test(name) &&
      value !== null
    ) {
      return typeof value;
    }
    if (/Ids$/.test(name)) return Array.isArray(value) ? value.length : value;
    // Names of the integrator, which differs.
    if (name === 'apiConsumerName' || name === 'cancelationReason') return typeof value;
    return name === 'subject' ? String(value).replace(/\d+/, 'N') : value;
  });
}

/** All that such a key asks about one email, operation by operation. */
async function askAll({ shop, keys }: Awaited<ReturnType<typeof openShop>>, email: string) {
  const call = (method: 'GET' | 'POST', path: string, options: object = {}) => {
    // Orders of one moment would be listed by their ids.
    service.clock.advance(1_000);
    return service.call(method, `/api/v1/${path}`, { keys, ...options });
  };
  const idempotencyKey = randomUUID();
  const body = cartOf(shop, email, { idempotencyKey });
  const placed = await call('POST', 'orders', { body });
  const { id } = placed.data;
  const replies = {
    priceCart: await call('POST', 'orders/pricing', { body: cartOf(shop, email), query: { explain: true } }),
    placeOrder: placed,
    replay: await call('POST', 'orders', { body }),
    tooMuch: await call('POST', 'orders', {
      body: cartOf(shop, email, { lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 60 }] }),
    }),
    dearer: await call('POST', 'orders', { body: cartOf(shop, email, { expectedCustomerGrandTotal: 1 }) }),
    tooYoung: await call('POST', 'orders/pricing', {
      body: { ...cartOf(shop, email), customer: { ...sent, email, birthday: '2015-01-01' } },
    }),
    getOrderStatus: await call('GET', `orders/${id}`),
    listOrderStatuses: await call('GET', 'orders/statuses', { query: { ids: id } }),
    getPageOrder: await call('GET', `own-orders/${id}`),
    listPageOrders: await call('GET', 'own-orders'),
    getOrder: await call('GET', `orders/${id}/detail`, { query: { explain: true } }),
    listOrders: await call('GET', 'orders'),
    findOrder: await call('GET', 'orders', { query: { idempotencyKey } }),
    listChanges: await call('GET', 'changes', { query: { include: 'data', types: 'order.*' } }),
    listOrderRecords: await call('GET', 'records/orders'),
    getOrdersChecksum: await call('GET', 'checksums/orders'),
    requestCustomerCode: await call('POST', 'customer-sessions', { body: { email } }),
    startCustomerSession: await call('POST', 'customer-sessions/verify', {
      body: { email, code: '000000' },
    }),
    endCustomerSession: await call('POST', 'customer-sessions/end', { body: { token: 'dcu_none' } }),
    cancelPageOrder: await call('POST', `own-orders/${id}/cancel`, { body: {} }),
    cancelOwnOrder: await call('POST', `orders/${id}/cancel`, { body: {} }),
  };
  return Object.fromEntries(
    Object.entries(replies).map(([name, { status, text }]) => [
      name,
      { status, reply: text === '' ? null : comparable(text), text },
    ]),
  );
}

/** The paths of all fields, with [] for the members of a list; the data of a change as that of its list. */
function fieldsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((member) => fieldsOf(member, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [path.replace(/^(data(\[\])?\.)+/, '')];
  return Object.entries(value).flatMap(([name, member]) =>
    fieldsOf(member, path === '' ? name : `${path}.${name}`),
  );
}

describe('a key that does not vouch for its customers', () => {
  test('gets the same replies about a customer of the shop as about a stranger, in every field', async () => {
    const ofStranger = await askAll(await openShop(), unknown.email);
    const ofKnown = await askAll(await openShop(), known.email);
    for (const [name, { status, reply, text }] of Object.entries(ofKnown)) {
      expect({ name, status, reply }).toEqual({
        ...{ name, status: ofStranger[name]!.status },
        reply: JSON.parse(JSON.stringify(ofStranger[name]!.reply).replaceAll(unknown.email, known.email)),
      });
      // Nothing on file, whatever the two have in common.
      expect([name, text]).toEqual([name, expect.not.stringMatching(/Okafor|1980-01-01|2030-01-01/)]);
    }
    const shown = new Set(Object.values(ofKnown).flatMap(({ reply }) => fieldsOf(reply)));
    expect([...shown].toSorted()).toEqual(fieldsThatMayBeKnown);
    const callable = service.endpoints.filter(
      ({ permission, permissionForLess }) =>
        permission === null ||
        [permission, permissionForLess].some((it) => it === 'create-orders' || it === 'menu'),
    );
    // An operation that is new belongs to the walk, or declares that it names no contact.
    const unwalked = callable.filter(({ id }) => !(id in ofKnown));
    expect(unwalked.filter(({ namesNoContact }) => !namesNoContact).map(({ id }) => id)).toEqual([]);
    expect(ofKnown.placeOrder).toMatchObject({
      status: 201,
      reply: { data: { customer: null, credits: [] } },
    });
  });

  test('gets the customer with the token of a session, and credits unless the cart leaves them out', async () => {
    const { shop, keys, customerId } = await openShop();
    const call = (path: string, body: object) => service.call('POST', `/api/v1/${path}`, { keys, body });
    await call('customer-sessions', { email: known.email });
    const code = await mailedCode(context, shop.organizationId, known.email);
    const { token } = (await call('customer-sessions/verify', { email: known.email, code })).data;
    const customer = { ...sent, token };
    const withCredits = await call('orders/pricing', pickupBody(shop, { customer }));
    expect(withCredits.data.credits).toHaveLength(1);
    const without = await call('orders/pricing', pickupBody(shop, { customer, useCredits: false }));
    expect(without.data.credits).toEqual([]);
    const placed = await call('orders', pickupBody(shop, { customer, useCredits: false }));
    expect(placed.data).toMatchObject({ customer: { id: customerId }, credits: [] });
  });

  test('places orders of unknown customers without the limits of web pages', async () => {
    const { shop, keys } = await openShop();
    for (let at = 0; at < 12; at += 1) {
      const body = cartOf(shop, `guest${at}@customers.example.com`);
      expect((await service.call('POST', '/api/v1/orders', { keys, body })).status).toBe(201);
    }
  });
});

test('staff and their registers have the customer of the email or the id, with credits and points, where keys do not vouch', async () => {
  const { shop, customerId } = await openShop();
  const budtender = await service.staff(shop, 'budtender');
  const { customer: _, ...cart } = cartOf(shop, known.email);
  const byEmail = { customer: { ...sent, email: known.email } };
  for (const who of [{ customerId }, byEmail]) {
    const priced = await budtender.call('POST', '/staff/v1/orders/pricing', { ...cart, ...who });
    expect(priced.data.credits).toHaveLength(1);
  }
  const placed = await budtender.call('POST', '/staff/v1/orders', { ...cart, ...byEmail });
  expect(placed.data).toMatchObject({ customer: { id: customerId, lastName: 'Okafor' } });
});

test('a key that vouches has the customer of the email, and may leave out credits', async () => {
  const { shop, customerId } = await openShop();
  const body = (changes = {}) => cartOf(shop, known.email, changes);
  const priced = await service.call('POST', '/api/v1/orders/pricing', { keys: shop.keys, body: body() });
  expect(priced.data.credits).toHaveLength(1);
  const placed = await service.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: body({ useCredits: false }),
  });
  expect(placed.data).toMatchObject({ customer: { id: customerId }, credits: [] });
});

test('new keys do not vouch unless the owner says so; keys, identity and audit show it', async () => {
  const { shop } = await openShop();
  const owner = await service.staff(shop);
  const create = (changes: object) =>
    owner.call('POST', '/staff/v1/client-keys', {
      ...{ integratorId: shop.integrator.id, name: 'Shop', permissions: ['create-orders'] },
      ...changes,
    });
  const whoIs = async (clientKey: string) =>
    (
      await service.call('GET', '/api/v1/whoami', {
        keys: { consumerKey: shop.integrator.consumerKey, clientKey },
      })
    ).data.key.customers;
  const byDefault = (await create({})).data;
  const vouched = (await create({ customers: 'vouched' })).data;
  expect([byDefault.customers, vouched.customers]).toEqual(['proven', 'vouched']);
  expect([await whoIs(byDefault.clientKey), await whoIs(vouched.clientKey)]).toEqual(['proven', 'vouched']);
  const { data: entries } = await owner.call('GET', '/staff/v1/audit-log', undefined, {
    query: { subjectType: 'client_key', subjectId: String(vouched.id) },
  });
  expect(entries[0].details).toMatchObject({ customers: 'vouched' });
  const page = await create({ publishable: true, origins: ['https://shop.example'], customers: 'vouched' });
  expect(page.error).toMatchObject({
    code: 'INVALID_PARAMS',
    message: 'customers must be proven for a publishable key.',
  });
});
