import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limitedShops } from '../src/shop/carts/limited-shops.test-support.ts';
import { eraseCustomer } from '../src/shop/customer-records/erase-customer.ts';
import { exportProfiles } from '../src/shop/imports/export-profiles.ts';
import {
  guessMapping,
  type ImportKind,
  inspectMenu,
  MenuFileReader,
  productImport,
} from '../src/shop/imports/imports.ts';
import {
  closingImport,
  customerImport,
  discountImport,
  packageImport,
  saleImport,
  staffImport,
  stateImport,
  vendorImport,
} from '../src/shop/moves/import-kinds.ts';
import { tenantSql } from '../test/harness/tenant-sql.ts';
import { startTestService } from '../test/harness/test-service.ts';
import { createTestShop, type TestShop, testOrigin } from '../test/harness/test-shop.ts';
import { fileAt } from './file-at.ts';
import { importRuns } from './import-runs.test-support.ts';
import { inspectTable } from './inspect-file.ts';

/* What a shop carries out of its old till, in the form of each export that is known. */

const service = await startTestService();
const { context } = service;
const imports = importRuns(service);
const { folder } = imports;

const samples = 'docs/examples/moves';
const files = readdirSync(samples);
const sampleOf = (profile: string) => join(samples, files.find((file) => file.startsWith(`${profile}.`))!);
const newShop = () => createTestShop(context, { products: [] });
const sql = (shop: TestShop, text: string) => tenantSql(context.database, shop.organizationId, text);
const { shopIn, setRule, at } = limitedShops(service);

async function known(shop: TestShop, { formerId }: { readonly formerId: string }) {
  const path = join(folder, `${shop.organizationId}.csv`);
  writeFileSync(
    path,
    `firstName,lastName,email,formerId\nImani,Brandt,imani@customers.example.com,${formerId}\n`,
  );
  await load(customerImport, shop, path);
  const [customer] = await sql(shop, 'select id from customers');
  return { id: Number(customer!.id) };
}

const load = <Row>(kind: ImportKind<Row>, shop: TestShop, path: string, isTrial = false) =>
  imports.load(kind, shop, path, { isTrial });

test('each known export has a sample, by whose headings it is known', async () => {
  // No till's list of staff is known by its headings: the sample has the columns of the import.
  expect(files.map((file) => file.replace(/\.\w+$/, '')).toSorted()).toEqual(
    [...new Set([...exportProfiles.map(({ name }) => name), 'staff'])].toSorted(),
  );
  for (const { name, kind } of exportProfiles) {
    const kinds = {
      ...{ products: productImport, customers: customerImport, sales: saleImport },
      ...{ packages: packageImport, vendors: vendorImport },
      ...{ discounts: discountImport, closings: closingImport, state: stateImport },
    };
    const guess = await guessMapping(fileAt(sampleOf(name)), kinds[kind] as ImportKind<unknown>, null);
    expect(guess.profile, name).toBe(name);
  }
});

const person = { email: 'imani@customers.example.com', birthday: '1988-02-29' };

test.each([
  ['customers-with-card-numbers', { points: '120.5', medical: '2027-01-31', consents: [false, false] }],
  ['customers-with-rewards', { points: '120', medical: '2027-01-31', consents: [false, false] }],
  ['customers-with-consents', { points: '120', medical: '2027-01-31', consents: [true, false] }],
  ['members', { points: '120', medical: null, consents: [true, false] }],
  ['patients-and-customers', { points: '0', medical: null, consents: [false, false] }],
  ['online-shop-customers', { points: '0', medical: null, consents: [true, false] }],
  ['card-till-customers', { points: '0', medical: null, consents: [true, false] }],
])(
  '%s: customers come with points, and consent only where it was given for every channel',
  async (name, expected) => {
    const shop = await newShop();
    const report = await load(customerImport, shop, sampleOf(name));
    expect(report.problems).toEqual([]);
    expect(report).toMatchObject({ created: 2, refused: 0 });
    const rows = await sql(
      shop,
      `
    select c.first_name, c.last_name, c.email, c.birthday::text as birthday, c.phone_normalized as phone,
           c.medical_expiration::text as medical, c.marketing_opt_in as consent, f.former_id,
           coalesce(b.points, 0)::text as points
      from customers c
      left join former_customers f on f.organization_id = c.organization_id and f.user_id = c.id
      left join loyalty_balances b on b.organization_id = c.organization_id and b.user_id = c.id
     where c.organization_id = current_organization_id() order by c.first_name`,
    );
    const birthdays = name === 'online-shop-customers' ? [null, null] : [person.birthday, '1990-11-05'];
    expect(rows).toEqual([
      {
        ...{ first_name: 'Imani', last_name: 'Brandt', email: person.email, birthday: birthdays[0] },
        ...{ phone: '+14155550141', medical: expected.medical, consent: expected.consents[0] },
        ...{ former_id: '4101', points: expected.points },
      },
      {
        ...{ first_name: 'Teo', last_name: 'Lindqvist', email: null, birthday: birthdays[1] },
        ...{ phone: '+14155550142', medical: null, consent: expected.consents[1] },
        ...{ former_id: '4102', points: '0' },
      },
    ]);
    // Twice is once: points come with the number at the former till.
    expect(await load(customerImport, shop, sampleOf(name))).toMatchObject({
      created: 0,
      known: 2,
      refused: 0,
    });
  },
);

const soldGoods = [
  product('Sample Kush', 'Flower', '3.5'),
  product('Sample Gummies', 'Edibles', '100'),
] as const;

function product(key: string, category: string, content: string) {
  return { key, category, inventoryType: 'none', options: [{ key, priceCents: 3500, content }] } as const;
}

test.each(['ticket-lines', 'receipt-lines', 'transaction-lines'])(
  '%s: old sales come once, with their returns, and count for purchase limits only',
  async (name) => {
    at('2026-11-22T02:00:00Z');
    const shop = await shopIn('OK', { products: soldGoods });
    const { id } = await known(shop, { formerId: '4101' });
    const report = await load(saleImport, shop, sampleOf(name));
    expect(report.problems).toEqual([]);
    expect(report).toMatchObject({ created: 2, known: 0, refused: 0 });
    expect(await load(saleImport, shop, sampleOf(name))).toMatchObject({ created: 0, known: 2 });
    // Two at once are one.
    const twin = await shopIn('OK', { products: soldGoods });
    const both = await Promise.all([1, 2].map(() => load(saleImport, twin, sampleOf(name))));
    expect(both.map(({ created, known: here }) => created + here)).toEqual([2, 2]);
    expect(await sql(twin, 'select number from former_sales order by 1')).toHaveLength(2);
    const rows = await sql(
      shop,
      `select number, sold_at::text as sold_at, local_date::text as day, user_id, gross_cents, discount_cents, net_cents,
              tax_cents, counted_contents as counted from former_sales order by number`,
    );
    expect(rows).toEqual([
      {
        ...{ number: 'TX0001', sold_at: expect.anything(), day: '2026-11-20', user_id: id },
        ...{ gross_cents: 9000, discount_cents: 700, net_cents: 8300, tax_cents: 1494 },
        counted: {
          ...{ edibles: '100', 'thc:edibles': '100' },
          ...{ 'non-concentrated': '7', 'thc:non-concentrated': '1505' },
        },
      },
      {
        ...{ number: 'TX0002', sold_at: expect.anything(), day: '2026-11-21', user_id: id },
        ...{ gross_cents: -2000, discount_cents: 0, net_cents: -2000, tax_cents: -360, counted: {} },
      },
    ]);
    await setRule(shop, { name: 'House', limit: '20', window: 'rolling-days', windowDays: 30 });
    const clerk = await service.staff(shop, 'budtender');
    const { data } = await clerk.call('POST', '/staff/v1/law/limits', { goods: [], customerId: id });
    expect(data.limits).toMatchObject([{ name: 'House', used: '7' }]);
    expect(await sql(shop, 'select from stock_ledger_entries')).toEqual([]);
    expect(await sql(shop, 'select from orders')).toEqual([]);
    const owner = await service.staff(shop);
    const { data: bought } = await owner.call('GET', `/staff/v1/customers/${id}/former-sales`);
    expect(bought).toMatchObject({
      ...{ count: 2, net: 6300 },
      latest: [{ number: 'TX0002' }, { number: 'TX0001', net: 8300, lines: [{ content: '7' }, {}] }],
    });
    const { data: sales } = await owner.call('GET', '/staff/v1/reports/sales?from=2026-11-01&to=2026-11-21');
    expect([sales.rows, sales.total.net, sales.imported]).toEqual([
      [],
      0,
      [{ till: 'the former till', tickets: 2, gross: 7000, discounts: 700, net: 6300, tax: 1134 }],
    ]);
    const { data: kept } = await owner.call('GET', `/staff/v1/customers/${id}/export`);
    expect(kept.formerAccounts).toMatchObject([{ number: '4101' }]);
    expect(kept.formerSales).toMatchObject([{ number: 'TX0001', net: 8300 }, { number: 'TX0002' }]);
    await eraseCustomer(context, testOrigin, shop.organizationId, id);
    expect(await sql(shop, 'select from former_customers')).toEqual([]);
    expect(await sql(shop, 'select from former_sales where user_id is not null')).toEqual([]);
  },
);

test.each([[['SALE', 'BACK']], [['BACK', 'SALE']]])(
  'a ticket that gives another one back is taken off the day of that one, whichever comes first: %j',
  async (order) => {
    at('2026-11-22T02:00:00Z');
    const shop = await shopIn('OK', { products: soldGoods });
    const { id } = await known(shop, { formerId: '4101' });
    const columns = 'number,soldAt,customerId,refundOf,productName,quantity,net,tax\n';
    const rows = {
      SALE: '7,2026-11-19,4101,,Sample Kush,2,7000,700\n8,2026-11-19,4101,,Sample Kush,1,3500,350\n',
      // It names no customer, and its amounts are above zero, as some tills write them.
      BACK: '9,2026-11-21,,7,Sample Kush,1,3500,350\n10,2026-11-21,,6,Sample Kush,1,3500,350\n',
    };
    for (const part of order as readonly (keyof typeof rows)[]) {
      const path = join(folder, `${shop.organizationId}-${part}.csv`);
      writeFileSync(path, columns + rows[part]);
      expect(await load(saleImport, shop, path)).toMatchObject({ created: 2, problems: [] });
    }
    expect(
      await sql(
        shop,
        'select number, user_id, net_cents, counted_contents as counted from former_sales order by id',
      ),
    ).toEqual(
      expect.arrayContaining([
        {
          ...{ number: '7', user_id: id, net_cents: 7000 },
          counted: { 'non-concentrated': '3.5', 'thc:non-concentrated': '752.5' },
        },
        { number: '9', user_id: id, net_cents: -3500, counted: {} },
        { number: '10', user_id: null, net_cents: -3500, counted: {} },
      ]),
    );
    await setRule(shop, { name: 'House', limit: '20', window: 'rolling-days', windowDays: 30 });
    const owner = await service.staff(shop);
    const { data } = await owner.call('POST', '/staff/v1/law/limits', { goods: [], customerId: id });
    expect(data.limits).toMatchObject([{ name: 'House', used: '7' }]);
    const { data: bought } = await owner.call('GET', `/staff/v1/customers/${id}/former-sales`);
    expect(bought).toMatchObject({ count: 2, net: 7000, latest: [{ number: '9', refundOf: '7' }, {}, {}] });
    await owner.call('POST', '/staff/v1/move', { till: 'the former till' });
    const { data: move } = await owner.call('POST', '/staff/v1/move/checks');
    expect(move.checks.find(({ check }: { check: string }) => check === 'refunds')).toMatchObject({
      ...{ result: 'missing', expected: '2 tickets give another one back', found: '1 find it' },
      differences: ['10 gives back a ticket that is not here'],
    });
  },
);

test.each(['inventory-valuation', 'company-products', 'product-sheet'])(
  '%s: products come the same through the service and the command',
  async (name) => {
    const shop = await createTestShop(context, { products: [] });
    const path = sampleOf(name);
    const inspection = await inspectMenu(context, shop.organizationId, {
      ...{ reader: new MenuFileReader(fileAt(path)), preset: null, productsMax: 10 },
    });
    expect(inspection).toMatchObject({ looked: 1, refused: 0 });
    expect(inspection.products).toMatchObject([
      {
        ...{ name: 'Sample Kush', brandName: 'Sample Farms', category: 'Flower', unit: 'gram' },
        ...{ strainType: 'hybrid', options: [{ amount: '3.5', price: 3500, content: '3.5' }] },
      },
    ]);
    expect(await load(productImport, shop, path)).toMatchObject({ created: 1, refused: 0 });
  },
);

const tags = ['1A4000000000000000000123', '1A4000000000000000000125'];
const kush = product('Sample Kush', 'Flower', '3.5');
const stocked = { ...kush, inventoryType: 'option', options: kush.options } as const;

test.each([
  ['inventory-valuation', { tags, rooms: ['Back', 'Front'], cost: '14', expires: '2027-01-31' }],
  ['stock-by-room', { tags, rooms: ['Back', 'Back', 'Front'], cost: '14', expires: null }],
  ['state-package-list', { tags, rooms: ['Back', 'Front'], cost: '0', expires: null }],
  ['filed-inventory', { tags: ['INV-123', 'INV-125'], rooms: ['Back', 'Front'], cost: '0', expires: null }],
  ['packages-with-allocations', { tags, rooms: ['', ''], cost: '14', expires: '2027-01-31' }],
  ['packages-with-tiers', { tags, rooms: ['Back', 'Front'], cost: '14', expires: '2027-01-31' }],
])('%s: packages come once, with tag, place, cost and what is set aside', async (name, expected) => {
  const shop = await createTestShop(context, { products: [stocked] });
  const before = (await sql(shop, 'select from stock_ledger_entries')).length;
  const trial = await load(packageImport, shop, sampleOf(name), true);
  expect([trial.problems, trial.created]).toEqual([[], 2]);
  expect(await sql(shop, 'select from stock_ledger_entries')).toHaveLength(before);
  expect(await load(packageImport, shop, sampleOf(name))).toMatchObject({ created: 2, refused: 0 });
  expect(await load(packageImport, shop, sampleOf(name))).toMatchObject({ created: 0, known: 2 });
  const rows = await sql(
    shop,
    `select k.label, sum(b.on_hand)::text as held, k.cost_per_unit::text as cost, k.expiration_date::text as expires,
            array_agg(l.name order by l.name) as rooms
       from packages k join stock_balances b on b.organization_id = k.organization_id and b.package_id = k.id
       join inventory_locations l on l.organization_id = k.organization_id and l.id = b.inventory_location_id
      where k.organization_id = current_organization_id() and k.label = any('{${expected.tags}}') group by k.id, k.label, k.cost_per_unit, k.expiration_date order by k.label`,
  );
  expect(rows.map(({ label, held }) => [label, held])).toEqual([
    [expected.tags[0], '10'],
    [expected.tags[1], '4'],
  ]);
  expect(rows.map(({ cost, expires }) => [cost, expires])).toEqual([
    [expected.cost, expected.expires],
    [expected.cost, null],
  ]);
  const [first] = await sql(shop, 'select name from inventory_locations order by id limit 1');
  expect(rows.flatMap(({ rooms }) => rooms).toSorted()).toEqual(
    expected.rooms.map((room) => (room === '' ? first!.name : room)).toSorted(),
  );
});

test('packages of no product, of another kind of unit or with a damaged tag are refused, and stop no other', async () => {
  const shop = await createTestShop(context, { products: [stocked] });
  const path = join(folder, 'stock.csv');
  writeFileSync(
    path,
    'tag,productName,unit,quantity,unitCost\nT-1,Sample Kush,Each,3,14\nT-2,Nothing of ours,Each,3,14\n' +
      'T-3,Sample Kush,Gallons,3,14\n2.68435E+17,Sample Kush,Each,3,14\nT-5,Sample Kush,Each,-3,14\nT-6,Sample Kush,Each,0,14\n',
  );
  const report = await load(packageImport, shop, path);
  expect(report).toMatchObject({ created: 1, known: 1, refused: 4 });
  expect(report.problems).toMatchObject([
    { line: 5, column: 'tag', message: 'is required' },
    { line: 6, column: 'quantity', message: expect.stringContaining('not "-3"') },
    { line: 3, column: 'productName', message: expect.stringContaining('not "Nothing of ours"') },
    { line: 4 },
  ]);
});

test('a package in another unit of weight costs what its unit costs', async () => {
  const bulk = { ...kush, unit: 'gram', inventoryType: 'product' } as const;
  const shop = await createTestShop(context, { products: [bulk] });
  const path = join(folder, 'weighed.csv');
  writeFileSync(
    path,
    'tag,productName,unit,quantity,unitCost\nW-1,Sample Kush,lb,2,1200\nW-2,Sample Kush,g,10,3.5\n',
  );
  expect(await load(packageImport, shop, path)).toMatchObject({ created: 2, refused: 0, problems: [] });
  const rows = await sql(
    shop,
    `select k.label, sum(b.on_hand)::text as held, k.cost_per_unit::text as cost, round(sum(b.on_hand) * k.cost_per_unit, 2)::text as worth
       from packages k join stock_balances b on b.organization_id = k.organization_id and b.package_id = k.id
      where k.organization_id = current_organization_id() and k.label like 'W-%' group by k.id, k.label, k.cost_per_unit order by 1`,
  );
  expect(rows).toEqual([
    { label: 'W-1', held: '907.18474', cost: '2.645547', worth: '2400.00' },
    { label: 'W-2', held: '10', cost: '3.5', worth: '35.00' },
  ]);
});

test('vendors and staff come once; staff cannot sign in before they are invited, and no file makes an owner', async () => {
  const shop = await newShop();
  for (const name of ['inventory-valuation', 'incoming-transfers', 'stock-by-room', 'packages-with-tiers']) {
    const { created, refused } = await load(vendorImport, shop, sampleOf(name));
    expect([name, created, refused]).toEqual([name, name === 'inventory-valuation' ? 1 : 0, 0]);
  }
  expect(await sql(shop, 'select name from inventory_vendors')).toEqual([{ name: 'Sample Distribution' }]);
  expect(await load(staffImport, shop, sampleOf('staff'))).toMatchObject({ created: 2, refused: 0 });
  expect(await load(staffImport, shop, sampleOf('staff'))).toMatchObject({ created: 0, known: 2 });
  expect(
    await sql(
      shop,
      `select role, password_hash from staff_members where email like '%staff.example.com' order by 1`,
    ),
  ).toEqual([
    { role: 'budtender', password_hash: null },
    { role: 'manager', password_hash: null },
  ]);
  const path = join(folder, 'owners.csv');
  writeFileSync(path, 'firstName,lastName,email,role\nA,B,boss@staff.example.com,owner\n');
  expect((await load(staffImport, shop, path)).problems).toMatchObject([
    { line: 2, column: 'role', message: expect.stringContaining('not "owner"') },
  ]);
});

test('a bad row is refused with its line, column and text, and the others come in', async () => {
  const shop = await createTestShop(context, { products: [] });
  const path = join(folder, 'members.json');
  const member = {
    id: '1',
    firstName: 'Ada',
    lastName: 'Quill',
    primaryPhone: '4155550150',
    textOptIn: true,
  };
  writeFileSync(
    path,
    JSON.stringify([
      { ...member, emailOptIn: true, dob: '5/4/88', loyaltyPoints: 10 },
      { ...member, id: '2', primaryPhone: '4155550151', emailOptIn: 'perhaps', loyaltyPoints: 10 },
      { ...member, id: '3', primaryPhone: '4155550152', emailOptIn: true, loyaltyPoints: '1E+5' },
      { ...member, id: '4', primaryPhone: '4155550153', emailOptIn: true, loyaltyPoints: -4 },
      { ...member, id: '5', primaryPhone: '4155550154', emailOptIn: true, loyaltyPoints: '1,204' },
    ]),
  );
  const report = await load(customerImport, shop, path);
  expect(report).toMatchObject({ created: 1, refused: 4 });
  expect(report.problems).toEqual([
    { line: 1, column: 'dob', message: 'must be a date with a year of four digits, such as 3/14/1990' },
    { line: 2, column: 'emailOptIn', message: 'must be yes or no, or subscribed or unsubscribed' },
    { line: 3, column: 'loyaltyPoints', message: 'must be a number, such as 120 or 1,240.50, not "1E+5"' },
    {
      ...{ line: 4, column: 'loyaltyPoints' },
      message: 'must be a number from 0 to 100,000,000, with at most 4 decimals, not "-4"',
    },
  ]);
});

test('a look says which export it is and what is missing, and writes a mapping to edit', async () => {
  const shop = await createTestShop(context, { products: [] });
  const path = join(folder, 'customers.csv');
  copyFileSync(sampleOf('card-till-customers'), path);
  const { data, lines, exitCode } = await inspectTable(
    customerImport,
    { context },
    shop.organizationId,
    path,
    {},
  );
  expect(exitCode).toBe(0);
  expect(lines[0]).toBe('The file is an export that is known: card-till-customers');
  expect(data).toMatchObject({ profile: 'card-till-customers', created: 2, refused: 0 });
  const again = await inspectTable(customerImport, { context }, shop.organizationId, path, {
    mapping: `${path}.mapping.json`,
  });
  expect(again.data).toMatchObject({ created: 2, refused: 0 });
});

test('points and credit of the former till come once, also to a customer who is here already', async () => {
  const shop = await createTestShop(context, { products: [] });
  const path = join(folder, 'owed.csv');
  const load2 = () => load(customerImport, shop, path);
  writeFileSync(path, 'firstName,lastName,email\nAda,Quill,ada@customers.example.com\n');
  expect(await load2()).toMatchObject({ created: 1 });
  const heading = 'firstName,lastName,email,formerId,points,credit';
  writeFileSync(path, `${heading}\nAda,Quill,ada@customers.example.com,77,40,$12.50\n`);
  expect(await load2()).toMatchObject({ created: 0, known: 1, warnings: [] });
  writeFileSync(path, `${heading}\nAda,Quill,ada@customers.example.com,77,55,$12.50\n`);
  expect(await load2()).toMatchObject({
    warnings: [
      {
        ...{ line: 2, column: 'points' },
        message: 'is not what it was when the customer came; the account here was not changed',
      },
    ],
  });
  expect(await sql(shop, 'select points::text as points from loyalty_balances')).toEqual([{ points: '40' }]);
  expect(await sql(shop, 'select type, remaining_cents, description from customer_credits')).toEqual([
    { type: 'store-credit', remaining_cents: 1250, description: 'Credit from the former till' },
  ]);
});
