import { randomInt, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { ProofShop } from './proof-shop.test-support.ts';

/** An item for sale without a purchase limit. */
export interface Shelved {
  readonly upc: string;
  readonly productId: string;
  readonly optionId: number;
  readonly name: string;
  readonly left: number;
}

const shelfMax = 24;
const shelves = new WeakMap<ProofShop, Promise<readonly Shelved[]>>();

/** Items for sale without a purchase limit, with their UPC, largest stock first. */
export function shelfOf(shop: ProofShop): Promise<readonly Shelved[]> {
  const known = shelves.get(shop) ?? readShelf(shop);
  shelves.set(shop, known);
  return known;
}

async function readShelf({ owner }: ProofShop): Promise<readonly Shelved[]> {
  const { data: organization } = await owner.call('GET', '/staff/v1/organization');
  const locations = organization.locationsByOrderType['in-store'];
  const { data: categories } = await owner.call('GET', '/staff/v1/product-categories');
  const found: Shelved[] = [];
  for (const { id, cannabisType } of categories) {
    if (cannabisType !== 'none') continue;
    const { data } = await owner.call('GET', '/staff/v1/products', undefined, {
      query: { productCategoryId: String(id), active: 'true' },
    });
    for (const product of data) {
      for (const option of product.options) {
        if (!option.upc || found.length === shelfMax) continue;
        const { data: levels } = await owner.call('GET', '/staff/v1/inventory', undefined, {
          query: { search: option.upc },
        });
        const left = levels
          .filter(
            (level: { productOptionId: number; inventoryLocationId: number }) =>
              level.productOptionId === option.id && locations.includes(level.inventoryLocationId),
          )
          .reduce((sum: number, { sellable }: { sellable: string }) => sum + Math.floor(Number(sellable)), 0);
        found.push({ upc: option.upc, productId: product.id, optionId: option.id, name: product.name, left });
      }
    }
  }
  return found.sort((one, other) => other.left - one.left);
}

/** A sale at the counter of two units of each item, paid in cash. */
export async function soldOrder(
  { owner }: ProofShop,
  items: readonly Shelved[],
  customerId?: number,
  registerId?: number,
  asked: object = {},
): Promise<{ readonly id: string; readonly number: number; readonly lineIds: readonly number[] }> {
  const placed = await owner.call('POST', '/staff/v1/orders', {
    type: 'in-store',
    lineItems: items.map(({ optionId }) => ({ productOptionId: optionId, quantity: 2 })),
    ...(customerId !== undefined && { customerId }),
    idempotencyKey: randomUUID(),
    ...asked,
  });
  expect(placed.error).toBeUndefined();
  const { id, number, netPrice } = placed.data;
  const { data: types } = await owner.call('GET', '/staff/v1/payment-types');
  const payments = [{ paymentTypeId: types[0].id, amount: netPrice }];
  const fulfilled = await owner.call('POST', `/staff/v1/orders/${id}/fulfill`, {
    payments,
    ...(registerId !== undefined && { registerId }),
  });
  expect(fulfilled.error).toBeUndefined();
  return { id, number, lineIds: placed.data.lineItems.map((line: { id: number }) => line.id) };
}

/** A product in grams, which is weighed out at the counter from now on. */
export async function soldByWeight({ owner }: ProofShop): Promise<{
  readonly id: number;
  readonly name: string;
  /** Sold by its sizes again. */
  readonly end: () => Promise<unknown>;
}> {
  for (let after = ''; ; ) {
    const { data } = await owner.call('GET', `/staff/v1/products?active=true&sortBy=name${after}`);
    expect(data.length).toBeGreaterThan(0);
    const found = data.find(
      ({ unit, inventoryType }: { unit: string; inventoryType: string }) =>
        unit === 'gram' && inventoryType === 'product',
    );
    after = `&startingAfter=${data.at(-1).id}`;
    if (found === undefined) continue;
    const { id, name } = found;
    const tolerate = (weightTolerance: string | null) =>
      owner.call('PATCH', `/staff/v1/products/${id}`, { weightTolerance });
    expect((await tolerate('0.05')).status).toBe(200);
    return { id, name, end: () => tolerate(null) };
  }
}

/** A register of its own, with the drawer open or not. */
export async function newRegister({ owner }: ProofShop, { isOpen }: { readonly isOpen: boolean }) {
  const { data: locations } = await owner.call('GET', '/staff/v1/inventory-locations');
  const name = `Register ${randomInt(1_000_000)}`;
  const place = { name, inventoryLocationId: locations[0].id };
  const { data: made } = await owner.call('POST', '/staff/v1/registers', place);
  const id: number = made.id;
  if (isOpen) await owner.call('POST', `/staff/v1/registers/${id}/drawer-sessions`, { float: 10_000 });
  return { id, name };
}
