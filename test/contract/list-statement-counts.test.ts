import { randomUUID } from 'node:crypto';
import { afterAll, expect, test, vi } from 'vitest';
import {
  importCustomerGroups,
  importCustomerRows,
  readCustomerRow,
} from '../../src/shop/customers/customers.ts';
import { stepOrder } from '../../src/shop/orders/orders.ts';
import {
  createPurchaseOrder,
  receivePurchaseOrder,
  settlePurchaseOrder,
} from '../../src/shop/purchasing/purchasing.ts';
import { importQueue } from '../../src/shop/queue/queue.ts';
import { returnOrder } from '../../src/shop/returns/returns.ts';
import { startTestService } from '../harness/test-service.ts';
import { createTestShop, type TestShop, testOrigin } from '../harness/test-shop.ts';
import type { TestStaff } from '../harness/test-staff.ts';

const service = await startTestService();
const { context } = service;
const { database } = context;
/** Blocks of ids and look-ups of sessions do not count for an operation. */
const globals = vi.spyOn(database, 'global');
afterAll(() => service.close());

/** More than a page of every list. */
const sizes = [1, 51] as const;

/** A shop with that many rows for every list, each with its dependent rows. */
async function shopOf(size: number): Promise<TestShop> {
  const each = Array.from({ length: size }, (_, at) => at);
  const shop = await createTestShop(context, {
    products: each.map((at) => ({
      key: `product ${at}`,
      tags: ['Staff pick'],
      options: [{ key: `option ${at}`, priceCents: 2500, content: '0.1' }],
      stock: [{ option: `option ${at}`, amount: '1000', label: `1A4FE${String(at).padStart(19, '0')}` }],
    })),
  });
  const { organizationId } = shop;
  const people = await importCustomerRows(
    context,
    testOrigin,
    organizationId,
    each.map((at) =>
      readCustomerRow({ firstName: 'Marisol', lastName: 'Okafor', email: `m${at}@customers.example.com` }),
    ),
    { isTrial: false },
  );
  await importCustomerGroups(
    context,
    testOrigin,
    organizationId,
    each.map((at) => ({ name: `Group ${at}`, description: null, memberIds: [] })),
  );
  await importQueue(
    context,
    testOrigin,
    organizationId,
    people.map((person) => ({
      customerId: person.kind === 'created' ? person.id : 0,
      checkedInAtMs: context.clock.now(),
      admittedAtMs: null,
    })),
  );
  await buy(shop, each);
  await sellAndTakeBack(shop, size);
  return shop;
}

async function buy(shop: TestShop, each: readonly number[]): Promise<void> {
  const { organizationId } = shop;
  for (const at of each) {
    service.clock.advance(1);
    const order = await createPurchaseOrder(context, testOrigin, organizationId, {
      lineItems: [
        {
          productId: shop.productId(`product ${at}`),
          productOptionId: shop.optionId(`option ${at}`),
          amount: '5',
          costPerUnit: '10',
        },
      ],
      expectedAt: '2026-03-14',
      inventoryVendor: { name: `Vendor ${at}` },
    });
    const inventoryLocationId = shop.locationId('Storefront');
    const reception = { lineItemId: order.lineItems[0]!.id, inventoryLocationId, amount: '2' };
    await receivePurchaseOrder(context, testOrigin, organizationId, order.id, [reception, reception]);
    await settlePurchaseOrder(context, testOrigin, organizationId, order.id, { amountCents: 1000 });
  }
  const staff = await service.staff(shop, 'inventory');
  const { status } = await staff.call('POST', '/staff/v1/compliance-transfers', {
    rows: each.map((at) => ({
      manifestNumber: String(at),
      shipperName: 'Tidewater Distribution',
      shipperLicenseNumber: 'C11-0000512-LIC',
      label: `1A4FD${String(at).padStart(19, '0')}`,
      initialAmount: '48',
      unit: 'Each',
    })),
  });
  expect(status).toBe(201);
}

async function sellAndTakeBack(shop: TestShop, count: number): Promise<void> {
  const { organizationId, keys } = shop;
  const body = {
    type: 'pickup',
    lineItems: [{ productOptionId: shop.optionId('option 0'), quantity: count + 1 }],
    customer: { firstName: 'Marisol', lastName: 'Okafor', email: 'm0@customers.example.com' },
    idempotencyKey: randomUUID(),
    payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
  };
  const { data: order } = await service.call('POST', '/api/v1/orders', { keys, body });
  for (const action of ['pack', 'fulfill'] as const) {
    await stepOrder(context, testOrigin, organizationId, order.id, action, { staff: null });
  }
  const { staffId, email } = await service.staff(shop);
  for (let made = 0; made < count; made++) {
    service.clock.advance(1);
    await returnOrder(
      context,
      testOrigin,
      organizationId,
      order.id,
      {
        refundType: 'payment-method',
        paymentTypeId: shop.paymentTypeId('Cash'),
        lines: [
          {
            orderLineItemId: order.lineItems[0].id,
            quantity: 1,
            type: 'return',
            inventoryAction: 'inventory',
            reason: 'Changed their mind',
          },
        ],
        adjustmentCents: 0,
        adjustmentDescription: '',
        idempotencyKey: null,
      },
      { id: staffId, email, firstName: 'Robin', lastName: 'Castellan' },
    );
  }
}

const shops = new Map<number, TestShop>();
const owners = new Map<number, TestStaff>();
for (const size of sizes) {
  const shop = await shopOf(size);
  shops.set(size, shop);
  owners.set(size, await service.staff(shop));
}

/**
 * The lists that grow with the shop: statements (including one per round trip to enter the organization) and round
 * trips.
 */
const lists: readonly (readonly [path: string, statements: number, roundTrips: number])[] = [
  ['/api/v1/customers', 2, 1],
  ['/api/v1/customer-groups', 2, 1],
  ['/api/v1/instore-queues', 3, 1],
  ['/api/v1/order-returns', 2, 1],
  ['/api/v1/purchase-orders', 11, 3],
  ['/api/v1/packages', 8, 3],
  ['/api/v1/compliance-transfers', 8, 3],
  ['/staff/v1/products', 9, 2],
  ['/staff/v1/customers', 3, 1],
  ['/staff/v1/audit-log', 3, 1],
  ['/staff/v1/purchase-orders', 13, 4],
  ['/staff/v1/inventory-vendors', 3, 1],
  ['/staff/v1/packages', 7, 2],
  ['/staff/v1/compliance-transfers', 10, 4],
  ['/staff/v1/inventory', 3, 1],
  ['/staff/v1/inventory-ledger', 3, 1],
  ['/staff/v1/order-returns', 4, 2],
  ['/staff/v1/instore-queues', 3, 1],
];

test.each(lists)(
  'a page of %s has the same cost for one row and for a full page with all dependent rows',
  async (path, statements, roundTrips) => {
    for (const size of sizes) {
      const { keys } = shops.get(size)!;
      const owner = owners.get(size)!;
      const ask = () =>
        path.startsWith('/staff/') ? owner.call('GET', path) : service.call('GET', path, { keys });
      // The first request looks up keys and sessions.
      await ask();
      const before = { ...database.statistics };
      const globalCount = globals.mock.calls.length;
      const { data } = await ask();
      const fetched = globals.mock.calls.length - globalCount;
      // A queue is two lists.
      const rows = Array.isArray(data) ? data : Object.values(data).flat();
      expect(rows.length).toBeGreaterThanOrEqual(Math.min(size, 50));
      expect({
        size,
        statements: database.statistics.statements - before.statements - fetched,
        roundTrips: database.statistics.roundTrips - before.roundTrips - fetched,
      }).toEqual({ size, statements, roundTrips });
    }
  },
);
