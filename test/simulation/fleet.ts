import { expect } from 'vitest';
import type { TestShop } from '../harness/test-shop.ts';
import type { TestStaff } from '../harness/test-staff.ts';
import { van } from './simulated-shop.ts';

/** The van of a simulated shop, as a place of stock, and its driver with a drawer. */
export interface Fleet {
  readonly locationId: number;
  readonly vehicleId: number;
  readonly driverId: number;
  readonly registerId: number;
}

export async function openFleet(shop: TestShop, owner: TestStaff): Promise<Fleet> {
  const made = async (path: string, body: object): Promise<number> => {
    const { status, data, text } = await owner.call('POST', `/staff/v1/${path}`, body);
    expect([status, text]).toEqual([201, expect.anything()]);
    return data.id;
  };
  const locationId = await made('inventory-locations', { name: van, type: 'vehicle' });
  const vehicle = { name: 'Blue van', licensePlate: '8ABC123', make: 'Ford', model: 'Transit' };
  const vehicleId = await made('vehicles', { ...vehicle, inventoryLocationId: locationId });
  const inventoryLocationId = shop.locationId('Storefront');
  const registerId = await made('registers', { name: 'Bag', inventoryLocationId });
  const driverId = await made('drivers', { staffId: owner.staffId, registerId, sharesPosition: false });
  return { locationId, vehicleId, driverId, registerId };
}
