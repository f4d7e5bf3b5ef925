import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import type { BoundStatement } from '../../platform/statements/statement.ts';

const logged: string[] = [];
const service = await startOwnTestService({ onLogged: (line) => logged.push(line) });
const { context, clock } = service;
let shop: TestShop;
let staff: TestStaff;

beforeEach(async () => {
  shop = await createTestShop(context);
  staff = await service.staff(shop, 'budtender');
});
afterEach(() => expect(service.faults.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([]));
afterAll(() => service.close());

const sql = (text: string) => tenantSql(context.database, shop.organizationId, text);
const license = {
  issuer: '636014',
  number: 'Y7654321',
  firstName: 'Zephyrine',
  lastName: 'Quillfeather',
  birthday: '1971-11-23',
  expiry: '2031-11-23',
  sex: 'female',
  zip: '94699',
};
const show = (changes: object = {}) =>
  staff.call('POST', '/staff/v1/customers/by-license', { ...license, ...changes });
const today = () => new Date(clock.now()).toISOString().slice(0, 10);
const yearsAgo = (years: number, day = today().slice(4)) => `${Number(today().slice(0, 4)) - years}${day}`;

test('a license creates its holder once, and finds them again by its number, spelled with spaces or not', async () => {
  const first = await show();
  expect(first).toMatchObject({
    status: 200,
    data: {
      isNew: true,
      minimumAge: 21,
      isExpired: false,
      customer: {
        firstName: 'Zephyrine',
        lastName: 'Quillfeather',
        birthday: '1971-11-23',
        licenseExpiry: '2031-11-23',
        sex: 'female',
        zip: '94699',
      },
    },
  });
  const { id } = first.data.customer;
  const again = await show({ number: 'y 765-4321', firstName: 'Zephyrine Ann', expiry: '2036-11-23' });
  expect(again.data).toMatchObject({ isNew: false, customer: { id, licenseExpiry: '2036-11-23' } });
  expect((await show({ issuer: '636015', birthday: '1970-01-01' })).data).toMatchObject({ isNew: true });
});

test('a license shown at two registers at once makes one customer', async () => {
  const replies = await Promise.all([1, 2, 3, 4].map(() => show()));
  expect(new Set(replies.map(({ data }) => data.customer.id)).size).toBe(1);
  expect(replies.filter(({ data }) => data.isNew)).toHaveLength(1);
});

test('a license that another register records between two reads makes no second customer', async () => {
  const { database } = context;
  const write = database.write.bind(database);
  let other: Awaited<ReturnType<typeof show>> | undefined;
  const between = vi.spyOn(database, 'write').mockImplementation((organization, work, options) =>
    write(
      organization,
      (tx) => {
        const run = async (...statements: (BoundStatement<unknown> | null)[]) => {
          const at = statements.findIndex((statement) => statement?.name === 'select_customer_license');
          if (at === -1 || other !== undefined) return tx.run(...statements);
          const before = await tx.run(...statements.slice(0, at));
          between.mockRestore();
          other = await show();
          return [...before, ...(await tx.run(...statements.slice(at)))];
        };
        return work({ ...tx, run: run as typeof tx.run });
      },
      options,
    ),
  );
  const { data } = await show();
  expect(other).toMatchObject({ status: 200, data: { isNew: true } });
  expect(data).toMatchObject({ isNew: false, customer: { id: other!.data.customer.id } });
  expect(await sql(`select from customers where first_name = 'Zephyrine'`)).toHaveLength(1);
});

test('a customer on file is found by names and birthday, in any case and without accents, and keeps what is on file', async () => {
  const { data: known } = await staff.call('POST', '/staff/v1/customers', {
    firstName: 'Zéphyrine',
    lastName: 'quillfeather',
    birthday: license.birthday,
    email: 'z@customers.example.com',
    zip: '10001',
  });
  const { data } = await show();
  expect(data).toMatchObject({
    isNew: false,
    customer: {
      id: known.id,
      firstName: 'Zéphyrine',
      zip: '10001',
      licenseExpiry: license.expiry,
      sex: 'female',
    },
  });
  expect(data.customer.email).toBe('z@customers.example.com');
});

test('a holder below the age of the state gets no customer, and the day on which they are old enough', async () => {
  const birthday = yearsAgo(21);
  expect((await show({ birthday })).data).toMatchObject({ age: 21, isNew: true });
  const nextDay = new Date(Date.parse(birthday) + 86_400_000).toISOString().slice(0, 10);
  const { status, data } = await show({ number: 'N1', firstName: 'Young', birthday: nextDay });
  expect({ status, data }).toEqual({
    status: 200,
    data: {
      customer: null,
      isNew: false,
      suspected: [],
      age: 20,
      minimumAge: 21,
      allowedOn: `${Number(nextDay.slice(0, 4)) + 21}${nextDay.slice(4)}`,
      isExpired: false,
    },
  });
  expect(await sql(`select from customers where first_name = 'Young'`)).toEqual([]);
  expect(await sql('select from customer_licenses')).toHaveLength(1);
  const leap = Number(today().slice(0, 4)) - (Number(today().slice(0, 4)) % 4) - 4;
  const born = await show({ number: 'N2', birthday: `${leap}-02-29` });
  expect(born.data.allowedOn).toBe(`${leap + 21}-03-01`);
});

test('a patient on file has the age of patients; an expired card or license does not help', async () => {
  const birthday = yearsAgo(19);
  const { data: patient } = await staff.call('POST', '/staff/v1/customers', {
    firstName: license.firstName,
    lastName: license.lastName,
    birthday,
    medicalExpiration: yearsAgo(-1),
  });
  expect((await show({ birthday })).data).toMatchObject({
    minimumAge: 18,
    age: 19,
    customer: { id: patient.id },
  });
  await staff.call('PATCH', `/staff/v1/customers/${patient.id}`, { medicalExpiration: yearsAgo(1) });
  expect((await show({ birthday })).data).toMatchObject({ minimumAge: 21, customer: null });
  expect((await show({ number: 'N3', firstName: 'Old', expiry: yearsAgo(1) })).data).toMatchObject({
    isExpired: true,
    customer: { firstName: 'Old' },
  });
});

test('the number is nowhere in the database nor in the log', async () => {
  await show();
  await show();
  const tables = await sql(
    `select relname from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
        and has_table_privilege(oid, 'select')`,
  );
  const texts = await sql(
    tables
      .map(({ relname }) => `select coalesce(string_agg(t::text, ' '), '') as text from "${relname}" t`)
      .join(' union all '),
  );
  const written = texts.map(({ text }) => text).join(' ');
  expect(written).toContain('Quillfeather');
  expect(`${written} ${logged.join(' ')}`).not.toMatch(/7654321/);
});

test('a merged customer is found by either license, an erased one by none', async () => {
  const { data: one } = await show();
  const { data: other } = await show({ number: 'N4', firstName: 'Zoe', birthday: '1972-01-01' });
  const owner = await service.staff(shop);
  const merged = await owner.call('POST', `/staff/v1/customers/${other.customer.id}/merge`, {
    intoCustomerId: one.customer.id,
  });
  expect(merged.status).toBe(200);
  expect((await show({ number: 'N4', firstName: 'Zoe' })).data.customer.id).toBe(one.customer.id);
  const erased = await owner.call('DELETE', `/staff/v1/customers/${one.customer.id}`);
  expect(erased.error).toBe(undefined);
  expect(await sql('select from customer_licenses')).toEqual([]);
  expect((await show()).data).toMatchObject({ isNew: true });
});

test('a license of another organization finds no customer, and leaves no digest that could be compared', async () => {
  await show();
  const [here] = await sql('select digest from customer_licenses');
  const elsewhere = await createTestShop(context);
  const stranger = await service.staff(elsewhere, 'budtender');
  const { data } = await stranger.call('POST', '/staff/v1/customers/by-license', license);
  expect(data.isNew).toBe(true);
  const [there] = await tenantSql(
    context.database,
    elsewhere.organizationId,
    'select digest from customer_licenses',
  );
  expect(there!.digest).not.toBe(here!.digest);
});
