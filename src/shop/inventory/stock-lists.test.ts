import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { stepOrder } from '../orders/orders.ts';

const service = await startTestService();
afterAll(async () => {
  expect(service.faults).toEqual([]);
  await service.close();
});

const label = (text: string): string => text.padEnd(24, '0');

interface Row {
  readonly id: string | number;
}

/** All pages of a list. */
async function pages(staff: TestStaff, path: string, query: Record<string, string | number> = {}) {
  const rows: Row[] = [];
  for (;;) {
    const reply: TestReply = await staff.call('GET', path, undefined, {
      query: { ...query, ...(rows.length > 0 && { startingAfter: rows.at(-1)!.id }) },
    });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.data.length).toBeLessThanOrEqual(50);
    if (reply.data.length === 0) return rows;
    rows.push(...reply.data);
  }
}

describe('the list of levels', () => {
  let shop: TestShop;
  let staff: TestStaff;
  const levels = async (query: Record<string, string | number> = {}) =>
    (await staff.call('GET', '/staff/v1/inventory', undefined, { query })).data;
  const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);

  beforeAll(async () => {
    shop = await createTestShop(service.context, {
      products: [
        {
          key: 'Östlicher Garten',
          options: [{ key: 'eighth', amount: '3.5', priceCents: 3500, name: 'Little 100% jar' }],
          stock: [
            { option: 'eighth', amount: '5', label: label('GOOD'), expirationDate: '2026-03-10' },
            { option: 'eighth', amount: '6', label: label('EXPIRED'), expirationDate: '2026-03-09' },
            { option: 'eighth', amount: '7', label: label('HELD'), onHold: true },
            { option: 'eighth', amount: '8', label: label('SAMPLE'), tradeSample: true },
            { option: 'eighth', amount: '9', location: 'Vault' },
          ],
        },
        {
          key: 'Counter Jar',
          unit: 'gram',
          inventoryType: 'product',
          options: [
            { key: 'gram', priceCents: 1200 },
            { key: 'pinch', amount: '0.5', priceCents: 700, name: 'A pinch' },
          ],
          stock: [{ amount: '12.50' }],
        },
      ],
    });
    await sql(`update product_options set upc = '850000000017' where id = ${shop.optionId('eighth')}`);
    await sql(`update product_options set upc = '0049000028' where id = ${shop.optionId('pinch')}`);
    staff = await service.staff(shop, 'budtender');
  });

  test('each level names its unit: stock of an option is kept by the item, also of flower', async () => {
    const unitsOf = async (search: string) => [
      ...new Set((await levels({ search })).map(({ unit }: { unit: string }) => unit)),
    ];
    expect(await unitsOf('garten')).toEqual(['item']);
    expect(await unitsOf('counter jar')).toEqual(['gram']);
  });

  test('shows stock on hand by location, and the sellable part', async () => {
    const shown = await levels({ locationId: shop.locationId('Storefront'), search: 'garten' });
    expect(shown[0]).toEqual({
      id: expect.stringMatching(/^\d+-\d+-\d+-\d+$/),
      productId: shop.productId('Östlicher Garten'),
      productName: 'Östlicher Garten',
      brandName: 'Fernweh Farms',
      productOptionId: shop.optionId('eighth'),
      optionName: 'Little 100% jar',
      unit: 'item',
      upc: '850000000017',
      inventoryLocationId: shop.locationId('Storefront'),
      locationName: 'Storefront',
      packageId: expect.any(Number),
      packageLabel: label('GOOD'),
      onHand: '5',
      sellable: '5',
      notSellable: null,
      expirationDate: '2026-03-10',
    });
    expect(shown.slice(1)).toMatchObject([
      { packageLabel: label('EXPIRED'), onHand: '6', sellable: '0', notSellable: 'expired' },
      { packageLabel: label('HELD'), onHand: '7', sellable: '0', notSellable: 'on-hold' },
      { packageLabel: label('SAMPLE'), onHand: '8', sellable: '0', notSellable: 'trade-sample' },
    ]);
    expect(await levels({ search: 'counter' })).toMatchObject([
      { productOptionId: null, optionName: null, packageId: null, onHand: '12.5', sellable: '12.5' },
    ]);
  });

  test('finds by product, option, brand, UPC and package, case-insensitive, and treats no character as a wildcard', async () => {
    const found = async (search: string) =>
      [...new Set((await levels({ search })).map((row: { productName: string }) => row.productName))].join();
    expect(await found('ÖSTLICHER g')).toBe('Östlicher Garten');
    expect(await found('LITTLE')).toBe('Östlicher Garten');
    expect(await found('0% J')).toBe('Östlicher Garten');
    expect(await found('85000')).toBe('Östlicher Garten');
    // Options find stock that is kept per product.
    expect(await found('a PINCH')).toBe('Counter Jar');
    expect(await found('0049000028')).toBe('Counter Jar');
    expect(await found('fernweh')).toBe('Östlicher Garten,Counter Jar');
    expect(await found(label('GOOD').toLowerCase())).toBe('Östlicher Garten');
    expect(await found('L%jar')).toBe('');
    expect(await found('_')).toBe('');
  });

  test('shows sold-out items, but no finished packages', async () => {
    const vault = { locationId: shop.locationId('Vault') };
    await service.staff(shop).then((owner) =>
      owner.call('POST', '/staff/v1/inventory-counts', {
        inventoryLocationId: shop.locationId('Vault'),
        lines: [
          {
            productId: shop.productId('Östlicher Garten'),
            productOptionId: shop.optionId('eighth'),
            counted: '0',
          },
        ],
      }),
    );
    expect(await levels(vault)).toMatchObject([{ onHand: '0', sellable: '0', notSellable: null }]);
    const good = `label = '${label('GOOD')}'`;
    await sql(`update packages set status = 'finished' where ${good}`);
    expect(await levels({ search: 'garten' })).toContainEqual(
      expect.objectContaining({ packageLabel: label('GOOD'), onHand: '5', notSellable: 'finished' }),
    );
    const [row] = await levels({ search: 'garten' });
    await service.staff(shop).then((owner) =>
      owner.call('POST', '/staff/v1/inventory-adjustments', {
        productId: row.productId,
        productOptionId: row.productOptionId,
        inventoryLocationId: row.inventoryLocationId,
        packageId: row.packageId,
        delta: '-5',
        reason: 'Done',
      }),
    );
    expect((await levels()).map((level: { packageLabel: string }) => level.packageLabel)).not.toContain(
      label('GOOD'),
    );
    // The cursor is still valid.
    expect((await levels({ startingAfter: row.id })).length).toBeGreaterThan(0);
  });

  test('is read in pages, with every level once', async () => {
    const keys = Array.from({ length: 60 }, (_, at) => `item ${at}`);
    const big = await createTestShop(service.context, {
      products: keys.map((key) => ({
        key: `product ${key}`,
        options: [{ key, priceCents: 1000 }],
        stock: [
          { option: key, amount: '1' },
          { option: key, amount: '1', location: 'Vault' },
        ],
      })),
    });
    const owner = await service.staff(big);
    const all = await pages(owner, '/staff/v1/inventory');
    expect(all).toHaveLength(120);
    expect(new Set(all.map(({ id }) => id)).size).toBe(120);
    expect(await pages(owner, '/staff/v1/inventory', { locationId: big.locationId('Vault') })).toHaveLength(
      60,
    );
    for (const startingAfter of ['x', '1-2-3', '1-2-3-4', (await levels())[0].id]) {
      const reply = await owner.call('GET', '/staff/v1/inventory', undefined, { query: { startingAfter } });
      // The last of them is at the shop's other location.
      expect(reply).toMatchObject({ status: 400, error: { code: 'INVALID_CURSOR' } });
    }
  });
});

describe('the ledger', () => {
  let shop: TestShop;
  let owner: TestStaff;
  let orderId: string;
  const ledger = async (query: Record<string, string | number> = {}) =>
    (await owner.call('GET', '/staff/v1/inventory-ledger', undefined, { query })).data;

  beforeAll(async () => {
    shop = await createTestShop(service.context);
    owner = await service.staff(shop);
    const order = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop) });
    orderId = order.data.id;
    service.clock.advance(1000);
    await stepOrder(
      service.context,
      { actor: `staff:${owner.staffId}`, requestId: null },
      shop.organizationId,
      orderId,
      'cancel',
      { staff: null },
    );
    service.clock.advance(1000);
    await owner.call('POST', '/staff/v1/inventory-transfers', {
      productId: shop.productId('Moonlit Grove'),
      productOptionId: shop.optionId('quarter'),
      fromInventoryLocationId: shop.locationId('Vault'),
      toInventoryLocationId: shop.locationId('Storefront'),
      amount: '2.5',
      reason: 'For the weekend',
    });
  });

  test('shows the change, its reason and its user, newest first', async () => {
    const [to, from, givenBack, taken, ...received] = await ledger();
    expect([to.delta, from.delta].sort()).toEqual(['-2.5', '2.5']);
    expect(to).toMatchObject({
      cause: 'moved',
      productName: 'Moonlit Grove',
      optionName: '7 grams',
      packageId: null,
      orderId: null,
      reason: 'For the weekend',
      stockOperationId: from.stockOperationId,
      actor: { kind: 'staff', id: owner.staffId, name: 'Robin Castellan' },
    });
    expect(givenBack).toMatchObject({
      cause: 'given-back',
      delta: '2',
      orderId,
      actor: { kind: 'staff', id: owner.staffId },
      stockOperationId: null,
      reason: null,
    });
    expect(taken).toMatchObject({
      cause: 'taken',
      delta: '-2',
      orderId,
      packageLabel: '1A4FF0000000000000000001',
      locationName: 'Storefront',
      actor: { kind: 'key', id: shop.clientKeyId, name: 'Test key' },
    });
    expect(received.at(-1)).toMatchObject({
      cause: 'received',
      orderId: null,
      actor: { kind: 'job', id: null, name: 'test' },
    });
  });

  test('is filtered by product, option, location and package, in any combination', async () => {
    const moonlit = { productId: shop.productId('Moonlit Grove') };
    const quarter = { productOptionId: shop.optionId('quarter') };
    const vault = { inventoryLocationId: shop.locationId('Vault') };
    const packageId = (await ledger(moonlit)).find(
      (row: { packageId: number | null }) => row.packageId,
    ).packageId;
    expect(await ledger(moonlit)).toHaveLength(7);
    expect(await ledger(quarter)).toHaveLength(3);
    expect(await ledger({ ...moonlit, ...quarter })).toHaveLength(3);
    expect(await ledger(vault)).toHaveLength(2);
    expect(await ledger({ ...quarter, ...vault })).toHaveLength(2);
    expect(await ledger({ packageId })).toHaveLength(3);
    expect(await ledger({ packageId, ...vault })).toHaveLength(0);
    expect(await ledger({ packageId: 0, ...moonlit })).toHaveLength(3);
    expect(await ledger({ packageId: 0 })).toHaveLength(4);
    expect(await ledger({ productId: shop.productId('Counter Jar'), ...quarter })).toEqual([]);
    expect(await ledger({ productId: 1_000_000_007 })).toEqual([]);

    const all = await ledger();
    const values = {
      productId: [moonlit.productId, shop.productId('Citrus Gummies')],
      productOptionId: [quarter.productOptionId, shop.optionId('gummies')],
      inventoryLocationId: [vault.inventoryLocationId],
      packageId: [0, packageId, 1_000_000_007],
    };
    let combinations: Record<string, number>[] = [{}];
    for (const [name, some] of Object.entries(values)) {
      const further = some.flatMap((value) => combinations.map((filter) => ({ ...filter, [name]: value })));
      combinations = [...combinations, ...further];
    }
    for (const filter of combinations) {
      const kept = all.filter((row: Record<string, number | null>) =>
        Object.entries(filter).every(([name, value]) => (row[name] ?? 0) === value),
      );
      expect(await ledger(filter), JSON.stringify(filter)).toEqual(kept);
    }
  });

  test('is read in pages, including entries with the same time', async () => {
    const item = { productId: shop.productId('Citrus Gummies'), productOptionId: shop.optionId('gummies') };
    for (let at = 0; at < 12; at++) {
      await owner.call('POST', '/staff/v1/inventory-counts', {
        inventoryLocationId: shop.locationId('Vault'),
        lines: ['quarter', 'eighth', 'sold out'].map((option) => ({
          productId: shop.productId('Moonlit Grove'),
          productOptionId: shop.optionId(option),
          counted: String(100 + at),
        })),
      });
      await owner.call('POST', '/staff/v1/inventory-adjustments', {
        ...item,
        inventoryLocationId: shop.locationId('Vault'),
        delta: '1',
        reason: 'Found',
      });
    }
    const path = '/staff/v1/inventory-ledger';
    for (const [query, length] of [
      [{}, 57],
      [{ productId: shop.productId('Moonlit Grove') }, 43],
      [item, 13],
    ] as const) {
      const all = await pages(owner, path, { ...query });
      expect([all.length, new Set(all.map(({ id }) => id)).size]).toEqual([length, length]);
    }
    const last = (await ledger({ productId: item.productId })).at(-1).id;
    expect(await ledger({ startingAfter: last, productId: item.productId })).toEqual([]);
    for (const startingAfter of ['x', 1_000_000_007]) {
      const reply = await owner.call('GET', path, undefined, { query: { startingAfter } });
      expect(reply).toMatchObject({ status: 400, error: { code: 'INVALID_CURSOR' } });
    }
  });
});
