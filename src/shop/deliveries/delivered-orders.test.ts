import { afterAll, describe, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestIntegrator, createTestKeys, type TestKeys } from '../../../test/harness/test-shop.ts';
import { openPlainShop, placeTrade } from '../../../test/harness/test-trade.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';
import { tripHands } from './trip-hands.test-support.ts';

const service = await startTestService();
afterAll(() => service.close());
const { openFleet, delivery, plan, onTrip, sentOut, onHand } = tripHands(service);

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
