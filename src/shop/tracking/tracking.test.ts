import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, expect, test } from 'vitest';
import { mailsOf } from '../../../test/harness/test-mails.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, deliveryBody, pickupBody } from '../../../test/harness/test-shop.ts';
import type { RequestContext } from '../../platform/http/request-context.ts';
import { selectStopOfOrder } from '../deliveries/deliveries.ts';
import { trackingPages, trackingUrl } from './tracking.ts';
import { type StopOfDelivery, stateOfDelivery } from './tracking-page.ts';

const service = await startTestService();
const context = { ...service.context, serviceAddress: { url: () => 'https://shop.example.com' } };
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const shop = await createTestShop(service.context, { name: 'Juniper <Quay>', state: 'OK' });
const owner = await service.staff(shop);
const email = 'ida@customers.example.com';
const pages = trackingPages(service.context, selectStopOfOrder);

/** The page at an address, as a customer without anything else gets it. */
async function look(url: string): Promise<{ status: number; page: string; policy: string }> {
  let shown = { status: 0, page: '', policy: '' };
  const { pathname, search } = new URL(url);
  const requestContext = {
    request: { url: pathname + search },
    sendFile: ({ bytes, headers }: { bytes: Buffer; headers: Record<string, string> }, status = 200) => {
      shown = { status, page: bytes.toString(), policy: headers['content-security-policy']! };
    },
  };
  await pages['/track']!(requestContext as unknown as RequestContext);
  return shown;
}

async function place(body: object): Promise<string> {
  const customer = { firstName: 'Ida', lastName: 'Moreno', email };
  const placed = await service.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: { ...body, customer, idempotencyKey: randomUUID() },
  });
  expect(placed.status, placed.text).toBe(201);
  return placed.data.id;
}

const step = async (id: string, action: string, body: object = {}) => {
  const done = await owner.call('POST', `/staff/v1/orders/${id}/${action}`, body);
  expect(done.error, action).toBeUndefined();
};

test('a delivery has an address that shows its state at each step, the shop and its phone, and no person, goods or street', async () => {
  const id = await place(deliveryBody(shop));
  const url = (await trackingUrl(context, shop.organizationId, id))!;
  const headline = async () => /<h1 data-state="(\w+)">/.exec((await look(url)).page)?.[1];
  expect(await headline()).toBe('received');
  await step(id, 'accept');
  await step(id, 'pack');
  expect(await headline()).toBe('packed');
  await step(id, 'dispatch', { status: 'active', driverName: 'Tomas Reyes' });
  expect(await headline()).toBe('out');
  const { status, page, policy } = await look(url);
  expect([status, policy]).toEqual([200, expect.stringMatching(/^default-src 'none'; style-src 'self'/)]);
  expect(page).toContain('Juniper &lt;Quay&gt;');
  expect(page).toContain('+15105550100');
  for (const secret of ['Ida', 'Moreno', 'Alder', '94607', 'Moonlit', 'Tomas', email]) {
    expect(page).not.toContain(secret);
  }
  await step(id, 'dispatch', { status: 'failed' });
  expect(await headline()).toBe('failed');
  await step(id, 'cancel', { reason: 'Not there' });
  expect(await headline()).toBe('canceled');
  const nowMs = service.clock.now();
  service.clock.advance(4 * 86_400_000);
  expect((await look(url)).status).toBe(404);
  service.clock.set(nowMs);
});

test('no one finds an address by guessing: another order, organization or code is not there', async () => {
  const [id, pickup] = [await place(deliveryBody(shop)), await place(pickupBody(shop))];
  const url = (await trackingUrl(context, shop.organizationId, id))!;
  const other = await createTestShop(service.context);
  for (const wrong of [
    url.replace(/o=\d+/, `o=${other.organizationId}`),
    url.replace(id, randomUUID()),
    url.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    url.replace(/k=.*$/, 'k='),
    url.replace(/\?.*$/, ''),
    (await trackingUrl(context, shop.organizationId, pickup))!,
  ]) {
    expect((await look(wrong)).status, wrong).toBe(404);
  }
  expect((await look(url)).status).toBe(200);
});

test('mails say when it leaves and when it could not be delivered, with the address where the service knows its own', async () => {
  await owner.call('PATCH', '/staff/v1/organization', {
    customerMails: { receipts: false, ready: false, outForDelivery: true, canceled: false },
  });
  const before = (await mailsOf(service.context, shop.organizationId, email)).length;
  const id = await place(deliveryBody(shop));
  await step(id, 'accept');
  await step(id, 'dispatch', { status: 'active' });
  await step(id, 'dispatch', { status: 'failed' });
  const mails = (await mailsOf(service.context, shop.organizationId, email)).slice(before);
  expect(mails.map(({ kind }) => kind)).toEqual(['order-out-for-delivery', 'order-delivery-failed']);
  service.context.serviceAddress?.use(() => 'https://shop.example.com/');
  const next = await place(deliveryBody(shop));
  await step(next, 'accept');
  await step(next, 'dispatch', { status: 'active' });
  const { text } = (await mailsOf(service.context, shop.organizationId, email)).at(-1)!;
  service.context.serviceAddress?.use(() => undefined);
  const [address] = /https:\S+/.exec(text) ?? [];
  expect(address).toBe(await trackingUrl(context, shop.organizationId, next));
  expect((await look(address!)).page).toContain('Your order is on its way');
});

test('the state is that of the stop, where the order is on a trip', () => {
  const active = { status: 'packed', task_status: 'active' } as const;
  const at = (status: string, stops_before: number): StopOfDelivery => ({ status, stops_before });
  expect(stateOfDelivery(active, at('waiting', 2))).toBe('out');
  expect(stateOfDelivery(active, at('waiting', 0))).toBe('next');
  expect(stateOfDelivery(active, at('arrived', 0))).toBe('here');
  expect(stateOfDelivery(active, at('notHome', 0))).toBe('failed');
  expect(stateOfDelivery({ ...active, status: 'fulfilled' }, at('delivered', 0))).toBe('done');
  expect(stateOfDelivery({ status: 'new', task_status: 'assigned' }, at('waiting', 0))).toBe('received');
});
