import { describe, expect, test } from 'vitest';
import { inspectMenu, MenuFileReader, productImport, readMapping } from '../src/shop/imports/imports.ts';
import { runMenuJobs } from '../test/harness/run-menu-jobs.ts';
import { startTestService } from '../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../test/harness/test-shop.ts';
import { fileAt } from './file-at.ts';
import { importRuns } from './import-runs.test-support.ts';
import { runSync } from './run-sync.ts';

/* What files have in the place of a price and of a code: it is no value, and is told. */

const service = await startTestService();
const { context } = service;
const imports = importRuns(service);
const { fileOf } = imports;
const newShop = () => createTestShop(context, { products: [] });

const runOf = (shop: TestShop, content: string | object) =>
  imports.runOf(productImport, shop, fileOf(content));
const importFile = async (shop: TestShop, content: string | object) =>
  imports.load(productImport, shop, fileOf(content));
const follow = async (shop: TestShop, content: string | object) =>
  runSync({ ...(await runOf(shop, content)), onPlan: () => {} });

interface Shown {
  readonly name: string;
  readonly sku: string | null;
  readonly options: readonly { name: string; price: number; salesPrice: number | null; upc: string | null }[];
}
const productsOf = async ({ keys }: TestShop): Promise<readonly Shown[]> =>
  (await service.call('GET', '/api/v1/products/all', { keys })).data;
const sizesOf = async (shop: TestShop) =>
  Object.fromEntries(
    (await productsOf(shop)).map(({ name, options }) => [
      name,
      options.map(({ name: size, price, salesPrice }) => [size, price, salesPrice]),
    ]),
  );

const header = 'name,category,unit,strainType,optionName,amount,price,salesPrice,content,sku,upc';
const rowOf = (
  name: string,
  price: string,
  more: { sale?: string; sku?: string; upc?: string; size?: string } = {},
) =>
  `${name},Flower,gram,hybrid,${more.size ?? ''},1,${price},${more.sale ?? ''},1,${more.sku ?? ''},${more.upc ?? ''}`;
const csvOf = (...rows: readonly string[]) => [header, ...rows].join('\n');
const noPrice = 'must be above 0, or free for what is given away';

describe('a price of 0 makes nothing free', () => {
  const night = { name: 'Night Fuel', category_name: 'Flower', brand_name: 'B' };
  const eighth = ['1/8oz', 3000, null];
  const menus: readonly (readonly [shape: string, content: string | object])[] = [
    ['prices by weight', [{ ...night, price_gram: null, price_eighth: 30.0, price_ounce: 0.0 }]],
    ['an object of prices', [{ ...night, prices: { eighth: 30, ounce: 0, quarter: { price: 0 } } }]],
    ['lists', [{ Name: 'Night Fuel', type: 'Flower', Options: ['1/8oz', '1oz'], Prices: [30, 0] }]],
    [
      'lists with a price missing',
      [{ Name: 'Night Fuel', type: 'Flower', Options: ['1oz', '1/8oz'], Prices: [null, 30] }],
    ],
    [
      'variants in cents',
      [
        {
          ...night,
          variants: [
            { weight: '1/8oz', price_cents: 3000 },
            { weight: '1oz', price_cents: 0 },
          ],
        },
      ],
    ],
    [
      'rows',
      'Product,Type,Size,Price\nNight Fuel,Flower,1/8oz,$30.00\nNight Fuel,Flower,1oz,$0.00\nNight Fuel,Flower,1/4oz,0',
    ],
    [
      'bodies of the interface',
      [
        {
          ...{
            name: 'Night Fuel',
            category: 'Flower',
            unit: 'gram',
            strainType: 'none',
            subCategories: [],
            photos: [],
          },
          options: [
            { name: '1oz', amount: 28, price: 0, content: '28' },
            { name: '1/8oz', amount: 3.5, price: 3000, salesPrice: 0, content: '3.5' },
          ],
        },
      ],
    ],
  ];
  test.each(menus)('%s: the size is left out, and told', async (_, content) => {
    const shop = await newShop();
    const report = await importFile(shop, content);
    expect(report).toMatchObject({ created: 1, refused: 0 });
    expect(report.warnings).toContainEqual(
      expect.objectContaining({
        message: expect.stringMatching(/^the size "1\/?4?oz" has no price above 0, so it is not sold/),
      }),
    );
    expect(await sizesOf(shop)).toEqual({ 'Night Fuel': [eighth] });
    const path = fileOf(content);
    const found = await inspectMenu(context, shop.organizationId, {
      reader: new MenuFileReader(fileAt(path)),
      preset: null,
      productsMax: 100,
    });
    expect(found.refused).toBe(0);
    expect(found.doubts).toContainEqual(expect.objectContaining({ message: report.warnings[0]?.message }));
  });

  test.each(['0', '$0', '$0.00', '0.00', '$ 0', '0,00', '$.00'])(
    'a product whose only price is %s is refused with the word that makes it free',
    async (price) => {
      const shop = await newShop();
      const cell = price.includes(',') ? `"${price}"` : price;
      const report = await importFile(shop, csvOf(rowOf('Zero', cell), rowOf('Grove', '$12')));
      expect(report).toMatchObject({ created: 1, refused: 1 });
      expect(report.problems).toEqual([
        expect.objectContaining({ line: 2, column: 'price', message: noPrice }),
      ]);
      expect(await sizesOf(shop)).toEqual({ Grove: [['1 gram', 1200, null]] });
    },
  );

  test('a sale price of 0 is none; free in words is free', async () => {
    const shop = await newShop();
    const rows = [
      rowOf('Lighter', '$2', { sale: '0.00' }),
      rowOf('Papers', '$3', { sale: '$0' }),
      rowOf('Sticker', 'free'),
      rowOf('Badge', '$4', { sale: 'free' }),
    ];
    expect(await importFile(shop, csvOf(...rows))).toMatchObject({ created: 4, refused: 0, warnings: [] });
    expect(await sizesOf(shop)).toEqual({
      Lighter: [['1 gram', 200, null]],
      Papers: [['1 gram', 300, null]],
      Sticker: [['1 gram', 0, null]],
      Badge: [['1 gram', 400, 0]],
    });
    const again = await newShop();
    const weights = [{ name: 'Tin', category_name: 'Flower', price_gram: 9, special_price_gram: 0 }];
    await importFile(again, weights);
    expect(await sizesOf(again)).toEqual({ Tin: [['1g', 900, null]] });
  });

  test('a mapping cannot make everything free', () => {
    const mapping = { columns: { Name: 'name' }, constants: { price: '0' } };
    expect(() => readMapping(mapping, productImport.fields)).toThrow(`constants.price ${noPrice}`);
  });
});

describe('what stands in the place of a code is none', () => {
  const none = ['8.5E+11', '8.50012E+11', '8e11', 'N/A', '-', 'none', 'null', '0', '000000000000', '#N/A'];

  test.each(['add', 'sync'])('two products with the same one stay two (%s)', async (mode) => {
    const write = mode === 'sync' ? follow : importFile;
    for (const code of none) {
      const shop = await newShop();
      const first = rowOf('Fog', '$12', { upc: code, sku: code });
      const second = rowOf('Grove', '$14', { upc: code, sku: code });
      await write(shop, csvOf(first));
      const report = await write(shop, csvOf(first, second));
      expect(report).toMatchObject({ refused: 0, problems: [] });
      expect(report.warnings).toEqual(
        [2, 3].flatMap((line) =>
          ['sku', 'upc'].map((column) => ({
            line,
            column,
            message: expect.stringMatching(/was left empty/),
          })),
        ),
      );
      const shown = await productsOf(shop);
      expect(shown.map(({ name }) => name).sort()).toEqual(['Fog', 'Grove']);
      for (const { sku, options } of shown) expect([code, sku, options[0]!.upc]).toEqual([code, null, null]);
    }
  });

  test('bodies and lists of codes are read by the same rules', async () => {
    const shop = await newShop();
    const bodies = none.map((upc, at) => ({
      ...{
        name: `Fog ${at}`,
        category: 'Flower',
        unit: 'gram',
        strainType: 'none',
        subCategories: [],
        photos: [],
      },
      sku: upc,
      options: [{ amount: 1, price: 1200, content: '1', upc }],
    }));
    expect(await importFile(shop, bodies)).toMatchObject({ created: none.length, refused: 0 });
    expect((await productsOf(shop)).flatMap(({ sku, options }) => [sku, options[0]!.upc])).toEqual(
      none.flatMap(() => [null, null]),
    );
    const lists = await newShop();
    const list = {
      Name: 'Grove',
      type: 'Flower',
      Options: ['1g', '2g'],
      Prices: [12, 22],
      barcodes: ['N/A', 'N/A'],
    };
    expect(await importFile(lists, [list])).toMatchObject({ created: 1, refused: 0 });
  });

  test('a code in the signs of a spreadsheet is the code', async () => {
    const shop = await newShop();
    const rows = [
      rowOf('Fog', '$12', { upc: '"=""0850012345678"""', sku: "'0042" }),
      rowOf('Grove', '$12', { upc: '"=""0850012345685"""', sku: '"=""A-1"""' }),
    ];
    expect(await importFile(shop, csvOf(...rows))).toMatchObject({ created: 2, refused: 0, warnings: [] });
    expect((await productsOf(shop)).map(({ sku, options }) => [sku, options[0]!.upc]).sort()).toEqual([
      ['0042', '0850012345678'],
      ['A-1', '0850012345685'],
    ]);
  });

  test('a row that is taken for a known product by its code, but has another name, is told', async () => {
    const shop = await newShop();
    await importFile(shop, csvOf(rowOf('Fog', '$12', { upc: '850012345678' })));
    const other = csvOf(rowOf('Grove', '$14', { upc: '850012345678' }));
    const doubt = {
      line: 2,
      column: 'upc',
      message: expect.stringMatching(
        /^is the UPC of product \d+, "Fog", so "Grove" was taken for it: check the code/,
      ),
    };
    expect(await importFile(shop, other)).toMatchObject({ created: 0, known: 1, warnings: [doubt] });
    const found = await inspectMenu(context, shop.organizationId, {
      reader: new MenuFileReader(fileAt(fileOf(other))),
      preset: null,
      productsMax: 10,
    });
    expect(found.doubts).toEqual([expect.objectContaining({ column: 'upc', message: doubt.message })]);
    expect(await follow(shop, other)).toMatchObject({ change: ['Grove'], warnings: [doubt] });
    const same = csvOf(rowOf('GROVE ', '$14', { upc: '850012345678' }));
    expect(await importFile(shop, same)).toMatchObject({ known: 1, warnings: [] });
  });

  test('an import in the console tells it beside the refused rows', async () => {
    const shop = await newShop();
    const staff = await service.staff(shop, 'inventory');
    const content = csvOf(
      rowOf('Fog', '$12', { size: 'Gram', upc: 'N/A' }),
      rowOf('Fog', '$0', { size: 'Ounce' }),
      rowOf('Grove', 'ask us'),
    );
    const { data: uploaded } = await staff.call(
      'POST',
      '/staff/v1/menu-imports?fileName=menu.csv',
      Buffer.from(content),
      { headers: { 'content-type': 'application/octet-stream' } },
    );
    const path = `/staff/v1/menu-imports/${uploaded.id}`;
    for (const dryRun of [true, false]) {
      await staff.call('POST', `${path}/runs`, { mode: 'change', dryRun });
      await runMenuJobs(service, shop.organizationId);
      expect((await staff.call('GET', path)).data).toMatchObject({ created: 1, refused: 1, notes: 2 });
      const { data } = await staff.call('GET', `${path}/problems`);
      expect(data.problems).toEqual([
        expect.objectContaining({ line: 4, column: 'price', isNote: false }),
        expect.objectContaining({ line: 2, column: 'upc', isNote: true }),
        expect.objectContaining({ line: 3, column: 'price', isNote: true }),
      ]);
    }
  });
});
