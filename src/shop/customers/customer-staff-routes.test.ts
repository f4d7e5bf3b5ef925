import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { stepOrder } from '../orders/orders.ts';
import { importPeople } from './people.test-support.ts';

const service = await startTestService();
const { context, clock } = service;
let shop: TestShop;
let staff: TestStaff;
let manager: TestStaff;

beforeEach(async () => {
  shop = await createTestShop(context);
  staff = await service.staff(shop, 'budtender');
  manager = await service.staff(shop, 'manager');
});
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const path = '/staff/v1/customers';
const now = () => new Date(clock.now()).toISOString();
const sql = (text: string) => tenantSql(context.database, shop.organizationId, text);
const person = { firstName: 'Marisol', lastName: 'Okafor', email: 'marisol@customers.example.com' };
const create = (body: object) => staff.call('POST', path, body);
const change = (id: number, body: object) => staff.call('PATCH', `${path}/${id}`, body);
const list = (query: Record<string, string | number>) => staff.call('GET', path, undefined, { query });
const idsOf = ({ data }: { data: { id: number }[] }) => data.map(({ id }) => id);

describe('a customer', () => {
  test('is created, read, changed and cleared, with every field that staff write', async () => {
    const profile = {
      ...person,
      phone: '(415) 555-0123',
      birthday: '1988-02-29',
      sex: 'female',
      zip: '94607',
      licenseExpiry: '2029-02-28',
      medicalExpiration: '2027-01-31',
      marketingOptIn: true,
      taxExempt: true,
    };
    const created = await manager.call('POST', path, profile);
    expect(created).toMatchObject({
      status: 201,
      data: {
        ...profile,
        phone: '+14155550123',
        joinedAt: now(),
        updatedAt: now(),
        marketingOptInAt: now(),
        customerGroups: [],
        loyalty: { pointsAmount: 0 },
        mostRecentAddress: null,
        erasedAt: null,
        orderCount: 0,
        spent: 0,
        lastOrderAt: null,
      },
    });
    const { id, joinedAt } = created.data;
    expect((await staff.call('GET', `${path}/${id}`)).data).toEqual(created.data);
    clock.advance(1000);
    const cleared = {
      email: null,
      phone: '',
      birthday: null,
      sex: null,
      zip: null,
      licenseExpiry: null,
      medicalExpiration: null,
      marketingOptIn: false,
      taxExempt: null,
    };
    expect(await manager.call('PATCH', `${path}/${id}`, { ...cleared, firstName: ' Mara ' })).toMatchObject({
      status: 200,
      data: {
        ...cleared,
        phone: null,
        firstName: 'Mara',
        lastName: 'Okafor',
        marketingOptInAt: null,
        joinedAt,
        updatedAt: now(),
      },
    });
  });

  test('with unchanged values is not written, and nothing is announced', async () => {
    const { data } = await create({ ...person, phone: '(415) 555-0123' });
    clock.advance(1000);
    expect((await change(data.id, { ...person, phone: '415.555.0123' })).data).toEqual(data);
    await change(data.id, { lastName: 'Brandt', zip: '94607' });
    const [entry] = await sql(`select details, actor from audit_entries where action = 'customer.updated'`);
    expect(entry).toEqual({
      details: { customerId: data.id, fields: ['lastName', 'zip'] },
      actor: `staff:${staff.staffId}`,
    });
    expect(await sql(`select from outbox_events where type = 'customer.updated'`)).toHaveLength(1);
  });

  test('keeps the moment of the first consent', async () => {
    const { data } = await create({ ...person, marketingOptIn: true });
    clock.advance(1000);
    expect((await change(data.id, { marketingOptIn: true, zip: '94607' })).data.marketingOptInAt).toBe(
      data.marketingOptInAt,
    );
  });

  test('shows their purchases', async () => {
    const keys = shop.keys;
    const payments = [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }];
    const [first] = [
      await service.call('POST', '/api/v1/orders', { keys, body: pickupBody(shop, { payments }) }),
      await service.call('POST', '/api/v1/orders', { keys, body: pickupBody(shop) }),
    ];
    for (const action of ['pack', 'fulfill'] as const) {
      await stepOrder(context, testOrigin, shop.organizationId, first!.data.id, action, { staff: null });
    }
    const { data } = await staff.call('GET', `${path}/${first!.data.customer.id}`);
    expect(data).toMatchObject({
      orderCount: 2,
      spent: first!.data.customerGrandTotal,
      lastOrderAt: now(),
    });
  });

  test.each([
    [{ email: 'Taken@Customers.example.com ' }, /^email belongs to another customer/],
    [
      { firstName: 'GIVEN', lastName: 'Ön-File', phone: '(415) 555-0199' },
      /^phone belongs to another customer of this name/,
    ],
    [{ email: 'nowhere' }, /^email must be an email address/],
    [{ phone: '12' }, /^phone must be a phone number/],
    [{ firstName: ' ' }, /^firstName must be text of 1 to 100 characters that are not all spaces/],
    [{ lastName: '' }, /^lastName must be/],
    [{ birthday: '2026-03-12' }, /^birthday must not be in the future/],
    [{ birthday: '1899-12-31' }, /^birthday must be a date YYYY-MM-DD that exists, not before 1900-01-01/],
    [{ sex: 'other' }, /^sex must be one of/],
    [{ licenseExpiry: '2026-02-30' }, /^licenseExpiry must be a date/],
  ])('with %j is refused, naming the field, and nothing is written', async (wrong, message) => {
    await importPeople(context, shop.organizationId, [
      { email: 'taken@customers.example.com', phone: '+14155550199' },
    ]);
    const { data: other } = await create({ firstName: 'Ana', lastName: 'Brandt' });
    for (const reply of [await create({ ...person, ...wrong }), await change(other.id, wrong)]) {
      expect(reply).toMatchObject({
        status: 400,
        error: { code: 'INVALID_PARAMS', message: expect.stringMatching(message) },
      });
    }
    expect((await staff.call('GET', `${path}/${other.id}`)).data).toEqual(other);
    expect(await sql('select from customers')).toHaveLength(2);
  });

  test('with a placeholder name can change in other fields, and then in the name', async () => {
    const { data: nameless } = await create(person);
    await sql(`update customers set first_name = '' where id = ${nameless.id}`);
    expect(await change(nameless.id, { zip: '94610' })).toMatchObject({
      status: 200,
      data: { zip: '94610' },
    });
    expect((await change(nameless.id, { firstName: 'Mara' })).data.firstName).toBe('Mara');
  });

  test('who is created by many concurrent requests exists once', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => create(person)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400]);
  });

  test('whom staff have set tax-exempt, or not exempt, is so whatever the card says', async () => {
    const { data } = await create({ ...person, medicalExpiration: '2027-01-31' });
    const taxes = async () => {
      const { data: priced } = await service.call('POST', '/api/v1/orders/pricing', {
        keys: shop.keys,
        body: pickupBody(shop),
      });
      return priced.taxes.reduce(
        (sum: number, tax: { amountExempted: number }) => sum + tax.amountExempted,
        0,
      );
    };
    const asTheCardSays = await taxes();
    const set = (taxExempt: boolean | null) => manager.call('PATCH', `${path}/${data.id}`, { taxExempt });
    await set(true);
    expect(await taxes()).toBeGreaterThan(0);
    await set(false);
    expect(await taxes()).toBe(0);
    await set(null);
    expect(await taxes()).toBe(asTheCardSays);
  });

  test('is exempted from taxes by a manager or an owner only', async () => {
    const refused = { status: 403, error: { code: 'INSUFFICIENT_PERMISSIONS' } };
    expect(await create({ ...person, taxExempt: true })).toMatchObject(refused);
    const { data } = await create({ ...person, taxExempt: null });
    expect(await change(data.id, { taxExempt: false })).toMatchObject(refused);
    const { status } = await manager.call('PATCH', `${path}/${data.id}`, { taxExempt: true });
    expect(status).toBe(200);
    expect(await change(data.id, { zip: '94698', taxExempt: null })).toMatchObject(refused);
    expect((await change(data.id, { zip: '94698', taxExempt: true })).status).toBe(200);
  });
});

describe('the list', () => {
  test('is paged, newest first', async () => {
    const ids = await importPeople(
      context,
      shop.organizationId,
      Array.from({ length: 60 }, (_, at) => ({ joinedAtMs: clock.now() - 1000 * Math.floor(at / 7) })),
    );
    const first = idsOf(await list({}));
    const second = idsOf(await list({ startingAfter: first.at(-1)! }));
    expect([first.length, second.length]).toEqual([50, 10]);
    expect(new Set([...first, ...second])).toEqual(new Set(ids));
    expect(idsOf(await list({ startingAfter: second.at(-1)! }))).toEqual([]);
    expect((await list({ startingAfter: 7_000_000 })).error?.code).toBe('INVALID_CURSOR');
  });

  test('finds customers by prefixes of their contacts and names', async () => {
    const [marisol, jose, smith] = await importPeople(context, shop.organizationId, [
      { ...person, phone: '+14155550123' },
      {
        firstName: 'José',
        lastName: 'de la Cruz',
        email: 'jdlc@customers.example.com',
        phone: '+12125550188',
      },
      { firstName: 'Mary Ann', lastName: 'Smith' },
      { firstName: 'Xanthe', lastName: 'Neumann', email: 'xn@customers.example.com' },
    ]);
    const { data } = await staff.call('GET', `${path}/${marisol}`);
    const found = async (search: string) => idsOf(await list({ search })).sort((a, b) => a - b);
    for (const search of ['mariso', 'OKA', 'oka mar', 'Mar Oka', ' Okafor, Marisol ', 'marisol@', '415555']) {
      expect([search, await found(search)]).toEqual([search, [marisol]]);
    }
    for (const search of ['(415) 555-0123', '+1 415', data.hashId, data.hashId.slice(0, 5).toLowerCase()]) {
      expect([search, await found(search)]).toEqual([search, [marisol]]);
    }
    for (const search of ['jose', 'JOSÉ', 'de la', 'jose de la cr', 'jdlc', '212']) {
      expect([search, await found(search)]).toEqual([search, [jose]]);
    }
    for (const search of ['mary ann smi', 'smith mary', 'smi ma']) {
      expect([search, await found(search)]).toEqual([search, [smith]]);
    }
    expect(await found('mar')).toEqual([marisol, smith]);
    expect(await found('%%')).toEqual([]);
  });

  test('pages its results', async () => {
    const ids = await importPeople(
      context,
      shop.organizationId,
      Array.from({ length: 60 }, (_, at) => ({
        firstName: at % 2 === 0 ? 'Robin' : 'Kim',
        lastName: at % 2 === 0 ? 'Vale' : 'Robinson',
        joinedAtMs: clock.now() - 1000 * Math.floor(at / 7),
      })),
    );
    await importPeople(context, shop.organizationId, [{ firstName: 'Kim', lastName: 'Vale' }]);
    const first = idsOf(await list({ search: 'robin' }));
    const second = idsOf(await list({ search: 'robin', startingAfter: first.at(-1)! }));
    expect([first.length, second.length]).toEqual([50, 10]);
    expect(new Set([...first, ...second])).toEqual(new Set(ids));
  });

  test('needs two characters, and treats none as a wildcard', async () => {
    await create(person);
    expect((await list({ search: ' m ' })).error).toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringMatching(/^search must have at least 2 characters/),
    });
    expect(idsOf(await list({ search: ' ' }))).toHaveLength(1);
  });
});
