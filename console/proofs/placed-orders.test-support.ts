import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { ProofShop } from './proof-shop.test-support.ts';

/** A draft order placed by an integrator: a pickup of one unit each of a number of menu items. */
export async function placeDraft(
  { service, demo }: ProofShop,
  lineCount = 1,
  changes: { readonly type?: string; readonly address?: object } = {},
): Promise<{ readonly id: string }> {
  const keys = { consumerKey: demo.consumerKey, clientKey: demo.clientKey };
  const menu = await service.call('GET', '/api/v1/menu', { keys, query: { type: changes.type ?? 'pickup' } });
  expect(menu.status).toBe(200);
  const products = menu.data as readonly MenuProduct[];
  // Accessories have no purchase limit.
  const options = products
    .filter(({ primaryCategory }) => primaryCategory?.cannabisType === 'none')
    .flatMap((product) => product.options.slice(0, 1));
  const lineItems = options.slice(0, lineCount).map(({ id }) => ({ productOptionId: id, quantity: 2 }));
  expect(lineItems).toHaveLength(lineCount);
  const placed = await service.call('POST', '/api/v1/orders', {
    keys,
    body: {
      type: 'pickup',
      lineItems,
      customer: {
        firstName: 'Marisol',
        lastName: 'Okafor',
        email: `${randomUUID()}@customers.example.com`,
        birthday: '1988-02-29',
      },
      idempotencyKey: randomUUID(),
      ...changes,
    },
  });
  expect(placed).toMatchObject({ status: 201, data: { status: 'draft' } });
  return placed.data;
}

interface MenuProduct {
  readonly primaryCategory: { readonly cannabisType: string } | null;
  readonly options: readonly { readonly id: number }[];
}

/** A fulfilled order, paid with the shop's first payment type. */
export async function placeFulfilled(shop: ProofShop, lineCount: number): Promise<{ readonly id: string }> {
  const { owner } = shop;
  const { id } = await placeDraft(shop, lineCount);
  const { data: accepted } = await owner.call('POST', `/staff/v1/orders/${id}/accept`, {});
  const { data: types } = await owner.call('GET', '/staff/v1/payment-types');
  const payments = [{ paymentTypeId: types[0].id, amount: accepted.netPrice }];
  const fulfilled = await owner.call('POST', `/staff/v1/orders/${id}/fulfill`, { payments });
  expect(fulfilled.status).toBe(200);
  return { id };
}
