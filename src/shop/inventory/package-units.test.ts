import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';

const service = await startTestService();
let shop: TestShop;
let staff: TestStaff;
let serial = 0;

beforeEach(async () => {
  shop = await createTestShop(service.context);
  staff = await service.staff(shop, 'inventory');
});
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const label = () => `1A4FE${String(++serial).padStart(19, '0')}`;
const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);
const create = (changes: object) =>
  staff.call('POST', '/staff/v1/packages', { label: label(), unit: 'Each', initialAmount: '48', ...changes });
const receive = (id: number, changes: object) =>
  staff.call('POST', `/staff/v1/packages/${id}/receive`, {
    productId: shop.productId('Counter Jar'),
    inventoryLocationId: shop.locationId('Vault'),
    costPerUnit: '2.5',
    ...changes,
  });
/** An option is kept by the piece. */
const byPiece = () => ({
  productId: shop.productId('Moonlit Grove'),
  productOptionId: shop.optionId('sold out'),
});
const made = async (unit: string, initialAmount: string) =>
  (await create({ unit, initialAmount })).data as { id: number };
const inStock = (data: { locationInventory: { amount: string }[] }) => data.locationInventory[0]?.amount;

const list =
  'Each, Grams, Kilograms, Milligrams, Ounces, Pounds, Fluid Ounces, Gallons, Liters, Milliliters, Pints';

describe('the unit of a package', () => {
  test.each([
    ['Pound', 'Pounds'],
    ['LBS', 'Pounds'],
    [' lb. ', 'Pounds'],
    ['oz', 'Ounces'],
    ['Ounce', 'Ounces'],
    ['Fl. Oz', 'Fluid Ounces'],
    ['fluid_ounces', 'Fluid Ounces'],
    ['g', 'Grams'],
    ['Gram', 'Grams'],
    ['KG', 'Kilograms'],
    ['mg', 'Milligrams'],
    ['ml', 'Milliliters'],
    ['litre', 'Liters'],
    ['gal', 'Gallons'],
    ['pt', 'Pints'],
    ['ea', 'Each'],
    ['each', 'Each'],
  ])('%s is %s, in a package and in a transfer', async (sent, unit) => {
    expect((await create({ unit: sent })).data).toMatchObject({ unit, initialAmount: '48' });
    const manifest = { manifestNumber: '1', shipperName: 'Tidewater', shipperLicenseNumber: 'C11' };
    const rows = [{ ...manifest, label: label(), initialAmount: '48', unit: sent }];
    const { data } = await staff.call('POST', '/staff/v1/compliance-transfers', { rows });
    expect(data.transfers[0].packages[0]).toMatchObject({ unit, initialAmount: '48' });
  });

  test.each(['Furlongs', 'Jar', 'mgg', '#', 'pounds of flower', 'constructor'])(
    '%s is refused with the list, and nothing is written',
    async (unit) => {
      const before = await sql('select id from packages');
      const refused = await create({ unit });
      expect([refused.status, refused.error?.message]).toEqual([400, `unit must be one of ${list}.`]);
      const row = { manifestNumber: '1', shipperName: 'T', shipperLicenseNumber: 'C', initialAmount: '1' };
      const rows = [{ ...row, label: label(), unit }];
      const bad = await staff.call('POST', '/staff/v1/compliance-transfers', { rows });
      expect(bad.error?.meta).toEqual({
        rows: [{ row: 1, field: 'unit', message: `unit must be one of ${list}` }],
      });
      const csv = `manifestNumber,shipperName,shipperLicenseNumber,label,initialAmount,unit\n1,T,C,${label()},1,${unit}`;
      expect((await staff.call('POST', '/staff/v1/compliance-transfers', { csv })).error?.code).toBe(
        'INVALID_TRANSFER_ROWS',
      );
      expect(await sql('select id from packages')).toEqual(before);
    },
  );
});

describe('receiving', () => {
  test.each([
    ['Pound', '1', '453.59237', '453.59237'],
    ['Ounces', '16', '453.59237', '28.349523125'],
    ['Ounces', '1', '28.349523', '28.349523125'],
    ['Kilograms', '0.5', '500', '1000'],
    ['mg', '2500', '2.5', '0.001'],
    ['Grams', '3.5', '3.5', '1'],
  ])('%s × %s of a product by gram makes %s grams', async (unit, amount, stock, multiplier) => {
    const { id } = await made(unit, amount);
    const { status, data } = await receive(id, { amount });
    expect([status, inStock(data), data.multiplier, data.initialAmount]).toEqual([
      ...[200, stock, multiplier],
      amount,
    ]);
    const [entry] = await sql(`select delta::text from stock_ledger_entries where package_id = ${id}`);
    expect(entry!.delta).toBe(stock);
    // What is told, in the audit.
    const [told] = await sql(
      `select details from audit_entries where action = 'package.received' and subject_id = '${id}'`,
    );
    expect(told!.details).toMatchObject({ amount: stock, packageAmount: amount, multiplier });
  });

  test('refuses a factor that contradicts the units, and takes the right one', async () => {
    const { id } = await made('Pounds', '2');
    const refused = await receive(id, { amount: '1', multiplier: '1' });
    expect([refused.status, refused.error?.message]).toEqual([
      400,
      'multiplier must be 453.59237 or left out: 453.59237 grams are one of pounds.',
    ]);
    expect((await receive(id, { amount: '1', multiplier: '453.59237' })).data.multiplier).toBe('453.59237');
    // And again, without it.
    expect(inStock((await receive(id, { amount: '1' })).data)).toBe('907.18474');
  });

  test.each([
    ['Each', {}, '28', '336'],
    ['Fluid Ounces', {}, '29.5', '354'],
    ['Grams', byPiece, '0.25', '3'],
    ['Pounds', byPiece, '129', '1548'],
  ])('%s of another kind needs a factor, which the package keeps', async (unit, goods, multiplier, stock) => {
    const item = typeof goods === 'function' ? goods() : goods;
    const { id } = await made(unit, '48');
    const refused = await receive(id, { ...item, amount: '12' });
    expect([refused.status, refused.error?.message]).toEqual([
      400,
      expect.stringMatching(/^multiplier must be present: the package is in /),
    ]);
    expect(await sql(`select * from stock_ledger_entries where package_id = ${id}`)).toEqual([]);
    const received = await receive(id, { ...item, amount: '12', multiplier });
    expect([inStock(received.data), received.data.multiplier]).toEqual([stock, multiplier]);
    // A second delivery of the package converts as the first did.
    const [again] = (await receive(id, { ...item, amount: '12' })).data.locationInventory;
    expect(again.amount).toBe(String(Number(stock) * 2));
  });

  test('pieces are pieces without a factor', async () => {
    const { id } = await made('Each', '48');
    const { data } = await receive(id, { ...byPiece(), amount: '48' });
    expect([inStock(data), data.multiplier, data.unit]).toEqual(['48', '1', 'Each']);
  });

  test('takes the amount in another unit of the kind', async () => {
    const { id } = await made('Pounds', '1');
    expect(inStock((await receive(id, { amount: '450', unit: 'g' })).data)).toBe('450');
    const bottles = await made('Gallons', '2');
    const { data } = await receive(bottles.id, { amount: '8', unit: 'Pints', multiplier: '3785' });
    expect(inStock(data)).toBe('3785');
    const refused = await receive(id, { amount: '1', unit: 'ml' });
    expect(refused.error?.message).toBe('unit must be a unit like that of the package, which is in pounds.');
  });

  test('more than was announced is refused with the figures until it is confirmed, and then told in the audit', async () => {
    const { id } = await made('Each', '48');
    const refused = await receive(id, { ...byPiece(), amount: '480' });
    expect(refused).toMatchObject({
      status: 409,
      error: {
        code: 'MORE_THAN_ANNOUNCED',
        meta: { announced: '48', received: '0', amount: '480', unit: 'Each' },
      },
    });
    expect(refused.error?.message).toBe(
      'amount is more than the package was announced with: 480 of 48 Each. Send confirmExcess if that is meant.',
    );
    expect((await receive(id, { ...byPiece(), amount: '40' })).status).toBe(200);
    const second = await receive(id, { ...byPiece(), amount: '9' });
    expect(second.error?.meta).toEqual({ announced: '48', received: '40', amount: '9', unit: 'Each' });
    expect((await receive(id, { ...byPiece(), amount: '8' })).status).toBe(200);
    expect(inStock((await receive(id, { ...byPiece(), amount: '9', confirmExcess: true })).data)).toBe('57');
    const told = await sql(
      `select details from audit_entries where action = 'package.received' and subject_id = '${id}' order by id`,
    );
    expect(told.map(({ details }) => (details as { confirmExcess?: boolean }).confirmExcess)).toEqual([
      undefined,
      undefined,
      true,
    ]);
    expect(told.at(-1)!.details).toMatchObject({ announced: '48', packageAmount: '9', unit: 'Each' });
  });

  test('a pound in sixteen deliveries of an ounce is a pound', async () => {
    const { id } = await made('Ounces', '16');
    for (let ounce = 0; ounce < 16; ounce++) expect((await receive(id, { amount: '1' })).status).toBe(200);
    expect((await receive(id, { amount: '0.01' })).error?.code).toBe('MORE_THAN_ANNOUNCED');
  });

  test('an amount that is no stock is refused', async () => {
    const { id } = await made('Milligrams', '1');
    const refused = await receive(id, { amount: '0.0001' });
    expect(refused.error?.message).toBe('amount must be at least 0.000001 in the unit of the product.');
  });
});

describe('the reception of a purchase order', () => {
  const order = async (lines: object[]) => {
    const body = { lineItems: lines, inventoryVendor: { name: 'Tidewater' } };
    return (await staff.call('POST', '/staff/v1/purchase-orders', body)).data;
  };
  const arrive = (purchase: { id: number; lineItems: { id: number }[] }, amount: string, changes: object) =>
    staff.call('POST', `/staff/v1/purchase-orders/${purchase.id}/receptions`, [
      {
        ...{ lineItemId: purchase.lineItems[0]!.id, inventoryLocationId: shop.locationId('Vault'), amount },
        ...changes,
      },
    ]);
  const shown = async (name: string) =>
    (await service.call('GET', `/api/v1/packages/${name}`, { keys: shop.keys })).data;
  const jars = () => ({ productId: shop.productId('Counter Jar'), amount: '1000', costPerUnit: '2.5' });

  test('of ten ounce jars makes a package of ten pieces, not of ten grams', async () => {
    const purchase = await order([{ ...byPiece(), amount: '10', costPerUnit: '100' }]);
    const name = label();
    await arrive(purchase, '10', { package: { label: name } });
    expect(await shown(name)).toMatchObject({ initialAmount: '10', unit: 'Each', multiplier: '1' });
  });

  test('of goods by gram makes a package of grams', async () => {
    const name = label();
    await arrive(await order([jars()]), '250', { package: { label: name } });
    expect(await shown(name)).toMatchObject({ initialAmount: '250', unit: 'Grams', multiplier: '1' });
  });

  test('in pounds counts the line, the stock and the cost in grams', async () => {
    const name = label();
    const { data } = await arrive(await order([jars()]), '1', { package: { label: name, unit: 'lb' } });
    expect(data.lineItems[0]).toMatchObject({ amount: '1000', amountReceived: '453.59237' });
    const pack = await shown(name);
    expect(pack).toMatchObject({ initialAmount: '1', unit: 'Pounds', multiplier: '453.59237' });
    expect([inStock(pack), pack.costPerUnit]).toEqual(['453.59237', '2.5']);
  });

  test('of another kind asks for the factor, and refuses an unknown unit by its path', async () => {
    const purchase = await order([jars()]);
    const name = label();
    const refused = await arrive(purchase, '10', { package: { label: name, unit: 'Each' } });
    expect(refused.error?.message).toMatch(/^\[0\]\.package\.multiplier must be present/);
    const unknown = await arrive(purchase, '10', { package: { label: name, unit: 'Furlongs' } });
    expect(unknown.error?.message).toBe(`[0].package.unit must be one of ${list}.`);
    const { data } = await arrive(purchase, '10', {
      package: { label: name, unit: 'Each', multiplier: '28' },
    });
    expect(data.lineItems[0].amountReceived).toBe('280');
    expect(await shown(name)).toMatchObject({ initialAmount: '10', unit: 'Each', multiplier: '28' });
  });

  test('into a package of a manifest counts with what the manifest announced', async () => {
    const purchase = await order([jars()]);
    const { data: pack } = await create({ unit: 'Pounds', initialAmount: '1' });
    const more = await arrive(purchase, '500', { package: { label: pack.label } });
    expect(more.error).toMatchObject({
      code: 'MORE_THAN_ANNOUNCED',
      meta: { announced: '1', unit: 'Pounds' },
    });
    expect((await arrive(purchase, '453.59237', { package: { label: pack.label } })).status).toBe(201);
    expect(inStock(await shown(pack.label))).toBe('453.59237');
    const other = await arrive(purchase, '1', { package: { label: pack.label }, confirmExcess: true });
    expect(other.status).toBe(201);
  });
});
