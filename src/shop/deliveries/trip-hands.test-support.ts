import { expect } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import type { TestService } from '../../../test/harness/test-service.ts';
import type { TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { openPlainShop, placeTrade, type TradeLines } from '../../../test/harness/test-trade.ts';

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

/** Units of everything at a location. */
export async function unitsAt(
  { context }: TestService,
  { organizationId }: Pick<TestShop, 'organizationId'>,
  locationId: number,
): Promise<number> {
  const [row] = await tenantSql(
    context.database,
    organizationId,
    'select coalesce(sum(on_hand), 0)::float8 as units from stock_balances where inventory_location_id = $1',
    locationId,
  );
  return Number(row!.units);
}

/** The hands of tests that send trips out in plain shops. */
export function tripHands(service: TestService) {
  /** A shop with a driver who has a drawer. */
  async function openFleet(settings: Parameters<typeof openPlainShop>[1] = {}): Promise<Fleet> {
    const shop = await openPlainShop(service, settings);
    const [manager, driver] = [await service.staff(shop, 'manager'), await service.staff(shop, 'budtender')];
    const location = { inventoryLocationId: shop.locationId('Storefront') };
    const { data: register } = await manager.call('POST', '/staff/v1/registers', {
      name: 'Bag',
      ...location,
    });
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

  const onHand = ({ shop }: Fleet, locationId: number) => unitsAt(service, shop, locationId);

  return { openFleet, delivery, plan, onTrip, sentOut, onHand };
}
