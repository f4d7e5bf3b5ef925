import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { afterAll, expect, test } from 'vitest';
import { seededRandom } from '../../seed/seeded-random.ts';
import { registerDatabaseMetrics } from '../../src/hosting/startup/database-metrics.ts';
import { addDiscount } from '../harness/test-promotions.ts';
import { keyHeaders, startOwnTestService } from '../harness/test-service.ts';
import {
  createTestIntegrator,
  createTestKeys,
  createTestShop,
  type TestProduct,
  type TestShop,
} from '../harness/test-shop.ts';
import { bearerHeader, type TestStaff } from '../harness/test-staff.ts';
import { brokenRules } from './trading-invariants.ts';

const service = await startOwnTestService();
afterAll(() => service.close());

/** In packages so small that simultaneous orders choose the same one and find it empty. */
const productNames = Array.from({ length: 20 }, (_, at) => `product ${at}`);
const products = productNames.map(
  (key, at): TestProduct => ({
    key,
    options: [{ key, priceCents: 1000 + at * 100 }],
    stock: [
      ...Array.from({ length: 12 }, (_, number) => ({
        option: key,
        amount: '4',
        label: `1A4FF${String(at * 100 + number).padStart(19, '0')}`,
        receivedDaysAgo: 20 - number,
      })),
      { option: key, amount: '500', location: 'Vault' },
    ],
  }),
);

interface Action {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** The actors, and their orders. */
interface Crowd {
  readonly shop: TestShop;
  readonly keys: readonly Readonly<Record<string, string>>[];
  readonly staff: readonly TestStaff[];
  readonly vendorOrder: { readonly id: number; readonly lines: readonly number[] };
}

const random = seededRandom('load');
const lineItems = (shop: TestShop, count: number) =>
  random
    .shuffle(productNames)
    .slice(0, count)
    .map((name) => ({ productOptionId: shop.optionId(name), quantity: random.integer(1, 3) }));
const customer = (at: number) => ({
  firstName: 'Buyer',
  lastName: `No. ${at}`,
  email: `buyer${at % 25}@customers.example.com`,
});

async function gather(): Promise<Crowd> {
  const shop = await createTestShop(service.context, { products });
  await addDiscount(service.context, shop.organizationId, {
    kind: 'order',
    type: 'percent',
    amount: '5',
    codes: ['everybody'],
    usesTotal: 40,
  });
  const others = await Promise.all(
    [1, 2, 3].map(async () =>
      createTestKeys(service.context, shop.organizationId, await createTestIntegrator(service.context)),
    ),
  );
  const staff = await Promise.all(
    (['owner', 'owner', 'manager', 'manager'] as const).map((role) => service.staff(shop, role)),
  );
  const { data } = await service.call('POST', '/api/v1/purchase-orders', {
    keys: shop.keys,
    body: {
      lineItems: productNames.map((name) => ({
        productId: shop.productId(name),
        productOptionId: shop.optionId(name),
        amount: '50',
        costPerUnit: '4.25',
      })),
      expectedAt: '2026-03-14',
      inventoryVendor: { name: 'Tidewater Distribution' },
    },
  });
  return {
    shop,
    keys: [shop.keys, ...others.map(({ keys }) => keys)].map(keyHeaders),
    staff,
    vendorOrder: { id: data.id, lines: data.lineItems.map(({ id }: { id: number }) => id) },
  };
}

/** Existing orders, each for one action. */
async function placeOrders({ shop, staff }: Crowd, count: number, isHandedOver: boolean) {
  const replies = [];
  for (let at = 0; at < count; at++) {
    const body = {
      type: 'pickup',
      customer: customer(at),
      lineItems: lineItems(shop, 3),
      payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
      idempotencyKey: randomUUID(),
    };
    const { data } = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
    if (isHandedOver) await staff[0]!.call('POST', `/staff/v1/orders/${data.id}/fulfill`, {});
    replies.push(data);
  }
  return replies;
}

function actionsOf(
  { shop, keys, staff, vendorOrder }: Crowd,
  open: readonly { readonly id: string }[],
  sold: readonly { readonly id: string; readonly lineItems: readonly { readonly id: number }[] }[],
): Action[] {
  const many = (count: number, make: (at: number) => Omit<Action, 'headers'> & Partial<Action>): Action[] =>
    Array.from({ length: count }, (_, at) => {
      const action = make(at);
      const headers = action.path.startsWith('/api')
        ? keys[at % keys.length]!
        : bearerHeader(staff[at % staff.length]!.token);
      return { headers, ...action };
    });
  const item = (at: number) => {
    const name = productNames[at % productNames.length]!;
    return { productId: shop.productId(name), productOptionId: shop.optionId(name) };
  };
  const vault = shop.locationId('Vault');
  /** A third use one code, whose uses suffice. */
  const codeOf = (at: number) => (at % 3 === 0 ? { discountCodes: ['everybody'] } : {});
  const order = (at: number) => ({
    type: 'pickup',
    customer: customer(at),
    lineItems: lineItems(shop, 5),
    ...codeOf(at),
    idempotencyKey: randomUUID(),
  });
  const step = (id: string, name: string, body: object) => ({
    method: 'POST',
    path: `/staff/v1/orders/${id}/${name}`,
    body,
  });
  return [
    ...many(75, (at) => ({ method: 'POST', path: '/api/v1/orders', body: order(at) })),
    ...many(20, (at) => ({ method: 'POST', path: '/staff/v1/orders', body: order(at) })),
    ...many(10, (at) => step(open[at]!.id, 'cancel', { reason: 'The customer did not come' })),
    ...many(10, (at) => step(open[10 + at]!.id, 'unaccept', {})),
    ...many(10, (at) => step(open[20 + at]!.id, 'fulfill', {})),
    ...many(15, (at) => ({
      method: 'PATCH',
      path: `/staff/v1/orders/${open[30 + at]!.id}`,
      body: { lineItems: lineItems(shop, 4), ...codeOf(at) },
    })),
    ...many(15, (at) => ({
      method: 'POST',
      path: `/staff/v1/orders/${sold[at]!.id}/returns`,
      body: {
        refundType: 'store-credit',
        lineItems: sold[at]!.lineItems.map(({ id }) => ({
          orderLineItemId: id,
          quantity: 1,
          type: 'return',
          inventoryAction: 'inventory',
          reason: 'Changed their mind',
        })),
      },
    })),
    ...many(15, (at) => ({
      method: 'POST',
      path: '/staff/v1/inventory-adjustments',
      body: {
        ...item(at),
        inventoryLocationId: vault,
        delta: at % 2 === 0 ? '-1.5' : '3',
        reason: 'Found or lost',
      },
    })),
    ...many(10, (at) => ({
      method: 'POST',
      path: '/staff/v1/inventory-transfers',
      body: {
        ...item(at * 3),
        fromInventoryLocationId: vault,
        toInventoryLocationId: shop.locationId('Storefront'),
        amount: '2',
      },
    })),
    ...many(10, (at) => ({
      method: 'POST',
      path: '/staff/v1/inventory-counts',
      body: {
        inventoryLocationId: vault,
        lines: random.shuffle(
          productNames.map((_, index) => ({ ...item(index), counted: String(480 + at) })),
        ),
      },
    })),
    ...many(10, (at) => ({
      method: 'POST',
      path: `/staff/v1/purchase-orders/${vendorOrder.id}/receptions`,
      body: random
        .shuffle(vendorOrder.lines)
        .slice(0, 5)
        .map((lineItemId) => ({ lineItemId, inventoryLocationId: vault, amount: String(1 + at) })),
    })),
  ];
}

test('200 integrators and staff at once on the same 20 products: no request fails by a collision, and all sums agree', async () => {
  const crowd = await gather();
  const open = await placeOrders(crowd, 45, false);
  const sold = await placeOrders(crowd, 15, true);
  const actions = random.shuffle(actionsOf(crowd, open, sold));
  expect(actions).toHaveLength(200);
  const registry = new Registry();
  const { database } = service.context;
  registerDatabaseMetrics(registry, database.statistics);
  const before = database.statistics.retries;

  const { baseUrl } = await service.listen();
  const replies = await Promise.all(
    actions.map(async ({ method, path, headers, body }) => {
      const reply = await fetch(`${baseUrl}${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      return { path, status: reply.status, text: await reply.text() };
    }),
  );
  expect(replies.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
  expect(service.faults).toEqual([]);
  expect(await brokenRules(database, crowd.shop.organizationId)).toEqual([]);

  const { retries } = database.statistics;
  expect(retries).toBeGreaterThan(before);
  expect(await registry.metrics()).toContain(`database_write_retries_total ${retries}\n`);
}, 60_000);
