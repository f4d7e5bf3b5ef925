import { expect, test } from 'vitest';
import { catalogFeed, marketplaceFeed, searchEngineFeed } from './product-feeds.mjs';

/* The files that search engines, networks and marketplaces fetch. */

const option = (id: number, changes: object = {}) => ({
  ...{
    id,
    name: 'Eighth',
    amount: 3.5,
    price: 3500,
    displayPrice: 3150,
    maxQuantity: 12,
    upc: null,
    photos: [],
  },
  ...changes,
});
const product = (id: number, name: string, cannabisType: string, changes: object = {}) => ({
  ...{
    id,
    name,
    description: 'Pine & **orange**.',
    unit: 'gram',
    strainType: 'hybrid-indica',
    strain: null,
    inStock: true,
  },
  ...{
    brand: { name: 'Fernhollow' },
    primaryCategory: { name: 'Flower', cannabisType },
    subCategories: [],
    photos: [],
  },
  ...{ thcAmount: '24.1', thcAmountRangeLow: null, thcAmountRangeHigh: null, thcUnit: '%' },
  ...{ cbdAmount: null, cbdAmountRangeLow: null, cbdAmountRangeHigh: null, cbdUnit: null },
  ...{ options: [option(id * 10)], ...changes },
});
const menu = (advertisedPrices: string | null) => ({
  shop: { name: 'Juniper Quay', licenseNumber: 'C10', advertisedPrices },
  products: [
    product(1, 'Moonlit Grove', 'non-concentrated'),
    product(2, '=Grinder', 'none', { options: [option(20, { upc: '012345678905' })] }),
    product(3, 'Gone', 'edibles', { inStock: false }),
  ],
});
const origin = 'https://shop.example';

test('search engines and networks get what holds no cannabis, with what they require', () => {
  const xml = searchEngineFeed(menu(null), origin);
  expect(xml).toContain('<g:id>20</g:id>');
  expect(xml).not.toContain('Moonlit');
  for (const name of [
    'title',
    'description',
    'link',
    'availability',
    'condition',
    'price',
    'sale_price',
    'gtin',
  ])
    expect(xml).toContain(`<g:${name}>`);
  expect(xml).toContain('<g:availability>in_stock</g:availability>');
  expect(xml).toContain('<g:price>35.00 USD</g:price><g:sale_price>31.50 USD</g:sale_price>');
  const [head, row] = catalogFeed(menu(null), origin).split('\r\n');
  expect(head).toMatch(/^id,title,description,availability,condition,price,link,image_link,brand/);
  // A spreadsheet must not read a name as a formula.
  expect(row).toMatch(
    /^"20","'=Grinder","Pine & orange.","in stock","new","35.00 USD","https:\/\/shop.example\/products\/2\/grinder"/,
  );
});

test('marketplaces of cannabis get what is in stock, with its sizes', () => {
  const { items } = JSON.parse(marketplaceFeed(menu(null), origin));
  expect(items).toMatchObject([
    {
      ...{ external_id: '1', name: 'Moonlit Grove', genetics: 'hybrid', brand_name: 'Fernhollow' },
      cannabinoids: [{ slug: 'thc', percent: { min: 24.1, max: 24.1 } }],
      variants: [
        {
          external_id: '10',
          price: { amount: '31.50' },
          weight: { value: 3.5, unit: 'g' },
          inventory_quantity: 12,
        },
      ],
    },
  ]);
});

test('where the law rules advertised prices, the regular price stands alone in every file', () => {
  const ruled = menu('A menu for adults has no sale prices.');
  expect(searchEngineFeed(ruled, origin)).not.toContain('sale_price');
  expect(JSON.parse(marketplaceFeed(ruled, origin)).items[0].variants[0].price.amount).toBe('35.00');
  expect(catalogFeed(ruled, origin)).not.toContain('31.50');
});
