import { expect, test } from 'vitest';
import { type CheckName, checkNames, judgeMove, type MoveCheck, type ShopSums } from './judge-move.ts';
import { type FileSums, type MoveFile, type MoveFileKind, SumsOfFile } from './sums-of-file.ts';

/* What proves a move: each check with its numbers, and what alone makes it fail. */

function file(kind: MoveFileKind, rows: number, sums: Partial<FileSums> = {}): MoveFile {
  return {
    ...{ kind, name: `${kind}.csv`, sha256: '0'.repeat(64), loadedAt: '2026-03-01T00:00:00.000Z' },
    ...{ read: rows, created: rows, known: 0, refused: 0, sums: { ...new SumsOfFile().sums, ...sums } },
  };
}
const [tag, other] = ['1A4000000000000000000001', '1A4000000000000000000002'];
const day = { sales: 2, netCents: 7_000, taxCents: 1_260 };

/** What the former till exported. */
const files = [
  file('products', 2, { options: 3, priceCents: 9_550 }),
  file('packages', 2, { stockValue: '125.505' }),
  file('customers', 812, { points: '10420.5', creditCents: 18_250, consents: 371 }),
  file('sales', 2, { days: { '2026-02-27': day } }),
  file('closings', 1, { closings: { '2026-02-27': day } }),
  file('state', 2, { tags: { [tag]: '3.50', [other]: '12' } }),
];

/** A shop that has all of it. */
const moved: ShopSums = {
  customers: { accounts: 812, points: '10420.50', creditCents: 18_250, consents: 371 },
  days: { '2026-02-27': day },
  goods: { options: 3, priceCents: 9_550, withoutPrice: 0, twice: 0 },
  tags: {
    [tag]: { quantity: '3.5', hasProduct: true, value: '25.50' },
    [other]: { quantity: '12', hasProduct: true, value: '100' },
  },
  refunds: { named: 1, found: 1, lost: [] },
  ...{ reporters: 0, isLive: false },
};

const failed = (checks: readonly MoveCheck[]) => checks.filter(({ result }) => result !== 'passed');

test('every check passes for a shop that has what the files say, and tells both numbers', () => {
  const checks = judgeMove(files, moved);
  expect(checks.map(({ check }) => check).toSorted()).toEqual(checkNames.toSorted());
  expect(failed(checks)).toEqual([]);
  expect(Object.fromEntries(checks.map(({ check, expected, found }) => [check, [expected, found]]))).toEqual({
    rows: ['821 read', '821 loaded, known or refused'],
    tags: ['2 tags', '2 tags'],
    quantities: ['2 tags', '2 tags'],
    'stock-value': ['$125.51', '$125.50'],
    'product-links': ['0 packages without a product', '0'],
    prices: ['$95.50', '$95.50'],
    options: ['3', '3'],
    customers: ['812', '812'],
    consent: ['at most 371', '371'],
    points: ['10420.5', '10420.5'],
    credit: ['$182.50', '$182.50'],
    'day-totals': ['1 days', '1 days'],
    closings: ['1 closed days', '1 equal here'],
    refunds: ['1 tickets give another one back', '1 find it'],
    'one-reporter': ['the former till reports', '0 connections report'],
  });
});

const place = moved.tags[other]!;
test.each<[what: string, CheckName, Partial<ShopSums>, differences: string[]]>([
  [
    'the state does not know a package',
    'tags',
    { tags: { ...moved.tags, '1A4': { quantity: '1', hasProduct: true, value: '0' } } },
    ['1A4 is here only'],
  ],
  [
    'a package has less',
    'quantities',
    { tags: { ...moved.tags, [other]: { ...place, quantity: '11' } } },
    [`${other}: 12 at the state, 11 here`],
  ],
  [
    'a package cost three cents more',
    'stock-value',
    { tags: { ...moved.tags, [other]: { ...place, value: '100.03' } } },
    [],
  ],
  [
    'a package has no product',
    'product-links',
    { tags: { ...moved.tags, [other]: { ...place, hasProduct: false } } },
    [other],
  ],
  ['a price is a cent off', 'prices', { goods: { ...moved.goods, priceCents: 9_551 } }, []],
  [
    'an option costs nothing',
    'prices',
    { goods: { ...moved.goods, withoutPrice: 1 } },
    ['1 options cost nothing'],
  ],
  ['an option is missing', 'options', { goods: { ...moved.goods, options: 2 } }, []],
  [
    'an option is there twice',
    'options',
    { goods: { ...moved.goods, twice: 1 } },
    ['1 options are there twice'],
  ],
  ['a customer is missing', 'customers', { customers: { ...moved.customers, accounts: 811 } }, []],
  ['a person agreed to nothing', 'consent', { customers: { ...moved.customers, consents: 372 } }, []],
  ['half a point is lost', 'points', { customers: { ...moved.customers, points: '10420' } }, []],
  ['a cent of credit is lost', 'credit', { customers: { ...moved.customers, creditCents: 18_249 } }, []],
  [
    'a cent of a day’s tax is lost',
    'day-totals',
    { days: { '2026-02-27': { ...day, taxCents: 1_259 } } },
    ['2026-02-27: 2 sales, $70.00 net, $12.60 tax in the file, 2 sales, $70.00 net, $12.59 tax here'],
  ],
  [
    'a ticket gives back one that is not here',
    'refunds',
    { refunds: { named: 2, found: 1, lost: ['TX0009'] } },
    ['TX0009 gives back a ticket that is not here'],
  ],
  ['two systems report', 'one-reporter', { reporters: 1 }, []],
])('%s: %s alone fails', (_what, check, change, differences) => {
  expect(failed(judgeMove(files, { ...moved, ...change }))).toMatchObject([
    { check, result: 'failed', differences },
  ]);
});

test('a refused row and a day that was closed otherwise fail by the file', () => {
  const [products, ...others] = files;
  expect(failed(judgeMove([{ ...products!, read: 3, refused: 1 }, ...others], moved))).toMatchObject([
    { check: 'rows', result: 'failed', differences: ['products.csv: 1 refused'] },
  ]);
  const closed = { '2026-02-27': { ...day, netCents: 7_002 } };
  const recounted = [
    ...files.filter(({ kind }) => kind !== 'closings'),
    file('closings', 1, { closings: closed }),
  ];
  expect(failed(judgeMove(recounted, moved))).toMatchObject([
    {
      ...{ check: 'closings', result: 'failed', expected: '1 closed days', found: '0 equal here' },
      differences: ['2026-02-27: $70.02 net, $12.60 tax closed there, $70.00 net, $12.60 tax here'],
    },
  ]);
});

test('a check whose file is not there is missing, so that a person signs it', () => {
  const results = judgeMove([], { ...moved, tags: {} }).map(({ check, result }) => [check, result]);
  expect(results.filter(([, result]) => result !== 'missing')).toEqual([
    ['product-links', 'passed'],
    ['one-reporter', 'passed'],
  ]);
});
