import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, testNowMs } from '../../../test/harness/test-service.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';
import { endOfLocalDateMs } from '../../kernel/local-time.ts';
import { forgetFormerPositions } from './deliveries.ts';
import { tripHands } from './trip-hands.test-support.ts';

const service = await startTestService();
afterAll(() => service.close());
afterEach(() => service.clock.set(testNowMs));

const { openFleet, delivery, plan, onTrip, sentOut, onHand } = tripHands(service);

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

  test('comes by the shop and takes on more orders, within the limit of what it still carries, and leaves again with them', async () => {
    const fleet = await openFleet();
    const { manager, driver, shop } = fleet;
    const owner = await service.staff(shop);
    await owner.call('PUT', '/staff/v1/duties', { saleHours: null, overrides: [], vehicleValue: 16_000 });
    const [first, second, third] = [await delivery(fleet), await delivery(fleet), await delivery(fleet)];
    const { id, inventoryLocationId, at } = await sentOut(fleet, [first, second]);
    const restock = (orderIds: readonly string[]) => onTrip(manager, id, 'restock', { orderIds });
    expect((await restock([third])).error?.code).toBe('VEHICLE_VALUE_EXCEEDED');
    await at(0, 'deliver');
    expect((await restock([second])).error).toMatchObject({
      ...{ code: 'INVALID_ORDER', message: expect.stringMatching(/is or was a stop of this trip/) },
    });
    const draft = await plan(fleet, [third]);
    const arrivedAt = new Date(service.clock.now()).toISOString();
    service.clock.advance(60_000);
    const restocked = await restock([third]);
    expect(restocked.error).toBeUndefined();
    expect(restocked.data).toMatchObject({ status: 'loaded', carried: { value: 14_000 } });
    expect(restocked.data.stops.map(({ orderId }: { orderId: string }) => orderId)).toEqual([
      ...[first, second, third],
    ]);
    expect((await manager.call('GET', `/staff/v1/trips/${draft.id}`)).data.stops).toEqual([]);

    // What the driver did before, without a line, is taken later; nothing is done while the vehicle is at the shop.
    expect((await at(1, 'arrive', { occurredAt: arrivedAt })).error).toBeUndefined();
    const early = await at(1, 'deliver');
    expect(early.error).toMatchObject({ code: 'INVALID_TRIP_TRANSITION', meta: { status: 'loaded' } });
    const unloading = { toInventoryLocationId: shop.locationId('Storefront') };
    expect((await onTrip(manager, id, 'unload', unloading)).error?.message).toMatch(/is restocked/);
    const { data: manifest } = await manager.call('GET', `/staff/v1/trips/${id}/manifest`);
    expect(manifest.stops).toHaveLength(3);
    const task = async (orderId: string) =>
      (await manager.call('GET', `/staff/v1/orders/${orderId}`)).data.dispatchTask.status;
    expect(await task(third)).toBe('assigned');
    const left = await onTrip(driver, id, 'depart');
    expect(left.data).toMatchObject({ status: 'out', departedAt: arrivedAt });
    expect(await task(third)).toBe('active');
    expect((await onTrip(driver, id, `stops/${left.data.stops[2].id}/deliver`)).error).toBeUndefined();
    await onTrip(driver, id, 'return');
    expect(await onHand(fleet, inventoryLocationId)).toBe(0);
    expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
    expect(service.faults).toEqual([]);
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
    expect(refused.error).toMatchObject({
      ...{ code: 'VEHICLE_VALUE_EXCEEDED', meta: { duty: 'delivery' } },
      message: expect.stringContaining(', by the law of California (4 CCR 15416'),
    });
  });

  test('is held to the value that the owner sets where the law names none, and to the narrower one', async () => {
    const carried = async (state: string) => {
      const fleet = await openFleet({ state });
      const owner = await service.staff(fleet.shop);
      const set = { saleHours: null, overrides: [], vehicleValue: 6_000 };
      expect((await owner.call('PUT', '/staff/v1/duties', set)).data.vehicleValue).toBe(6_000);
      const { vehicleValue: _, ...others } = set;
      expect((await owner.call('PUT', '/staff/v1/duties', others)).data.vehicleValue).toBe(6_000);
      await owner.call('PUT', '/staff/v1/duties', { ...set, vehicleValue: 12_000 });
      const orders = [await delivery(fleet), await delivery(fleet)];
      const heavy = await plan(fleet, orders, { plannedDepartureAt: '2026-03-10T20:00:00Z' });
      const { data } = await fleet.manager.call('GET', `/staff/v1/trips/${heavy.id}`);
      expect(data.carried).toEqual({ value: 14_000, limit: 12_000 });
      const refused = await onTrip(fleet.manager, heavy.id, 'load');
      await fleet.manager.call('PUT', `/staff/v1/trips/${heavy.id}/stops`, { orderIds: [orders[0]] });
      expect((await onTrip(fleet.manager, heavy.id, 'load')).error).toBeUndefined();
      return refused.error;
    };
    for (const state of ['WY', 'CA']) {
      expect(await carried(state)).toMatchObject({
        code: 'VEHICLE_VALUE_EXCEEDED',
        message:
          'A vehicle carries cannabis for at most $120, as the organization has set; this would be $140.',
      });
    }
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
