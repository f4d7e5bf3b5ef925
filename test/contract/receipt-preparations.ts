import { randomBytes } from 'node:crypto';
import { assert } from '../../src/kernel/assert.ts';
import type { TestService } from '../harness/test-service.ts';
import type { TestStaff } from '../harness/test-staff.ts';
import type { Tenant } from './contract-world.ts';
import type { Preparation } from './factor-preparations.ts';

const freshTag = () => randomBytes(12).toString('hex').toUpperCase();

/** What the operations that undo a receipt need: goods that just came in. */
export function receiptPreparations(
  memberOf: (service: TestService, tenant: Tenant) => Promise<TestStaff>,
): Readonly<Record<string, Preparation>> {
  return {
    undoReception: async (service, tenant, { params }) => {
      const { call } = await memberOf(service, tenant);
      const path = `/staff/v1/purchase-orders/${params.purchaseOrderId}`;
      const { data: order } = await call('GET', path);
      const reply = await call('POST', `${path}/receptions`, [
        {
          ...{ lineItemId: order.lineItems[0].id, amount: '1', package: { label: freshTag() } },
          inventoryLocationId: tenant.shop.locationId('Storefront'),
        },
      ]);
      assert(reply.status === 201, `the reception of a contract test is refused: ${reply.text}`);
      return { body: { receivedAt: reply.data.lineItems[0].receptions.at(-1).createdAt } };
    },
    undoPackageReceipt: async (service, tenant) => {
      const { call } = await memberOf(service, tenant);
      const reply = await call('POST', '/staff/v1/packages', {
        ...{ label: freshTag(), unit: 'Each', initialAmount: '4' },
        reception: {
          productId: tenant.shop.productId('Moonlit Grove'),
          productOptionId: tenant.shop.optionId('eighth'),
          inventoryLocationId: tenant.shop.locationId('Storefront'),
          costPerUnit: '11.25',
        },
      });
      assert(reply.status === 201, `the package of a contract test is refused: ${reply.text}`);
      return { params: { packageId: reply.data.id } };
    },
  };
}
