import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { productImport } from '../src/shop/imports/imports.ts';
import { startOwnTestService } from '../test/harness/test-service.ts';
import { createTestShop, type TestShop, testOrigin } from '../test/harness/test-shop.ts';
import { type ImportReport, runImport } from './run-import.ts';

/* What other systems write is read for what it plainly means; what is not plain is refused, with its text. */

const service = await startOwnTestService();
const folder = mkdtempSync(join(tmpdir(), 'dispensary-plain-words-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.close();
});
let files = 0;

function importText(shop: TestShop, text: string, ending: 'csv' | 'json' = 'csv'): Promise<ImportReport> {
  const path = join(folder, `${++files}.${ending}`);
  writeFileSync(path, text);
  return runImport(productImport, {
    context: service.context,
    origin: testOrigin,
    organization: shop.organizationId,
    path,
    mapping: null,
    isTrial: false,
    from: null,
    progress: null,
    onProgress: () => {},
  });
}

type Shown = Readonly<Record<string, unknown>> & { readonly name: string };
const productsOf = async ({ keys }: TestShop): Promise<readonly Shown[]> =>
  (await service.call('GET', '/api/v1/products/all', { keys })).data;
const named = async (shop: TestShop, name: string) =>
  (await productsOf(shop)).find((product) => product.name === name);
const newShop = () => createTestShop(service.context, { products: [] });
/** A CSV of flowers with the given columns. */
const csvOf = (columns: string, ...rows: readonly string[]) =>
  [`name,category,unit,strainType,amount,price,content,${columns}`, ...rows].join('\n');

test('the rows of a product may stand anywhere in the file', async () => {
  const shop = await newShop();
  const report = await importText(
    shop,
    csvOf(
      'brandName,optionName',
      // What one row leaves out, another one may say.
      'Moonlit Grove,Flower,gram,,3.5,3500,3.5,Harborlight,Eighth',
      'Sea Glass,Flower,gram,sativa,1,1200,1,,',
      'moonlit grove,flower,,,7,6500,7,HARBORLIGHT,Quarter',
      'Sea Glass,Flower,gram,sativa,2,2200,2,,',
      ' Moonlit Grove ,Flower,gram,hybrid,28,20000,28,Harborlight,Ounce',
    ),
  );
  expect(report).toMatchObject({ created: 2, refused: 0, problems: [] });
  expect(await named(shop, 'Moonlit Grove')).toMatchObject({
    brand: { name: 'Harborlight' },
    options: [{ name: 'Eighth' }, { name: 'Quarter' }, { name: 'Ounce' }],
  });
  expect((await named(shop, 'Sea Glass'))?.options).toHaveLength(2);
});

test.each([
  ['18.2%', { thcAmount: '18.2', thcUnit: '%' }],
  ['18-22%', { thcAmount: null, thcAmountRangeLow: '18', thcAmountRangeHigh: '22', thcUnit: '%' }],
  ['18.5 % – 22 %', { thcAmountRangeLow: '18.5', thcAmountRangeHigh: '22', thcUnit: '%' }],
  ['182 mg/g', { thcAmount: '18.2', thcUnit: '%' }],
  ['180-220 mg/g', { thcAmountRangeLow: '18', thcAmountRangeHigh: '22', thcUnit: '%' }],
  ['10mg each', { thcAmount: null, thcAmountEach: '10', thcUnit: 'mg' }],
  ['10 mg per piece', { thcAmountEach: '10', thcUnit: 'mg' }],
  ['100 mg THC', { thcAmount: '100', thcUnit: 'mg' }],
  ['1 g', { thcAmount: '1000', thcUnit: 'mg' }],
  ['5 x 10 mg', { thcAmount: '50', thcUnit: 'mg' }],
])('a THC of %s is read exactly', async (text, expected) => {
  const shop = await newShop();
  const { problems } = await importText(shop, csvOf('thcAmount', `Fog,Flower,gram,hybrid,1,1200,1,${text}`));
  expect(problems).toEqual([]);
  expect(await named(shop, 'Fog')).toMatchObject(expected);
});

test('what is not plain is refused, with line, column, the text and what is expected', async () => {
  const shop = await newShop();
  const row = (name: string, cells: string) => `${name},${cells}`;
  const report = await importText(
    shop,
    csvOf(
      'thcAmount,thcUnit,terpenes,labResults',
      row('Loud', 'Flower,gram,hybrid,1,1200,1,very high,,,'),
      row('Other unit', 'Flower,gram,hybrid,1,1200,1,10 mg,%,,'),
      row('No unit', 'Flower,gram,hybrid,1,1200,1,18.2,,,'),
      row('Too much', 'Flower,gram,hybrid,1,1200,1,182%,,,'),
      row('Strange strain', 'Flower,gram,fruity,1,1200,1,,,,'),
      row('Strange price', 'Flower,gram,hybrid,1,12.50,1,,,,'),
      row('Half a cent', 'Flower,gram,hybrid,1,$12.505,1,,,,'),
      row('No lab', 'Flower,gram,hybrid,1,1200,1,,,,2026-02-11'),
      row('Strong terpene', 'Flower,gram,hybrid,1,1200,1,,,Myrcene 101%,'),
    ),
  );
  expect(report).toMatchObject({ created: 0, refused: 9 });
  const cents =
    'must be whole cents, such as 1250, or dollars with their sign, such as $12.50, or free, not ';
  expect([...report.problems].sort((a, b) => a.line - b.line)).toEqual([
    {
      line: 2,
      column: 'thcAmount',
      message:
        'must be a number, alone or with its unit, such as 18.2%, 18-22%, 182 mg/g, 10 mg or 10 mg each, not "very high"',
    },
    { line: 3, column: 'thcAmount', message: 'must be in %, the thcUnit, not "10 mg"' },
    { line: 4, column: 'thcUnit', message: 'is required' },
    { line: 5, column: 'thcAmount', message: 'must be at most 100: thcUnit is %, not "182%"' },
    { line: 6, column: 'strainType', message: expect.stringMatching(/^must be one of .*, not "fruity"$/) },
    { line: 7, column: 'price', message: `${cents}"12.50"` },
    { line: 8, column: 'price', message: `${cents}"$12.505"` },
    {
      line: 9,
      column: 'labResults',
      message:
        'must be the name of a lab, with the date and the address of the certificate, not "2026-02-11"',
    },
    { line: 10, column: 'terpenes', message: 'must be at most 100, not "Myrcene 101%"' },
  ]);
});

test('a description in HTML becomes Markdown, without scripts; another one stays as it is', async () => {
  const shop = await newShop();
  const html =
    '<p>Pine &amp; <strong>orange</strong>, 5 * 3.</p><ul><li>calm</li><li>slow</li></ul><script>alert(1)</script>' +
    '<img src=x onerror=alert(1)><a href="javascript:alert(1)">tap</a> <a href="https://farm.example.com/">farm</a>';
  const bodies = [html, 'A < B & C, *as it is*', 'Two lines\n\nof text'].map((description, at) => ({
    ...{ name: `Fog ${at}`, description, unit: 'gram', strainType: 'hybrid', category: 'Flower' },
    ...{ subCategories: [], photos: [], options: [{ amount: 1, price: 1200, content: '1' }] },
  }));
  expect(await importText(shop, JSON.stringify(bodies), 'json')).toMatchObject({ created: 3, problems: [] });
  const descriptions = (await productsOf(shop)).map(({ description }) => description);
  expect(descriptions).toEqual([
    'Pine & **orange**, 5 \\* 3.\n\n- calm\n- slow\n\ntap [farm](https://farm.example.com/)',
    'A < B & C, *as it is*',
    'Two lines\n\nof text',
  ]);
});

test('strain types, units, categories and brands are known by other words and in any case', async () => {
  const shop = await newShop();
  const words = [
    ['Sativa Dominant', 'grams', 'Flowers', 'hybrid-sativa', 'gram', 'Flower'],
    ['Indica-Dominant Hybrid', 'each', 'Edible', 'hybrid-indica', 'item', 'Edibles'],
    ['I', 'EA', 'merch', 'indica', 'item', 'Accessories'],
    ['N/A', 'Unit', 'accessories', 'none', 'item', 'Accessories'],
  ] as const;
  const rows = words.map(
    ([strain, unit, category], at) => `Word ${at},${category},${unit},${strain},1,1200,1,HARBORLIGHT`,
  );
  const report = await importText(
    shop,
    csvOf('brandName', 'First,Flower,gram,hybrid,1,1200,1,Harborlight', ...rows),
  );
  expect(report.problems).toEqual([]);
  for (const [at, [, , , strainType, unit, category]] of words.entries()) {
    expect(await named(shop, `Word ${at}`)).toMatchObject({
      ...{ strainType, unit, primaryCategory: { name: category }, brand: { name: 'Harborlight' } },
    });
  }
});

test('prices are cents, dollars with their sign, or free in words', async () => {
  const shop = await newShop();
  const prices = ['1250', '"$1,234.50"', '$12', 'Free', 'no charge'];
  const report = await importText(
    shop,
    csvOf('salesPrice', ...prices.map((price, at) => `Price ${at},Accessories,item,none,1,${price},,`)),
  );
  expect(report.problems).toEqual([]);
  const shown = (await productsOf(shop)).map(({ options }) => (options as { price: number }[])[0]!.price);
  expect(shown).toEqual([1250, 123_450, 1200, 0, 0]);
});

test('an imported product that is free can be ordered, and adds nothing to the total', async () => {
  const shop = await newShop();
  const rows = ['Free lighter,Accessories,item,none,1,free,,', 'Tray,Accessories,item,none,1,1250,,'];
  expect((await importText(shop, csvOf('salesPrice', ...rows))).problems).toEqual([]);
  const owner = await service.staff(shop);
  const lineItems: { productOptionId: number; quantity: number }[] = [];
  for (const { id, name, options } of await productsOf(shop)) {
    const path = `/staff/v1/products/${id}`;
    expect((await owner.call('PUT', path, { inventoryType: 'none' })).error).toBeUndefined();
    expect((await owner.call('PATCH', path, { isActive: true })).error).toBeUndefined();
    const [option] = options as { id: number; price: number }[];
    expect(option!.price).toBe(name === 'Tray' ? 1250 : 0);
    lineItems.push({ productOptionId: option!.id, quantity: name === 'Tray' ? 1 : 3 });
  }
  const place = async (ordered: typeof lineItems) => {
    const body = {
      ...{ type: 'pickup', lineItems: ordered, idempotencyKey: randomUUID() },
      customer: { firstName: 'Marisol', lastName: 'Okafor', email: 'marisol@customers.example.com' },
    };
    const { error, data } = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
    expect(error).toBeUndefined();
    const { data: order } = await owner.call('GET', `/staff/v1/orders/${data.id}`);
    return order;
  };
  const [free, tray] = [lineItems.filter(({ quantity }) => quantity === 3), lineItems];
  expect(await place(free)).toMatchObject({ totalPrice: 0, customerGrandTotal: 0 });
  const onlyTray = await place(lineItems.filter(({ quantity }) => quantity === 1));
  expect(await place(tray)).toMatchObject({
    totalPrice: 1250,
    customerGrandTotal: onlyTray.customerGrandTotal,
  });
});

test('the import and the interface make the same products', async () => {
  const [byFile, byInterface] = [await newShop(), await newShop()];
  const bodies = [
    {
      ...{ name: 'Moonlit Grove', brandName: 'Harborlight', category: 'Flower', unit: 'gram' },
      ...{ strainType: 'hybrid-indica', subCategories: ['Whole flower'], description: 'Pine, *orange*.' },
      ...{ photos: ['https://pictures.example.com/1.jpg', 'https://pictures.example.com/2.jpg'] },
      ...{ thcAmountRangeLow: '18', thcAmountRangeHigh: '22', thcUnit: '%', strain: 'Grove', sku: 'MG-1' },
      terpenes: [{ name: 'Myrcene', percent: '0.82' }, { name: 'Limonene' }],
      ...{ effects: ['Calm'], flavours: ['Pine', 'Orange'] },
      labResults: [
        { lab: 'Alder Analytics', date: '2026-02-11', certificateUrl: 'https://lab.example.com/1.pdf' },
      ],
      options: [
        { name: 'Eighth', amount: 3.5, price: 3500, content: '3.5', upc: '850012345678' },
        { amount: 7, price: 6500, salesPrice: 6000, content: '7' },
      ],
    },
    {
      ...{ name: 'Oak tray', category: 'Accessories', unit: 'item', strainType: 'none' },
      ...{ subCategories: [], photos: [], options: [{ amount: 1, price: 0 }] },
    },
  ];
  for (const body of bodies) {
    const { error } = await service.call('POST', '/api/v1/products', { keys: byInterface.keys, body });
    expect(error).toBeUndefined();
  }
  const rows = [
    'name,brandName,category,unit,strainType,subCategories,description,photos,thcAmount,strain,sku,terpenes,effects,flavours,labResults,optionName,amount,price,salesPrice,content,upc',
    'Moonlit Grove,Harborlight,Flower,gram,Indica dominant,Whole flower,"Pine, *orange*.",https://pictures.example.com/1.jpg|https://pictures.example.com/2.jpg,18-22%,Grove,MG-1,Myrcene 0.82%|Limonene,Calm,Pine|Orange,Alder Analytics 2026-02-11 https://lab.example.com/1.pdf,Eighth,3.5 g,$35.00,,3.5 g,850012345678',
    'Oak tray,,Accessories,each,n/a,,,,,,,,,,,,1,free,,,',
    'Moonlit Grove,Harborlight,Flower,,,,,,,,,,,,,,7 g,$65,$60,7 g,',
  ];
  expect(await importText(byFile, rows.join('\n'))).toMatchObject({ created: 2, problems: [] });
  const byBodies = await newShop();
  const inFile = JSON.stringify(bodies).replace('"price":0', '"price":"free"');
  expect(await importText(byBodies, inFile, 'json')).toMatchObject({
    created: 2,
    problems: [],
  });

  /** Without what differs between any two shops. */
  const contentsOf = async (shop: TestShop) => {
    const names = new Set(['id', 'productId', 'organizationId', 'createdAt', 'updatedAt']);
    const text = JSON.stringify(await productsOf(shop), (name, value) =>
      names.has(name) ? undefined : value,
    );
    return (JSON.parse(text) as Shown[]).sort((a, b) => a.name.localeCompare(b.name));
  };
  const expected = await contentsOf(byInterface);
  expect(expected).toHaveLength(2);
  expect(await contentsOf(byFile)).toEqual(expected);
  expect(await contentsOf(byBodies)).toEqual(expected);
});
