import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { casesOf } from '../test/harness/long-suite.ts';
import { startOwnTestService } from '../test/harness/test-service.ts';
import { createTestShop, type TestShop, testOrigin } from '../test/harness/test-shop.ts';
import { openWitness } from '../test/harness/witness.ts';
import { runSync, type SyncPlan } from './run-sync.ts';

/* A catalog that follows a file. */

const service = await startOwnTestService();
const witness = await openWitness(service.database);
const folder = mkdtempSync(join(tmpdir(), 'dispensary-sync-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await witness.end();
  await service.close();
});
let files = 0;

const newShop = () => createTestShop(service.context, { products: [] });
const contents = (shop: TestShop) => witness.contents(shop.organizationId);
const header = 'name,category,unit,strainType,description,optionName,amount,price,content,upc';

/** Follows a file with these rows; `plans` gets what is shown before anything is done. */
function follow(
  shop: TestShop,
  rows: readonly string[],
  more: { isTrial?: boolean; plans?: SyncPlan[] } = {},
): Promise<SyncPlan> {
  const path = join(folder, `${++files}.csv`);
  writeFileSync(path, [header, ...rows].join('\n'));
  return runSync({
    context: service.context,
    origin: testOrigin,
    organization: shop.organizationId,
    path,
    mapping: null,
    isTrial: more.isTrial ?? false,
    onProgress: () => {},
    onPlan: (plan) => more.plans?.push(plan),
  });
}

const productsOf = async ({ keys }: TestShop) =>
  (await service.call('GET', '/api/v1/products/all', { keys })).data;
const counts = ({ create, change, retire, same, refused }: SyncPlan) => ({
  create,
  change,
  retire,
  same,
  refused,
});
const first = [
  'Grove,Flower,gram,hybrid,Pine,Eighth,3.5,$35,3.5,111',
  'Grove,Flower,gram,hybrid,Pine,Quarter,7,$65,7,222',
  'Fog,Flower,gram,sativa,Salt,,1,$12,1,',
  'Tray,Accessories,item,none,,,1,$20,,',
];

test('it creates, changes and retires what it has shown before, and a second run changes nothing', async () => {
  const shop = await newShop();
  const none = { create: [], change: [], retire: [], same: 0, refused: 0 };
  expect(counts(await follow(shop, first))).toEqual({ ...none, create: ['Grove', 'Fog', 'Tray'] });
  const staff = await service.staff(shop, 'manager');
  const before = await productsOf(shop);
  for (const { id } of before) await staff.call('PATCH', `/staff/v1/products/${id}`, { isActive: true });
  const unchanged = await contents(shop);
  expect(counts(await follow(shop, first))).toEqual({ ...none, same: 3 });
  expect(await contents(shop)).toEqual(unchanged);

  const second = [
    // Dearer, without the quarter, with an ounce; the description is left out, and stays.
    'Grove,Flowers,gram,hybrid,,Eighth,3.5,$36,3.5,111',
    'Grove,Flowers,gram,hybrid,,Ounce,28,$200,28,',
    'Tray,Accessories,item,none,,,1,$20,,',
    'New,Flower,gram,hybrid,,,1,$9,1,',
  ];
  const expected = { create: ['New'], change: ['Grove'], retire: ['Fog'], same: 1, refused: 0 };
  expect(counts(await follow(shop, second, { isTrial: true }))).toEqual(expected);
  expect(await contents(shop)).toEqual(unchanged);

  const plans: SyncPlan[] = [];
  expect(counts(await follow(shop, second, { plans }))).toEqual(expected);
  expect(plans.map(counts)).toEqual([expected]);
  const after = await productsOf(shop);
  const of = (list: { name: string }[], name: string) =>
    list.find((product) => product.name === name) as never;
  expect(of(after, 'Fog')).toMatchObject({ isActive: false });
  expect(of(after, 'Grove')).toMatchObject({
    id: (of(before, 'Grove') as { id: number }).id,
    description: 'Pine',
    isActive: true,
    options: [
      { id: (of(before, 'Grove') as { options: { id: number }[] }).options[0]!.id, price: 3600 },
      { name: 'Ounce', price: 20_000 },
    ],
  });
  const settled = await contents(shop);
  expect(counts(await follow(shop, second))).toEqual({ ...none, same: 3 });
  expect(await contents(shop)).toEqual(settled);
});

test('while a row is refused nothing is retired; an option with stock is not deleted', async () => {
  const shop = await newShop();
  await follow(shop, first);
  const staff = await service.staff(shop, 'manager');
  const products = await productsOf(shop);
  for (const { id } of products) await staff.call('PATCH', `/staff/v1/products/${id}`, { isActive: true });
  const grove = products.find(({ name }: { name: string }) => name === 'Grove');
  const adjusted = await staff.call('POST', '/staff/v1/inventory-adjustments', {
    productId: grove.id,
    productOptionId: grove.options[1].id,
    inventoryLocationId: shop.locationId('Storefront'),
    delta: '4',
    reason: 'Counted',
  });
  expect(adjusted.error).toBeUndefined();
  const before = await contents(shop);
  const report = await follow(shop, [
    first[0]!,
    'Tray,Accessories,item,none,,,1,cheap,,',
    'New,Nowhere,gram,hybrid,,,1,$9,1,',
  ]);
  expect(counts(report)).toEqual({ create: [], change: [], retire: [], same: 0, refused: 3 });
  expect(report.problems).toEqual([
    { line: 3, column: 'price', message: expect.stringMatching(/not "cheap"$/) },
    { line: 2, column: null, message: expect.stringMatching(/^options: option \d+ has stock/) },
    {
      line: 4,
      column: 'category',
      message:
        'is not a category of the organization: "Nowhere"; it must be the name of one of its categories',
    },
  ]);
  expect(await contents(shop)).toEqual(before);
});

test('any sequence of files ends with the catalog of the last one', async () => {
  const shop = await newShop();
  const rounds = casesOf({ everyRun: 3, long: 20 });
  for (let round = 0; round < rounds; round++) {
    const rows = Array.from(
      { length: 8 },
      (_, at) =>
        `Item ${(at * 7 + round * 3) % 11},Flower,gram,hybrid,Round ${round},,1,$${1 + ((at + round) % 5)},1,`,
    );
    await follow(shop, rows);
    const before = await contents(shop);
    expect(await follow(shop, rows)).toMatchObject({ create: [], change: [], retire: [], same: 8 });
    expect(await contents(shop)).toEqual(before);
    const shown = (await productsOf(shop)).filter(
      ({ description }: { description: string }) => description === `Round ${round}`,
    );
    expect(shown).toHaveLength(8);
  }
});
