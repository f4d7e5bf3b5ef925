import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';
import { stockOperations } from './stock-operations.test-support.ts';

const service = await startTestService();
const stranger = await createTestShop(service.context);
let shop: TestShop;
let staff: TestStaff;

beforeEach(async () => {
  shop = await createTestShop(service.context);
  staff = await service.staff(shop, 'inventory');
});
afterEach(async () => {
  expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
  expect(service.faults).toEqual([]);
});
afterAll(() => service.close());

const { sql, quarter, adjust, transfer, count, entries } = stockOperations(
  service,
  () => shop,
  () => staff,
);

async function onHand(option: string, location: string): Promise<number> {
  const [row] = await sql(`select coalesce(sum(on_hand), 0) as amount from stock_balances
    where product_option_id = ${shop.optionId(option)} and inventory_location_id = ${shop.locationId(location)}`);
  return Number(row!.amount);
}

async function packageId(label: string): Promise<number> {
  const [row] = await sql(`select id from packages where label = '${label}'`);
  return row!.id;
}

async function maxQuantity(option: string): Promise<number> {
  const menu = await service.call('GET', '/api/v1/menu', { keys: shop.keys, query: { type: 'pickup' } });
  const options = menu.data.flatMap((product: { options: object[] }) => product.options);
  return options.find((it: { id: number }) => it.id === shop.optionId(option)).maxQuantity;
}

const placeOne = (option: string): Promise<TestReply> =>
  service.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: pickupBody(shop, { lineItems: [{ productOptionId: shop.optionId(option), quantity: 1 }] }),
  });

describe('an adjustment', () => {
  test("adds or removes exact decimals, with a reason and the user's name", async () => {
    const taken = await adjust({ delta: '-2.25' });
    expect(taken).toMatchObject({
      status: 201,
      data: {
        ...quarter({ packageId: null }),
        inventoryLocationId: shop.locationId('Vault'),
        delta: '-2.25',
        onHand: '99997.75',
        reason: 'Broken jar',
        createdAt: '2026-03-10T18:00:00.000Z',
      },
    });
    expect(await adjust({ delta: '0.000001', reason: ' Found ' })).toMatchObject({
      data: { delta: '0.000001', onHand: '99997.750001', reason: 'Found' },
    });
    expect(await entries()).toEqual([
      {
        delta: '-2.25',
        cause: 'adjusted',
        cause_id: taken.data.id,
        inventory_location_id: shop.locationId('Vault'),
        package_id: 0,
        actor: `staff:${staff.staffId}`,
      },
      expect.objectContaining({ delta: '0.000001', cause: 'adjusted' }),
    ]);
    const audit = await sql(
      `select actor, details from audit_entries where action = 'stock.adjusted' order by id`,
    );
    expect(audit[0]).toMatchObject({
      actor: `staff:${staff.staffId}`,
      details: { delta: '-2.25', onHand: '99997.75', reason: 'Broken jar' },
    });
    const events = await sql(`select payload from outbox_events where type = 'stock.adjusted' order by id`);
    expect(events[0]!.payload).not.toHaveProperty('reason');
  });

  test('applies to stock kept per product, to one package among several, and to places without stock', async () => {
    const jar = { productId: shop.productId('Counter Jar'), productOptionId: null };
    const jarPackage = await packageId('1A4FF0000000000000000003');
    expect(
      await adjust({
        ...jar,
        packageId: jarPackage,
        inventoryLocationId: shop.locationId('Storefront'),
        delta: '-0.5',
      }),
    ).toMatchObject({ status: 201, data: { ...jar, packageId: jarPackage, onHand: '99999.5' } });
    expect(await adjust({ ...jar, packageId: 0, delta: '3' })).toMatchObject({
      data: { packageId: null, onHand: '3' },
    });
    const second = await packageId('1A4FF0000000000000000002');
    const eighth = {
      productOptionId: shop.optionId('eighth'),
      inventoryLocationId: shop.locationId('Storefront'),
    };
    expect(await adjust({ ...eighth, packageId: second, delta: '-100000' })).toMatchObject({
      data: { packageId: second, onHand: '0' },
    });
    expect(await onHand('eighth', 'Storefront')).toBe(100);
  });

  test('never removes more than the stock on hand, and reports that amount', async () => {
    expect(await adjust({ delta: '-100000.000001' })).toMatchObject({
      status: 409,
      error: {
        code: 'OUT_OF_STOCK',
        message: 'delta must not take more of Moonlit Grove than there is: 100000.',
        meta: {
          lineItem: {
            productOptionId: shop.optionId('quarter'),
            quantity: '100000.000001',
            specifiedPackageId: null,
          },
          product: { name: 'Moonlit Grove' },
        },
      },
    });
    expect(await adjust({ inventoryLocationId: shop.locationId('Storefront') })).toMatchObject({
      error: { code: 'OUT_OF_STOCK' },
    });
    expect(await entries()).toEqual([]);
  });

  test('is on the next menu, and removed stock is not sold', async () => {
    expect(await maxQuantity('quarter')).toBe(100_000);
    await adjust({ delta: '-100000' });
    expect(await maxQuantity('quarter')).toBe(0);
    expect(await placeOne('quarter')).toMatchObject({ status: 409, error: { code: 'OUT_OF_STOCK' } });
    await adjust({ delta: '3' });
    expect(await maxQuantity('quarter')).toBe(3);
    expect((await placeOne('quarter')).status).toBe(201);
  });

  test.each([
    ['delta', '0', /^delta must not be 0/],
    ['delta', '-0.00', /^delta must not be 0/],
    ['delta', -1, /^delta must be a number as text/],
    ['delta', '1e3', /^delta must be a number as text/],
    ['delta', '0.0000001', /^delta must be a number as text/],
    ['delta', '1000000000000', /^delta must be a number as text/],
    ['delta', '999999999999', /^delta must keep the stock of one place below 1000000000000/],
    ['reason', '  ', /^reason must be text of 1 to 500/],
    ['reason', 'x'.repeat(501), /^reason must be text of 1 to 500/],
    ['productId', '17', /^productId must be a whole number/],
    ['packageId', -1, /^packageId must be a whole number/],
  ])('with %s %j is refused, naming the field', async (field, value, message) => {
    const reply = await adjust({ [field]: value });
    expect(reply).toMatchObject({ status: 400, error: { code: 'INVALID_PARAMS' } });
    expect(reply.error!.message).toMatch(message);
    expect(await entries()).toEqual([]);
  });

  test('lists what is absent', async () => {
    expect(await staff.call('POST', '/staff/v1/inventory-adjustments', { productId: 1 })).toMatchObject({
      status: 400,
      error: { code: 'MISSING_PARAMS', meta: { missing: ['inventoryLocationId', 'delta', 'reason'] } },
    });
  });
});

describe('the item of an operation', () => {
  const unknown = 1_000_000_007;
  const ids = () =>
    [
      ['PRODUCT_NOT_FOUND', 'productId', stranger.productId('Moonlit Grove')],
      ['PRODUCT_OPTION_NOT_FOUND', 'productOptionId', stranger.optionId('quarter')],
      ['INVENTORY_LOCATION_NOT_FOUND', 'inventoryLocationId', stranger.locationId('Vault')],
    ] as const;

  test('must exist in the same organization', async () => {
    for (const [code, field, id] of ids()) {
      const missing = await adjust({ [field]: unknown });
      expect(missing).toMatchObject({ status: 404, error: { code, message: expect.stringMatching(field) } });
      expect((await adjust({ [field]: id })).text).toBe(missing.text);
    }
    const [foreign] = await tenantSql(
      service.context.database,
      stranger.organizationId,
      'select id from packages order by id limit 1',
    );
    const missing = await adjust({ packageId: unknown });
    expect(missing).toMatchObject({ status: 404, error: { code: 'PACKAGE_NOT_FOUND' } });
    expect((await adjust({ packageId: foreign!.id })).text).toBe(missing.text);
  });

  test('must not be deleted', async () => {
    await sql(`update product_options set deleted_at = created_at where id = ${shop.optionId('quarter')}`);
    expect(await adjust()).toMatchObject({ error: { code: 'PRODUCT_OPTION_NOT_FOUND' } });
    await sql(`update products set deleted_at = created_at where id = ${shop.productId('Moonlit Grove')}`);
    expect(await adjust()).toMatchObject({ error: { code: 'PRODUCT_NOT_FOUND' } });
  });

  test('must belong together', async () => {
    const otherOption = { productOptionId: shop.optionId('gummies') };
    expect(await adjust(otherOption)).toMatchObject({
      status: 422,
      error: { code: 'INVALID_CHILD_RESOURCE' },
    });
    // A package of the eighth, and one of another product.
    for (const label of ['1A4FF0000000000000000001', '1A4FF0000000000000000003']) {
      const reply = await adjust({ packageId: await packageId(label) });
      expect(reply).toMatchObject({ status: 422, error: { code: 'INVALID_CHILD_RESOURCE' } });
      expect(reply.error!.message).toMatch(/^packageId must be a package of that product and option/);
    }
  });

  test("must fit the product's stock tracking (D47)", async () => {
    const wrong = [
      [{ productOptionId: undefined }, /^productOptionId must be sent/],
      [{ productOptionId: null }, /^productOptionId must be sent/],
      [
        { productId: shop.productId('Counter Jar'), productOptionId: shop.optionId('gram') },
        /^productOptionId must be left out/,
      ],
      [
        { productId: shop.productId('Rolling Tray'), productOptionId: null },
        /^productId must be of a product with tracked stock/,
      ],
      [
        { productId: shop.productId('Rolling Tray'), productOptionId: shop.optionId('tray') },
        /^productId must be of a product with tracked stock/,
      ],
    ] as const;
    for (const [changes, message] of wrong) {
      const reply = await adjust(changes);
      expect(reply).toMatchObject({ status: 422, error: { code: 'INVALID_INVENTORY_TYPE' } });
      expect(reply.error!.message).toMatch(message);
    }
  });

  test('is refused as missing before it is refused as mismatched, over all lines of a count (D13)', async () => {
    const lines = [{ ...quarter({ productOptionId: shop.optionId('gummies') }), counted: '1' }];
    expect(await count(lines)).toMatchObject({ error: { code: 'INVALID_CHILD_RESOURCE' } });
    const reply = await count([...lines, { ...quarter({ packageId: unknown }), counted: '1' }]);
    expect(reply.error).toMatchObject({
      code: 'PACKAGE_NOT_FOUND',
      message: expect.stringMatching(/^lines\[1\]\.packageId /),
    });
  });
});

describe('a transfer', () => {
  test('removes from one location what it adds to the other, with one cause', async () => {
    const reply = await transfer({ reason: 'For the weekend' });
    expect(reply).toMatchObject({
      status: 201,
      data: { amount: '12', fromOnHand: '99988', toOnHand: '12', reason: 'For the weekend', packageId: null },
    });
    expect(await entries()).toMatchObject([
      {
        delta: '-12',
        cause: 'moved',
        cause_id: reply.data.id,
        inventory_location_id: shop.locationId('Vault'),
      },
      {
        delta: '12',
        cause: 'moved',
        cause_id: reply.data.id,
        inventory_location_id: shop.locationId('Storefront'),
      },
    ]);
    expect(await onHand('quarter', 'Storefront')).toBe(12);
  });

  test('keeps a package as one package at two locations', async () => {
    const label = '1A4FF0000000000000000001';
    const reply = await transfer({
      productOptionId: shop.optionId('eighth'),
      packageId: await packageId(label),
      fromInventoryLocationId: shop.locationId('Storefront'),
      toInventoryLocationId: shop.locationId('Vault'),
      amount: '40',
    });
    expect(reply.data).toMatchObject({ fromOnHand: '60', toOnHand: '40' });
    const rows = await sql(`select inventory_location_id, on_hand from stock_balances b
      join packages k on k.id = b.package_id where k.label = '${label}' order by inventory_location_id`);
    expect(rows.map((row) => row.on_hand)).toEqual(['60', '40']);
  });

  test('never moves more than the stock on hand, and then changes nothing', async () => {
    expect(await transfer({ amount: '100001' })).toMatchObject({
      status: 409,
      error: {
        code: 'OUT_OF_STOCK',
        message: 'amount must not take more of Moonlit Grove than there is: 100000.',
      },
    });
    expect(await onHand('quarter', 'Storefront')).toBe(0);
  });

  test('needs two existing locations and an amount above zero', async () => {
    expect((await transfer({ toInventoryLocationId: shop.locationId('Vault') })).error).toEqual({
      code: 'INVALID_PARAMS',
      message: 'toInventoryLocationId must be another location than fromInventoryLocationId.',
    });
    for (const amount of ['0', '-1', '0.00', 3]) {
      expect((await transfer({ amount })).error).toMatchObject({
        code: 'INVALID_PARAMS',
        message: expect.stringMatching(/^amount must be a number above 0/),
      });
    }
    for (const field of ['fromInventoryLocationId', 'toInventoryLocationId']) {
      const reply = await transfer({ [field]: stranger.locationId('Vault') });
      expect(reply.error).toMatchObject({
        code: 'INVENTORY_LOCATION_NOT_FOUND',
        message: expect.stringMatching(field),
      });
    }
  });
});

describe('a count', () => {
  test('sets the counted amounts, writes the differences, and changes nothing else', async () => {
    const jar = { productId: shop.productId('Counter Jar') };
    const reply = await count(
      [
        { ...quarter(), counted: '99990' },
        { ...jar, counted: '2.50' },
        { ...quarter({ productOptionId: shop.optionId('sold out') }), counted: '0' },
      ],
      { reason: 'Monthly count' },
    );
    expect(reply).toMatchObject({
      status: 201,
      data: {
        inventoryLocationId: shop.locationId('Vault'),
        reason: 'Monthly count',
        lines: [
          { counted: '99990', expected: '100000', difference: '-10' },
          { ...jar, productOptionId: null, counted: '2.5', expected: '0', difference: '2.5' },
          { counted: '0', expected: '0', difference: '0' },
        ],
      },
    });
    expect(await entries()).toMatchObject([
      { delta: '-10', cause: 'counted', cause_id: reply.data.id },
      { delta: '2.5', cause: 'counted', cause_id: reply.data.id },
    ]);
    expect(await onHand('quarter', 'Vault')).toBe(99_990);
    expect(await onHand('eighth', 'Storefront')).toBe(100_100);
    expect(await maxQuantity('quarter')).toBe(99_990);
  });

  test('that equals the ledger writes no entry, but is audited', async () => {
    await count([{ ...quarter(), counted: '100000.000' }]);
    expect(await entries()).toEqual([]);
    const [audit] = await sql(`select details from audit_entries where action = 'stock.counted'`);
    expect(audit!.details.lines).toEqual([
      { ...quarter({ packageId: null }), counted: '100000', expected: '100000', difference: '0' },
    ]);
  });

  test('of many lines applies all of them or none', async () => {
    const lines = [
      { ...quarter(), counted: '5' },
      { ...quarter({ productId: shop.productId('Rolling Tray'), productOptionId: null }), counted: '5' },
    ];
    expect((await count(lines)).error).toMatchObject({
      code: 'INVALID_INVENTORY_TYPE',
      message: expect.stringMatching(/^lines\[1\]\.productId /),
    });
    expect(await onHand('quarter', 'Vault')).toBe(100_000);
  });

  test('names each stock once, and at least one', async () => {
    const line = { ...quarter(), counted: '5' };
    expect((await count([line, { ...line, packageId: 0 }])).error).toEqual({
      code: 'INVALID_PARAMS',
      message: 'lines[1] must not count the same stock as lines[0].',
    });
    expect((await count([])).error).toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringMatching(/^lines /),
    });
    expect((await count([{ ...quarter() }])).error).toMatchObject({
      code: 'MISSING_PARAMS',
      meta: { missing: ['lines[0].counted'] },
    });
    expect((await count([{ ...line, counted: '-1' }])).error).toMatchObject({ code: 'INVALID_PARAMS' });
  });
});

describe('a retry', () => {
  test('with the same key gets the first response, whatever it contains and whatever happened since', async () => {
    const idempotencyKey = randomUUID();
    const requests = [
      (changes: object) => adjust({ idempotencyKey, ...changes }),
      (changes: object) => transfer({ idempotencyKey, ...changes }),
      (changes: object) => count([{ ...quarter(), counted: '70' }], { idempotencyKey, ...changes }),
    ];
    // The same key is independent for each kind of operation.
    for (const request of requests) {
      const first = await request({ reason: 'First' });
      expect(first).toMatchObject({ status: 201 });
      expect(first.headers['idempotent-replayed']).toBeUndefined();
      const before = await entries();
      await adjust({ delta: '1' });
      const again = await request({ reason: 'Second' });
      expect([again.status, again.text]).toEqual([201, first.text]);
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(await entries()).toHaveLength(before.length + 1);
    }
  });

  test('concurrent with the first takes effect once', async () => {
    const idempotencyKey = randomUUID();
    const replies = await Promise.all(Array.from({ length: 20 }, () => adjust({ idempotencyKey })));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(await entries()).toHaveLength(1);
  });

  test('after a refused request can use its key again', async () => {
    const idempotencyKey = randomUUID();
    expect((await adjust({ idempotencyKey, delta: '-200000' })).status).toBe(409);
    expect((await adjust({ idempotencyKey, delta: '-2' })).data.onHand).toBe('99998');
  });

  test("needs a UUID v4, and is independent of other organizations' keys", async () => {
    expect((await adjust({ idempotencyKey: 'again' })).error).toMatchObject({
      code: 'INVALID_IDEMPOTENCY_KEY',
      message: expect.stringMatching(/^idempotencyKey must be a UUID v4/),
    });
    const idempotencyKey = randomUUID();
    await adjust({ idempotencyKey });
    const theirs = await (await service.staff(stranger)).call('POST', '/staff/v1/inventory-adjustments', {
      productId: stranger.productId('Citrus Gummies'),
      productOptionId: stranger.optionId('gummies'),
      inventoryLocationId: stranger.locationId('Storefront'),
      delta: '-1',
      reason: 'Theirs',
      idempotencyKey,
    });
    expect(theirs).toMatchObject({ status: 201, data: { reason: 'Theirs' } });
  });
});
