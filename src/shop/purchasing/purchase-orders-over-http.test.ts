import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';

const service = await startTestService();
let shop: TestShop;

beforeEach(async () => {
  shop = await createTestShop(service.context);
});
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const path = '/api/v1/purchase-orders';
const call = (method: string, to: string, body?: object, query = {}) =>
  service.call(method, to, { keys: shop.keys, query, ...(body && { body }) });
const eighths = (changes: object = {}) => ({
  productId: shop.productId('Moonlit Grove'),
  productOptionId: shop.optionId('eighth'),
  amount: '48',
  costPerUnit: '11.25',
  ...changes,
});
const jar = (changes: object = {}) => ({
  productId: shop.productId('Counter Jar'),
  amount: '100.5',
  costPerUnit: '3.333333',
  ...changes,
});
const order = (changes: object = {}) => ({
  lineItems: [eighths()],
  expectedAt: '2026-03-14',
  inventoryVendor: { name: 'Tidewater Distribution', email: 'orders@tidewater.example.com' },
  ...changes,
});
const create = (changes: object = {}) => call('POST', path, order(changes));
const change = (id: number, body: object) => call('PUT', `${path}/${id}`, body);
const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);

describe('a new purchase order', () => {
  test('is open, with exact totals, its vendor, products and options', async () => {
    const { status, data } = await create({
      lineItems: [eighths(), jar()],
      notes: 'Back door',
      paymentTerms: 'net30',
      externalInvoiceNumber: 'TW-1',
    });
    expect(status).toBe(201);
    expect(data).toMatchObject({
      status: 'open',
      organizationId: shop.organizationId,
      expectedAt: '2026-03-14',
      subtotal: 54_000 + 33_500,
      finalTotal: 54_000 + 33_500,
      shippingHandlingFee: 0,
      totalAmount: '148.5',
      totalAmountReceived: '0',
      paymentTerms: 'net30',
      paymentTermsDueDate: '2026-04-13',
      paymentStatus: 'unpaid',
      amountPaid: 0,
      amountOutstanding: 87_500,
      notes: 'Back door',
      externalInvoiceNumber: 'TW-1',
      inventoryVendor: { name: 'Tidewater Distribution', email: 'orders@tidewater.example.com', phone: null },
      createdAt: '2026-03-10T18:00:00.000Z',
    });
    expect(data.vendor).toEqual(data.inventoryVendor);
    expect(data.inventoryVendorId).toBe(data.vendor.id);
    expect(data.lineItems).toMatchObject([
      {
        amount: '48',
        costPerUnit: '11.25',
        subtotal: 54_000,
        finalTotal: 54_000,
        caExcisePerUnit: '0',
        product: { name: 'Moonlit Grove', inventoryType: 'option', deletedAt: null, unit: 'gram' },
        productOption: { id: shop.optionId('eighth'), name: '3.5 grams', price: 3500 },
        receptions: [],
      },
      // 334.9999665 dollars.
      {
        amount: '100.5',
        costPerUnit: '3.333333',
        subtotal: 33_500,
        productOptionId: null,
        productOption: null,
      },
    ]);
  });

  test.each([
    ['0.5', '0.01', 1],
    ['0.49', '0.01', 0],
    ['3', '0.335', 101],
    ['1', '0', 0],
  ])('costs %s × %s dollars, rounded half-up: %s cents', async (amount, costPerUnit, cents) => {
    const { data } = await create({ lineItems: [eighths({ amount, costPerUnit })] });
    expect(data.lineItems[0].subtotal).toBe(cents);
  });

  test.each([
    ['net15', '2026-03-29'],
    ['net30', '2026-04-13'],
    ['net60', '2026-05-13'],
    ['cod', null],
    [null, null],
  ])('is due by its terms: %s, %s', async (paymentTerms, due) => {
    expect((await create({ paymentTerms })).data.paymentTermsDueDate).toBe(due);
  });

  test.each(['net15', 'net30', 'net60', 'cod', 'custom', null])(
    'is due on the requested day, whatever the terms: %s',
    async (paymentTerms) => {
      const { status, data } = await create({ paymentTerms, paymentTermsDueDate: '2026-06-01' });
      expect([status, data.paymentTerms, data.paymentTermsDueDate]).toEqual([
        201,
        paymentTerms,
        '2026-06-01',
      ]);
    },
  );

  test('needs a date with custom terms', async () => {
    for (const sent of [{}, { paymentTermsDueDate: null }]) {
      expect((await create({ paymentTerms: 'custom', ...sent })).error?.code).toBe(
        'PURCHASE_ORDER_MISSING_CUSTOM_DATE',
      );
    }
  });

  test('goes to the vendor with that name, whatever its case, or to a new one', async () => {
    const first = (await create()).data.inventoryVendor;
    const again = await create({
      inventoryVendor: { name: ' tidewater DISTRIBUTION ', email: 'other@x.example' },
    });
    expect(again.data.inventoryVendor).toEqual(first);
    const [written, typed] = ['K\u00fcste ', 'Ku\u0308ste'].map((name) => ({ inventoryVendor: { name } }));
    const coast = (await create(written)).data.inventoryVendor;
    expect([coast.name, (await create(typed)).data.inventoryVendor]).toEqual(['K\u00fcste', coast]);
    const byId = { inventoryVendor: undefined, inventoryVendorId: first.id };
    expect((await create(byId)).data.inventoryVendor).toEqual(first);
    expect((await create({ inventoryVendor: { name: 'Another' } })).data.inventoryVendorId).not.toBe(
      first.id,
    );
  });

  test('creates a vendor once, for any number of concurrent orders with its name', async () => {
    const replies = await Promise.all(Array.from({ length: 12 }, () => create()));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(replies.map(({ data }) => data.inventoryVendorId)).size).toBe(1);
    const [{ count }] = (await sql('select count(*)::int as count from inventory_vendors')) as [
      { count: number },
    ];
    expect(count).toBe(1);
  });

  test('accepts stock kept per option or per product, and goods without stock tracking', async () => {
    const before = await sql('select * from stock_balances order by package_id');
    const tray = { productId: shop.productId('Rolling Tray'), amount: '5', costPerUnit: '2' };
    expect((await create({ lineItems: [eighths(), jar(), tray] })).status).toBe(201);
    expect(await sql('select * from stock_balances order by package_id')).toEqual(before);
  });

  test('is refused if invalid, and writes nothing', async () => {
    const stranger = await createTestShop(service.context);
    const cases: [object, string, string][] = [
      [{ inventoryVendor: undefined }, 'MISSING_PARAMS', 'inventoryVendorId'],
      [{ inventoryVendorId: 5 }, 'INVALID_PARAMS', 'inventoryVendor'],
      [
        { inventoryVendor: undefined, inventoryVendorId: 5 },
        'INVENTORY_VENDOR_NOT_FOUND',
        'inventoryVendorId',
      ],
      [{ inventoryVendor: { name: '  ' } }, 'INVALID_PARAMS', 'inventoryVendor.name'],
      [{ lineItems: [] }, 'INVALID_PARAMS', 'lineItems'],
      [{ lineItems: [eighths({ amount: '0' })] }, 'INVALID_PARAMS', 'lineItems[0].amount'],
      [{ lineItems: [eighths({ amount: 48 })] }, 'INVALID_PARAMS', 'lineItems[0].amount'],
      [{ lineItems: [eighths({ costPerUnit: '1e3' })] }, 'INVALID_PARAMS', 'lineItems[0].costPerUnit'],
      [
        { lineItems: [eighths({ amount: '999999999', costPerUnit: '9' })] },
        'INVALID_PARAMS',
        'lineItems[0].amount',
      ],
      [{ lineItems: [jar({ productId: 5 })] }, 'PRODUCT_NOT_FOUND', 'lineItems[0].productId'],
      [
        { lineItems: [jar({ productId: stranger.productId('Counter Jar') })] },
        'PRODUCT_NOT_FOUND',
        'productId',
      ],
      [
        { lineItems: [eighths({ productOptionId: 5 })] },
        'PRODUCT_OPTION_NOT_FOUND',
        'lineItems[0].productOptionId',
      ],
      [
        { lineItems: [eighths(), eighths({ productOptionId: shop.optionId('gummies') })] },
        'INVALID_CHILD_RESOURCE',
        'lineItems[1]',
      ],
      [
        { lineItems: [eighths({ productOptionId: undefined })] },
        'INVALID_INVENTORY_TYPE',
        'lineItems[0].productOptionId must be sent',
      ],
      [
        { lineItems: [jar({ productOptionId: shop.optionId('gram') })] },
        'INVALID_INVENTORY_TYPE',
        'lineItems[0].productOptionId must be left out',
      ],
      [{ expectedAt: '2026-02-30' }, 'INVALID_PARAMS', 'expectedAt'],
    ];
    for (const [changes, code, message] of cases) {
      const { error } = await create(changes);
      expect([error?.code, error?.message]).toEqual([code, expect.stringContaining(message)]);
    }
    expect(await sql('select id from purchase_orders union all select id from inventory_vendors')).toEqual(
      [],
    );
  });
});

describe('an update', () => {
  test('changes the given fields only; null clears', async () => {
    const { data: before } = await create({ notes: 'Back door', paymentTerms: 'net15' });
    service.clock.advance(1000);
    const { status, data } = await change(before.id, { notes: null, expectedAt: '2026-03-20' });
    expect(status).toBe(201);
    expect(data).toEqual({
      ...before,
      notes: null,
      expectedAt: '2026-03-20',
      paymentTermsDueDate: '2026-04-04',
      updatedAt: expect.any(String),
    });
    expect(data.updatedAt > before.updatedAt).toBe(true);
    expect((await change(before.id, { notes: null })).data).toEqual(data);
    const vendor = (await change(before.id, { inventoryVendor: { name: 'Another' } })).data.inventoryVendor;
    expect(vendor.name).toBe('Another');
  });

  test.each([
    [{ paymentTerms: 'net15' }, { expectedAt: '2026-03-20' }, '2026-04-04'],
    [{ paymentTerms: 'net15' }, { paymentTerms: 'net30' }, '2026-04-13'],
    [{ paymentTerms: 'net15' }, { paymentTerms: 'cod' }, null],
    [{ paymentTerms: 'net15' }, { paymentTerms: 'net15', paymentTermsDueDate: '2026-07-01' }, '2026-07-01'],
    [{ paymentTerms: 'net15', paymentTermsDueDate: '2026-06-01' }, { notes: 'x' }, '2026-06-01'],
    [
      { paymentTerms: 'net15', paymentTermsDueDate: '2026-06-01' },
      { expectedAt: '2026-03-20' },
      '2026-06-01',
    ],
    [{ paymentTerms: 'net15', paymentTermsDueDate: '2026-06-01' }, { paymentTerms: 'net15' }, '2026-06-01'],
    [{ paymentTerms: 'net15', paymentTermsDueDate: '2026-06-01' }, { paymentTerms: 'net30' }, '2026-04-13'],
    [
      { paymentTerms: 'net15', paymentTermsDueDate: '2026-06-01' },
      { paymentTermsDueDate: null },
      '2026-03-29',
    ],
    [{ paymentTermsDueDate: '2026-06-01' }, { expectedAt: '2026-03-20' }, '2026-06-01'],
    [
      { paymentTerms: 'custom', paymentTermsDueDate: '2026-06-01' },
      { expectedAt: '2026-03-20' },
      '2026-06-01',
    ],
    [{ paymentTerms: 'custom', paymentTermsDueDate: '2026-06-01' }, { paymentTerms: 'net15' }, '2026-03-29'],
  ])('keeps a requested date, and recomputes one from the terms: %j, then %j', async (first, then, due) => {
    const { id } = (await create(first)).data;
    expect((await change(id, then)).data.paymentTermsDueDate).toBe(due);
  });

  test('takes the lines as the full new set', async () => {
    const { data: before } = await create({ lineItems: [eighths(), jar()] });
    const [first, second] = before.lineItems;
    const { data } = await change(before.id, {
      lineItems: [eighths({ amount: '1' }), { id: second.id, amount: '2', costPerUnit: '1' }],
    });
    expect(data.lineItems).toMatchObject([
      { amount: '1', costPerUnit: '11.25', subtotal: 1125 },
      { id: second.id, productId: second.productId, amount: '2', subtotal: 200 },
    ]);
    expect(data.lineItems.map(({ id }: { id: number }) => id)).not.toContain(first.id);
    expect(data).toMatchObject({ subtotal: 1325, totalAmount: '3' });
    const turned = await change(before.id, {
      lineItems: [...data.lineItems].reverse().map(({ id }) => ({ id })),
    });
    expect(turned.data.lineItems.map(({ id }: { id: number }) => id)).toEqual(
      data.lineItems.map(({ id }: { id: number }) => id).reverse(),
    );
  });

  test('is refused if invalid, and changes nothing', async () => {
    const { data: before } = await create({ paymentTerms: 'custom', paymentTermsDueDate: '2026-06-01' });
    const other = (await create()).data.lineItems[0].id;
    const [{ id }] = before.lineItems;
    const cases: [object, string, string][] = [
      [
        { lineItems: [{ amount: '1' }] },
        'MISSING_PARAMS',
        'lineItems[0].productId, lineItems[0].costPerUnit',
      ],
      [{ lineItems: [{ id }, { id }] }, 'INVALID_PARAMS', 'lineItems[1].id'],
      [{ lineItems: [{ id: other }] }, 'INVALID_CHILD_RESOURCE', 'lineItems[0].id'],
      [{ lineItems: [{ id: 5 }] }, 'INVALID_CHILD_RESOURCE', 'lineItems[0].id'],
      [{ lineItems: [{ id: 5 }, jar({ productId: 5 })] }, 'PRODUCT_NOT_FOUND', 'lineItems[1].productId'],
      [
        { lineItems: [{ id, productOptionId: null }] },
        'INVALID_INVENTORY_TYPE',
        'lineItems[0].productOptionId',
      ],
      [
        { lineItems: [{ id, productId: shop.productId('Citrus Gummies') }] },
        'INVALID_INVENTORY_TYPE',
        'lineItems[0]',
      ],
      [{ paymentTermsDueDate: null }, 'PURCHASE_ORDER_MISSING_CUSTOM_DATE', 'paymentTermsDueDate'],
      [{ inventoryVendorId: 5 }, 'INVENTORY_VENDOR_NOT_FOUND', 'inventoryVendorId'],
    ];
    for (const [body, code, message] of cases) {
      const { error } = await change(before.id, body);
      expect([error?.code, error?.message]).toEqual([code, expect.stringContaining(message)]);
    }
    const [, shown] = (await call('GET', path)).data;
    expect(shown ?? before).toEqual(before);
    expect((await change(5, { notes: 'x' })).error?.code).toBe('PURCHASE_ORDER_NOT_FOUND');
  });
});

test('orders are listed newest first, 50 a page, none skipped or repeated among those with the same time', async () => {
  const ids: number[] = [];
  for (let count = 0; count < 52; count++) {
    ids.unshift((await create()).data.id);
    if (count === 30) service.clock.advance(1000);
  }
  const first = await call('GET', path);
  expect(first.data).toHaveLength(50);
  const rest = await call('GET', path, undefined, { startingAfter: first.data[49].id });
  expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(ids);
  expect((await call('GET', path, undefined, { startingAfter: ids[51] })).data).toEqual([]);
  expect((await call('GET', path, undefined, { startingAfter: 5 })).error?.code).toBe('INVALID_CURSOR');
});
