import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, testNowMs } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';

const service = await startTestService();
afterEach(() => service.clock.set(testNowMs));
afterAll(() => service.close());

/** A shop of a state without an interface, with one package; its sales have an excise of 37 percent. */
async function openFilingShop(state: string) {
  const shop = await createTestShop(service.context, {
    state,
    taxes: [
      { description: 'Sales tax', rate: '10' },
      { description: 'Excise', rate: '37', type: 'excise' },
    ],
    products: [
      {
        key: 'Sample Kush',
        options: [{ key: 'jar', amount: '1', priceCents: 1_000 }],
        stock: [{ option: 'jar', amount: '40', label: 'inv-0001' }],
      },
    ],
  });
  const owner = await service.staff(shop);
  const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);
  await sql('update packages set cost_per_unit = 8');
  const made = await owner.call('POST', '/staff/v1/state-connections', {
    ...{ inventoryLocationId: null, state, isSandbox: false, licenseNumber: '412345', isOn: true },
  });
  expect(made.status, made.text).toBe(201);
  const path = `/staff/v1/state-connections/${made.data.id}`;
  const sell = async (quantity: number) => {
    const placed = await owner.call('POST', '/staff/v1/orders', {
      type: 'in-store',
      lineItems: [{ productOptionId: shop.optionId('jar'), quantity }],
      idempotencyKey: randomUUID(),
      customer: {
        ...{ firstName: 'Ada', lastName: 'Lane', birthday: '1980-01-01' },
        email: `${randomUUID()}@customers.example.com`,
      },
      payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
    });
    expect(placed.status, placed.text).toBe(201);
    const fulfilled = await owner.call('POST', `/staff/v1/orders/${placed.data.id}/fulfill`, {});
    expect(fulfilled.status, fulfilled.text).toBe(200);
    return fulfilled.data;
  };
  const filing = async () => (await owner.call('GET', `${path}/filing`)).data;
  const upload = async () => {
    const { until, digest } = await filing();
    return owner.call('POST', `${path}/filing/uploaded`, { until, digest });
  };
  const answer = (text: string, fileName: string) =>
    owner.call('POST', `${path}/filing/replies`, { text, fileName });
  const states = async () =>
    (await sql('select state from state_reports order by id')).map((row) => row.state);
  /** What Washington's files need besides. */
  const setFiles = async () => {
    const [category] = await sql('select primary_category_id as id from products');
    const settings = {
      submittedBy: 'sample',
      area: 'Sales Floor',
      types: { [String(category!.id)]: 'Usable Cannabis' },
    };
    const changed = await owner.call('PUT', path, {
      ...{
        state: 'WA',
        isSandbox: false,
        licenseNumber: '412345',
        isOn: true,
        adjustmentReason: 'Reconciliation',
      },
      fileSettings: settings,
    });
    expect(changed.status, changed.text).toBe(200);
  };
  return { sql, owner, made: made.data, path, sell, filing, upload, answer, states, setFiles };
}

test("Washington's files are checked, downloaded, uploaded, and read back: refused ones come again, accepted ones never", async () => {
  const { owner, made, path, sell, filing, upload, answer, states, setFiles } = await openFilingShop('WA');
  expect(made).toMatchObject({ system: 'ccrs-file', address: null, isStandIn: false });
  const { number } = await sell(3);
  const faults = (await filing()).files.flatMap(
    (file: { type: string; faults: { row: number; field: string }[] }) =>
      file.faults.map(({ row, field }) => `${file.type} ${row} ${field}`),
  );
  expect(faults).toEqual(
    expect.arrayContaining(['Strain 1 CreatedBy', 'Product 1 InventoryType', 'Sale 1 CreatedBy']),
  );
  const refused = await owner.call('GET', `${path}/filing/Product`);
  expect(refused.error).toMatchObject({
    code: 'INVALID_PARAMS',
    message: expect.stringContaining('InventoryType'),
  });
  await setFiles();
  const { files } = await filing();
  expect(files.map(({ type, step, rows, faultCount }: never) => [type, step, rows, faultCount])).toEqual([
    ...[
      ['Strain', 1, 1, 0],
      ['Area', 1, 1, 0],
      ['Product', 1, 1, 0],
      ['Inventory', 2, 1, 0],
      ['Sale', 3, 1, 0],
    ],
  ]);
  const sale = await owner.call('GET', `${path}/filing/Sale`);
  expect(sale.text.split('\r\n')[4]).toMatch(
    new RegExp(
      `^412345,,inv-0001,,RecreationalRetail,03/10/2026,3,10\\.00,0\\.00,3\\.00,11\\.10,${number},${number}-inv-0001,sample,`,
    ),
  );
  const stale = await owner.call('POST', `${path}/filing/uploaded`, { until: '2026-03-10', digest: 'old' });
  expect(stale.error?.message).toContain('download them again');
  expect((await upload()).data).toMatchObject({ waiting: 0, uploaded: 1, files: [] });
  expect(await states()).toEqual(['unknown']);
  const echo = `ErrorMessage,SaleDetailExternalIdentifier\r\nInvalid InventoryExternalIdentifier,${number}-inv-0001\r\n`;
  const bad = await answer(echo, 'Sale_412345_20260310110000.csv');
  expect(bad.data).toMatchObject({
    file: 'Sale',
    isAccepted: false,
    problems: [{ id: `${number}-inv-0001` }],
  });
  expect((await filing()).files.map(({ type }: { type: string }) => type)).toEqual(['Sale']);
  await upload();
  const good = await answer('CCRS Processing Successful: Sale_412345_20260310110000.csv', '');
  expect(good.data).toEqual({ file: 'Sale', isAccepted: true, problems: [] });
  expect(await states()).toEqual(['accepted']);
  expect((await answer('Dear licensee', '')).error?.code).toBe('INVALID_PARAMS');
  await sell(1);
  expect((await filing()).files.map(({ type }: { type: string }) => type)).toEqual(['Inventory', 'Sale']);
});

test('an answer settles the upload that it is about: what another one tells waits for its own', async () => {
  const { sell, filing, upload, answer, states, setFiles } = await openFilingShop('WA');
  await setFiles();
  const nameOfSales = async () =>
    (await filing()).files.find(({ type }: { type: string }) => type === 'Sale')?.name;
  const uploads: string[] = [];
  for (const quantity of [1, 2]) {
    await sell(quantity);
    uploads.push(await nameOfSales());
    service.clock.advance(60_000);
    expect((await upload()).status).toBe(200);
    service.clock.advance(3_600_000);
  }
  await answer(`CCRS Processing Successful: ${uploads[0]}`, '');
  expect(await states()).toEqual(['accepted', 'unknown']);
  const error = 'ErrorMessage,SaleDetailExternalIdentifier\r\nInvalid InventoryExternalIdentifier,1\r\n';
  await answer(error, uploads[1]!);
  expect(await states()).toEqual(['accepted', 'waiting']);
  expect((await filing()).files).toContainEqual(expect.objectContaining({ type: 'Sale', rows: 1 }));
  // One that names a file of later on is about all that wait.
  expect((await upload()).status).toBe(200);
  await answer('CCRS Processing Successful', 'Sale_412345_20270310110000.csv');
  expect(await states()).toEqual(['accepted', 'accepted']);
});

test('a state with forms of its own has a book of what is entered by hand', async () => {
  const { owner, path, made, sell, filing, upload, states } = await openFilingShop('VT');
  expect(made.system).toBe('by-hand');
  await sell(2);
  expect((await filing()).files).toMatchObject([{ type: 'Book', name: 'book-2026-03-10.csv', rows: 1 }]);
  const { text } = await owner.call('GET', `${path}/filing/Book`);
  expect(text.split('\r\n')[1]).toContain(',Consumer,inv-0001,2,Each,20.00,waiting');
  expect((await upload()).data).toMatchObject({ waiting: 0, uploaded: 0 });
  expect(await states()).toEqual(['done-by-hand']);
});
