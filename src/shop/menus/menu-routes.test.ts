import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import {
  createTestShop,
  deliveryBody,
  pickupBody,
  type ShopSettings,
  type TestShop,
} from '../../../test/harness/test-shop.ts';
import { Database } from '../../platform/database/database.ts';

const service = await startTestService();
let shop: TestShop;

const settings: ShopSettings = {
  drawnFrom: {
    delivery: ['Van'],
    pickup: ['Storefront', 'Van'],
    'in-store': ['Annex'],
  },
  products: [
    {
      key: 'Counted',
      unit: 'gram',
      tags: ['Staff pick'],
      options: [
        { key: 'eighth', amount: '3.5', priceCents: 3500, salesPriceCents: 3000 },
        { key: 'ounce', name: 'The ounce', amount: '28', priceCents: 20_000 },
      ],
      stock: [
        { option: 'eighth', amount: '12', location: 'Van' },
        { option: 'eighth', amount: '30', location: 'Storefront', label: '1A4FF0000000000000000021' },
        {
          option: 'eighth',
          amount: '500',
          location: 'Storefront',
          label: '1A4FF0000000000000000022',
          onHold: true,
        },
      ],
    },
    {
      key: 'Jar',
      unit: 'gram',
      inventoryType: 'product',
      tags: ['Staff pick'],
      options: [
        { key: 'gram', amount: '1', priceCents: 1200 },
        { key: 'quarter', amount: '7', priceCents: 7000 },
      ],
      stock: [{ amount: '6.999', location: 'Van' }],
    },
    {
      key: 'Tray',
      category: 'Accessories',
      inventoryType: 'none',
      options: [{ key: 'tray', priceCents: 1250 }],
    },
    { key: 'Gone', options: [{ key: 'gone', priceCents: 1000 }] },
    {
      key: 'Retired',
      isActive: false,
      tags: ['Staff pick'],
      options: [{ key: 'retired', priceCents: 3000 }],
      stock: [{ option: 'retired', amount: '5', location: 'Van' }],
    },
  ],
};

beforeEach(async () => {
  shop = await createTestShop(service.context, settings);
});
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);

function get(path: string, query = {}, headers = {}): Promise<TestReply> {
  return service.call('GET', path, { keys: shop.keys, query, headers });
}
const menu = (type?: string, headers = {}) => get('/api/v1/menu', { type }, headers);

/** `maxQuantity` by product name and option amount. */
function quantities({ data }: TestReply): Record<string, number | null> {
  return Object.fromEntries(
    data.flatMap((product: TestReply['data']) =>
      product.options.map((option: TestReply['data']) => [
        `${product.name} ${option.amount}`,
        option.maxQuantity,
      ]),
    ),
  );
}

describe('a menu', () => {
  test('shows how many of each option can be bought at the locations of its order type', async () => {
    const sold = { 'Tray 1': null, 'Gone 1': 0, 'Counted 28': 0 };
    const delivery = { ...sold, 'Counted 3.5': 12, 'Jar 1': 6, 'Jar 7': 0 };
    expect(quantities(await menu('delivery'))).toEqual(delivery);
    expect(quantities(await menu())).toEqual(delivery);
    expect(quantities(await menu('pickup'))).toEqual({ ...delivery, 'Counted 3.5': 42 });
    expect(quantities(await menu('in-store'))).toEqual({ ...delivery, 'Counted 3.5': 0, 'Jar 1': 0 });
    expect((await menu('drive-through')).error?.code).toBe('INVALID_PARAMS');
  });

  test('lists every active product, sold out or not; a product is in stock when one option is', async () => {
    const { data } = await menu('in-store');
    expect(data.map(({ name, inStock }: TestReply['data']) => [name, inStock])).toEqual([
      ['Counted', false],
      ['Jar', false],
      ['Tray', true],
      ['Gone', false],
    ]);
    const ids = data.map(({ id }: { id: number }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    await sql(`update products set deleted_at = now() where name = 'Jar'`);
    await sql(`update product_options set deleted_at = now() where name = 'The ounce'`);
    expect(Object.keys(quantities(await menu()))).toEqual(['Counted 3.5', 'Tray 1', 'Gone 1']);
  });

  test('shows a product with its brand, category, sub-categories, photos and priced options', async () => {
    const { data, meta } = await menu();
    const [counted] = data;
    expect(counted).toMatchObject({
      id: shop.productId('Counted'),
      organizationId: shop.organizationId,
      unit: 'gram',
      unitPlural: 'grams',
      brand: { name: 'Fernweh Farms', description: null },
      primaryCategory: { id: shop.categoryId('Flower'), name: 'Flower', cannabisType: 'non-concentrated' },
      subCategories: [{ name: 'Indoor', organizationId: shop.organizationId }],
      inventoryType: 'option',
      isActive: true,
      photos: [{ id: expect.any(Number), fullPath: '/photos/a.svg' }],
      thcAmount: '21.5',
      thcUnit: '%',
      cbdAmount: null,
      cbdUnit: null,
    });
    expect(counted.options).toMatchObject([
      {
        id: shop.optionId('eighth'),
        productId: counted.id,
        name: '3.5 grams',
        amount: 3.5,
        price: 3500,
        salesPrice: 3000,
        content: '3.5',
      },
      { id: shop.optionId('ounce'), productId: counted.id, name: 'The ounce', salesPrice: null },
    ]);
    expect(meta.categories).toEqual([
      { id: shop.categoryId('Flower'), name: 'Flower', order: 0, cannabisType: 'non-concentrated' },
      { id: shop.categoryId('Edibles'), name: 'Edibles', order: 1, cannabisType: 'edibles' },
      { id: shop.categoryId('Accessories'), name: 'Accessories', order: 2, cannabisType: 'none' },
    ]);
  });

  test('that the caller already has gets a 304 without a body, while nothing has changed', async () => {
    const first = await menu('pickup');
    const etag = first.headers.etag!;
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await menu('pickup', { 'if-none-match': held });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
    }
    expect((await menu('pickup', { 'if-none-match': '"other"' })).text).toBe(first.text);
    expect((await menu('delivery', { 'if-none-match': etag })).status).toBe(200);
    // A write that does not affect the menu renders it again with the same result.
    await place(deliveryBody);
    expect((await menu('pickup', { 'if-none-match': etag })).status).toBe(304);
    await place(pickupBody);
    const changed = await menu('pickup', { 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(etag);
  });

  test('belongs to one organization', async () => {
    const other = await createTestShop(service.context);
    const ours = await menu('pickup');
    const theirs = await service.call('GET', '/api/v1/menu', { keys: other.keys, query: { type: 'pickup' } });
    expect(theirs.data.map(({ name }: { name: string }) => name)).not.toContain('Counted');
    expect((await menu('pickup')).text).toBe(ours.text);
  });
});

async function place(body: typeof pickupBody): Promise<void> {
  const lineItems = [{ productOptionId: shop.optionId('eighth'), quantity: 2 }];
  const reply = await service.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: body(shop, { lineItems }),
  });
  expect(reply.error?.code === 'ORDER_MINIMUM_NOT_MET' || reply.status === 201).toBe(true);
}

describe('what is written', () => {
  test('shows on the very next menu, however many are reading it', async () => {
    let left = 42;
    for (let round = 0; round < 12; round++) {
      const readers = Array.from({ length: 5 }, () => menu('pickup'));
      await place(pickupBody);
      left -= 2;
      expect(quantities(await menu('pickup'))['Counted 3.5']).toBe(left);
      for (const reply of await Promise.all(readers)) {
        expect([left, left + 2]).toContain(quantities(reply)['Counted 3.5']);
      }
    }
  });

  test('by another process shows within a second, for every table', async () => {
    const other = new Database(service.database.serving, 1);
    expect((await menu('pickup')).data[0].name).toBe('Counted');
    const writes = [
      `update products set name = 'Recounted' where name = 'Counted'`,
      `update product_options set name = 'The eighth' where amount = 3.5`,
      `update brands set name = 'Another brand'`,
      `update product_categories set display_order = display_order + 7`,
      `update stock_balances set on_hand = on_hand - 1 where on_hand = 12`,
      `update packages set on_hold = true`,
      `delete from order_type_locations`,
      `update products set is_active = false where name = 'Recounted'`,
    ];
    let last = (await menu('pickup')).headers.etag;
    for (const write of writes) {
      // By now, only the page's digest is requested.
      for (let round = 0; round < 2; round++) {
        service.clock.advance(900);
        expect((await menu('pickup')).headers.etag).toBe(last);
      }
      await tenantSql(other, shop.organizationId, write);
      service.clock.advance(900);
      const { etag } = (await menu('pickup')).headers;
      expect({ write, changed: etag !== last }).toEqual({ write, changed: true });
      last = etag;
    }
    await other.close();
  });

  test('that stays unchanged is not read again: the database is asked for a digest', async () => {
    for (let round = 0; round < 2; round++) {
      await menu();
      service.clock.advance(900);
    }
    const read = vi.spyOn(service.context.database, 'read');
    await menu();
    const names = read.mock.calls.flatMap(([, ...statements]) => statements.map((sent) => sent?.name));
    read.mockRestore();
    expect(names.filter((name) => name?.startsWith('digest_'))).toHaveLength(12);
    expect(names).not.toContain('select_products');
  });

  test('in one transaction is never seen in part', async () => {
    // Option prices and category names have the same number, in tables that different statements read.
    const write = (number: number) =>
      service.context.database.write(shop.organizationId, async (tx) => {
        const statement = (text: string) => ({
          name: `test_menu_${text.split(' ')[1]}`,
          text: `${text} where organization_id = $2`,
          values: [number, shop.organizationId],
        });
        await tx.run(statement('update product_options set price_cents = $1, sales_price_cents = null'));
        await tx.run(statement('update product_categories set display_order = $1::integer'));
        tx.queue(statement('update products set thc_amount = $1'));
      });
    const read = async (afterTurns: number): Promise<number> => {
      for (let turn = 0; turn < afterTurns; turn++) await new Promise((resolve) => setImmediate(resolve));
      const { data, meta } = await menu('pickup');
      const numbers = new Set<number>([
        ...meta.categories.map(({ order }: { order: number }) => order),
        ...data.flatMap(({ options }: TestReply['data']) =>
          options.map(({ price }: { price: number }) => price),
        ),
        ...data.map(({ thcAmount }: { thcAmount: string }) => Number(thcAmount)),
      ]);
      expect(numbers.size).toBe(1);
      return [...numbers][0]!;
    };
    await write(1000);
    for (let number = 1001; number <= 1040; number++) {
      const reading = Promise.all([0, 1, 3, 5, 8, 12].map(read));
      await write(number);
      expect(await read(0)).toBe(number);
      for (const seen of await reading) expect([number - 1, number]).toContain(seen);
    }
  });
});

test('all products are listed, also inactive ones, with their stock by location and their cost', async () => {
  const { data, meta } = await get('/api/v1/products/all');
  expect(data.map(({ name, isActive }: TestReply['data']) => [name, isActive])).toEqual([
    ['Counted', true],
    ['Jar', true],
    ['Tray', true],
    ['Gone', true],
    ['Retired', false],
  ]);
  const [van, storefront] = [shop.locationId('Van'), shop.locationId('Storefront')];
  const [counted, jar, tray] = data;
  expect(counted).toMatchObject({
    locationInventory: [],
    movingAverageCostPerUnit: null,
    unitPlural: 'grams',
    photos: [{ id: expect.any(Number), fullPath: '/photos/a.svg' }],
  });
  expect(counted.options[0]).toMatchObject({ productId: counted.id, movingAverageCostPerUnit: '10' });
  // Stock on hold is on hand, but cannot be bought.
  expect(byLocation(counted.options[0].locationInventory)).toEqual({
    [van]: { amount: '12', maxQuantity: 12 },
    [storefront]: { amount: '530', maxQuantity: 30 },
  });
  expect(jar).toMatchObject({
    locationInventory: [{ inventoryLocationId: van, amount: '6.999' }],
    movingAverageCostPerUnit: '4.5',
    options: [
      { locationInventory: [], movingAverageCostPerUnit: null },
      { locationInventory: [], movingAverageCostPerUnit: null },
    ],
  });
  expect(tray).toMatchObject({ locationInventory: [], options: [{ locationInventory: [] }] });
  expect(meta.inventoryLocations).toEqual(
    ['Van', 'Storefront', 'Annex'].map((name) => ({
      id: shop.locationId(name),
      name,
      description: null,
      type: 'standard',
    })),
  );
  expect(meta.categories).toHaveLength(3);
});

function byLocation(rows: readonly { inventoryLocationId: number }[]): Record<number, object> {
  return Object.fromEntries(rows.map(({ inventoryLocationId, ...row }) => [inventoryLocationId, row]));
}

test('tags contain the products that the menu lists by id, or null when there are none', async () => {
  const tags = async () =>
    (await get('/api/v1/products/tags')).data.map((tag: TestReply['data']) => tag.productIds);
  const [counted, jar, retired] = ['Counted', 'Jar', 'Retired'].map((name) => shop.productId(name));
  expect(await tags()).toEqual([[counted, jar], null]);
  await sql(`update products set is_active = name <> 'Counted'`);
  expect(await tags()).toEqual([[jar, retired], null]);
  await sql(`update products set deleted_at = now() where name = 'Jar'`);
  expect(await tags()).toEqual([[retired], null]);
  await sql('update products set deleted_at = now()');
  expect(await tags()).toEqual([null, null]);
  const { data } = await get('/api/v1/products/tags');
  expect(data.map(({ name, description }: TestReply['data']) => [name, description])).toEqual([
    ['Staff pick', null],
    ['Empty', 'On no product'],
  ]);
});
