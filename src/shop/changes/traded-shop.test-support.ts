import { expect } from 'vitest';
import type { TestReply, TestService } from '../../../test/harness/test-service.ts';
import { createTestShop, deliveryBody, type TestShop } from '../../../test/harness/test-shop.ts';

/** The collections of records, with the lists of the same records; a test shop has at most a page of each. */
export const listOf = {
  orders: 'orders',
  customers: 'customers',
  products: 'products/all',
  packages: 'packages',
  purchase_orders: 'purchase-orders',
} as const;
export const collections = Object.keys(listOf) as readonly (keyof typeof listOf)[];

/** The data at an integrator's path; the reading succeeds. */
export async function readOf(
  service: TestService,
  { keys }: TestShop,
  path: string,
  query = {},
): Promise<TestReply['data']> {
  const { data, error } = await service.call('GET', `/api/v1/${path}`, { keys, query });
  expect(error).toBeUndefined();
  return data;
}

/** A test shop with three orders of three customers, and a purchase order. */
export async function tradedShop(service: TestService): Promise<{ shop: TestShop; orderIds: string[] }> {
  const shop = await createTestShop(service.context);
  const orderIds: string[] = [];
  for (const at of [1, 2, 3]) {
    const customer = { firstName: 'Given', lastName: 'Name', email: `person${at}@customers.example.com` };
    const body = deliveryBody(shop, { customer });
    const placed = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
    expect(placed.error).toBeUndefined();
    orderIds.push(placed.data.id);
  }
  const [product] = await readOf(service, shop, 'products/all');
  const option = { productId: product.id, productOptionId: product.options[0].id };
  const purchase = await service.call('POST', '/api/v1/purchase-orders', {
    keys: shop.keys,
    body: {
      inventoryVendor: { name: 'Green Valley Farms' },
      lineItems: [{ ...option, amount: '10', costPerUnit: '4.5' }],
    },
  });
  expect(purchase.error).toBeUndefined();
  return { shop, orderIds };
}
