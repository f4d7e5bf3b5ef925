import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, expect, test } from 'vitest';
import { mailsOf } from '../../../test/harness/test-mails.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, deliveryBody, pickupBody } from '../../../test/harness/test-shop.ts';
import type { RequestContext } from '../../platform/http/request-context.ts';
import { selectStopOfOrder } from '../deliveries/deliveries.ts';
import { trackingPages, trackingUrl } from './tracking.ts';
import { driverSeen, type ShownDelivery, type StopOfDelivery, stateOfDelivery } from './tracking-page.ts';

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
  const nowhere = { latitude: null, longitude: null, position_at: null };
  const at = (status: string, stops_before: number): StopOfDelivery => ({ status, stops_before, ...nowhere });
  expect(stateOfDelivery(active, at('waiting', 2))).toBe('out');
  expect(stateOfDelivery(active, at('waiting', 0))).toBe('next');
  expect(stateOfDelivery(active, at('arrived', 0))).toBe('here');
  expect(stateOfDelivery(active, at('notHome', 0))).toBe('failed');
  expect(stateOfDelivery({ ...active, status: 'fulfilled' }, at('delivered', 0))).toBe('done');
  expect(stateOfDelivery({ status: 'new', task_status: 'assigned' }, at('waiting', 0))).toBe('received');
});

test('about how far the driver is, is for the customer whose turn it is, where the shop and the driver show it, and while it is new', async () => {
  const nowMs = service.clock.now();
  const shown = { shows_driver_position: true, postal_code: '94607' } as ShownDelivery;
  const stop: StopOfDelivery = {
    ...{
      status: 'waiting',
      stops_before: 0,
      latitude: '37.8385',
      longitude: '-122.3047',
      position_at: nowMs - 90_000,
    },
  };
  expect(driverSeen(shown, stop, nowMs)).toEqual({ miles: 2, direction: 'north', minutesAgo: 1 });
  const near = { ...stop, latitude: '37.8120' };
  expect(driverSeen(shown, near, nowMs)).toMatchObject({ miles: 0 });
  for (const [why, delivery, at] of [
    ['the shop does not show it', { ...shown, shows_driver_position: false }, stop],
    ['the driver does not share it', shown, { ...stop, latitude: null, longitude: null, position_at: null }],
    ['on no trip', shown, undefined],
    ['at the door', shown, { ...stop, status: 'arrived' }],
    ['old', shown, { ...stop, position_at: nowMs - 11 * 60_000 }],
    ['far away', shown, { ...stop, latitude: '40' }],
    ['no ZIP code that is known', { ...shown, postal_code: null }, stop],
  ] as const) {
    expect(driverSeen(delivery, at, nowMs), why).toBeNull();
  }
});

test("the page draws the driver once it is the customer's turn, and no longer when the driver ends the sharing", async () => {
  const ask = async (method: string, path: string, body?: object) => {
    const { data, error } = await owner.call(method, `/staff/v1/${path}`, body);
    expect(error, path).toBeUndefined();
    return data;
  };
  const { id: inventoryLocationId } = await ask('POST', 'inventory-locations', {
    name: 'Van',
    type: 'vehicle',
  });
  const van = { name: 'Van', licensePlate: '8ABC123', make: 'Ford', model: 'Transit', inventoryLocationId };
  const { id: vehicleId } = await ask('POST', 'vehicles', van);
  const { id: driverId } = await ask('POST', 'drivers', { staffId: owner.staffId, sharesPosition: true });
  const { id } = await ask('POST', 'trips', { driverId, vehicleId });
  const orderIds = [await place(deliveryBody(shop)), await place(deliveryBody(shop))];
  for (const orderId of orderIds) {
    await step(orderId, 'accept');
    await step(orderId, 'pack');
  }
  const { stops } = await ask('PUT', `trips/${id}/stops`, { orderIds });
  for (const act of ['load', 'depart']) await ask('POST', `trips/${id}/${act}`, {});
  await ask('POST', `trips/${id}/position`, { latitude: 37.8385, longitude: -122.3047 });
  const drawn = async (orderId: string) => {
    const { page } = await look((await trackingUrl(context, shop.organizationId, orderId))!);
    expect(page).not.toContain('37.8');
    return [/data-driver="([^"]+)"/.exec(page)?.[1], /<figcaption>([^<]+)/.exec(page)?.[1]];
  };
  expect(await drawn(orderIds[0]!)).toEqual([undefined, undefined]);
  await ask('PATCH', 'organization', { showsDriverPosition: true });
  const there = ['2 north', 'The driver was about 2 miles to the north of your area just now.'];
  expect(await drawn(orderIds[0]!)).toEqual(there);
  expect(await drawn(orderIds[1]!)).toEqual([undefined, undefined]);
  await ask('POST', `trips/${id}/stops/${stops[0].id}/not-home`, {});
  expect(await drawn(orderIds[0]!)).toEqual([undefined, undefined]);
  expect(await drawn(orderIds[1]!)).toEqual(there);
  await ask('DELETE', `trips/${id}/position`);
  expect(await drawn(orderIds[1]!)).toEqual([undefined, undefined]);
});
