import { afterAll, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { openPlainShop, placeTrade, type TradeLines } from '../../../test/harness/test-trade.ts';

const service = await startTestService();
afterAll(() => service.close());

const shop = await openPlainShop(service);
const manager = await service.staff(shop, 'manager');
const budtender = await service.staff(shop, 'budtender');
const cash = shop.paymentTypeId('Cash');
const storefront = shop.locationId('Storefront');

const made = async (path: string, body: object) => {
  const { status, data, error } = await manager.call('POST', `/staff/v1/${path}`, body);
  expect(error).toBeUndefined();
  expect(status).toBe(201);
  return data;
};

const place = async () => (await made('inventory-locations', { name: 'Van', type: 'vehicle' })).id;

async function newVehicle() {
  const inventoryLocationId = await place();
  const van = { name: 'Blue van', licensePlate: '8ABC123', make: 'Ford', model: 'Transit' };
  return made('vehicles', { ...van, inventoryLocationId });
}

const register = await made('registers', { name: 'Driver 1', inventoryLocationId: storefront });
const driver = await made('drivers', {
  staffId: budtender.staffId,
  registerId: register.id,
  sharesPosition: true,
});

/** A packed delivery. */
async function delivery(lines: TradeLines = [['eighth', 2]]): Promise<string> {
  const { data, error } = await placeTrade(service, shop, lines, {
    type: 'delivery',
    payments: [{ paymentTypeId: cash, remaining: true }],
  });
  expect(error).toBeUndefined();
  if (data.status === 'draft') await manager.call('POST', `/staff/v1/orders/${data.id}/accept`, {});
  await manager.call('POST', `/staff/v1/orders/${data.id}/pack`, {});
  return data.id;
}

const onTrip = (id: number, act: string, body: object = {}, by = budtender) =>
  by.call('POST', `/staff/v1/trips/${id}/${act}`, body);

async function planned(orderIds: readonly string[]) {
  const vehicle = await newVehicle();
  const { id } = await made('trips', { driverId: driver.id, vehicleId: vehicle.id });
  const { data, error } = await manager.call('PUT', `/staff/v1/trips/${id}/stops`, { orderIds });
  expect(error).toBeUndefined();
  return {
    id,
    vehicle,
    stops: data.stops as { id: number; orderId: string; lines: { lineItemId: number }[] }[],
  };
}

describe('a trip', () => {
  test('takes its orders out, hands them over, and comes back to the cent and to the gram', async () => {
    const orders = [await delivery(), await delivery(), await delivery(), await delivery()];
    const { id, vehicle, stops } = await planned(orders);
    const before = await onHand(storefront);
    const loaded = await onTrip(id, 'load', { float: 5_000 }, manager);
    expect(loaded.error).toBeUndefined();
    expect(loaded.data).toMatchObject({ status: 'loaded', drawer: { registerId: register.id } });
    const out = await onTrip(id, 'depart');
    expect(out.error).toBeUndefined();
    const at = (index: number, act: string, body: object = {}) =>
      onTrip(id, `stops/${stops[index]!.id}/${act}`, body);
    expect((await at(0, 'arrive')).data.stops[0]).toMatchObject({ status: 'arrived', amountDue: 7500 });
    const whole = await at(0, 'deliver', {
      payments: [{ paymentTypeId: cash, remaining: true, tendered: 10_000 }],
      tip: 300,
    });
    expect(whole.error).toBeUndefined();
    expect(whole.data.stops[0]).toMatchObject({ status: 'delivered', amountDue: 0, tip: 300 });
    const inPart = await at(1, 'deliver', {
      lines: [{ lineItemId: stops[1]!.lines[0]!.lineItemId, quantity: 1 }],
      payments: [{ paymentTypeId: cash, remaining: true }],
    });
    expect(inPart.error).toBeUndefined();
    expect(inPart.data.stops[1]).toMatchObject({ status: 'partly', orderStatus: 'fulfilled' });
    const refused = await at(2, 'refuse', { reason: 'The ID had expired' });
    expect(refused.data.stops[2]).toMatchObject({ status: 'refused', orderStatus: 'canceled' });
    const back = await onTrip(id, 'return');
    expect(back.error).toBeUndefined();
    expect(back.data.stops[3]).toMatchObject({ status: 'notHome', orderStatus: 'packed' });
    expect(back.data.goods.map(({ amount }: { amount: string }) => amount)).toEqual(['3']);
    const [{ productId, productOptionId, packageId }] = back.data.goods;
    const item = { productId, productOptionId, packageId };
    const closed = await onTrip(
      id,
      'close',
      {
        toInventoryLocationId: storefront,
        goods: [
          { ...item, amount: '2', to: 'stock' },
          { ...item, amount: '1', to: 'waste' },
        ],
        counts: [{ paymentTypeId: null, counted: back.data.totals.sales + 5_300 }],
      },
      manager,
    );
    expect(closed.error).toBeUndefined();
    expect(closed.data).toMatchObject({ status: 'closed', goods: [] });
    expect(await onHand(vehicle.inventoryLocationId)).toBe(0);
    expect(await onHand(storefront)).toBe(before + 2);
    const { data: drawer } = await manager.call(
      'GET',
      `/staff/v1/drawer-sessions/${loaded.data.drawer.drawerSessionId}`,
    );
    expect(drawer.payments).toMatchObject([{ name: 'Cash', overShort: 0 }]);
  });
});

/** Units of everything at a location. */
async function onHand(locationId: number): Promise<number> {
  const rows = await tenantSql(
    service.context.database,
    shop.organizationId,
    'select coalesce(sum(on_hand), 0)::text as sum from stock_balances where organization_id = current_organization_id() and inventory_location_id = $1',
    locationId,
  );
  return Number(rows[0]!.sum);
}
