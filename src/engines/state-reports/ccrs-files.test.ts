import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { type CcrsFileType, type CcrsRow, ccrsColumns } from './ccrs-columns.ts';
import { type CcrsFiles, ccrsFileName, ccrsText, faultsOf } from './ccrs-files.ts';
import { isFiledAlready, readCcrsReply } from './ccrs-replies.ts';
import { type CcrsWeek, ccrsWeek, type FiledPackage, type FiledSale, knownToState } from './ccrs-week.ts';

const pack: FiledPackage = {
  ...{ id: 7, label: 'inv-0001', externalId: 'inv-0001', productId: 3, optionId: 4 },
  ...{ productName: 'Sample Kush Flower', optionName: '3.5g', strain: 'Sample Kush', strainType: 'hybrid' },
  ...{ categoryId: 1, isByGram: false, unitGrams: '3.5', initial: '40', onHand: '37', costPerUnit: '8' },
  ...{ isTradeSample: false, receivedOn: '2026-11-18' },
  transfer: { fromLicense: '415001', fromExternalId: 'maker-1' },
};
const line = {
  ...{ label: 'inv-0001', quantity: '3', amountCents: 1_200, priceCents: 1_500 },
  ...{ salesTaxCents: 120, exciseTaxCents: 444 },
};
const sale: FiledSale = {
  ...{ orderNumber: 1001, on: '2026-11-21', isMedical: false, isReturn: false, lines: [line] },
};
const week = (changes: Partial<CcrsWeek> = {}): CcrsWeek => ({
  ...{ licenseNumber: '412345', today: '2026-11-22', filed: new Map(), packages: [pack] },
  settings: { submittedBy: 'sample', area: 'Sales Floor', types: { 1: 'Usable Cannabis' } },
  ...{ adjustments: [], sales: [sale], ...changes },
});
const head = { submittedBy: 'sample', submittedOn: '2026-11-22' };
const faultsIn = (of: CcrsWeek) => faultsOf(ccrsWeek(of), knownToState(of.filed), of.today);
/** The state has the rows of some files. */
const filedOf = (files: CcrsFiles): CcrsWeek['filed'] =>
  new Map(
    Object.entries(files).map(([type, rows]) => {
      const key = { Strain: 'Strain', Sale: 'SaleDetailExternalIdentifier' }[type] ?? 'ExternalIdentifier';
      return [type as CcrsFileType, new Map(rows.map((row: CcrsRow) => [row[key]!, row]))];
    }),
  );

test('a week has the files of a first week without a fault, in the form of the templates', () => {
  expect(faultsIn(week())).toEqual([]);
  const files = ccrsWeek(week());
  expect(ccrsText('Sale', files.Sale, head)).toBe(
    [
      'SubmittedBy,sample,,,,,,,,,,,,,,,,',
      'SubmittedDate,11/22/2026,,,,,,,,,,,,,,,,',
      'NumberRecords,1,,,,,,,,,,,,,,,,',
      'LicenseNumber,SoldToLicenseNumber,InventoryExternalIdentifier,PlantExternalIdentifier,SaleType,SaleDate,Quantity,UnitPrice,Discount,RetailSalesTax,CannabisExciseTax,SaleExternalIdentifier,SaleDetailExternalIdentifier,CreatedBy,CreatedDate,UpdatedBy,UpdatedDate,Operation',
      '412345,,inv-0001,,RecreationalRetail,11/21/2026,3,5.00,3.00,1.20,4.44,1001,1001-inv-0001,sample,11/21/2026,,,Insert',
      '',
    ].join('\r\n'),
  );
  expect(ccrsText('Inventory', files.Inventory, head).split('\r\n')[4]).toBe(
    '412345,Sample Kush,Sales Floor,Sample Kush Flower 3.5g,40,37,320.00,FALSE,inv-0001,sample,11/18/2026,,,Insert',
  );
  expect(ccrsText('Strain', files.Strain, head)).toBe(
    [
      ...['SubmittedBy,sample,,,', 'SubmittedDate,11/22/2026,,,', 'NumberRecords,1,,,'],
      'LicenseNumber,Strain,StrainType,CreatedBy,CreatedDate',
      ...['412345,Sample Kush,Hybrid,sample,11/22/2026', ''],
    ].join('\r\n'),
  );
  expect(ccrsFileName('Sale', '412345', '2026-11-22T09:15:00.000')).toBe('Sale_412345_20261122091500.csv');
  expect(Object.values(ccrsColumns).map((columns) => columns.length)).toEqual([5, 9, 12, 14, 12, 12, 18]);
});

test('what the state has is not sent again, what changed is an update, and a sale that never was is deleted', () => {
  const filed = filedOf(ccrsWeek(week()));
  const rowsOf = (changes: Partial<CcrsWeek>) =>
    Object.entries(ccrsWeek(week({ filed, ...changes }))).flatMap(([type, rows]) =>
      rows.map((row) => `${type} ${row.Operation}`),
    );
  expect(rowsOf({})).toEqual([]);
  expect(rowsOf({ packages: [{ ...pack, onHand: '31' }] })).toEqual(['Inventory Update']);
  expect(rowsOf({ sales: [{ ...sale, lines: [] }] })).toEqual(['Sale Delete']);
  const returned = { ...sale, isReturn: true, lines: [{ ...line, quantity: '1', amountCents: 400 }] };
  expect(rowsOf({ sales: [returned] })).toEqual(['InventoryAdjustment Insert', 'Sale Update']);
  expect(rowsOf({ sales: [{ ...sale, isReturn: true, lines: [] }] })).toEqual([
    ...['InventoryAdjustment Insert', 'Sale Delete'],
  ]);
  const all = ccrsWeek(week({ filed, sales: [{ ...sale, isReturn: true, lines: [] }] }));
  expect(all.InventoryAdjustment[0]).toMatchObject({
    ...{ AdjustmentReason: 'Other', Quantity: '3', AdjustmentDetail: 'Up, customer return of sale 1001' },
  });
  expect(faultsOf(all, knownToState(filed), '2026-11-22')).toEqual([]);
});

test('price, quantity and discount make the amount to the cent, also where no price of a unit does', () => {
  for (const [quantity, amountCents, priceCents] of [
    ['3', 1_000, 1_000],
    ['3.501', 3_125, 3_480],
    ['7', 99, 100],
    ['1', 0, 500],
  ] as const) {
    const [row] = ccrsWeek(
      week({ sales: [{ ...sale, lines: [{ ...line, quantity, amountCents, priceCents }] }] }),
    ).Sale;
    const made =
      Math.round(Number(row!.Quantity) * Number(row!.UnitPrice) * 100) -
      Math.round(Number(row!.Discount) * 100);
    expect([quantity, made]).toEqual([quantity, amountCents]);
  }
});

test('what a patient buys without the excise tax is a ticket of its own, of medical inventory', () => {
  const lines = [
    { ...line, exciseTaxCents: 0, salesTaxCents: 0 },
    { ...line, label: 'inv-0002' },
  ];
  const packages = [pack, { ...pack, id: 8, label: 'inv-0002', externalId: 'inv-0002' }];
  const of = week({ packages, sales: [{ ...sale, isMedical: true, lines }] });
  const files = ccrsWeek(of);
  expect(files.Sale.map((row) => [row.SaleType, row.SaleExternalIdentifier])).toEqual([
    ['RecreationalMedical', '1001-M'],
    ['RecreationalRetail', '1001'],
  ]);
  expect(files.Inventory.map(({ IsMedical }) => IsMedical)).toEqual(['TRUE', 'FALSE']);
  expect(faultsIn(of)).toEqual([]);
});

test.each<[name: string, changes: Partial<CcrsWeek>, fault: string]>([
  [
    'no submitter',
    { settings: { types: { 1: 'Usable Cannabis' } } },
    'Strain 1 CreatedBy: must not be empty.',
  ],
  [
    'a type that is not chosen',
    { settings: { submittedBy: 'a' } },
    'Product 1 InventoryType: must be one of:',
  ],
  [
    'a unit without grams',
    { packages: [{ ...pack, unitGrams: null }] },
    'Product 1 UnitWeightGrams: must be above',
  ],
  ['a barred strain', { packages: [{ ...pack, strain: 'Other' }] }, 'Strain 1 Strain: must be a name,'],
  [
    'a long name',
    { packages: [{ ...pack, productName: 'x'.repeat(80) }] },
    'Product 1 Name: must have at most 75',
  ],
  ['no cost', { packages: [{ ...pack, costPerUnit: null }] }, 'Inventory 1 TotalCost: must be above zero.'],
  [
    'more than there was',
    { packages: [{ ...pack, onHand: '41' }] },
    'Inventory 1 QuantityOnHand: must not be above',
  ],
  [
    'an accent',
    { packages: [{ ...pack, strain: 'Açaí' }] },
    'Strain 1 Strain: must have letters without accents',
  ],
  ['a wrong license', { licenseNumber: 'C-1' }, 'Strain 1 LicenseNumber: must have six digits.'],
  [
    'an unknown package',
    { sales: [{ ...sale, lines: [{ ...line, label: 'x' }] }] },
    'Sale 1 InventoryExternalIdentifier: must be in the file Inventory',
  ],
  [
    'no excise',
    { sales: [{ ...sale, lines: [{ ...line, exciseTaxCents: 0 }] }] },
    'Sale 1 CannabisExciseTax: must not be 0',
  ],
  [
    'a sale of tomorrow',
    { sales: [{ ...sale, on: '2026-11-23' }] },
    'Sale 1 CreatedDate: must not be after the day',
  ],
  [
    'no reason',
    {
      adjustments: [{ number: 'A1-1-K', label: 'inv-0001', quantity: '-2', on: '2026-11-20', reason: null }],
    },
    'InventoryAdjustment 1 AdjustmentReason: must be one of',
  ],
])('is refused before it is uploaded: %s', (_name, changes, fault) => {
  const faults = faultsIn(week(changes)).map(
    ({ file, row, field, words }) => `${file} ${row} ${field}: ${words}`,
  );
  expect(
    faults.find((it) => it.startsWith(fault)),
    faults.join('\n'),
  ).toBeDefined();
});

test('rows that stand twice, and tickets of two days, are faults', () => {
  const files = ccrsWeek(week());
  const [row] = files.Sale as [CcrsRow];
  const doubled = {
    ...files,
    Sale: [row, row, { ...row, SaleDetailExternalIdentifier: 'z', SaleDate: '11/20/2026' }],
  };
  expect(
    faultsOf(doubled, knownToState(new Map()), '2026-11-22').map(({ row: at, field }) => `${at} ${field}`),
  ).toEqual([...['2 SaleDetailExternalIdentifier', '3 SaleDate']]);
});

const cells = (text: string) => parse(text, { relax_column_count: true });
const replyOf = (text: string, fileName?: string) => readCcrsReply(text, cells(text), fileName);

test("the state's mails are read by their headings, whole files and single rows", () => {
  expect(
    replyOf('CCRS Processing Successful\nSale_412345_20261122091500_2026111T9151ms.csv was processed'),
  ).toEqual({ file: 'Sale', refused: null });
  const echo =
    'CreatedBy,CreatedDate,ErrorMessage,LicenseNumber,ExternalIdentifier,Area\r\nsample,11/22/2026,Invalid Area: QuantityOnHand is greater than InitialQuantity,412345,inv-0001,"Sales, Floor"\r\nsample,11/22/2026,,412345,inv-0002,x\r\n';
  expect(replyOf(echo, 'Inventory_412345_20261122091500.csv')).toEqual({
    file: 'Inventory',
    refused: [{ id: 'inv-0001', words: ['Invalid Area', 'QuantityOnHand is greater than InitialQuantity'] }],
  });
  expect(replyOf('CCRS Processing Error: InventoryAdjustment_412345_20261122091500.csv')).toMatchObject({
    ...{ file: 'InventoryAdjustment', refused: [{ id: null }] },
  });
  expect([replyOf('hello'), replyOf('Sale_1_20261122 hello')]).toEqual([null, null]);
  const words = ['Duplicate Strain. The Strain must be unique for the LicenseNumber'];
  expect([
    isFiledAlready({ id: 'a', words }),
    isFiledAlready({ id: 'a', words: ['Invalid Product'] }),
  ]).toEqual([...[true, false]]);
});
