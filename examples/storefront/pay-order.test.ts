import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { openPayingShop } from '../../src/shop/payments/paying-shop.test-support.ts';
import { startTestService } from '../../test/harness/test-service.ts';
import { createTestKeys, pickupBody } from '../../test/harness/test-shop.ts';
import type { OrderPaid } from './pay-order.mjs';
import { serveStorefront } from './storefront.mjs';

const service = await startTestService();
const at = await openPayingShop(service);
const server = createServer();
afterAll(async () => {
  server.close();
  await at.server.close();
  await service.close();
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const { shop } = at;
const keysOf = (settings: object) =>
  createTestKeys(service.context, shop.organizationId, shop.integrator, settings);
const { keys: publishable } = await keysOf({
  permissions: ['menu', 'create-orders'],
  origins: [address],
});
const { keys } = await keysOf({});
const settings = { ...(await service.listen()), publishableKey: publishable.clientKey, keys };
server.on('request', serveStorefront(settings));

async function order(paymentTypeId: number) {
  const body = pickupBody(shop, {
    lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 1 }],
    payments: [{ paymentTypeId, remaining: true }],
  });
  const placed = await service.call('POST', '/api/v1/orders', {
    ...{ keys: { clientKey: publishable.clientKey }, headers: { origin: address }, body },
  });
  expect(placed.error).toBeUndefined();
  return placed.data as { readonly id: string; readonly orderToken: string };
}

async function pay(id: string, orderToken: string) {
  const response = await fetch(`${address}/pay/${id}`, {
    ...{ method: 'POST', headers: { 'X-Order-Token': orderToken } },
  });
  return { status: response.status, payment: (await response.json()) as OrderPaid };
}

test('an order of the page is paid by its link: asked for once, and told when it is paid; a stranger asks for nothing', async () => {
  const { id, orderToken } = await order(at.bank);
  const { payment } = await pay(id, orderToken);
  expect(payment).toEqual({ status: 'waiting', amount: 3500, link: expect.stringMatching(/\/pay\//) });
  expect((await pay(id, orderToken)).payment).toEqual(payment);
  const strange = await order(at.bank);
  expect((await pay(id, strange.orderToken)).status).toBe(404);
  // The customer opens the link, and agrees.
  expect((await fetch(payment.link!, { method: 'POST' })).status).toBe(200);
  await at.later(6);
  expect((await pay(id, orderToken)).payment).toEqual({ status: 'paid', amount: 3500, link: null });
  expect(await at.booked()).toBe(at.taken());
  // It keeps nothing in its memory: started again, it knows the same.
  server.removeAllListeners('request').on('request', serveStorefront(settings));
  expect((await pay(id, orderToken)).payment).toEqual({ status: 'paid', amount: 3500, link: null });
  const inCash = await order(shop.paymentTypeId('Cash'));
  expect((await pay(inCash.id, inCash.orderToken)).payment.status).toBe('none');
});
