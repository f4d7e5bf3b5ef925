import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import { inspectMenu, type SentMapping, type SourceFile, uploadedFile } from './imports.ts';
import { MenuFileReader } from './menu-reader.ts';
import { sampleCategories, sampleMenus } from './sample-menus.test-support.ts';

/* The shapes that menus are published in, and what is doubtful about a file. */

const service = await startTestService();
afterAll(() => service.close());
const shop = await createTestShop(service.context, { products: [], categories: sampleCategories });

const sourceOf = (name: string, content: string | Buffer) => uploadedFile(name, Buffer.from(content));

const look = (file: SourceFile, mapping?: SentMapping | null) =>
  inspectMenu(service.context, shop.organizationId, {
    reader: new MenuFileReader(file),
    mapping,
    preset: null,
    productsMax: 1000,
  });
const lookAt = (name: string, content: unknown, mapping?: SentMapping | null) =>
  look(sourceOf(name, typeof content === 'string' ? content : JSON.stringify(content)), mapping);

test.each(sampleMenus)(
  '$file is recognized as $preset, and shows ten products as they would be',
  async ({ file, path, preset }) => {
    const found = await look(sourceOf(file, readFileSync(path)));
    expect(found.mapping?.preset).toBe(preset);
    expect(found).toMatchObject({ looked: 12, refused: 0 });
    expect(found.products).toHaveLength(10);
    expect(found.products[0]).toMatchObject({
      name: 'Moonlit Grove',
      brandName: 'Fernweh Farms',
      strainType: 'hybrid',
      unit: 'gram',
      thc: '22.1–24.5 %',
      cbd: null,
      options: [
        { name: '1g', price: 1200, salesPrice: null, content: '1', upc: '850012340010' },
        { name: '1/8oz', price: 3500, salesPrice: 3000, content: '3.543690390625' },
        { name: '1/4oz', price: 6500, salesPrice: null, content: '7.08738078125' },
        { name: '1oz', price: 20000, salesPrice: null, content: '28.349523125' },
      ],
    });
    // The mapping that was written reads the file in the same way, and doubts nothing.
    const again = await look(sourceOf(file, readFileSync(path)), found.mapping);
    expect(again).toMatchObject({ products: found.products, doubts: [] });
  },
);

const product = { Name: 'Grove', type: 'Flower', strainType: 'Hybrid' };

test('lists of options and prices that do not fit together are refused with both lengths', async () => {
  const { doubts, refused } = await lookAt('menu.json', [
    { ...product, Options: ['1g', '1/8oz'], Prices: [12] },
    { ...product, Name: 'Fog', Options: ['1g'], Prices: [10] },
    { ...product, Name: 'Tide', Options: [], Prices: [] },
  ]);
  expect(refused).toBe(2);
  expect(doubts.filter(({ line }) => line !== null)).toMatchObject([
    { message: 'Prices must have as many entries as Options, which has 2, not 1', line: 1, count: 1 },
    { message: 'Options must have an entry', line: 3, count: 1 },
  ]);
});

test('a potency keeps its unit, whatever the shape calls it', async () => {
  const menu = [
    ['PERCENTAGE', [18, 22], '18–22 %'],
    ['PERCENTAGE', [18.25], '18.25 %'],
    ['MILLIGRAMS_PER_GRAM', [182], '18.2 %'],
    ['MILLIGRAMS', [100], '100 mg'],
    ['PERCENTAGE', [], null],
  ] as const;
  const { products } = await lookAt(
    'menu.json',
    menu.map(([unit, range], at) => ({
      ...product,
      Name: `Grove ${at}`,
      THCContent: { unit, range },
      Options: ['1g'],
      Prices: [12],
    })),
  );
  expect(products.map(({ thc }) => thc)).toEqual(menu.map(([, , text]) => text));
});

test('prices by weight come as numbers, as objects, and as one object', async () => {
  const { products, refused } = await lookAt('menu.json', [
    { name: 'One', kind: 'Flower', price_gram: 12, price_eighth: '35.00', special_price_eighth: '30' },
    { name: 'Two', kind: 'Flower', price_half_ounce: { price: 99.5, sale_price: 90 } },
    { name: 'Three', kind: 'Flower', prices: { quarter: 60, ounce: '200' } },
  ]);
  expect(refused).toBe(0);
  expect(
    products.map(({ options }) => options.map(({ name, price, salesPrice }) => [name, price, salesPrice])),
  ).toEqual([
    [
      ['1g', 1200, null],
      ['1/8oz', 3500, 3000],
    ],
    [['1/2oz', 9950, 9000]],
    [
      ['1/4oz', 6000, null],
      ['1oz', 20000, null],
    ],
  ]);
});

const byWeight = [
  ['1g', 1000, null],
  ['1/8oz', 3000, 2500],
];
const entry = { id: 7, price: 10, label: '1g', units: '1', on_sale: false, original_price: null };
const reduced = { id: 8, price: 25, units: '1/8', gram_unit: '3.5', on_sale: true, original_price: 30 };
test.each([
  ['numbers', { gram: 10, eighth: 30 }, { special_price_eighth: 25 }],
  ['texts', { gram: '10.00', eighth: '$30' }, { special_price_eighth: { price: 30, discount_price: 25 } }],
  ['objects', { eighth: { price: 30, sale_price: 25 }, gram: { price: 10 } }, {}],
  ['objects with the former price', { gram: { price: 10 }, eighth: { price: 25, original_price: 30 } }, {}],
  [
    'lists by unit',
    { ounce: [{ ...reduced, label: '1/8oz' }], gram: [entry], unit: [] },
    { price: { ...entry, unit: 'gram' } },
  ],
  ['lists of one by weight', { eighth: [{ ...reduced, label: undefined }], gram: [entry], ounce: null }, {}],
  ['sizes', { '1g': 10, '1/8oz': { price: 30, special_price: 25 } }, {}],
  ['names with price', { price_gram: 10, price_eighth: { regular: 30, sale: 25 } }, {}],
  [
    'all weights, of which some are not sold',
    { half_gram: 0, gram: 10, two_grams: null, eighth: 30, ounce: 0 },
    { discounted_price_eighth: 25 },
  ],
])('prices in an object by weight may be %s', async (_, prices, more) => {
  const menu = {
    data: { menu_items: [{ id: 1, name: 'Night Fuel', category: { name: 'Flower' }, prices, ...more }] },
  };
  const { products, refused, mapping } = await lookAt('menu.json', menu);
  expect([mapping?.preset, refused]).toEqual(['weight-prices', 0]);
  const [{ options }] = products as [(typeof products)[number]];
  const shown = options.map(({ name, price, salesPrice }) => [
    name?.replace('1/8 oz', '1/8oz'),
    price,
    salesPrice,
  ]);
  expect(shown).toEqual(byWeight);
});

test('one price with its unit is a price by weight', async () => {
  const item = {
    name: 'Night Fuel',
    category: 'Flower',
    price: { unit: 'eighth', quantity: 1, price: 30, label: '1/8oz' },
  };
  const { products } = await lookAt('menu.json', [item]);
  expect(products[0]!.options).toMatchObject([{ name: '1/8oz', price: 3000 }]);
});

test('each doubt names its column, what is expected and how many rows it is about', async () => {
  const { doubts, mapping } = await lookAt(
    'menu.csv',
    [
      'Item,Type,Size,Price,THC,Shelf',
      'Grove,Flower,1g,12,18.2,A',
      'Fog,Tinctures,1g,12,19,B',
      'Tide,Tinctures,1g,12,19,B',
      'Dune,Flower,a lot,12,19,',
    ].join('\n'),
  );
  expect(doubts).toEqual([
    { column: 'THC', message: 'has numbers without a unit, which are read as percent', count: 0, line: null },
    {
      column: 'Price',
      message: 'has whole numbers, which are read as dollars, not cents',
      count: 0,
      line: null,
    },
    { column: 'Shelf', message: 'is not used', count: 0, line: null },
    {
      column: 'Type',
      message:
        'is not a category of the organization: "Tinctures"; it must be the name of one of its categories',
      count: 2,
      line: 3,
    },
    {
      column: 'Size',
      message: expect.stringMatching(/^must be a number.*, not "a lot"$/),
      count: 1,
      line: 5,
    },
  ]);
  expect(mapping).toMatchObject({ preset: 'flat-variants', constants: { strainType: 'none' } });
  const corrected = {
    ...mapping!,
    columns: {
      ...mapping!.columns,
      Type: [
        { field: 'category', values: { tinctures: 'Edibles', flower: 'Flower' } },
        { field: 'unit', otherwise: 'item', values: { flower: 'gram' } },
      ],
    },
  };
  expect(
    (await lookAt('menu.csv', 'Item,Type,Size,Price,THC,Shelf\nFog,Tinctures,100mg,12,,B', corrected))
      .products,
  ).toMatchObject([
    { name: 'Fog', category: 'Edibles', unit: 'item', options: [{ content: '100', price: 1200 }] },
  ]);
});

test('a file with our own columns needs no mapping; one without a price says so', async () => {
  const own = 'name,category,unit,strainType,amount,price,content\nGrove,Flower,gram,hybrid,1,$12,1';
  expect(await lookAt('menu.csv', own)).toMatchObject({ mapping: null, doubts: [], refused: 0 });
  const { doubts } = await lookAt('menu.csv', 'Item,Type,Size\nGrove,Flower,1g');
  expect(doubts).toContainEqual({
    column: null,
    message: 'no column was found for price',
    count: 0,
    line: null,
  });
});
