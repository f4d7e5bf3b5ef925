import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { barriersOn } from '../../console/proofs/barriers.test-support.ts';
import { findBrowser, launchBrowser } from '../../console/proofs/proof-browser.ts';
import { createStaff } from '../../src/access/staff/staff.ts';
import { testWorker } from '../../src/shop/webhooks/webhooks.test-support.ts';
import { startOwnTestService, type TestService } from '../../test/harness/test-service.ts';
import {
  createTestShop,
  deliveryBody,
  pickupBody,
  type TestShop,
  testOrigin,
} from '../../test/harness/test-shop.ts';
import { type Dispatcher, startDispatcher } from './dispatcher.ts';

/* The desk on a real service. Its webhooks are sent by the test, so that one can be lost, doubled or forged. */

let service: TestService;
let shop: TestShop;
let desk: Dispatcher;
let baseUrl: string;

beforeAll(async () => {
  service = await startOwnTestService();
  ({ baseUrl } = await service.listen());
  shop = await createTestShop(service.context);
  const account = { email: 'desk@shop.example.com', password: 'lemon grove 7' };
  await createStaff(service.context, testOrigin, shop.organizationId, [
    { ...account, firstName: 'Dispatch', lastName: 'Desk', role: 'budtender' },
  ]);
  await place('Before');
  desk = await startDispatcher(
    {
      baseUrl,
      ...shop.keys,
      staff: account,
      publicUrl: 'https://desk.example.com',
      drivers: ['Tomas Reyes'],
    },
    0,
  );
});
afterAll(async () => {
  await desk.close();
  await service.close();
});
afterEach(() => expect(service.faults).toEqual([]));

async function place(firstName: string, type: 'delivery' | 'pickup' = 'delivery'): Promise<string> {
  const customer = {
    firstName,
    lastName: 'Okafor',
    email: `${firstName.toLowerCase()}@customers.example.com`,
  };
  const body = (type === 'delivery' ? deliveryBody : pickupBody)(shop, { customer });
  const { data, error } = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
  expect(error).toBeUndefined();
  return data.id;
}

const customers = () => desk.board.deliveries.map(({ customer }) => customer);

/** Sends a webhook as the service signs it. */
function webhook(orderId: string, secret = desk.secret!) {
  const id = `msg_${orderId}`;
  const body = JSON.stringify({ type: 'order.placed', timestamp: new Date().toISOString(), data: {} });
  const at = new Date();
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
  return fetch(`${desk.address}/webhooks`, { method: 'POST', headers, body });
}

const save = (orderId: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${desk.address}/deliveries/${orderId}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers,
    redirect: 'manual',
  });

test('the desk begins with the deliveries that are under way, and has an endpoint for their events', async () => {
  expect(customers()).toEqual(['Before Okafor']);
  const { data } = await service.call('GET', '/api/v1/webhook-endpoints', { keys: shop.keys });
  expect(data).toMatchObject([{ url: 'https://desk.example.com/webhooks', types: ['order.*'] }]);
});

test('a webhook that comes twice shows the delivery once, and a forged one is refused', async () => {
  const order = await place('Twice');
  const replies = await Promise.all([webhook(order), webhook(order)]);
  expect(replies.map(({ status }) => status)).toEqual([204, 204]);
  await expect.poll(customers).toEqual(['Before Okafor', 'Twice Okafor']);
  const forged = await webhook(order, `whsec_${Buffer.alloc(24, 7).toString('base64')}`);
  expect(forged.status).toBe(400);
});

test('what a lost webhook would have told is found by the next look, and a pickup is no delivery', async () => {
  await place('Lost');
  await place('Walker', 'pickup');
  await desk.board.catchUp();
  expect(customers()).toContain('Lost Okafor');
  expect(customers()).not.toContain('Walker Okafor');
});

test('a driver is stored at the service, and a delivery that is canceled leaves the desk', async () => {
  const order = await place('Driven');
  const owner = await service.staff(shop);
  expect((await owner.call('POST', `/staff/v1/orders/${order}/accept`, {})).error).toBeUndefined();
  await desk.board.catchUp();
  expect((await save(order, { driver: 'Tomas Reyes', status: 'unassigned' })).status).toBe(303);
  const { data } = await service.call('GET', `/api/v1/orders/${order}/detail`, { keys: shop.keys });
  expect(data.dispatchTask).toMatchObject({ driverName: 'Tomas Reyes', status: 'assigned' });
  const page = await (await fetch(desk.address)).text();
  expect(page).toContain('value="Tomas Reyes"');

  const canceled = await owner.call('POST', `/staff/v1/orders/${order}/cancel`, { reason: 'Closed' });
  expect(canceled.error).toBeUndefined();
  await desk.board.catchUp();
  expect(customers()).not.toContain('Driven Okafor');
  const late = await save(order, { driver: 'Tomas Reyes', status: 'active' });
  expect([late.status, await late.text()]).toEqual([422, expect.stringContaining('canceled')]);
});

test('a delivery on a trip of the shop is shown with its stop, and is not given to a courier', async () => {
  const order = await place('Carried');
  const owner = await service.staff(shop);
  const ask = async (method: string, path: string, body: object = {}) => {
    const { data, error } = await owner.call(method, `/staff/v1/${path}`, body);
    expect(error).toBeUndefined();
    return data;
  };
  await ask('POST', `orders/${order}/accept`);
  const { id: inventoryLocationId } = await ask('POST', 'inventory-locations', {
    name: 'Van',
    type: 'vehicle',
  });
  const van = { name: 'Van', licensePlate: '8ABC123', make: 'Ford', model: 'Transit' };
  const { id: vehicleId } = await ask('POST', 'vehicles', { ...van, inventoryLocationId });
  const { id: driverId } = await ask('POST', 'drivers', { staffId: owner.staffId });
  const { id: tripId } = await ask('POST', 'trips', { driverId, vehicleId });
  await ask('PUT', `trips/${tripId}/stops`, { orderIds: [order] });
  await ask('POST', `trips/${tripId}/load`);
  await desk.board.catchUp();
  const page = await (await fetch(desk.address)).text();
  expect(page).toContain(', stop 1, assigned');
  expect(page).not.toContain(`/deliveries/${order}`);
});

test('a form of another site changes nothing', async () => {
  const order = await place('Foreign');
  const sent = await save(
    order,
    { driver: 'Tomas Reyes', status: 'assigned' },
    { origin: 'https://elsewhere.example.com' },
  );
  expect(sent.status).toBe(403);
  const { data } = await service.call('GET', `/api/v1/orders/${order}/detail`, { keys: shop.keys });
  expect(data.dispatchTask).toBeNull();
});

test('a webhook that the service itself sends moves the desk', async () => {
  // The desk compares the time of signing with the clock of the machine.
  service.clock.advance(Date.now() - service.clock.now());
  const other = await createTestShop(service.context);
  const staff = { email: 'relay@shop.example.com', password: 'lemon grove 7' };
  await createStaff(service.context, testOrigin, other.organizationId, [
    { ...staff, firstName: 'Relay', lastName: 'Desk', role: 'budtender' },
  ]);
  // The address of the desk is known once it listens, and its endpoint before that.
  const relay = createServer((request, response) => {
    const { host: _, ...headers } = request.headers as Record<string, string>;
    void buffer(request)
      .then((body) => fetch(`${sentTo.address}/webhooks`, { method: 'POST', headers, body }))
      .then((reply) => response.writeHead(reply.status).end());
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const publicUrl = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
  const sentTo = await startDispatcher({ baseUrl, ...other.keys, staff, publicUrl, drivers: [] }, 0);
  const worker = testWorker(service);
  const { error } = await service.call('POST', '/api/v1/orders', {
    keys: other.keys,
    body: deliveryBody(other),
  });
  expect([error, sentTo.board.deliveries.length]).toEqual([undefined, 0]);
  await worker.pass(other.organizationId);
  await expect.poll(() => sentTo.board.deliveries.length).toBe(1);
  await worker.stop();
  await sentTo.close();
  relay.close();
});

const { path: browserPath } = findBrowser();

test.runIf(browserPath !== undefined)(
  'the desk has no barrier on a phone, shows what is new by itself, and keeps a name that is being typed',
  { timeout: 180_000 },
  async () => {
    await place('Seen');
    await desk.board.catchUp();
    const browser = await launchBrowser(browserPath!, 'never');
    try {
      for (const colorScheme of ['light', 'dark'] as const) {
        const context = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme });
        const page = await context.newPage();
        page.setDefaultTimeout(60_000);
        await page.clock.install();
        await page.goto(desk.address);
        await page.getByText('Seen Okafor').waitFor();
        expect([colorScheme, await barriersOn(page)]).toEqual([colorScheme, []]);
        const wider = 'document.documentElement.scrollWidth - innerWidth';
        expect(await page.evaluate(wider)).toBeLessThanOrEqual(0);
        const [next, later] = [`Next${colorScheme}`, `Later${colorScheme}`];
        await place(next);
        await desk.board.catchUp();
        await page.clock.runFor(20_000);
        await page.getByText(`${next} Okafor`).waitFor();
        await page.getByLabel('Driver').first().fill('Ana');
        await place(later);
        await desk.board.catchUp();
        await page.clock.runFor(40_000);
        expect(await page.getByLabel('Driver').first().inputValue()).toBe('Ana');
        expect(await page.getByText(`${later} Okafor`).count()).toBe(0);
        await context.close();
      }
    } finally {
      await browser.close();
    }
  },
);
