import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import {
  createTestKeys,
  createTestShop,
  pickupBody,
  type ShopSettings,
  type TestShop,
} from '../../../test/harness/test-shop.ts';

const service = await startTestService();
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

/** A jar of 10 g that is weighed out, 4 T-shirts at the storefront and 3 in the back, sold-out socks, and untracked bags. */
const goods: ShopSettings = {
  taxes: [],
  drawnFrom: { delivery: ['Storefront'], pickup: ['Storefront', 'Back'], 'in-store': ['Storefront'] },
  products: [
    {
      key: 'eighth',
      inventoryType: 'product',
      unit: 'gram',
      options: [
        { key: 'eighth', priceCents: 3500, amount: '3.5' },
        { key: 'gram', priceCents: 1100, amount: '1' },
      ],
      stock: [{ amount: '10' }],
    },
    {
      key: 'tee',
      category: 'Accessories',
      options: [{ key: 'tee', content: null, priceCents: 3000 }],
      stock: [
        { option: 'tee', amount: '4' },
        { option: 'tee', amount: '3', location: 'Back' },
      ],
    },
    { key: 'socks', category: 'Accessories', options: [{ key: 'socks', content: null, priceCents: 1000 }] },
    {
      key: 'bag',
      category: 'Accessories',
      inventoryType: 'none',
      options: [{ key: 'bag', content: null, priceCents: 100 }],
    },
  ],
};
type Lines = readonly (readonly [key: string, quantity: number])[];

async function open() {
  const shop = await createTestShop(service.context, goods);
  return { shop, owner: await service.staff(shop) };
}

const lineItems = (shop: TestShop, lines: Lines) =>
  lines.map(([key, quantity]) => ({ productOptionId: shop.optionId(key), quantity }));

const price = (shop: TestShop, lines: Lines, changes: object = {}) =>
  service.call('POST', '/api/v1/orders/pricing', {
    keys: shop.keys,
    body: pickupBody(shop, { lineItems: lineItems(shop, lines), ...changes }),
  });

const place = (shop: TestShop, lines: Lines, changes: object = {}) =>
  service.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: pickupBody(shop, { lineItems: lineItems(shop, lines), ...changes }),
  });

/** What a preview warns of, by option: how many there are. */
function short(shop: TestShop, { data }: Awaited<ReturnType<typeof price>>) {
  const keys = ['eighth', 'gram', 'tee', 'socks', 'bag'];
  const nameOf = new Map(keys.map((key) => [shop.optionId(key), key]));
  return Object.fromEntries(
    data.warnings
      .filter(({ code }: { code: string }) => code === 'OUT_OF_STOCK')
      .map(({ productOptionId, maxQuantity }: { productOptionId: number; maxQuantity: number }) => [
        nameOf.get(productOptionId),
        maxQuantity,
      ]),
  );
}

const address = { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode: '94607' };

describe('the stock in a preview', () => {
  const cases: readonly [string, Lines, object, Record<string, number>][] = [
    ['sold out', [['socks', 1]], {}, { socks: 0 }],
    ['5,000 of something', [['tee', 5000]], {}, { tee: 7 }],
    [
      'as many as there are',
      [
        ['tee', 7],
        ['bag', 9],
      ],
      {},
      {},
    ],
    ['one more than there are', [['tee', 8]], {}, { tee: 7 }],
    ['by the locations of a delivery', [['tee', 5]], { type: 'delivery', address }, { tee: 4 }],
    [
      'one option twice',
      [
        ['tee', 4],
        ['tee', 4],
      ],
      {},
      { tee: 7 },
    ],
    [
      'options that share a product',
      [
        ['eighth', 2],
        ['gram', 4],
      ],
      {},
      { gram: 3 },
    ],
    [
      'the same in the other order',
      [
        ['gram', 4],
        ['eighth', 2],
      ],
      {},
      { eighth: 1 },
    ],
    [
      'a share of each',
      [
        ['eighth', 3],
        ['gram', 2],
      ],
      {},
      { eighth: 2 },
    ],
    [
      'several at once',
      [
        ['socks', 2],
        ['tee', 9],
        ['bag', 1],
      ],
      {},
      { socks: 0, tee: 7 },
    ],
  ];
  test.each(cases)('warns exactly where an order is refused: %s', async (_, lines, changes, expected) => {
    const { shop } = await open();
    const preview = await price(shop, lines, changes);
    expect(preview.status).toBe(200);
    expect(short(shop, preview)).toEqual(expected);
    const order = await place(shop, lines, changes);
    expect(order.error?.code ?? 'placed').toBe(Object.keys(expected).length > 0 ? 'OUT_OF_STOCK' : 'placed');
    if (order.error === undefined) return;
    const fitting = lines.map(
      ([key, quantity]) => [key, Math.min(quantity, expected[key] ?? quantity)] as const,
    );
    const left = new Map<string, number>();
    for (const [key, quantity] of fitting)
      left.set(key, Math.min((left.get(key) ?? 0) + quantity, expected[key] ?? Number.POSITIVE_INFINITY));
    const most = [...left].filter(([, quantity]) => quantity > 0);
    if (most.length > 0) expect((await place(shop, most, changes)).status).toBe(201);
  });

  test('follows every sale and delivery at once, for integrators, pages and staff', async () => {
    const { shop, owner } = await open();
    const origin = 'https://shop.example.com';
    const { keys } = await createTestKeys(service.context, shop.organizationId, shop.integrator, {
      permissions: ['create-orders'],
      origins: [origin],
      vouches: false,
    });
    const onPage = async (lines: Lines) => {
      const body = { type: 'pickup', lineItems: lineItems(shop, lines) };
      const request = { keys: { clientKey: keys.clientKey }, headers: { origin }, body };
      return short(shop, await service.call('POST', '/api/v1/orders/pricing', request));
    };
    const staff = async (lines: Lines, changes: object = {}) => {
      const body = { type: 'pickup', lineItems: lineItems(shop, lines), ...changes };
      return short(shop, await owner.call('POST', '/staff/v1/orders/pricing', body));
    };
    const all = async (lines: Lines) => [
      short(shop, await price(shop, lines)),
      await onPage(lines),
      await staff(lines),
    ];
    const alike = (warnings: object) => [warnings, warnings, warnings];
    expect(await all([['tee', 7]])).toEqual(alike({}));
    expect((await place(shop, [['tee', 2]])).status).toBe(201);
    const { data: order } = await owner.call('POST', '/staff/v1/orders', {
      ...{ type: 'in-store', customerName: 'Ada', idempotencyKey: randomUUID() },
      lineItems: lineItems(shop, [['tee', 2]]),
    });
    expect(order.status).toBe('new');
    const { data: settings } = await owner.call('GET', '/staff/v1/organization');
    const left = settings.statusOnCreation.pickup === 'new' ? 3 : 5;
    expect(await all([['tee', 7]])).toEqual(alike({ tee: left }));
    await owner.call('POST', '/staff/v1/inventory-adjustments', {
      ...{ productId: shop.productId('socks'), productOptionId: shop.optionId('socks') },
      ...{ inventoryLocationId: shop.locationId('Storefront'), delta: '2', reason: 'Found' },
    });
    expect(await all([['socks', 3]])).toEqual(alike({ socks: 2 }));
    // The place that the sale will take its stock from.
    expect(
      await staff([['tee', 4]], { type: 'in-store', inventoryLocationId: shop.locationId('Back') }),
    ).toEqual({ tee: 3 });
  });
});
