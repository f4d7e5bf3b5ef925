import { randomBytes } from 'node:crypto';
import { assert } from '../../src/kernel/assert.ts';
import { stepOrder } from '../../src/shop/orders/orders.ts';
import { setLoyaltyProgram } from '../../src/shop/promotions/promotions.ts';
import type { TestService } from '../harness/test-service.ts';
import { pickupBody, testOrigin } from '../harness/test-shop.ts';
import type { Tenant } from './contract-world.ts';

/** A fulfilled order that has earned points, of a customer below every limit. */
export async function sellOne(service: TestService, tenant: Tenant) {
  const placed = await placeOne(service, tenant, 1);
  await stepOrder(service.context, testOrigin, tenant.shop.organizationId, placed.orderId, 'fulfill', {
    staff: null,
  });
  return placed;
}

/** A new order whose stock is taken. */
export async function placeOne(service: TestService, { shop }: Tenant, quantity: number) {
  await setLoyaltyProgram(service.context, testOrigin, shop.organizationId, '1');
  const body = pickupBody(shop, {
    lineItems: [{ productOptionId: shop.optionId('eighth'), quantity }],
    customer: {
      firstName: 'Noor',
      lastName: 'Sandoval',
      email: `${randomBytes(5).toString('hex')}@people.example.com`,
    },
    payments: [{ paymentTypeId: shop.paymentTypeId('Debit'), remaining: true }],
  });
  const reply = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
  assert(reply.status === 201, `the order of a contract test is refused: ${reply.text}`);
  const { id: orderId, status } = reply.data;
  if (status === 'draft') {
    await stepOrder(service.context, testOrigin, shop.organizationId, orderId, 'accept', { staff: null });
  }
  const { lineItems, payments } = reply.data;
  return { orderId, lineItemId: lineItems[0].id, paymentId: payments[0].id };
}
