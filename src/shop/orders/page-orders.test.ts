import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { mailedCode } from '../../../test/harness/test-mails.ts';
import { addCredit, addDiscount } from '../../../test/harness/test-promotions.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import {
  createTestKeys,
  createTestShop,
  pickupBody,
  type TestShop,
} from '../../../test/harness/test-shop.ts';

/* What a caller gets who only claims to be a customer (D62): here, a web page without a session. */

const service = await startTestService();
const { context } = service;
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const origin = 'https://shop.example';
const victim = { firstName: 'Marisol', lastName: 'Okafor', email: 'marisol@customers.example.com' };
const guess = { firstName: 'Some', lastName: 'Body' };

/** A shop, its page, and a customer with an order. */
async function openShop(state = 'OK') {
  const shop = await createTestShop(context, { state });
  const { keys } = await createTestKeys(context, shop.organizationId, shop.integrator, {
    permissions: ['create-orders', 'menu'],
    origins: [origin],
  });
  const page = (path: string, body: object) =>
    service.call('POST', `/api/v1/${path}`, {
      keys: { clientKey: keys.clientKey },
      headers: { origin },
      body,
    });
  const trusted = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop) });
  expect(trusted.status).toBe(201);
  return { shop, page, customerId: trusted.data.customer.id as number };
}

/** The token of a customer who signs in on the page, by the code in the mail. */
async function signedIn(shop: TestShop, page: Awaited<ReturnType<typeof openShop>>['page'], email: string) {
  await page('customer-sessions', { email });
  const code = await mailedCode(context, shop.organizationId, email);
  return (await page('customer-sessions/verify', { email, code })).data.token as string;
}

const cartOf = (shop: TestShop, customer: object, quantity = 2) =>
  pickupBody(shop, { customer, lineItems: [{ productOptionId: shop.optionId('eighth'), quantity }] });

test('an order is read by its page with its token, and by its customer after signing in, without cost and profile', async () => {
  const { shop, page } = await openShop();
  const { keys } = await createTestKeys(context, shop.organizationId, shop.integrator, {
    permissions: ['create-orders'],
    origins: [origin],
  });
  const placed = await page('orders', cartOf(shop, { ...guess, email: victim.email }));
  const read = (headers: Record<string, string>) =>
    service.call('GET', `/api/v1/own-orders/${placed.data.id}`, {
      keys: { clientKey: keys.clientKey },
      headers: { origin, ...headers },
    });
  const held = await read({ 'x-order-token': placed.data.orderToken });
  expect(held.data).toMatchObject({ id: placed.data.id, status: 'new', lineItems: [{ quantity: 2 }] });
  expect(held.text).not.toMatch(/Marisol|Okafor|cost|hashId|placedBy/i);
  const token = await signedIn(shop, page, victim.email);
  expect((await read({ 'x-customer-token': token })).data).toEqual(held.data);
  const others = await read({ 'x-customer-token': await signedIn(shop, page, 'bo@customers.example.com') });
  expect([others.status, (await read({})).status]).toEqual([404, 404]);
});

test('a customer who signed in reads all orders of their own, through every channel, and no others', async () => {
  const { shop, page } = await openShop();
  const { keys } = await createTestKeys(context, shop.organizationId, shop.integrator, {
    permissions: ['create-orders'],
    origins: [origin],
  });
  const { integrator: other } = await createTestShop(context);
  const { keys: ofOther } = await createTestKeys(context, shop.organizationId, other);
  const placeBy = async (by: object, customer: object) => {
    service.clock.advance(60_000);
    const { data } = await service.call('POST', '/api/v1/orders', {
      keys: by as never,
      body: cartOf(shop, customer, 1),
    });
    return data.id as string;
  };
  const elsewhere = await placeBy(ofOther, victim);
  service.clock.advance(60_000);
  const onPage = (await page('orders', cartOf(shop, { ...guess, email: victim.email }, 1))).data.id;
  await placeBy(shop.keys, { ...victim, email: 'bo@customers.example.com' });
  const twin = await openShop();
  expect(twin.shop.organizationId).not.toBe(shop.organizationId);
  const list = (token: string | undefined, query = {}, headers = {}) =>
    service.call('GET', '/api/v1/own-orders', {
      keys: { clientKey: keys.clientKey },
      headers: { origin, ...(token !== undefined && { 'x-customer-token': token }), ...headers },
      query,
    });
  const token = await signedIn(shop, page, victim.email);
  const { data, text } = await list(token);
  const ids = data.map(({ id }: { id: string }) => id);
  // The last one is of the integrator with the secret key, from `openShop`.
  expect(ids).toEqual([onPage, elsewhere, expect.any(String)]);
  expect(text).not.toMatch(/Marisol|Okafor|cost|hashId|placedBy|internalNotes|integrator/i);
  expect((await list(token, { startingAfter: onPage })).data).toEqual(data.slice(1));
  for (const id of ids) {
    const one = await service.call('GET', `/api/v1/own-orders/${id}`, {
      keys: { clientKey: keys.clientKey },
      headers: { origin, 'x-customer-token': token },
    });
    expect(one.data).toEqual(data.find((order: { id: string }) => order.id === id));
  }
  expect((await list(await signedIn(shop, page, 'new@customers.example.com'))).data).toEqual([]);
  for (const useless of [undefined, await signedIn(twin.shop, twin.page, victim.email)]) {
    expect((await list(useless)).error?.code).toBe('CUSTOMER_SESSION_ENDED');
  }
  // A session of this integrator is none of another one.
  const byOther = await service.call('GET', '/api/v1/own-orders', {
    keys: ofOther,
    headers: { 'x-customer-token': token },
  });
  expect(byOther.error?.code).toBe('CUSTOMER_SESSION_ENDED');
  const ofIntegrator = await service.call('GET', '/api/v1/own-orders', { keys: ofOther });
  expect(ofIntegrator.data.map(({ id }: { id: string }) => id)).toEqual([elsewhere]);
  expect((await list(token, { startingAfter: ofIntegrator.data[0].id })).status).toBe(200);
});

test("a customer cancels an own order as the shop's setting allows, with the token of the order or a session", async () => {
  const { shop, page } = await openShop();
  const { keys } = await createTestKeys(context, shop.organizationId, shop.integrator, {
    permissions: ['create-orders'],
    origins: [origin],
  });
  const owner = await service.staff(shop);
  const allow = (customersCancel: string) =>
    owner.call('PATCH', '/staff/v1/organization', { customersCancel });
  const place = async (body: object = {}) => {
    service.clock.advance(60_000);
    const { data } = await page('orders', { ...cartOf(shop, { ...guess, email: victim.email }, 1), ...body });
    const headers = { origin, 'x-order-token': data.orderToken as string };
    const ask = (method: string, path: string, as: object = headers) =>
      service.call(method, `/api/v1/own-orders/${data.id}${path}`, {
        keys: { clientKey: keys.clientKey },
        headers: { origin, ...as },
        ...(method === 'POST' && { body: { reason: 'I cannot come' } }),
      });
    const cancel = (as?: object) => ask('POST', '/cancel', as);
    const canCancel = async () => (await ask('GET', '')).data.canCancel as boolean;
    return { id: data.id as string, cancel, canCancel };
  };

  const first = await place();
  expect((await first.cancel({})).error?.code).toBe('ORDER_NOT_FOUND');
  const strangers = await signedIn(shop, page, 'bo@customers.example.com');
  expect((await first.cancel({ 'x-customer-token': strangers })).error?.code).toBe('ORDER_NOT_FOUND');
  expect(await first.canCancel()).toBe(true);
  const canceled = await first.cancel();
  expect(canceled.data).toMatchObject({ id: first.id, status: 'canceled', canCancel: false });
  expect((await first.cancel()).data).toEqual(canceled.data);
  const seen = await owner.call('GET', `/staff/v1/orders/${first.id}`);
  expect(seen.data).toMatchObject({ cancelationReason: 'I cannot come', cancelAdminId: null });

  // A customer who has proven the email cancels without the token of the order.
  const second = await place();
  const own = { 'x-customer-token': await signedIn(shop, page, victim.email) };
  expect((await second.cancel(own)).data.status).toBe('canceled');

  const third = await place();
  await allow('while-draft');
  expect([await third.canCancel(), (await third.cancel()).error]).toEqual([
    false,
    expect.objectContaining({ code: 'INVALID_ORDER_TRANSITION', meta: { status: 'new', action: 'cancel' } }),
  ]);
  await owner.call('PATCH', '/staff/v1/organization', { statusOnCreation: { pickup: 'draft' } });
  const draft = await place();
  expect((await draft.cancel()).data.status).toBe('canceled');
  await allow('never');
  expect((await (await place()).cancel()).status).toBe(409);
  await allow('until-packed');
  await owner.call('POST', `/staff/v1/orders/${third.id}/pack`, {});
  expect([await third.canCancel(), (await third.cancel()).status]).toEqual([false, 409]);
});

test('the kept reply of a cancelation is given to who may read the order, and to no one else', async () => {
  const { shop, page } = await openShop();
  const { keys } = await createTestKeys(context, shop.organizationId, shop.integrator, {
    permissions: ['create-orders'],
    origins: [origin],
  });
  const { data: order } = await page('orders', cartOf(shop, { ...guess, email: victim.email }, 1));
  const idempotencyKey = randomUUID();
  const cancel = (as: object) =>
    service.call('POST', `/api/v1/own-orders/${order.id}/cancel`, {
      keys: { clientKey: keys.clientKey },
      headers: { origin, 'idempotency-key': idempotencyKey, ...as },
      body: {},
    });
  const held = { 'x-order-token': order.orderToken };
  const first = await cancel(held);
  expect(first.data.status).toBe('canceled');
  const strangers = await signedIn(shop, page, 'bo@customers.example.com');
  for (const as of [{}, { 'x-order-token': 'dco_live_' }, { 'x-customer-token': strangers }]) {
    const reply = await cancel(as);
    expect([reply.status, reply.error?.code, reply.data]).toEqual([404, 'ORDER_NOT_FOUND', undefined]);
  }
  const own = { 'x-customer-token': await signedIn(shop, page, victim.email) };
  for (const as of [held, own]) {
    const again = await cancel(as);
    expect([again.headers['idempotent-replayed'], again.text]).toEqual(['true', first.text]);
  }
  expect((await cancel({ 'x-customer-token': 'dcu_none' })).error?.code).toBe('CUSTOMER_SESSION_ENDED');
});

const withoutKey = (data: Record<string, unknown>) => ({ ...data, idempotencyKey: null });

describe('a customer who is only claimed', () => {
  test('gets the preview of a stranger: the same for a known email and for an unknown one', async () => {
    const { shop, page, customerId } = await openShop();
    await addCredit(context, shop.organizationId, customerId, { cents: 5000 });
    await addDiscount(context, shop.organizationId, {
      kind: 'order',
      type: 'flat',
      amount: '300',
      firstOrder: true,
    });
    const known = await page('orders/pricing', cartOf(shop, { ...guess, email: victim.email }));
    const unknown = await page(
      'orders/pricing',
      cartOf(shop, { ...guess, email: 'new@customers.example.com' }),
    );
    expect(known.status).toBe(200);
    expect(withoutKey(known.data)).toEqual(withoutKey(unknown.data));
    expect(known.data.credits).toEqual([]);
    const trusted = await service.call('POST', '/api/v1/orders/pricing', {
      keys: shop.keys,
      body: cartOf(shop, victim),
    });
    expect(trusted.data.credits).toHaveLength(1);
  });

  test('places an order without credits, and changes nothing of the profile on file', async () => {
    const { shop, page, customerId } = await openShop();
    await addCredit(context, shop.organizationId, customerId, { cents: 5000 });
    const profile = () =>
      tenantSql(context.database, shop.organizationId, 'select * from customers where id = $1', customerId);
    const before = await profile();
    const claim = { ...guess, email: victim.email, phone: '(415) 555-0188', birthday: '1980-01-01' };
    const placed = await page('orders', cartOf(shop, claim));
    expect(placed).toMatchObject({ status: 201, data: { credits: [], customer: null } });
    expect(placed.text).not.toMatch(/Marisol|Okafor/);
    expect(await profile()).toEqual(before);
    // Staff see whose it may be.
    const [order] = await tenantSql(
      context.database,
      shop.organizationId,
      'select user_id from orders where id = $1',
      placed.data.id,
    );
    expect(Number(order!.user_id)).toBe(customerId);
  });

  test('is held to the purchase limits by the cart alone: what the customer bought is neither counted nor told', async () => {
    const { shop, page } = await openShop('CA');
    const buy = (quantity: number, email: string) =>
      page('orders', cartOf(shop, { ...guess, email }, quantity));
    // Two eighths are bought; eight more fit the 28.5 g of a day alone, not with these.
    for (const email of [victim.email, `${randomUUID()}@example.com`]) {
      const preview = await page('orders/pricing', cartOf(shop, { ...guess, email }, 8));
      expect(preview.data.purchaseLimits[0]).toMatchObject({ used: '28', exceeded: false });
      expect((await buy(8, email)).status).toBe(201);
      expect((await buy(9, email)).error).toMatchObject({
        code: 'PURCHASE_LIMIT_EXCEEDED',
        meta: { overages: [{ limit: '28.5', total: '31.5', overage: '3' }] },
      });
    }
  });

  test('uses up no discount that the customer has once', async () => {
    const { shop, page } = await openShop();
    await addDiscount(context, shop.organizationId, {
      ...{ kind: 'order', type: 'flat', amount: '300', trigger: 'code', codes: ['ONCE'], usesPerCustomer: 1 },
    });
    const cart = { ...cartOf(shop, { ...guess, email: victim.email }, 1), discountCodes: ['ONCE'] };
    expect((await page('orders', cart)).status).toBe(201);
    const own = await service.call('POST', '/api/v1/orders', {
      keys: shop.keys,
      body: { ...cart, idempotencyKey: randomUUID() },
    });
    expect(own.status).toBe(201);
  });
});
