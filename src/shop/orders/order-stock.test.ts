import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import {
  createTestShop,
  type ShopSettings,
  type TestShop,
  testOrigin,
} from '../../../test/harness/test-shop.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';
import { openStock } from '../inventory/stock.ts';
import { stepOrder } from './orders.ts';

const service = await startTestService();
let shop: TestShop;

/** Labels have 24 characters. */
const label = (text: string): string => text.padEnd(24, '0');

const inStore = { location: 'Storefront' };

const settings: ShopSettings = {
  statusOnCreation: { delivery: 'new', pickup: 'new' },
  drawnFrom: {
    delivery: ['Van', 'Storefront'],
    pickup: ['Storefront', 'Van'],
    'in-store': ['Storefront', 'Van', 'Annex'],
  },
  products: [
    {
      key: 'Counted',
      options: [
        { key: 'counted', amount: '3.5', priceCents: 10_000 },
        { key: 'sibling', priceCents: 10_000 },
      ],
      stock: [
        {
          ...inStore,
          option: 'counted',
          amount: '2',
          label: label('STORENEW'),
          receivedDaysAgo: 2,
          costPerUnit: '12.25',
        },
        {
          ...inStore,
          option: 'counted',
          amount: '3',
          label: label('STOREOLD'),
          receivedDaysAgo: 8,
          costPerUnit: '11.5',
        },
        {
          ...inStore,
          option: 'counted',
          amount: '4',
          label: label('VAN'),
          location: 'Van',
          receivedDaysAgo: 30,
        },
        {
          ...inStore,
          option: 'counted',
          amount: '50',
          label: label('ANNEX'),
          location: 'Annex',
          receivedDaysAgo: 40,
        },
        { ...inStore, option: 'sibling', amount: '50' },
        { ...inStore, option: 'counted', amount: '70', label: label('HELD'), onHold: true },
        { ...inStore, option: 'counted', amount: '70', label: label('SAMPLE'), tradeSample: true },
        // The clock stands at 11:00 on the 10th, local time.
        { ...inStore, option: 'counted', amount: '70', label: label('STALE'), expirationDate: '2026-03-09' },
      ],
    },
    {
      key: 'Jar',
      unit: 'gram',
      inventoryType: 'product',
      options: [
        { key: 'gram', amount: '1', priceCents: 10_000 },
        { key: 'eighth', amount: '3.5', priceCents: 10_000 },
        { key: 'third', amount: '0.333', priceCents: 10_000 },
      ],
      stock: [
        { ...inStore, amount: '5.5', label: label('JARONE'), receivedDaysAgo: 5, costPerUnit: '4.123456' },
        { ...inStore, amount: '5.5', label: label('JARTWO'), receivedDaysAgo: 4, costPerUnit: '5' },
      ],
    },
    { key: 'Untracked', inventoryType: 'none', options: [{ key: 'untracked', priceCents: 10_000 }] },
  ],
};

beforeEach(async () => {
  shop = await createTestShop(service.context, settings);
});
afterEach(async () => {
  expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
  expect(service.faults).toEqual([]);
});
afterAll(() => service.close());

const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);

type Wish = readonly [option: string, quantity: number];

function place(type: 'pickup' | 'delivery', ...wishes: readonly Wish[]): Promise<TestReply> {
  const body = {
    type,
    lineItems: wishes.map(([option, quantity]) => ({ productOptionId: shop.optionId(option), quantity })),
    customer: { firstName: 'Marisol', lastName: 'Okafor', email: 'marisol@customers.example.com' },
    idempotencyKey: randomUUID(),
    address: { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode: '94607' },
  };
  return service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
}

async function linesOf({ data, error }: TestReply): Promise<TestReply['data'][]> {
  expect(error).toBeUndefined();
  return (await service.call('GET', `/api/v1/orders/${data.id}/detail`, { keys: shop.keys })).data.lineItems;
}

/** What each line took: label (null: loose stock) and amount. */
async function taken(reply: TestReply): Promise<[string | null, number][][]> {
  return (await linesOf(reply)).map((line) =>
    line.fulfillAs.map(({ pkg, optionSum }: TestReply['data']) => [
      pkg === null ? null : pkg.label.replace(/0+$/, ''),
      -optionSum,
    ]),
  );
}

const outOfStock = (option: string, quantity: number, name: string) => ({
  status: 409,
  error: {
    code: 'OUT_OF_STOCK',
    meta: {
      lineItem: { productOptionId: shop.optionId(option), quantity, specifiedPackageId: null },
      product: { name },
    },
  },
});

test('a line takes the oldest package of the first location first, then the next', async () => {
  expect(await taken(await place('pickup', ['counted', 2]))).toEqual([[['STOREOLD', 2]]]);
  expect(await taken(await place('pickup', ['counted', 4]))).toEqual([
    [
      ['STOREOLD', 1],
      ['STORENEW', 2],
      ['VAN', 1],
    ],
  ]);
});

test('packages received at the same moment are taken by id', async () => {
  await sql(`update packages set received_at = '2026-03-01T00:00:00Z'`);
  const [first] = await sql(`select label from packages where label like 'STORE%' order by id`);
  const [[[took] = []] = []] = await taken(await place('pickup', ['counted', 1]));
  expect(label(took!)).toBe(first!.label);
});

test('loose stock is taken before packages, and has no package cost', async () => {
  await openStock(service.context, testOrigin, shop.organizationId, [
    {
      label: null,
      productId: shop.productId('Counted'),
      optionId: shop.optionId('counted'),
      locationId: shop.locationId('Storefront'),
      unit: 'Each',
      amount: '1',
      costPerUnit: '9',
      receivedAtMs: service.clock.now(),
      expirationDate: null,
      onHold: false,
      tradeSample: false,
    },
  ]);
  const order = await place('pickup', ['counted', 2]);
  expect(await taken(order)).toEqual([
    [
      [null, 1],
      ['STOREOLD', 1],
    ],
  ]);
  expect((await linesOf(order))[0].packageLineCost).toBe(11.5);
});

test('an order draws only from the locations of its type, in their order', async () => {
  expect(await taken(await place('delivery', ['counted', 5]))).toEqual([
    [
      ['VAN', 4],
      ['STOREOLD', 1],
    ],
  ]);
  // The annex has fifty more, for counter sales.
  expect(await place('delivery', ['counted', 5])).toMatchObject(outOfStock('counted', 5, 'Counted'));
});

test('a delivery zone with its own locations draws from those, on creation and at acceptance', async () => {
  await sql(
    `update delivery_zones set inventory_location_ids = '{${shop.locationId('Annex')}}' where name = 'Oakland'`,
  );
  expect(await taken(await place('delivery', ['counted', 2]))).toEqual([[['ANNEX', 2]]]);
  await sql(`update organizations set delivery_status_on_creation = 'draft'`);
  const draft = await place('delivery', ['counted', 40]);
  await stepOrder(service.context, testOrigin, shop.organizationId, draft.data.id, 'accept', { staff: null });
  expect(await taken(draft)).toEqual([[['ANNEX', 40]]]);
});

test('packages on hold, trade samples, expired and not received ones are never sold', async () => {
  expect(await place('pickup', ['counted', 10])).toMatchObject(outOfStock('counted', 10, 'Counted'));
  expect((await place('pickup', ['counted', 9])).status).toBe(201);
  // Each of them alone would be enough.
  expect(await place('pickup', ['counted', 1])).toMatchObject(outOfStock('counted', 1, 'Counted'));
  await sql(`update packages set on_hold = false, status = 'ready' where label = '${label('HELD')}'`);
  expect((await place('pickup', ['counted', 1])).status).toBe(409);
  await sql(`update packages set status = 'received' where label = '${label('HELD')}'`);
  expect(await taken(await place('pickup', ['counted', 1]))).toEqual([[['HELD', 1]]]);
});

test("a package is sold until the end of its last day in the organization's time zone", async () => {
  await sql(`update packages set expiration_date = '2026-03-10' where label = '${label('STOREOLD')}'`);
  const midnightMs = Date.parse('2026-03-11T07:00:00.000Z');
  const nowMs = service.clock.now();
  service.clock.set(midnightMs - 1);
  expect(await taken(await place('pickup', ['counted', 1]))).toEqual([[['STOREOLD', 1]]]);
  service.clock.set(midnightMs);
  expect(await taken(await place('pickup', ['counted', 1]))).toEqual([[['STORENEW', 1]]]);
  service.clock.set(nowMs);
});

test('stock kept per product gives amount times quantity, in exact decimals', async () => {
  expect(await taken(await place('pickup', ['eighth', 1], ['gram', 3], ['third', 3]))).toEqual([
    [['JARONE', 3.5]],
    [
      ['JARONE', 2],
      ['JARTWO', 1],
    ],
    [['JARTWO', 0.999]],
  ]);
  const [jar] = await sql(`select sum(on_hand) as left from stock_balances
    where product_id = ${shop.productId('Jar')}`);
  expect(Number(jar!.left)).toBe(3.501);
  expect(await place('pickup', ['gram', 4])).toMatchObject(outOfStock('gram', 4, 'Jar'));
  expect((await place('pickup', ['eighth', 1])).status).toBe(201);
  await expect(place('pickup', ['third', 1])).resolves.toMatchObject({ status: 409 });
});

test('the refused line is the first without stock left, with the demand of lines added up', async () => {
  expect(await place('pickup', ['gram', 5], ['counted', 9], ['eighth', 2])).toMatchObject(
    outOfStock('eighth', 2, 'Jar'),
  );
  expect(await place('pickup', ['counted', 9], ['eighth', 3], ['gram', 1])).toMatchObject(
    outOfStock('gram', 1, 'Jar'),
  );
  // Two lines of one option become one line.
  expect(await place('pickup', ['counted', 5], ['sibling', 1], ['counted', 5])).toMatchObject(
    outOfStock('counted', 10, 'Counted'),
  );
});

test('a draft takes no stock, but is refused when stock is short', async () => {
  await sql(`update organizations set pickup_status_on_creation = 'draft'`);
  expect(await taken(await place('pickup', ['counted', 9]))).toEqual([[]]);
  expect(await taken(await place('pickup', ['counted', 9]))).toEqual([[]]);
  expect(await place('pickup', ['counted', 10])).toMatchObject(outOfStock('counted', 10, 'Counted'));
});

test('an untracked product is never out of stock and takes no stock', async () => {
  expect(await taken(await place('pickup', ['untracked', 10_000]))).toEqual([[]]);
});

test('a line has the exact cost of its stock', async () => {
  const [counted, jar, untracked] = await linesOf(
    await place('pickup', ['counted', 4], ['gram', 6], ['untracked', 1]),
  );
  expect(counted).toMatchObject({
    packageLineCost: 3 * 11.5 + 12.25,
    optionMovingAverageCostPerUnit: 10,
    productMovingAverageCostPerUnit: null,
  });
  expect(jar).toMatchObject({
    packageLineCost: 5.5 * 4.123456 + 2.5,
    optionMovingAverageCostPerUnit: null,
    productMovingAverageCostPerUnit: 4.5,
  });
  expect(jar.fulfillAs[0]).toEqual({
    pkg: { unit: 'Each', label: label('JARONE'), costPerUnit: '4.123456' },
    optionSum: -5.5,
    productOptionId: shop.optionId('gram'),
    quantityFulfilled: '5.5',
  });
  expect(untracked).toMatchObject({ packageLineCost: null, optionMovingAverageCostPerUnit: null });
});
