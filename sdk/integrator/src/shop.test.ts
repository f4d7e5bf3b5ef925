import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { Receiver, testWorker } from '../../../src/shop/webhooks/webhooks.test-support.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import {
  createTestKeys,
  createTestShop,
  deliveryBody,
  pickupBody,
  type TestShop,
} from '../../../test/harness/test-shop.ts';
import { createClient } from './client.ts';
import type { CommerceError } from './commerce-error.ts';
import type { OperationId } from './operation-types.ts';
import { operations } from './operations.ts';
import type { OrderToPlace } from './safe-placing.ts';
import { verifyWebhook } from './verify-webhook.ts';

/* The client against the running service. */

const service = await startTestService();
const addresses = await service.listen();
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const shop = await createTestShop(service.context);
const owner = await service.staff(shop);
const keys = { consumerKey: shop.keys.consumerKey!, clientKey: shop.keys.clientKey! };
const client = createClient({ baseUrl: addresses.baseUrl, ...keys });

const withoutKey = ({ idempotencyKey: _, ...body }: ReturnType<typeof pickupBody>) => body as OrderToPlace;
const thrownBy = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (error: CommerceError) => error,
  );

async function orderCount(of: TestShop = shop): Promise<number> {
  const { data } = await service.call('GET', '/api/v1/orders', { keys: of.keys });
  return data.length;
}

/** A client whose answers are lost on the way, as often as `losses` says, after the service has done its work. */
function clientThatLosesAnswers(losses: number, retries: number) {
  let left = losses;
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const response = await globalThis.fetch(url, init);
    await response.clone().text();
    if (!String(url).endsWith('/orders') || left === 0) return response;
    left -= 1;
    throw new TypeError('the connection was reset');
  };
  return createClient({ baseUrl: addresses.baseUrl, ...keys, retries, fetch });
}

describe('placing an order', () => {
  test('previews it, and charges what the preview said, for pickup and delivery', async () => {
    for (const body of [pickupBody(shop), deliveryBody(shop, { deliveryNotes: 'Ring twice' })]) {
      const { order, preview, isReplay } = await client.orders.place(withoutKey(body));
      expect(order.customerGrandTotal).toBe(preview!.customerGrandTotal);
      expect([order.deliveryNotes ?? undefined, isReplay]).toEqual([
        (body as { deliveryNotes?: string }).deliveryNotes,
        false,
      ]);
    }
  });

  test('at a price that changes in between places nothing, and says both totals', async () => {
    const before = await orderCount();
    const optionId = shop.optionId('gram');
    const body = pickupBody(shop, { lineItems: [{ productOptionId: optionId, quantity: 1 }] });
    const seen: number[] = [];
    const error = await thrownBy(
      client.orders.place(withoutKey(body), {
        confirm: async ({ customerGrandTotal, lineItems }) => {
          seen.push(customerGrandTotal);
          const products = await client.call('listAllProducts');
          const product = products.data.find(({ options }) => options.some(({ id }) => id === optionId))!;
          const price = product.options.find(({ id }) => id === optionId)!.price + 100;
          const path = `/staff/v1/products/${product.id}/options`;
          expect((await owner.call('PUT', path, { options: [{ id: optionId, price }] })).status).toBe(200);
          return lineItems.length === 1;
        },
      }),
    );
    expect(error).toMatchObject({ code: 'PRICE_CHANGED', status: 409, meta: { expected: seen[0] } });
    if (error?.code !== 'PRICE_CHANGED') return;
    expect(error.meta.actual).toBeGreaterThan(error.meta.expected);
    expect(await orderCount()).toBe(before);
  });

  test('without a confirmation places nothing', async () => {
    const before = await orderCount();
    const asked = client.orders.place(withoutKey(pickupBody(shop)), { confirm: () => false });
    expect(await thrownBy(asked)).toMatchObject({ code: 'NOT_CONFIRMED', status: 0 });
    expect(await orderCount()).toBe(before);
  });

  test('whose answer is lost is answered by the next try, and there is one order', async () => {
    const before = await orderCount();
    const { order, isReplay } = await clientThatLosesAnswers(1, 3).orders.place(withoutKey(pickupBody(shop)));
    expect([isReplay, await orderCount()]).toEqual([true, before + 1]);
    expect((await client.call('getOrder', { params: { orderId: order.id } })).data.id).toBe(order.id);
  });

  test('whose answers are all lost can be placed again with the key of the error, although its stock is taken', async () => {
    const fresh = await createTestShop(service.context, {
      statusOnCreation: { delivery: 'new', pickup: 'new' },
      products: [
        {
          key: 'Last of its kind',
          options: [{ key: 'eighth', priceCents: 3_000, amount: '1' }],
          stock: [{ option: 'eighth', amount: '1' }],
        },
      ],
    });
    const own = { consumerKey: fresh.keys.consumerKey!, clientKey: fresh.keys.clientKey! };
    const lineItems = [{ productOptionId: fresh.optionId('eighth'), quantity: 1 }];
    const body = withoutKey(pickupBody(fresh, { lineItems }));
    let isDown = true;
    const fetch: typeof globalThis.fetch = async (url, init) => {
      const response = await globalThis.fetch(url, init);
      if (isDown && String(url).endsWith('/orders')) throw new TypeError('the connection was reset');
      return response;
    };
    const losing = createClient({ baseUrl: addresses.baseUrl, ...own, retries: 0, fetch });
    const error = await thrownBy(losing.orders.place(body));
    expect(error).toMatchObject({ code: 'NO_CONNECTION' });
    isDown = false;
    const again = await losing.orders.place({ ...body, idempotencyKey: error!.idempotencyKey! });
    expect(again).toMatchObject({ isReplay: true, preview: null });
    expect(await orderCount(fresh)).toBe(1);
  });

  test('with an own total is placed at that, without a preview', async () => {
    const cart = withoutKey(pickupBody(shop));
    const { customer: _, ...priced } = cart;
    const { customerGrandTotal } = await client.orders.preview(priced);
    const placed = await client.orders.place({ ...cart, expectedCustomerGrandTotal: customerGrandTotal });
    expect([placed.preview, placed.order.customerGrandTotal]).toEqual([null, customerGrandTotal]);
    const wrong = client.orders.place({ ...cart, expectedCustomerGrandTotal: 1 });
    expect(await thrownBy(wrong)).toMatchObject({ code: 'PRICE_CHANGED', meta: { expected: 1 } });
  });
});

test('a web page shops with its publishable key: menu, preview, order, status', async () => {
  const origin = 'https://shop.example';
  const settings = { permissions: ['menu', 'create-orders'], origins: [origin] } as const;
  const made = await createTestKeys(service.context, shop.organizationId, shop.integrator, settings);
  const fetch: typeof globalThis.fetch = (url, init) =>
    globalThis.fetch(url, { ...init, headers: { ...init?.headers, origin } });
  const page = createClient({ baseUrl: addresses.baseUrl, publishableKey: made.keys.clientKey!, fetch });
  const { data: menu } = await page.call('getMenu', { query: { type: 'pickup' } });
  const option = menu.flatMap(({ options }) => options).find(({ maxQuantity }) => (maxQuantity ?? 0) > 1)!;
  const lineItems = [{ productOptionId: option.id, quantity: 1 }];
  const { order } = await page.orders.place(withoutKey(pickupBody(shop, { lineItems })));
  const own = await page.call('getPageOrder', {
    params: { orderId: order.id },
    orderToken: order.orderToken!,
  });
  expect(own.data.id).toBe(order.id);
  expect(await page.customerSessions.request('ada@customers.example.com')).toEqual({ expiresInSeconds: 600 });
  expect(await thrownBy(page.call('listOrders'))).toMatchObject({ code: 'INSUFFICIENT_PERMISSIONS' });
});

test('a customer signs in by the phone, and the code reaches the endpoint that sends it on', async () => {
  const receiver = await Receiver.start();
  const types = ['customer.code_requested'];
  const endpoint = { clientKeyId: shop.clientKeyId, url: receiver.url, types };
  const made = await owner.call('POST', '/staff/v1/webhook-endpoints', endpoint);
  expect(made.error).toBeUndefined();
  const phone = '+14155550123';
  expect(await client.customerSessions.request({ phone })).toEqual({ expiresInSeconds: 600 });
  const worker = testWorker(service);
  await worker.pass(shop.organizationId);
  await worker.stop();
  const { headers, text } = receiver.received[0]!;
  await receiver.close();
  const message = await verifyWebhook({
    body: text,
    headers,
    secrets: made.data.secret,
    now: () => service.clock.now(),
  });
  expect(message.data).toMatchObject({ phone });
  const { code } = message.data as unknown as { code: string };
  const refused = client.customerSessions.verify({ phone: '+14155550124' }, code);
  expect(await thrownBy(refused)).toMatchObject({ status: 422 });
  const { token } = await client.customerSessions.verify({ phone }, code);
  const customer = { firstName: 'Ada', lastName: 'Moreno', phone, token };
  const { order } = await client.orders.place(withoutKey(pickupBody(shop, { customer })));
  const { data: customerThere } = await owner.call('GET', `/staff/v1/customers/${order.customer!.id}`);
  expect(customerThere).toMatchObject({ phone, firstName: 'Ada' });
  await client.customerSessions.end(token);
});

test('every list is read to its end, each record once', async () => {
  const lists = Object.entries(operations).filter(
    ([id, it]) => 'pages' in it && !it.path.includes('{') && id !== 'listOrderStatuses',
  );
  expect(lists.length).toBeGreaterThan(20);
  for (const [id] of lists) {
    const ids: unknown[] = [];
    for await (const row of client.each(
      id as 'listOrders',
      id === 'listChanges' ? ({ query: { limit: 5 } } as object) : {},
    ))
      ids.push(row.id);
    expect([id, new Set(ids).size]).toEqual([id, ids.length]);
  }
  const counted: number[] = [];
  for await (const { facts } of client.each('listChanges', { query: { types: 'order.placed', limit: 2 } }))
    counted.push(Object.keys(facts).length);
  expect(counted.length).toBe(await orderCount());
});

test('the id of a request is the one that the service noted', async () => {
  const error = await thrownBy(client.call('getOrder', { params: { orderId: 'none' } }));
  expect(error).toMatchObject({ requestId: expect.stringMatching(/^[\w-]{36}$/) });
  const { requestId } = await client.call('whoAmI');
  expect(requestId).not.toBe(error!.requestId);
});

test('every operation of the contract can be called by its name', () => {
  const named: readonly OperationId[] = service.endpoints.map(({ id }) => id as OperationId);
  expect(named.filter((id) => operations[id] === undefined)).toEqual([]);
});
