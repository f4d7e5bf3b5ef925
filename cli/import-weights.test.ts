import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { CannabisType } from '../src/engines/goods/cannabis-type.ts';
import { rulesInForce } from '../src/engines/jurisdictions/jurisdictions.ts';
import { shippedLaw } from '../src/engines/jurisdictions/law-book.ts';
import { checkPurchaseLimits } from '../src/engines/purchase-limits/check-purchase-limits.ts';
import { Database } from '../src/platform/database/database.ts';
import { startContentCheck } from '../src/shop/catalog/products.ts';
import { productImport, readMapping } from '../src/shop/imports/imports.ts';
import { tenantSql } from '../test/harness/tenant-sql.ts';
import { startOwnTestService } from '../test/harness/test-service.ts';
import { createTestShop, type TestShop, testOrigin } from '../test/harness/test-shop.ts';
import { commands } from './commands.ts';
import type { Deployment } from './deployment.ts';
import { mappingAt } from './mapping-at.ts';
import { runImport } from './run-import.ts';

const service = await startOwnTestService();
const { context } = service;
const operator = new Database(service.database.owner, 1);
const folder = mkdtempSync(join(tmpdir(), 'dispensary-weights-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await operator.close();
  await service.close();
});

const categories: Readonly<Record<string, CannabisType>> = {
  Wax: 'concentrated',
  Bars: 'mi-infused-solids',
  Drinks: 'mi-infused-fluids',
  Clones: 'immature-plant',
};
const newShop = () => createTestShop(context, { products: [], categories });
let files = 0;

/** Rows of category, unit and size, as exported by other systems; the names are the sizes. */
function importSizes(
  shop: TestShop,
  sizes: readonly (readonly string[])[],
  size: readonly object[] = [{ field: 'amount' }, { field: 'content' }],
) {
  const path = join(folder, `${++files}.csv`);
  const rows = sizes.map((cells, at) => `${at},${cells.map((cell) => `"${cell}"`).join()}`);
  writeFileSync(path, ['Name,Type,Unit,Size', ...rows].join('\n'));
  const mappingPath = join(folder, `${files}.json`);
  const columns = { Name: 'name', Type: 'category', Unit: 'unit', Size: size };
  writeFileSync(
    mappingPath,
    JSON.stringify({ columns, constants: { strainType: 'none', price: '100', thcUnit: 'mg' } }),
  );
  return runImport(productImport, {
    ...{ context, origin: testOrigin, organization: shop.organizationId, path },
    mapping: readMapping(mappingAt(mappingPath), productImport.fields),
    ...{ isTrial: false, from: null, progress: null, onProgress: () => {} },
  });
}

const optionsOf = async (shop: TestShop) =>
  tenantSql(
    context.database,
    shop.organizationId,
    `select o.amount::text, o.content::text from product_options o order by o.product_id`,
  );

test('a size is imported exactly in the unit of its category, from any unit', async () => {
  const shop = await newShop();
  const sizes = [
    ['Flower', 'gram', '3.5', '3.5', '3.5'],
    ['Flower', 'gram', '.1g', '0.1', '0.1'],
    ['Flower', 'gram', '500 mg', '0.5', '0.5'],
    ['Flower', 'gram', '1/8oz', '3.543691', '3.543690390625'],
    ['Flower', 'gram', '1 oz', '28.349524', '28.349523125'],
    ['Flower', 'gram', '1 1/2 oz', '42.524285', '42.5242846875'],
    ['Flower', 'gram', '1/4 lb', '113.398093', '113.3980925'],
    ['Flower', 'gram', '1-2 g', '2', '2'],
    ['Flower', 'item', '5 x 0.5g', '5', '2.5'],
    ['Flower', 'item', '1g', '1', '1'],
    ['Wax', 'item', '1g', '1', '1000'],
    ['Wax', 'item', '500mg', '1', '500'],
    ['Edibles', 'item', '100mg', '1', '100'],
    ['Bars', 'item', '1/2 lb', '1', '8'],
    ['Drinks', 'item', '12 fl oz', '1', '12'],
    ['Clones', 'item', '3 ct', '3', '3'],
    ['Accessories', 'item', '1 each', '1', null],
  ] as const;
  const report = await importSizes(
    shop,
    sizes.map(([category, unit, size]) => [category, unit, size]),
  );
  expect(report.problems).toEqual([]);
  expect(await optionsOf(shop)).toEqual(sizes.map(([, , , amount, content]) => ({ amount, content })));
});

test('an unreadable size, or one of the wrong kind for its category, is refused with line, column and text', async () => {
  const shop = await newShop();
  const sizes = [
    ['Flower', 'gram', '1/8', 'must be a number, alone or with its unit'],
    ['Flower', 'gram', 'eighth', 'must be a number, alone or with its unit'],
    ['Flower', 'gram', '3.5g (1/8 oz)', 'must be a number, alone or with its unit'],
    ['Flower', 'gram', '10 ct', 'must be a weight, as the product'],
    ['Flower', 'item', '10 ct', 'must be a weight that is a decimal number of grams'],
    ['Edibles', 'item', '12 fl oz', 'must be a weight that is a decimal number of milligrams'],
    // Not a finite decimal number of ounces.
    ['Bars', 'item', '100 g', 'must be a weight that is a decimal number of ounces'],
    ['Drinks', 'item', '1 oz', 'must be a volume in fluid ounces'],
    ['Clones', 'item', '1 g', 'must be a number of plants'],
    ['Flower', 'gram', '0 g', 'must be'],
  ] as const;
  const { problems, refused } = await importSizes(
    shop,
    sizes.map((row) => row.slice(0, 3)),
  );
  expect(refused).toBe(sizes.length);
  for (const [at, [, , size, words]] of sizes.entries()) {
    const [problem] = problems.filter(({ line }) => line === at + 2);
    expect(problem).toMatchObject({ column: 'Size', message: expect.stringContaining(words) });
    if (size !== '0 g') expect(problem!.message).toContain(`not ${JSON.stringify(size)}`);
  }
  const potency = await importSizes(
    shop,
    [['Edibles', 'item', '22%']],
    [{ field: 'thcAmount' }, { field: 'amount', blank: '1' }],
  );
  expect(potency.problems).toMatchObject([{ column: 'Size', message: expect.stringContaining('not "22%"') }]);
  expect(await optionsOf(shop)).toEqual([]);
});

test('mappings that read the leading number of a size keep its unit', async () => {
  const shop = await newShop();
  const convert = 'leading-number';
  const sizes = ['1oz', '1/8oz', '3.5g'].map((size) => ['Flower', 'gram', size]);
  await importSizes(shop, sizes, [
    { field: 'amount', convert },
    { field: 'content', convert },
  ]);
  const contents = (await optionsOf(shop)).map(({ content }) => String(content));
  expect(contents).toEqual(['28.349523125', '3.543690390625', '3.5']);
  const rules = rulesInForce(shippedLaw.find('CA')!, '2026-05-20', 'adult-use');
  const ofOunces = (quantity: number) =>
    checkPurchaseLimits({
      ...{ rules, history: [], today: '2026-05-20' },
      cartLines: [{ cannabisType: 'non-concentrated', content: contents[0]!, quantity }],
    }).overages.map(({ total }) => total);
  // One ounce counts as the 28.5 grams of the law's limit; 28 grams would not.
  expect(ofOunces(1)).toEqual([]);
  expect(ofOunces(28)).toEqual(['793.786648']);
});

test('a content that contradicts its size is reported by the import, to the owner and by the command, until corrected', async () => {
  const shop = await newShop();
  const owner = await service.staff(shop);
  const warnings = async () =>
    ((await owner.call('GET', '/staff/v1/organization')).data.warnings as string[]).filter((text) =>
      text.startsWith('Options whose content'),
    );
  const report = await importSizes(
    shop,
    [['Flower', 'gram', '3.5']],
    [{ field: 'amount' }, { field: 'content', values: { '3.5': '1' } }],
  );
  expect(report.warnings).toEqual([
    {
      ...{ line: 2, column: 'Size' },
      message: 'the option has an amount of 3.5 grams, but its content is 1 g',
    },
  ]);
  const [first] = await tenantSql(context.database, shop.organizationId, 'select id from products');
  expect(await warnings()).toEqual([expect.stringContaining(`of "0" (product ${first!.id}).`)]);

  // An option that the check did not find when it was written.
  await importSizes(shop, [['Edibles', 'item', '5 x 10 mg']]);
  const sql = (text: string) => tenantSql(context.database, shop.organizationId, text);
  await sql(`delete from content_doubts`);
  await sql(
    `update product_options set name = '1/8oz', amount = 1, content = 1 where product_id = ${first!.id}`,
  );
  expect(await warnings()).toEqual([]);
  const all = async () => [{ id: Number(shop.organizationId) }];
  const job = startContentCheck(context, all, { debug() {}, info() {}, warn() {}, error() {} });
  await expect.poll(warnings).toEqual([expect.stringContaining(`(product ${first!.id})`)]);
  await job.stop();

  const deployment = { context, operator } as unknown as Deployment;
  const check = () =>
    commands['check-contents']!.run!(deployment, { organization: String(shop.organizationId) });
  expect(await check()).toMatchObject({
    exitCode: 1,
    lines: [expect.stringContaining('is called 1/8oz, but its content is 1 g'), expect.any(String)],
    data: { count: 1, doubts: [{ productId: first!.id }] },
  });

  const [option] = await sql(`select id from product_options where product_id = ${first!.id}`);
  const { status } = await owner.call('PUT', `/staff/v1/products/${first!.id}/options`, {
    options: [{ id: option!.id, amount: 3.5, content: '3.543690390625' }],
  });
  expect(status).toBe(200);
  expect(await warnings()).toEqual([]);
  expect(await check()).toMatchObject({ exitCode: 0 });
});
