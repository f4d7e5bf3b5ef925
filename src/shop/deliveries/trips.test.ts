import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, testNowMs } from '../../../test/harness/test-service.ts';
import {
  createTestIntegrator,
  createTestKeys,
  type TestKeys,
  type TestShop,
} from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { openPlainShop, placeTrade, type TradeLines } from '../../../test/harness/test-trade.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';
import { endOfLocalDateMs } from '../../kernel/local-time.ts';
import { forgetFormerPositions } from './deliveries.ts';

const service = await startTestService();
afterAll(() => service.close());
afterEach(() => service.clock.set(testNowMs));

interface Fleet {
  readonly shop: TestShop;
  readonly manager: TestStaff;
  readonly driver: TestStaff;
  readonly driverId: number;
  readonly registerId: number;
}

type Stops = readonly {
  readonly id: number;
  readonly orderId: string;
  readonly lines: readonly { readonly lineItemId: number }[];
}[];

/** A shop with a driver who has a drawer. */
async function openFleet(settings: Parameters<typeof openPlainShop>[1] = {}): Promise<Fleet> {
  const shop = await openPlainShop(service, settings);
  const [manager, driver] = [await service.staff(shop, 'manager'), await service.staff(shop, 'budtender')];
  const location = { inventoryLocationId: shop.locationId('Storefront') };
  const { data: register } = await manager.call('POST', '/staff/v1/registers', { name: 'Bag', ...location });
  const drives = { staffId: driver.staffId, registerId: register.id, sharesPosition: true };
  const { data } = await manager.call('POST', '/staff/v1/drivers', drives);
  return { shop, manager, driver, driverId: data.id, registerId: register.id };
}

/** A packed delivery, to be paid in cash. */
async function delivery({ shop, manager }: Fleet, lines: TradeLines = [['eighth', 2]]): Promise<string> {
  const { data, error } = await placeTrade(service, shop, lines, {
    type: 'delivery',
    payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
  });
  expect(error).toBeUndefined();
  if (data.status === 'draft') await manager.call('POST', `/staff/v1/orders/${data.id}/accept`, {});
  await manager.call('POST', `/staff/v1/orders/${data.id}/pack`, {});
  return data.id;
}

/** A planned trip with a vehicle of its own. */
async function plan(fleet: Fleet, orderIds: readonly string[], changes: object = {}) {
  const post = async (path: string, body: object) => {
    const { data, error } = await fleet.manager.call('POST', `/staff/v1/${path}`, body);
    expect(error).toBeUndefined();
    return data;
  };
  const { id: inventoryLocationId } = await post('inventory-locations', { name: 'Van', type: 'vehicle' });
  const van = { name: 'Blue van', licensePlate: '8ABC123', make: 'Ford', model: 'Transit' };
  const vehicle = await post('vehicles', { ...van, inventoryLocationId });
  const { id } = await post('trips', { driverId: fleet.driverId, vehicleId: vehicle.id, ...changes });
  const { data, error } = await fleet.manager.call('PUT', `/staff/v1/trips/${id}/stops`, { orderIds });
  expect(error).toBeUndefined();
  return {
    id: id as number,
    vehicleId: vehicle.id as number,
    inventoryLocationId,
    stops: data.stops as Stops,
  };
}

const onTrip = (by: TestStaff, id: number, act: string, body: object = {}, headers = {}) =>
  by.call('POST', `/staff/v1/trips/${id}/${act}`, body, { headers });

/** A trip that is out. */
async function sentOut(fleet: Fleet, orderIds: readonly string[]) {
  const trip = await plan(fleet, orderIds);
  expect((await onTrip(fleet.manager, trip.id, 'load', { float: 5_000 })).error).toBeUndefined();
  expect((await onTrip(fleet.driver, trip.id, 'depart')).error).toBeUndefined();
  const at = (index: number, act: string, body: object = {}, headers = {}) =>
    onTrip(fleet.driver, trip.id, `stops/${trip.stops[index]!.id}/${act}`, body, headers);
  return { ...trip, at };
}

/** Units of everything at a location. */
async function onHand({ shop }: Fleet, locationId: number): Promise<number> {
  const [row] = await tenantSql(
    service.context.database,
    shop.organizationId,
    'select coalesce(sum(on_hand), 0)::float8 as units from stock_balances where inventory_location_id = $1',
    locationId,
  );
  return Number(row!.units);
}

describe('a trip', () => {
  test('takes its orders out, hands them over, and comes back to the cent and to the gram', async () => {
    const fleet = await openFleet();
    const { manager, driver, shop, registerId } = fleet;
    const [cash, storefront] = [shop.paymentTypeId('Cash'), shop.locationId('Storefront')];
    const orders = [
      await delivery(fleet),
      await delivery(fleet),
      await delivery(fleet),
      await delivery(fleet),
    ];
    const before = await onHand(fleet, storefront);
    const { id, inventoryLocationId, stops, at } = await sentOut(fleet, orders);
    expect(await onHand(fleet, storefront)).toBe(before);

    expect((await at(0, 'arrive')).data.stops[0]).toMatchObject({ status: 'arrived', amountDue: 7500 });
    const tendered = [{ paymentTypeId: cash, remaining: true, tendered: 10_000 }];
    const whole = await at(0, 'deliver', { payments: tendered, tip: 300 });
    expect(whole.data.stops[0]).toMatchObject({ status: 'delivered', amountDue: 0, tip: 300 });
    const [{ lineItemId }] = stops[1]!.lines as [{ lineItemId: number }];
    const inPart = await at(1, 'deliver', { lines: [{ lineItemId, quantity: 1 }] });
    expect(inPart.error).toBeUndefined();
    expect(inPart.data.stops[1]).toMatchObject({ status: 'partly', orderStatus: 'fulfilled', total: 4000 });
    const refused = await at(2, 'refuse', { reason: 'The ID had expired' });
    expect(refused.data.stops[2]).toMatchObject({ status: 'refused', orderStatus: 'canceled' });

    const back = await onTrip(driver, id, 'return');
    expect(back.data.stops[3]).toMatchObject({ status: 'notHome', orderStatus: 'packed' });
    expect(back.data.totals).toEqual({ delivered: 2, notDelivered: 2, sales: 11_500, tips: 300 });
    const [good] = back.data.goods;
    expect(good).toMatchObject({ productName: 'Moonlit Grove', amount: '3' });
    const { productId, productOptionId, packageId } = good;
    const item = { productId, productOptionId, packageId };
    const count = {
      toInventoryLocationId: storefront,
      counts: [{ paymentTypeId: null, counted: 5_000 + 11_500 + 300 }],
    };
    const tooFew = { ...count, goods: [{ ...item, amount: '2', to: 'stock' }] };
    expect((await onTrip(manager, id, 'close', tooFew)).error?.message).toContain('goods must name 3');
    const goods = [
      { ...item, amount: '1', to: 'stock' },
      { ...item, amount: '1', to: 'quarantine' },
      { ...item, amount: '1', to: 'waste' },
    ];
    const closed = await onTrip(manager, id, 'close', { ...count, goods });
    expect(closed.error).toBeUndefined();
    expect(closed.data).toMatchObject({ status: 'closed', goods: [] });
    expect(await onHand(fleet, inventoryLocationId)).toBe(0);
    expect(await onHand(fleet, storefront)).toBe(before + 1);
    const sessions = await manager.call('GET', `/staff/v1/drawer-sessions?registerId=${registerId}`);
    expect(sessions.data[0].payments).toMatchObject([{ sales: 11_500, paidIn: 300, overShort: 0 }]);

    // The order where no customer was at home has its goods in the shop again, and gives them back there.
    await manager.call('POST', `/staff/v1/orders/${orders[3]}/cancel`, { reason: 'Moved away' });
    expect(await onHand(fleet, storefront)).toBe(before + 3);
    expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
    expect(service.faults).toEqual([]);
  });

  test('is unloaded before it leaves, and its order goes on another trip; one order is on one trip, one vehicle on one', async () => {
    const fleet = await openFleet();
    const { manager, shop } = fleet;
    const [first, second] = [await delivery(fleet), await delivery(fleet)];
    const one = await plan(fleet, [first]);
    const two = await plan(fleet, [first, second]);
    const { data: emptied } = await manager.call('GET', `/staff/v1/trips/${one.id}`);
    expect(emptied.stops).toEqual([]);
    expect((await onTrip(manager, one.id, 'load')).error?.message).toMatch(/must have a stop/);
    await onTrip(manager, two.id, 'load');
    const setStops = (id: number, orderIds: string[]) =>
      manager.call('PUT', `/staff/v1/trips/${id}/stops`, { orderIds });
    expect((await setStops(one.id, [first])).error?.code).toBe('ORDER_ON_TRIP');
    expect((await setStops(two.id, [])).error).toMatchObject({
      ...{ code: 'INVALID_TRIP_TRANSITION', meta: { status: 'loaded', action: 'plan' } },
    });
    const same = await manager.call('PATCH', `/staff/v1/trips/${one.id}`, { vehicleId: two.vehicleId });
    expect(same.error).toBeUndefined();
    const third = await delivery(fleet);
    await setStops(one.id, [third]);
    expect((await onTrip(manager, one.id, 'load')).error?.code).toBe('VEHICLE_IN_USE');
    const toInventoryLocationId = shop.locationId('Storefront');
    const unloaded = await onTrip(manager, two.id, 'unload', { toInventoryLocationId });
    expect(unloaded.data).toMatchObject({ status: 'draft', loadedAt: null });
    expect((await setStops(one.id, [third, first])).error).toBeUndefined();
    expect((await onTrip(manager, one.id, 'load')).data.status).toBe('loaded');
    expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
  });

  test('is judged by what the vehicle may carry and by the hour of its departure', async () => {
    const fleet = await openFleet({ state: 'CA' });
    const { shop, manager } = fleet;
    const [small, large] = [await delivery(fleet), await delivery(fleet)];
    const late = await plan(fleet, [small], { plannedDepartureAt: '2026-03-11T05:30:00Z' });
    expect((await onTrip(manager, late.id, 'load')).error).toMatchObject({ code: 'OUTSIDE_SALE_HOURS' });
    await tenantSql(
      service.context.database,
      shop.organizationId,
      `update order_line_items set unit_price_cents = 499500, subtotal_price_cents = 999000 where order_id = '${large}'`,
    );
    const heavy = await plan(fleet, [small, large], { plannedDepartureAt: '2026-03-10T20:00:00Z' });
    const refused = await onTrip(manager, heavy.id, 'load');
    expect(refused.error).toMatchObject({ code: 'VEHICLE_VALUE_EXCEEDED', meta: { duty: 'delivery' } });
  });
});

test('an integrator sees the trip of its own order as it goes on, and nothing of those of others', async () => {
  const fleet = await openFleet();
  const { manager, driver, driverId, shop } = fleet;
  const ordersOnly = { permissions: ['create-orders'] } as const;
  const another = await createTestIntegrator(service.context);
  const [own, others, strangers] = [
    (await createTestKeys(service.context, shop.organizationId, shop.integrator, ordersOnly)).keys,
    (await createTestKeys(service.context, shop.organizationId, another, ordersOnly)).keys,
    (await openPlainShop(service)).keys,
  ];
  const orders = [await delivery(fleet), await delivery(fleet)];
  const seen = (keys: TestKeys, path = `orders/${orders[1]}/detail`) =>
    service.call('GET', `/api/v1/${path}`, { keys });
  const task = async () => (await seen(own)).data.dispatchTask;
  const trip = await plan(fleet, orders);
  expect(await task()).toBeNull();
  const told = { tripId: trip.id, driverId, vehicleId: trip.vehicleId, stop: 2 };
  await onTrip(manager, trip.id, 'load', { float: 5_000 });
  expect(await task()).toMatchObject({ status: 'assigned', trip: { ...told, stopStatus: 'waiting' } });
  await onTrip(driver, trip.id, 'depart');
  const at = (act: string) => onTrip(driver, trip.id, `stops/${trip.stops[1]!.id}/${act}`);
  expect(await task()).toMatchObject({ status: 'active', trip: { ...told, stopStatus: 'waiting' } });
  await at('arrive');
  expect((await task()).trip).toEqual({ ...told, stopStatus: 'arrived' });
  await at('deliver');
  expect(await task()).toMatchObject({ status: 'completed', trip: { ...told, stopStatus: 'delivered' } });
  for (const keys of [others, strangers]) {
    expect((await seen(keys)).error?.code).toBe('ORDER_NOT_FOUND');
    const list = await seen(keys, 'orders');
    expect(list.text).not.toContain(orders[1]);
    expect(list.text).not.toContain('tripId');
  }
});

describe('goods of a delivered order that come back', () => {
  /** A trip that is closed: one order was delivered whole, one in part, and the vehicle is empty. */
  async function delivered() {
    const fleet = await openFleet();
    const { manager, shop } = fleet;
    const storefront = shop.locationId('Storefront');
    const orders = [await delivery(fleet, [['eighth', 4]]), await delivery(fleet)];
    const trip = await sentOut(fleet, orders);
    await trip.at(0, 'deliver');
    const [line] = trip.stops[1]!.lines;
    await trip.at(1, 'deliver', { lines: [{ lineItemId: line!.lineItemId, quantity: 1 }] });
    const back = await onTrip(fleet.driver, trip.id, 'return');
    const closed = await onTrip(manager, trip.id, 'close', {
      toInventoryLocationId: storefront,
      goods: back.data.goods.map((it: Record<string, unknown>) => ({
        ...{ productId: it.productId, productOptionId: it.productOptionId, packageId: it.packageId },
        ...{ amount: it.amount, to: 'stock' },
      })),
      counts: [{ paymentTypeId: null, counted: back.data.totals.sales + 5_000 }],
    });
    expect(closed.error).toBeUndefined();
    const { data: safe } = await manager.call('POST', '/staff/v1/inventory-locations', { name: 'Safe' });
    const cash = { refundType: 'payment-method', paymentTypeId: shop.paymentTypeId('Cash') };
    const goodsOf = (index: number, quantity: number, inventoryAction?: string) => ({
      lineItems: [
        {
          ...{ orderLineItemId: trip.stops[index]!.lines[0]!.lineItemId, quantity, reason: 'Wrong strain' },
          ...{ type: 'return', ...(inventoryAction !== undefined && { inventoryAction }) },
        },
      ],
    });
    const takeBack = (index: number, quantity: number, changes: object = {}, action = 'inventory') =>
      manager.call('POST', `/staff/v1/orders/${orders[index]}/returns`, {
        ...{ ...cash, ...goodsOf(index, quantity, action), ...changes },
      });
    const units = async () => [
      await onHand(fleet, storefront),
      await onHand(fleet, safe.id),
      await onHand(fleet, trip.inventoryLocationId),
    ];
    const before = await units();
    return {
      ...{
        ...fleet,
        orders,
        cash,
        goodsOf,
        takeBack,
        safeId: safe.id as number,
        vanId: trip.inventoryLocationId,
      },
      /** What storefront, safe and vehicle have more than before. */
      gained: async () => (await units()).map((it, at) => it - before[at]!),
    };
  }

  test('go where they were loaded from, or where staff say, and not into the vehicle', async () => {
    const { takeBack, gained, manager, orders, shop, safeId, vanId, cash, goodsOf } = await delivered();
    expect((await takeBack(0, 1)).error).toBeUndefined();
    expect(await gained()).toEqual([1, 0, 0]);
    const elsewhere = await takeBack(0, 1, { inventoryLocationId: safeId });
    expect(await gained()).toEqual([1, 1, 0]);
    const undo = (id: number) =>
      manager.call('POST', `/staff/v1/order-returns/${id}/void`, { reason: 'Rung up twice' });
    expect((await undo(elsewhere.data.id)).error).toBeUndefined();
    expect(await gained()).toEqual([1, 0, 0]);
    await takeBack(0, 1, {}, 'quarantine');
    expect(await gained()).toEqual([1, 0, 0]);
    // What the edit at the door left of an order comes back, too.
    await takeBack(1, 1);
    expect(await gained()).toEqual([2, 0, 0]);

    const path = `/staff/v1/orders/${orders[0]}/returns`;
    const preview = await manager.call('POST', `${path}/preview`, {
      ...{ ...cash, inventoryLocationId: vanId },
      lineItems: goodsOf(0, 1, 'inventory').lineItems.map(({ reason: _, type: __, ...line }) => line),
    });
    for (const { error } of [preview, await takeBack(0, 1, { inventoryLocationId: vanId })]) {
      expect(error).toMatchObject({
        code: 'INVALID_PARAMS',
        message: expect.stringContaining('inventoryLocationId must not be a vehicle'),
      });
    }
    const unknown = await takeBack(0, 1, { inventoryLocationId: 999_999 });
    expect(unknown.error?.code).toBe('INVENTORY_LOCATION_NOT_FOUND');
    const { data: next } = await placeTrade(service, shop, [['eighth', 1]]);
    const beforeAccept = await gained();
    if (next.status === 'draft') await manager.call('POST', `/staff/v1/orders/${next.id}/accept`, {});
    const exchanged = await manager.call('POST', `/staff/v1/orders/${next.id}/exchange`, {
      returned: {
        ...{ orderId: orders[0], inventoryLocationId: safeId },
        lineItems: goodsOf(0, 1, 'inventory').lineItems.map(({ type: _, ...line }) => line),
      },
    });
    expect(exchanged.error).toBeUndefined();
    expect((await gained())[1]).toBe(beforeAccept[1]! + 1);
    expect((await gained())[2]).toBe(0);
    expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
  });

  test('of a voided sale, too, while the drawer still is open; a trip is not unloaded into a vehicle', async () => {
    const fleet = await openFleet();
    const { manager, shop } = fleet;
    const { data: safe } = await manager.call('POST', '/staff/v1/inventory-locations', { name: 'Safe' });
    const orders = [await delivery(fleet, [['eighth', 3]]), await delivery(fleet)];
    const trip = await plan(fleet, orders);
    const vanId = trip.inventoryLocationId;
    await onTrip(manager, trip.id, 'load', { float: 5_000 });
    const unloaded = await onTrip(manager, trip.id, 'unload', { toInventoryLocationId: vanId });
    expect(unloaded.error?.message).toContain('toInventoryLocationId must not be a vehicle');
    await onTrip(fleet.driver, trip.id, 'depart');
    for (const { id } of trip.stops) await onTrip(fleet.driver, trip.id, `stops/${id}/deliver`, {});
    const units = () =>
      Promise.all([shop.locationId('Storefront'), safe.id, vanId].map((id) => onHand(fleet, id)));
    const before = await units();
    const gained = async () => (await units()).map((it, at) => it - before[at]!);
    const undo = (index: number, changes: object = {}) =>
      manager.call('POST', `/staff/v1/orders/${orders[index]}/void`, { reason: 'Rung up twice', ...changes });
    expect((await undo(0, { inventoryLocationId: vanId })).error?.message).toContain(
      'inventoryLocationId must not be a vehicle',
    );
    expect((await undo(0)).error).toBeUndefined();
    expect(await gained()).toEqual([3, 0, 0]);
    expect((await undo(1, { inventoryLocationId: safe.id })).error).toBeUndefined();
    expect(await gained()).toEqual([3, 2, 0]);
    expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
  });
});

describe('at the door', () => {
  test('an ID of another person, an expired one, and that of a child are refused, and nothing is handed over', async () => {
    const fleet = await openFleet();
    const { at, stops } = await sentOut(fleet, [await delivery(fleet)]);
    await tenantSql(
      service.context.database,
      fleet.shop.organizationId,
      `update customers set birthday = '1988-02-29'`,
    );
    const id = { how: 'eye', firstName: 'Marisol', lastName: 'Okafor', birthday: '1988-02-29', expiry: null };
    for (const [change, fault] of [
      [{ birthday: '2010-01-01' }, 'underage'],
      [{ expiry: '2026-03-09' }, 'expired'],
      [{ birthday: '1988-02-28' }, 'other-birthday'],
      [{ lastName: 'Castellan' }, 'other-name'],
    ] as const) {
      const refused = await at(0, 'deliver', { idCheck: { ...id, ...change } });
      expect(refused.error).toMatchObject({ code: 'ID_NOT_ACCEPTED', meta: { fault } });
    }
    const signature = Buffer.from('89504e470d0a1a0a00', 'hex').toString('base64');
    expect((await at(0, 'deliver', { idCheck: id, signature: 'AAAA' })).error?.message).toMatch(/^signature/);
    const done = await at(0, 'deliver', { idCheck: id, signature });
    expect(done.data.stops[0]).toMatchObject({ status: 'delivered', idCheckHow: 'eye', hasSignature: true });
    const again = await at(0, 'refuse', { reason: 'Late' });
    expect(again.error).toMatchObject({ code: 'INVALID_TRIP_TRANSITION', meta: { status: 'delivered' } });
    expect(stops).toHaveLength(1);
  });

  test('an act without a line is taken later, once, with the moment when it happened', async () => {
    const fleet = await openFleet();
    const { id, at } = await sentOut(fleet, [await delivery(fleet)]);
    const occurredAt = new Date(service.clock.now()).toISOString();
    service.clock.advance(3 * 3_600_000);
    const key = { 'idempotency-key': randomUUID() };
    const first = await at(0, 'deliver', { occurredAt }, key);
    const repeated = await at(0, 'deliver', { occurredAt }, key);
    expect(repeated.text).toBe(first.text);
    expect(first.data.stops[0]).toMatchObject({ status: 'delivered', completedAt: occurredAt });
    const { data } = await fleet.manager.call('GET', `/staff/v1/orders/${first.data.stops[0].orderId}`);
    expect(data.fulfilledAt).toBe(occurredAt);
    for (const wrong of ['2026-03-09T12:00:00Z', '2026-03-11T23:00:00Z']) {
      const refused = await onTrip(fleet.driver, id, 'return', { occurredAt: wrong });
      expect(refused.error).toMatchObject({ code: 'INVALID_PARAMS' });
    }
  });

  test('what the service does not take becomes a task, and is deleted once it is settled', async () => {
    const fleet = await openFleet();
    const { id, stops } = await plan(fleet, [await delivery(fleet)]);
    const act = { kind: 'deliver', occurredAt: '2026-03-10T17:00:00Z', refusal: 'Canceled', act: '{"a":1}' };
    expect((await onTrip(fleet.driver, id, 'unsent-acts', { ...act, stopId: 1 })).error?.code).toBe(
      'TRIP_STOP_NOT_FOUND',
    );
    const kept = await onTrip(fleet.driver, id, 'unsent-acts', { ...act, stopId: stops[0]!.id });
    const [task] = kept.data.unsentActs;
    expect(task).toMatchObject({ ...act, occurredAt: '2026-03-10T17:00:00.000Z', settledAt: null });
    const settle = () => onTrip(fleet.manager, id, `unsent-acts/${task.id}/settle`, { note: 'By hand' });
    expect((await settle()).data.unsentActs).toMatchObject([{ act: null, note: 'By hand' }]);
    expect((await settle()).error?.code).toBe('UNSENT_ACT_NOT_FOUND');
  });
});

describe('where a driver is', () => {
  const here = { latitude: 37.8044, longitude: -122.2712 };
  const older = { latitude: 1, longitude: 1, occurredAt: '2026-03-10T17:00:00Z' };

  /** What the board shows of a trip that is out, and what was announced of its position. */
  async function watched() {
    const fleet = await openFleet();
    const { id } = await sentOut(fleet, [await delivery(fleet)]);
    const { organizationId } = fleet.shop;
    const position = async () => {
      const { data } = await fleet.manager.call('GET', '/staff/v1/dispatch-board');
      return data.positions.find(({ tripId }: { tripId: number }) => tripId === id) ?? null;
    };
    const told = async () =>
      (
        await tenantSql(
          service.context.database,
          organizationId,
          `select action, details -> 'isPositionShared' as shared from audit_entries
            where organization_id = $1 and details ? 'isPositionShared' order by id`,
          organizationId,
        )
      ).map(({ action, shared }) => [action, shared]);
    const tell = async (at: object) =>
      expect((await onTrip(fleet.driver, id, 'position', at)).status).toBe(204);
    return { fleet, id, position, told, tell };
  }
  const [begins, ends] = [
    { from: false, to: true },
    { from: true, to: false },
  ];

  test('is on the board while the trip is out, the last position alone; its begin and its end are audited, and never where', async () => {
    const { fleet, id, position, told, tell } = await watched();
    await tell(here);
    await tell(older);
    expect(await position()).toMatchObject(here);
    for (let minute = 1; minute <= 3; minute += 1) {
      service.clock.advance(60_000);
      await tell({ ...here, latitude: here.latitude + minute / 1000 });
    }
    expect(await position()).toMatchObject({ latitude: 37.8074 });
    expect(await told()).toEqual([['trip.updated', begins]]);
    const path = `/staff/v1/trips/${id}/position`;
    for (const _ of [1, 2]) expect((await fleet.driver.call('DELETE', path)).status).toBe(204);
    expect(await position()).toBeNull();
    await tell(here);
    await onTrip(fleet.driver, id, 'return');
    expect(await position()).toBeNull();
    expect(await told()).toEqual([
      ...[
        ['trip.updated', begins],
        ['trip.updated', ends],
      ],
      ...[
        ['trip.updated', begins],
        ['trip.returned', ends],
      ],
    ]);
    await tell(here);
    expect(await position()).toBeNull();
  });

  test('is not kept of a driver who does not share it, and not shown once they no longer do', async () => {
    const { fleet, position, tell } = await watched();
    await tell(here);
    await fleet.manager.call('PATCH', `/staff/v1/drivers/${fleet.driverId}`, { sharesPosition: false });
    expect(await position()).toBeNull();
    await tell({ latitude: 2, longitude: 2 });
    await fleet.manager.call('PATCH', `/staff/v1/drivers/${fleet.driverId}`, { sharesPosition: true });
    expect(await position()).toMatchObject(here);
  });

  test('is deleted at the end of the business day, also of a trip that never came back', async () => {
    const { fleet, id, tell } = await watched();
    const { organizationId } = fleet.shop;
    await tell(here);
    const kept = async () =>
      await tenantSql(
        service.context.database,
        organizationId,
        'select latitude, longitude, position_at is not null as known, status from trips where organization_id = $1 and id = $2',
        ...[organizationId, id],
      );
    const endMs = endOfLocalDateMs('2026-03-10', 'America/Los_Angeles');
    service.clock.set(endMs - 1);
    const forget = () => forgetFormerPositions(service.context, organizationId);
    expect(await forget()).toEqual({ pruned: 0, hasMore: false });
    expect(await kept()).toMatchObject([{ known: true }]);
    service.clock.set(endMs);
    expect(await forget()).toEqual({ pruned: 1, hasMore: false });
    expect(await kept()).toEqual([{ latitude: null, longitude: null, known: false, status: 'out' }]);
  });
});

test('the board shows what a vehicle carries beside the limit of the law, and about where stops and shop are', async () => {
  const fleet = await openFleet({ state: 'CA' });
  const { manager, shop } = fleet;
  const near = (place: object, latitude: number, longitude: number) =>
    expect(place).toEqual({
      ...{ latitude: expect.closeTo(latitude, 2), longitude: expect.closeTo(longitude, 2) },
    });
  const address = { street1: '410 Wharf Street', street2: null, city: 'Oakland', postalCode: '94612' };
  await (await service.staff(shop)).call('PATCH', '/staff/v1/shop-profile', { address });
  const { id } = await plan(fleet, [await delivery(fleet)]);
  const { data } = await manager.call('GET', '/staff/v1/dispatch-board');
  const trip = data.trips.find((it: { id: number }) => it.id === id);
  near(data.shop, 37.808, -122.267);
  near(trip.stops[0].area, 37.809, -122.305);
  expect(trip.carried).toEqual({ value: 7000, limit: 1_000_000 });
});

test('a manifest names driver with license, vehicle, packages and values; lists show the end of the license alone', async () => {
  const fleet = await openFleet();
  const { id } = await plan(fleet, [await delivery(fleet)]);
  const { manager, driverId } = fleet;
  const kept = await manager.call('PUT', `/staff/v1/drivers/${driverId}/license-number`, {
    licenseNumber: ' d1234417 ',
  });
  expect(kept.status).toBe(204);
  const { data: drivers } = await manager.call('GET', '/staff/v1/drivers');
  expect(drivers).toMatchObject([{ licenseLastFour: '4417', firstName: 'Robin' }]);
  expect(JSON.stringify(drivers)).not.toContain('D1234417');
  const { data } = await manager.call('GET', `/staff/v1/trips/${id}/manifest`);
  expect(data).toMatchObject({
    driver: { name: 'Robin Castellan', licenseNumber: 'D1234417' },
    vehicle: { licensePlate: '8ABC123', make: 'Ford' },
    stops: [
      {
        ...{ position: 1, recipient: 'Marisol Okafor', address: '418 Alder Street, Oakland, CA, 94607' },
        goods: [{ packageLabel: '1A4FF0000000000000000001', amount: '2', value: 7000 }],
      },
    ],
    value: 7000,
  });
  const { data: suggested } = await manager.call('GET', `/staff/v1/trips/${id}/suggested-stops`);
  expect(suggested.orderIds).toHaveLength(1);
});
