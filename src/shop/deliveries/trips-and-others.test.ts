import { afterAll, describe, expect, inject, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';
import { loadOrder } from '../orders/orders.ts';
import { tripHands } from './trip-hands.test-support.ts';

const service = await startTestService();
afterAll(() => service.close());

const { openFleet, delivery, plan, onTrip, sentOut, onHand } = tripHands(service);

describe('an order that is canceled while its goods are in the vehicle', () => {
  test('does not keep the trip at the shop: the others leave, and its goods come back', async () => {
    const fleet = await openFleet();
    const { manager, driver, shop } = fleet;
    const [canceled, kept] = [await delivery(fleet), await delivery(fleet)];
    const { id, inventoryLocationId, stops } = await plan(fleet, [canceled, kept]);
    expect((await onTrip(manager, id, 'load')).error).toBeUndefined();
    await manager.call('POST', `/staff/v1/orders/${canceled}/cancel`, { reason: 'Moved away' });
    const out = await onTrip(driver, id, 'depart');
    expect(out.error).toBeUndefined();
    expect(out.data.stops).toMatchObject([{ orderStatus: 'canceled' }, { orderStatus: 'packed' }]);
    expect((await onTrip(driver, id, `stops/${stops[1]!.id}/deliver`)).error).toBeUndefined();
    const back = await onTrip(driver, id, 'return');
    expect(back.data.stops).toMatchObject([{ status: 'notHome' }, { status: 'delivered' }]);
    expect(back.data.goods).toMatchObject([{ amount: '2' }]);
    expect(await onHand(fleet, inventoryLocationId)).toBe(2);
    expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
    expect(service.faults).toEqual([]);
  });

  test('is unloaded with the others', async () => {
    const fleet = await openFleet();
    const { manager, shop } = fleet;
    const storefront = shop.locationId('Storefront');
    const before = await onHand(fleet, storefront);
    const [canceled, kept] = [await delivery(fleet), await delivery(fleet)];
    const { id, inventoryLocationId } = await plan(fleet, [canceled, kept]);
    await onTrip(manager, id, 'load');
    await manager.call('POST', `/staff/v1/orders/${canceled}/cancel`, { reason: 'Moved away' });
    const unloaded = await onTrip(manager, id, 'unload', { toInventoryLocationId: storefront });
    expect(unloaded.error).toBeUndefined();
    expect(unloaded.data.status).toBe('draft');
    expect(await onHand(fleet, inventoryLocationId)).toBe(0);
    expect(await onHand(fleet, storefront)).toBe(before - 2);
    expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
    expect(service.faults).toEqual([]);
  });
});

test('goods in a vehicle that is out are not loaded into another one', async () => {
  const fleet = await openFleet();
  const { manager, driver } = fleet;
  const [orderId, other] = [await delivery(fleet), await delivery(fleet)];
  const first = await sentOut(fleet, [orderId]);
  await first.at(0, 'not-home');
  const second = await plan(fleet, [orderId]);
  const loaded = await onTrip(manager, second.id, 'load');
  expect(loaded.error).toMatchObject({
    ...{ code: 'ORDER_ON_TRIP', message: expect.stringMatching(/are in Blue van, which is out/) },
  });
  expect(await onHand(fleet, second.inventoryLocationId)).toBe(0);
  await manager.call('PUT', `/staff/v1/trips/${second.id}/stops`, { orderIds: [other] });
  expect((await onTrip(manager, second.id, 'load')).error).toBeUndefined();
  expect((await onTrip(driver, second.id, 'depart')).error).toBeUndefined();
  const restocked = await onTrip(manager, second.id, 'restock', { orderIds: [orderId] });
  expect(restocked.error?.code).toBe('ORDER_ON_TRIP');
});

test('closing a trip leaves goods where they are that another trip has taken along since', async () => {
  const fleet = await openFleet();
  const { manager, driver, shop } = fleet;
  const orderId = await delivery(fleet);
  const first = await sentOut(fleet, [orderId]);
  await first.at(0, 'not-home');
  await onTrip(driver, first.id, 'return');
  const second = await plan(fleet, [orderId]);
  expect((await onTrip(manager, second.id, 'load')).error).toBeUndefined();
  const heldAt = async () => {
    const order = await service.context.database.write(shop.organizationId, (tx) =>
      loadOrder(tx, orderId, { lock: false }),
    );
    return order!.fulfillments.map(({ locationId }) => locationId);
  };
  expect(await heldAt()).toEqual([second.inventoryLocationId]);
  const count = { toInventoryLocationId: shop.locationId('Storefront'), goods: [] };
  const closed = await onTrip(manager, first.id, 'close', {
    ...count,
    counts: [{ paymentTypeId: null, counted: 5_000 }],
  });
  expect(closed.error).toBeUndefined();
  expect(await heldAt()).toEqual([second.inventoryLocationId]);
});

// Locks are waited for on the server of the organization, which this asks nothing.
test.skipIf(inject('server').isDistributed)(
  'an order does not leave a plan for another one while that plan is loaded',
  async () => {
    const fleet = await openFleet();
    const { manager, shop } = fleet;
    const [orderId, other] = [await delivery(fleet), await delivery(fleet)];
    const one = await plan(fleet, [orderId]);
    const two = await plan(fleet, [other]);
    const { database } = service.context;
    let release = () => {};
    let onHeld = () => {};
    const isHeld = new Promise<void>((resolve) => {
      onHeld = resolve;
    });
    const holding = database.write(shop.organizationId, async (tx) => {
      await loadOrder(tx, orderId, { lock: true });
      onHeld();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    await isHeld;
    const waiting = async () => {
      const [row] = await tenantSql(
        database,
        shop.organizationId,
        `select count(*)::integer as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row!.count as number;
    };
    const loading = onTrip(manager, one.id, 'load');
    await expect.poll(waiting).toBe(1);
    let isTaken = false;
    const taking = manager
      .call('PUT', `/staff/v1/trips/${two.id}/stops`, { orderIds: [other, orderId] })
      .finally(() => {
        isTaken = true;
      });
    await expect.poll(async () => isTaken || (await waiting()) === 2).toBe(true);
    release();
    await holding;
    expect((await loading).data.stops).toMatchObject([{ orderId }]);
    expect((await taking).error?.code).toBe('ORDER_ON_TRIP');
    expect((await manager.call('GET', `/staff/v1/trips/${one.id}`)).data.stops).toMatchObject([{ orderId }]);
  },
);

test('the place of a vehicle and the drawer of a driver stay while a trip is not closed', async () => {
  const fleet = await openFleet();
  const { manager, shop, driverId } = fleet;
  const { vehicleId } = await sentOut(fleet, [await delivery(fleet)]);
  const post = async (path: string, body: object) =>
    (await manager.call('POST', `/staff/v1/${path}`, body)).data.id;
  const place = await post('inventory-locations', { name: 'Other van', type: 'vehicle' });
  const moved = await manager.call('PATCH', `/staff/v1/vehicles/${vehicleId}`, {
    inventoryLocationId: place,
  });
  expect(moved.error).toMatchObject({
    code: 'INVALID_PARAMS',
    message: expect.stringMatching(/^inventoryLocationId /),
  });
  const registerId = await post('registers', {
    name: 'Other bag',
    inventoryLocationId: shop.locationId('Storefront'),
  });
  const changed = await manager.call('PATCH', `/staff/v1/drivers/${driverId}`, { registerId });
  expect(changed.error).toMatchObject({
    code: 'INVALID_PARAMS',
    message: expect.stringMatching(/^registerId /),
  });
});
