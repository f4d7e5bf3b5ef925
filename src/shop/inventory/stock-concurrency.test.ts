import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';
import { statement } from '../../platform/statements/statement.ts';
import { foldStockChanges } from './keep-product-stocks.ts';

const service = await startTestService();
afterAll(() => service.close());

const sql = (shop: TestShop, text: string) => tenantSql(service.context.database, shop.organizationId, text);

function openShop(stock: number): Promise<TestShop> {
  return createTestShop(service.context, {
    products: [
      {
        key: 'Last Harvest',
        options: [{ key: 'last', priceCents: 3500 }],
        stock: [
          { option: 'last', amount: String(stock) },
          { option: 'last', amount: '3', location: 'Vault' },
        ],
      },
    ],
  });
}

function place(shop: TestShop, at: number): Promise<TestReply> {
  const body = {
    type: 'pickup',
    customer: { firstName: 'Buyer', lastName: `No. ${at}`, email: `buyer${at}@customers.example.com` },
    idempotencyKey: randomUUID(),
    lineItems: [{ productOptionId: shop.optionId('last'), quantity: 1 }],
  };
  return service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
}

const itemOf = (shop: TestShop) => ({
  productId: shop.productId('Last Harvest'),
  productOptionId: shop.optionId('last'),
});

function codesOf(replies: readonly TestReply[]): string[] {
  return [...new Set(replies.map(({ status, error }) => error?.code ?? String(status)))].sort();
}

test('30 orders, 10 adjustments, counts and transfers of one item at once: the balance equals the ledger, never below zero', async () => {
  const shop = await openShop(12);
  const staff = await service.staff(shop);
  const item = itemOf(shop);
  const [storefront, vault] = [shop.locationId('Storefront'), shop.locationId('Vault')];
  const orders = Array.from({ length: 30 }, (_, at) => () => place(shop, at));
  const operations = Array.from({ length: 10 }, (_, at) => [
    () =>
      staff.call('POST', '/staff/v1/inventory-adjustments', {
        ...item,
        inventoryLocationId: at % 3 === 0 ? vault : storefront,
        delta: at % 2 === 0 ? '-1.5' : '2',
        reason: 'Race',
      }),
    () =>
      staff.call('POST', '/staff/v1/inventory-counts', {
        inventoryLocationId: at % 4 === 0 ? vault : storefront,
        lines: [{ ...item, counted: String(at % 5) }],
      }),
    () =>
      staff.call('POST', '/staff/v1/inventory-transfers', {
        ...item,
        fromInventoryLocationId: at % 2 === 0 ? vault : storefront,
        toInventoryLocationId: at % 2 === 0 ? storefront : vault,
        amount: '1',
      }),
  ]).flat();
  // Shuffled, as requests arrive in practice.
  const all = [...orders, ...operations].map((run, at) => ({ run, turn: (at * 37) % 60 }));
  const replies = await Promise.all(all.sort((a, b) => a.turn - b.turn).map(({ run }) => run()));
  expect(codesOf(replies)).toEqual(['201', 'OUT_OF_STOCK']);
  expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
  const taken = await sql(shop, `select sum(delta) as taken from stock_ledger_entries where cause = 'taken'`);
  const placed = replies.filter(({ status, data }) => status === 201 && data.lineItems !== undefined).length;
  expect(Number(taken[0]!.taken ?? 0) + placed).toBe(0);
  expect(service.faults).toEqual([]);
});

test('a count loses no sale: a concurrent sale is counted before it, or subtracted from its result', async () => {
  const shop = await openShop(500);
  const staff = await service.staff(shop);
  const count = () =>
    staff.call('POST', '/staff/v1/inventory-counts', {
      inventoryLocationId: shop.locationId('Storefront'),
      lines: [{ ...itemOf(shop), counted: '100' }],
    });
  const [counted, ...orders] = await Promise.all([
    count(),
    ...Array.from({ length: 20 }, (_, at) => place(shop, at)),
  ]);
  expect(codesOf(orders)).toEqual(['201']);
  const before = 500 - Number(counted.data.lines[0].expected);
  const [balance] = await sql(
    shop,
    `select on_hand from stock_balances where inventory_location_id = ${shop.locationId('Storefront')}`,
  );
  expect(Number(balance!.on_hand)).toBe(100 - (20 - before));
  expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
});

test('counts and transfers that name the same stock in different orders never deadlock', async () => {
  const keys = ['a', 'b', 'c', 'd', 'e'];
  const shop = await createTestShop(service.context, {
    products: keys.map((key) => ({ key: `product ${key}`, options: [{ key, priceCents: 1000 }] })),
  });
  const staff = await service.staff(shop);
  const item = (key: string) => ({
    productId: shop.productId(`product ${key}`),
    productOptionId: shop.optionId(key),
  });
  const { retries } = service.context.database.statistics;
  // None of the balances exists yet.
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, at) => {
      const turned = [...keys.slice(at % 5), ...keys.slice(0, at % 5)];
      return staff.call('POST', '/staff/v1/inventory-counts', {
        inventoryLocationId: shop.locationId(at % 2 === 0 ? 'Storefront' : 'Vault'),
        lines: (at % 3 === 0 ? turned : turned.reverse()).map((key) => ({
          ...item(key),
          counted: String(at),
        })),
      });
    }),
  );
  expect(codesOf(replies)).toEqual(['201']);
  expect(service.context.database.statistics.retries).toBe(retries);
  expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
});

test('products are listed by what their balances are, before, while and after the job sums them; no order waits for it', async () => {
  const amounts = { few: '30', none: '0', many: '700', vault: '40' };
  const shop = await createTestShop(service.context, {
    products: Object.entries(amounts).map(([key, amount]) => ({
      key: `product ${key}`,
      options: [{ key, priceCents: 1000 }],
      stock: [
        ...(amount === '0' ? [] : [{ option: key, amount }]),
        ...(key === 'vault' ? [{ option: key, amount: '1', location: 'Vault' as const }] : []),
      ],
    })),
  });
  const staff = await service.staff(shop);
  const { database } = service.context;
  const fold = () => foldStockChanges(service.context, shop.organizationId);
  const order = (key: string, quantity: number) =>
    service.call('POST', '/api/v1/orders', {
      keys: shop.keys,
      body: {
        type: 'pickup',
        customer: {
          firstName: 'Buyer',
          lastName: 'Of Stock',
          email: `${randomUUID()}@customers.example.com`,
        },
        idempotencyKey: randomUUID(),
        lineItems: [{ productOptionId: shop.optionId(key), quantity }],
      },
    });
  const listed = async (sortDirection: string): Promise<[string, string][]> => {
    const path = `/staff/v1/products?sortBy=stock&sortDirection=${sortDirection}`;
    const { data } = await staff.call('GET', path);
    return data.map(({ name, onHand }: { name: string; onHand: string }) => [name, onHand]);
  };
  const expected = async (wanted: Readonly<Record<string, string>>) => {
    const rows = Object.entries(wanted).map(([key, onHand]) => [`product ${key}`, onHand]);
    expect(await listed('ascending')).toEqual(rows);
    expect(await listed('descending')).toEqual(rows.toReversed());
  };
  await expected({ none: '0', few: '30', vault: '41', many: '700' });
  await fold();
  await expected({ none: '0', few: '30', vault: '41', many: '700' });

  // The locks of the job are held while orders are placed.
  await database.write(shop.organizationId, async (tx) => {
    await tx.run(everyProductStock({}));
    const replies = await Promise.all([order('vault', 20), order('vault', 10), order('many', 5)]);
    expect(codesOf(replies)).toEqual(['201']);
  });
  await expected({ none: '0', vault: '11', few: '30', many: '695' });

  const count = () =>
    staff.call('POST', '/staff/v1/inventory-counts', {
      inventoryLocationId: shop.locationId('Vault'),
      lines: [
        {
          productId: shop.productId('product vault'),
          productOptionId: shop.optionId('vault'),
          counted: '900',
        },
      ],
    });
  const works = Array.from({ length: 12 }, (_, at) => [
    at === 6 ? count() : order(at % 2 === 0 ? 'few' : 'many', 1),
    fold(),
  ]).flat();
  await Promise.all(works);
  const rest = { none: '0', few: '25', many: '689', vault: '910' };
  await expected(rest);
  await fold();
  await expected(rest);
  const kept = await sql(
    shop,
    `select (on_hand_millionths / 1000000)::int as on_hand, (select count(*)::int from product_stock_changes) as changes
       from product_stocks order by on_hand_millionths`,
  );
  expect(kept).toEqual([0, 25, 689, 910].map((onHand) => ({ on_hand: onHand, changes: 0 })));
  expect(service.faults).toEqual([]);
});

const everyProductStock = statement<Record<never, never>, never>(
  'lock_every_product_stock',
  'select 1 as locked from product_stocks where organization_id = :organizationId for update',
);
