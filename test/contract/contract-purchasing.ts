import { randomBytes } from 'node:crypto';
import { assert } from '../../src/kernel/assert.ts';
import type { TestService } from '../harness/test-service.ts';
import type { TestShop } from '../harness/test-shop.ts';

/** A label that is unique over all organizations. */
function freshLabel(): string {
  return randomBytes(12).toString('hex').toUpperCase();
}

/**
 * Makes purchases of a shop: an order that can be edited, a partly received one, a closed one; a package, a transfer.
 */
export async function buyForShop(service: TestService, shop: TestShop) {
  const staff = await service.staff(shop, 'inventory');
  const post = async (path: string, body?: unknown) => {
    const reply = await staff.call('POST', `/staff/v1/${path}`, body);
    assert(reply.error === undefined, `a contract test cannot POST ${path}: ${reply.text}`);
    // Lists are in the order of time.
    service.clock.advance(1000);
    return reply.data;
  };
  const order = () =>
    post('purchase-orders', {
      lineItems: [
        {
          productId: shop.productId('Moonlit Grove'),
          productOptionId: shop.optionId('quarter'),
          amount: '12',
          costPerUnit: '20',
        },
      ],
      expectedAt: '2026-03-14',
      inventoryVendor: { name: 'Tidewater Distribution' },
      paymentTerms: 'net30',
    });
  const [open, received, closed] = [await order(), await order(), await order()];
  await post(`purchase-orders/${closed.id}/close`);
  const label = freshLabel();
  await post(`purchase-orders/${received.id}/receptions`, [
    {
      lineItemId: received.lineItems[0].id,
      inventoryLocationId: shop.locationId('Vault'),
      amount: '2',
      package: { label },
    },
  ]);
  await post(`purchase-orders/${received.id}/payments`, { amount: 1000 });
  const { transfers } = await post('compliance-transfers', {
    rows: [
      {
        manifestNumber: '0000418000',
        shipperName: 'Tidewater Distribution',
        shipperLicenseNumber: 'C11-0000512-LIC',
        label: freshLabel(),
        initialAmount: '48',
        unit: 'Each',
      },
    ],
  });
  const shown = await service.call('GET', `/api/v1/packages/${label}`, { keys: shop.keys });
  assert(shown.status === 200, 'a package that was received is there');
  return {
    label,
    startingAfterId: shown.data.id,
    inventoryVendorId: open.inventoryVendorId,
    purchaseOrderId: open.id,
    lineItemId: open.lineItems[0].id,
    'updatePurchaseOrder.id': open.lineItems[0].id,
    'createPurchaseOrder.productId': shop.productId('Moonlit Grove'),
    'updatePurchaseOrder.productId': shop.productId('Moonlit Grove'),
    'listPurchaseOrders.startingAfter': closed.id,
    'listComplianceTransfers.startingAfter': transfers[0].id,
    receivedPurchaseOrderId: received.id,
    receivedLineItemId: received.lineItems[0].id,
    closedPurchaseOrderId: closed.id,
    packageUpdatedAt: shown.data.updatedAt,
  } as const;
}
