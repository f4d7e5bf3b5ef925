import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';

const service = await startTestService();
let shop: TestShop;
let staff: TestStaff;

beforeEach(async () => {
  shop = await createTestShop(service.context);
  staff = await service.staff(shop, 'inventory');
});
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const label = (end: string | number) => `1A4FF${String(end).padStart(19, '0')}`;
const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);
const list = (query = {}) => service.call('GET', '/api/v1/compliance-transfers', { keys: shop.keys, query });
const bring = (body: object) => staff.call('POST', '/staff/v1/compliance-transfers', body);
const row = (end: string | number, changes: object = {}) => ({
  manifestNumber: '0000418843',
  shipperName: 'Tidewater Distribution',
  shipperLicenseNumber: 'C11-0000512-LIC',
  label: label(end),
  initialAmount: '48',
  unit: 'Each',
  ...changes,
});
const counts = () =>
  sql(
    `select (select count(*) from compliance_transfers)::int as transfers,
            (select count(*) from packages where compliance_transfer_id is not null)::int as packages`,
  );

describe('an import', () => {
  test('makes one transfer per manifest, whose packages are received one by one', async () => {
    const { status, data } = await bring({
      rows: [
        row(71, {
          transferExternalId: '5310077',
          externalId: '9',
          externalProductName: 'Grove',
          onHold: 'true',
        }),
        row(72, { manifestNumber: '2', expirationDate: '2027-01-31', tradeSample: 'FALSE' }),
        row(73),
      ],
    });
    expect([status, data.importedRows, data.badRows]).toEqual([201, 3, []]);
    const { data: listed } = await list();
    expect(data.transfers).toEqual(listed);
    const transfer = listed.find(({ manifestNumber }: { manifestNumber: string }) => manifestNumber !== '2');
    expect(transfer).toEqual({
      id: expect.any(Number),
      externalId: '5310077',
      type: 'metrc',
      manifestNumber: '0000418843',
      shipperName: 'Tidewater Distribution',
      shipperLicenseNumber: 'C11-0000512-LIC',
      createdAt: '2026-03-10T18:00:00.000Z',
      packages: [
        expect.objectContaining({
          label: label(71),
          externalId: '9',
          externalProductName: 'Grove',
          onHold: true,
        }),
        {
          id: expect.any(Number),
          type: 'metrc',
          externalId: null,
          externalProductName: null,
          label: label(73),
          status: 'ready',
          initialAmount: '48',
          unit: 'Each',
          createdAt: '2026-03-10T18:00:00.000Z',
          onHold: false,
          tradeSample: false,
          product: null,
          productOption: null,
        },
      ],
    });
    const { id } = transfer.packages[1];
    const received = await staff.call('POST', `/staff/v1/packages/${id}/receive`, {
      productId: shop.productId('Moonlit Grove'),
      productOptionId: shop.optionId('eighth'),
      inventoryLocationId: shop.locationId('Vault'),
      amount: '48',
      costPerUnit: '11',
    });
    expect(received.status).toBe(200);
    const again = (await list()).data.find((it: { id: number }) => it.id === transfer.id);
    expect(again.packages[1]).toMatchObject({
      status: 'received',
      product: { name: 'Moonlit Grove' },
      productOption: { name: '3.5 grams' },
    });
  });

  test('reads CSV the same as rows', async () => {
    const csv = [
      '\uFEFFManifest Number,shipper_name,shipperLicenseNumber,LABEL,initialAmount,unit,externalProductName',
      `2,"Tidewater, ""Dist.""",C11,${label(71)},1.5,Grams,"Two`,
      'lines"',
      '',
      `2,"Tidewater, ""Dist.""",C11,${label(72)},2,Grams,`,
      '',
    ].join('\r\n');
    // One line has another line ending, as in files that were joined.
    const { status, data } = await bring({ csv: csv.replace('\r\n', '\n') });
    expect(status).toBe(201);
    expect(data).toMatchObject({
      importedRows: 2,
      transfers: [
        {
          shipperName: 'Tidewater, "Dist."',
          packages: [
            { label: label(71), initialAmount: '1.5', externalProductName: 'Two\r\nlines' },
            { label: label(72), initialAmount: '2', externalProductName: null },
          ],
        },
      ],
    });
  });

  test('adds the new packages to an existing manifest', async () => {
    await bring({ rows: [row(71)] });
    const { data } = await bring({ rows: [row(72)] });
    expect(data.transfers).toHaveLength(1);
    expect(data.transfers[0].packages).toHaveLength(2);
    expect(await counts()).toEqual([{ transfers: 1, packages: 2 }]);
  });

  test('reports every invalid row and imports nothing', async () => {
    await bring({ rows: [row(70)] });
    const rows = [
      row(71),
      row(72, { label: 'short', initialAmount: '0', unit: ' ' }),
      row(73, { expirationDate: '2026-02-30', onHold: 'perhaps' }),
      row(71),
      row(1),
      row(74, { shipperName: 'Another Shipper' }),
      row(75, { manifestNumber: '9', shipperLicenseNumber: 'A' }),
      row(76, { manifestNumber: '9', shipperLicenseNumber: 'B' }),
    ];
    const expected = [
      [2, 'label'],
      [2, 'initialAmount'],
      [2, 'unit'],
      [3, 'expirationDate'],
      [3, 'onHold'],
      [4, 'label'],
      [5, 'label'],
      [6, 'shipperName'],
      [8, 'shipperLicenseNumber'],
    ];
    const { status, error } = await bring({ rows });
    expect([status, error?.code]).toEqual([422, 'INVALID_TRANSFER_ROWS']);
    const { rows: bad } = error!.meta as { rows: { row: number; field: string; message: string }[] };
    expect(bad.map(({ row, field }) => [row, field])).toEqual(expected);
    for (const { field, message } of bad) expect(message).toContain(field);
    expect(await counts()).toEqual([{ transfers: 1, packages: 1 }]);

    const { data } = await bring({ rows, onlyGood: true });
    expect(data.importedRows).toBe(2);
    expect(data.badRows).toEqual(bad);
    expect(await counts()).toEqual([{ transfers: 2, packages: 3 }]);
    expect((await bring({ rows: rows.slice(1, 3), onlyGood: true })).error?.code).toBe(
      'INVALID_TRANSFER_ROWS',
    );
  });

  test('that is sent twice at once is imported once', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => bring({ rows: [row(71), row(72)] })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422]);
    expect(await counts()).toEqual([{ transfers: 1, packages: 2 }]);
  });

  test.each([
    [{}, 'MISSING_PARAMS', 'rows'],
    [{ rows: [row(71)], csv: 'x' }, 'INVALID_PARAMS', 'csv must be left out'],
    [{ rows: [] }, 'INVALID_PARAMS', 'rows'],
    [{ csv: 'label' }, 'INVALID_PARAMS', 'rows below it'],
    [{ csv: 'label,colour\na,b' }, 'INVALID_PARAMS', 'column 2'],
    [{ csv: 'label,Label\na,b' }, 'INVALID_PARAMS', 'label twice'],
    [{ csv: 'label,unit\na' }, 'INVALID_PARAMS', 'row 1 must have 2 cells'],
    [{ csv: 'label,unit\n"a,b' }, 'INVALID_PARAMS', 'quotes of line 2'],
    [{ csv: `label\n${'a\n'.repeat(1001)}` }, 'INVALID_PARAMS', '1,000 rows'],
  ] as const)('is refused as a whole: case %#', async (body, code, message) => {
    const { error } = await bring(body);
    expect([error?.code, error?.message]).toEqual([code, expect.stringContaining(message)]);
  });
});

describe('the headings of the state systems', () => {
  /** A shipped package, as the state's interface has it, with its transfer. */
  const shipped = (end: number, changes: object = {}) => ({
    PackageId: 2401 + end,
    PackageLabel: label(end),
    PackageType: 'Product',
    SourceHarvestNames: 'Harvest 7',
    ItemId: 5,
    ItemName: 'Grove 3.5 g',
    ItemCategoryName: 'Buds',
    LabTestingState: 'TestPassed',
    IsTradeSample: false,
    ShipmentPackageState: 'Shipped',
    ShippedQuantity: 48.5,
    ShippedUnitOfMeasureName: 'Grams',
    ExpirationDate: '2027-01-31T00:00:00.000',
    GrossUnitOfWeightName: null,
    ReceivedQuantity: null,
    ReceivedUnitOfMeasureName: null,
    ...changes,
  });
  const transfer = {
    Id: 1,
    ManifestNumber: '0000418901',
    ShipperFacilityLicenseNumber: 'C11-0000512-LIC',
    ShipperFacilityName: 'Tidewater Distribution',
    Name: null,
    DeliveryId: 5310077,
    PackageCount: 2,
    IsVoided: false,
  };
  const expected = {
    manifestNumber: '0000418901',
    externalId: '5310077',
    shipperName: 'Tidewater Distribution',
    shipperLicenseNumber: 'C11-0000512-LIC',
    packages: [
      {
        label: label(71),
        externalId: '2472',
        externalProductName: 'Grove 3.5 g',
        initialAmount: '48.5',
        unit: 'Grams',
        tradeSample: false,
      },
      { label: label(72), initialAmount: '1', unit: 'Pounds' },
    ],
  };
  const packs = [
    shipped(71),
    shipped(72, { ShippedQuantity: 1, ShippedUnitOfMeasureName: 'Pounds', ExpirationDate: null }),
  ];

  test('are known in JSON: flat, nested, and with what all rows share', async () => {
    const { data } = await bring({ rows: packs.map((pack) => ({ ...transfer, ...pack })) });
    expect(data.transfers).toMatchObject([expected]);
    const shown = await service.call('GET', `/api/v1/packages/${label(71)}`, { keys: shop.keys });
    expect(shown.data.expirationDate).toBe('2027-01-31');

    const nested = [{ ...transfer, ManifestNumber: 418902, Packages: [shipped(73)] }];
    expect((await bring({ rows: nested })).data.transfers).toMatchObject([
      { manifestNumber: '418902', packages: [{ label: label(73) }] },
    ]);
    const shared = { manifestNumber: '418903', shipperName: 'Alder', shipperLicenseNumber: 'C9' };
    expect((await bring({ rows: [shipped(74)], shared })).data.transfers).toMatchObject([
      { manifestNumber: '418903', shipperName: 'Alder', packages: [{ label: label(74) }] },
    ]);
  });

  test.each([',', ';', '\t'])('are known in CSV with %j between the cells', async (sign) => {
    const names = [
      ...['Manifest Number', 'Shipper Facility Name', 'Shipper License', 'Package Label', 'Item Name'],
      ...['Item Category', 'Shipped Quantity', 'Unit of Measure', 'Lab Testing State', 'Expiration Date'],
    ];
    const cells = [
      ...['0000418901', 'Tidewater Distribution', 'C11', label(71), 'Grove 3.5 g', 'Buds'],
      ...['1,048.5000'.replace(',', sign === ',' ? '' : ','), 'g', 'TestPassed', '1/31/2027'],
    ];
    const csv = ['sep='.concat(sign), names.join(sign), cells.join(sign)].join('\r\n');
    const { data, text } = await bring({ csv });
    expect([data?.importedRows, text]).toEqual([1, text]);
    expect(data.transfers[0].packages).toMatchObject([
      { label: label(71), initialAmount: '1048.5', unit: 'Grams', externalProductName: 'Grove 3.5 g' },
    ]);
  });

  test("are known as Washington's files write them", async () => {
    const csv = [
      'InventoryExternalIdentifier,PlantExternalIdentifier,Quantity,UOM,WeightPerUnit,ServingsPerUnit,ExternalIdentifier,LabTestExternalIdentifier,CreatedBy,CreatedDate,UpdatedBy,UpdatedDate,Operation',
      `${label(71)},,48,Each,3.5,,row-1,lab-1,me,11/18/2026,,,Insert`,
    ].join('\n');
    const shared = { manifestNumber: 'M-1', shipperName: 'Alder', shipperLicenseNumber: '412345' };
    const { data } = await bring({ csv, shared });
    expect(data.transfers[0].packages).toMatchObject([
      { label: label(71), externalId: 'row-1', unit: 'Each' },
    ]);
  });

  test('other headings are read by a mapping, and refused by their place without one', async () => {
    const csv = [
      'Lot,Rep,Pcs,Kind of unit,Doc,From,Permit',
      `${label(71).toLowerCase()},Sam,48,ea,418901,Alder,C9`,
    ].join('\n');
    const refused = await bring({ csv });
    expect(refused.error?.message).toMatch(/^csv: the name of column 1 is not known\. Send mapping/);
    const mapping = {
      Lot: 'label',
      Rep: null,
      Pcs: 'initialAmount',
      'kind of unit': 'unit',
      Doc: 'manifestNumber',
      From: 'shipperName',
      Permit: 'shipperLicenseNumber',
    };
    const { data } = await bring({ csv, mapping });
    expect(data.transfers).toMatchObject([
      { manifestNumber: '418901', shipperName: 'Alder', packages: [{ label: label(71), unit: 'Each' }] },
    ]);
    const json = {
      Lot: label(72),
      Pcs: '5',
      'Kind of unit': 'g',
      Doc: '418901',
      From: 'Alder',
      Permit: 'C9',
    };
    expect((await bring({ rows: [json], mapping })).data.transfers[0].packages).toHaveLength(2);
    for (const wrong of [{ Lot: 'lable' }, { Lot: 5 }]) {
      expect((await bring({ csv, mapping: wrong })).error?.message).toMatch(
        /^mapping\["Lot"\] must be null or one of/,
      );
    }
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`h${at}`, null]));
    expect((await bring({ csv, mapping: many })).error?.message).toMatch(/^mapping must have at most 200/);
  });

  test('a package that the state says went back, and a value of another kind, are told', async () => {
    const rows = [{ ...transfer, ...shipped(71, { ShipmentPackageState: 'Rejected' }) }];
    const { error } = await bring({ rows });
    expect(error?.meta).toEqual({
      rows: [
        {
          row: 1,
          field: 'shipmentState',
          message: 'shipmentState must not be Rejected: the package went back to its shipper',
        },
      ],
    });
    const odd = await bring({ rows: [{ ...transfer, ...shipped(71, { ItemName: { name: 'x' } }) }] });
    expect([odd.status, odd.error?.message]).toEqual([
      400,
      expect.stringMatching(/^rows\[0\]\.ItemName must be a text/),
    ]);
    const long = await bring({ rows: [{ ...transfer, ...shipped(71, { ItemName: 'x'.repeat(1001) }) }] });
    expect(long.status).toBe(400);
    for (const ItemName of ['a\u0000b', '\uD800']) {
      const { status } = await bring({ rows: [{ ...transfer, ...shipped(71, { ItemName }) }] });
      expect([ItemName, status]).toEqual([ItemName, 400]);
    }
  });
});

test('a manifest is one transfer with leading zeros and without, and keeps its first spelling', async () => {
  await bring({ rows: [row(71, { manifestNumber: '418901' }), row(72, { manifestNumber: '0000418901' })] });
  await bring({ rows: [row(73, { manifestNumber: '00418901' })] });
  const races = await Promise.all(
    ['0000418902', '418902', '00418902'].map((manifestNumber, at) =>
      bring({ rows: [row(80 + at, { manifestNumber })] }),
    ),
  );
  expect(races.map(({ status }) => status)).toEqual([201, 201, 201]);
  const { data } = await list();
  const shown = data.map(({ manifestNumber, packages }: { manifestNumber: string; packages: unknown[] }) => [
    manifestNumber.replace(/^0+/, ''),
    packages.length,
  ]);
  expect(shown.sort()).toEqual([
    ['418901', 3],
    ['418902', 3],
  ]);
  expect(data.map(({ manifestNumber }: { manifestNumber: string }) => manifestNumber)).toContain('418901');
  // Zeros inside and zeros alone are numbers of their own.
  await bring({
    rows: [
      row(90, { manifestNumber: '0' }),
      row(91, { manifestNumber: '10' }),
      row(92, { manifestNumber: 'A01' }),
    ],
  });
  expect(await counts()).toEqual([{ transfers: 5, packages: 9 }]);
});

test('transfers are listed newest first, 50 a page, the same for integrators and staff', async () => {
  const rows = Array.from({ length: 52 }, (_, index) => row(700 + index, { manifestNumber: `M${index}` }));
  await bring({ rows: rows.slice(0, 30) });
  service.clock.advance(1000);
  await bring({ rows: rows.slice(30) });
  const first = (await list()).data;
  expect(first).toHaveLength(50);
  const rest = (await list({ startingAfter: first[49].id })).data;
  const ids = [...first, ...rest].map(({ id }: { id: number }) => id);
  expect(new Set(ids).size).toBe(52);
  expect(first[0].createdAt > rest[1].createdAt).toBe(true);
  expect((await list({ startingAfter: ids[51] })).data).toEqual([]);
  expect((await list({ startingAfter: 5 })).error?.code).toBe('INVALID_CURSOR');

  const theirs = (query = '') => staff.call('GET', `/staff/v1/compliance-transfers${query}`);
  expect((await theirs()).data).toEqual(first);
  expect((await theirs(`?startingAfter=${first[49].id}`)).data).toEqual(rest);
  expect((await theirs('?startingAfter=5')).error?.code).toBe('INVALID_CURSOR');
});

describe('a package of a transfer that is rejected', () => {
  const reject = (id: number, body: object = { reason: ' The seal was broken ' }) =>
    staff.call('POST', `/staff/v1/packages/${id}/reject`, body);
  const receive = (id: number) =>
    staff.call('POST', `/staff/v1/packages/${id}/receive`, {
      productId: shop.productId('Moonlit Grove'),
      productOptionId: shop.optionId('eighth'),
      ...{ inventoryLocationId: shop.locationId('Vault'), amount: '48', costPerUnit: '11' },
    });
  const brought = async (...rows: object[]) => (await bring({ rows })).data.transfers[0].packages;

  test('goes back with its reason, shows so to integrators, and is never stock', async () => {
    const [{ id }, other] = await brought(row(71), row(72));
    const { status, data } = await reject(id);
    expect([status, data.status, data.voidReason, data.transferReturnedAt]).toEqual([
      ...[200, 'transfer-returned', 'The seal was broken'],
      new Date(service.clock.now()).toISOString(),
    ]);
    expect((await list()).data[0].packages).toMatchObject([
      { label: label(71), status: 'transfer-returned' },
      { label: label(72), status: 'ready' },
    ]);
    const shown = await service.call('GET', `/api/v1/packages/${label(71)}`, { keys: shop.keys });
    expect(shown.data).toEqual(data);
    // Again, it changes nothing.
    expect((await reject(id, { reason: 'Another' })).data).toEqual(data);
    for (const refused of [
      await receive(id),
      await staff.call('POST', `/staff/v1/packages/${id}/finish`),
      await staff.call('POST', `/staff/v1/packages/${id}/void`, { reason: 'x' }),
    ]) {
      expect(refused.error?.code).toBe('INVALID_PACKAGE_TRANSITION');
    }
    expect(await sql(`select * from stock_balances where package_id = ${id}`)).toEqual([]);
    const events = await sql(
      `select type, payload from outbox_events where type = 'package.rejected' and subject_id = '${id}'`,
    );
    expect(events).toMatchObject([{ payload: { packageId: id, status: 'transfer-returned' } }]);
    const [told] = await sql(
      `select actor, details from audit_entries where action = 'package.rejected' and subject_id = '${id}'`,
    );
    expect(told).toMatchObject({
      actor: `staff:${staff.staffId}`,
      details: { label: label(71), reason: 'The seal was broken' },
    });
    expect((await receive(other.id)).status).toBe(200);
    expect((await reject(other.id)).error).toMatchObject({
      code: 'INVALID_PACKAGE_TRANSITION',
      meta: { status: 'received', action: 'reject' },
    });
    expect((await reject(5)).error?.code).toBe('PACKAGE_NOT_FOUND');
    expect((await reject(other.id, {})).error?.code).toBe('MISSING_PARAMS');
  });

  test('comes again with another manifest', async () => {
    const [{ id }] = await brought(row(71));
    await reject(id);
    const [again] = await brought(row(71, { manifestNumber: '0000418900', initialAmount: '40' }));
    expect(again).toMatchObject({ label: label(71), status: 'ready', initialAmount: '40' });
    const [former] = await sql(`select label, status from packages where id = ${id}`);
    expect(former!.label).toMatch(new RegExp(`^void-${label(71)}-[0-9a-f]{8}$`));
    // One that was not rejected keeps its label.
    expect((await bring({ rows: [row(71, { manifestNumber: '9' })] })).error?.code).toBe(
      'INVALID_TRANSFER_ROWS',
    );
  });
});
