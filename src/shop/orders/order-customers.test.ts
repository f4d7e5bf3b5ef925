import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import { importCustomers } from '../customers/customers.ts';

const service = await startTestService();
let shop: TestShop;

beforeEach(async () => {
  shop = await createTestShop(service.context);
});
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const sql = (text: string, ...values: string[]) =>
  tenantSql(service.context.database, shop.organizationId, text, ...values);

function order(customer: object): Promise<TestReply> {
  const body = pickupBody(shop, { customer: { firstName: 'Given', lastName: 'Now', ...customer } });
  return service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
}

/** Creates a profile; the first name identifies it. */
async function onFile(
  firstName: string,
  facts: { email?: string; phone?: string; birthday?: string } = {},
): Promise<number> {
  const rows = await importCustomers(service.context, testOrigin, shop.organizationId, [
    {
      firstName,
      lastName: 'Onfile',
      email: facts.email ?? null,
      phone: facts.phone ?? null,
      birthday: facts.birthday ?? null,
      sex: null,
      zip: null,
      licenseExpiry: null,
      medicalExpiration: null,
      marketingOptInAtMs: null,
      joinedAtMs: service.clock.now(),
    },
  ]);
  return rows[0]!.id;
}

const person = async (id: number) =>
  (
    await sql(
      `select first_name, last_name, email, phone, birthday::text as birthday from customers where id = ${id}`,
    )
  )[0];

describe('a customer without a profile', () => {
  test('is created as sent; email and phone identify the profile from then on', async () => {
    const email = ' New.Person@Customers.Example.com ';
    const { data } = await order({ email, phone: '(510) 555-0123', birthday: '1990-02-28' });
    expect(data.customer.fullName).toBe('Given Now');
    expect(await person(data.customer.id)).toEqual({
      first_name: 'Given',
      last_name: 'Now',
      email: email.trim(),
      phone: '+15105550123',
      birthday: '1990-02-28',
    });
    const [{ hash_id: hashId } = {}] = await sql('select hash_id from customers');
    expect(hashId).toMatch(/^[34679ACDEFGHJKMNPQRTUVWXY]{8}$/);
    for (const customer of [
      { email: 'new.person@customers.example.com' },
      { phone: '510.555.0123' },
      { phone: '+1 510 555 0123', email: '  ' },
    ]) {
      expect((await order(customer)).data.customer).toEqual(data.customer);
    }
  });

  test('needs a valid email or phone', async () => {
    expect((await order({})).error).toEqual({
      code: 'MISSING_PARAMS',
      message: 'Required but absent: customer.email or customer.phone.',
      meta: { missing: ['customer.email', 'customer.phone'] },
    });
    expect((await order({ email: ' ', phone: '' })).error?.code).toBe('MISSING_PARAMS');
    expect((await order({ email: 'not an email' })).error?.code).toBe('INVALID_PARAMS');
    expect((await order({ phone: '12' })).error?.code).toBe('INVALID_PARAMS');
    expect(await sql('select id from customers')).toEqual([]);
  });
});

test.each(['firstName', 'lastName'])('a blank %s is refused with the name of the field', async (name) => {
  const customer = { email: 'blank@customers.example.com', [name]: ' \u00a0\n' };
  const { customer: sent, idempotencyKey: _, ...cart } = pickupBody(shop, { customer });
  const priced = await service.call('POST', '/api/v1/orders/pricing', {
    keys: shop.keys,
    body: { ...cart, customer: { firstName: 'Given', lastName: 'Now', ...(sent as object) } },
  });
  for (const { status, error } of [await order(customer), priced]) {
    expect([status, error?.code, error?.message]).toEqual([
      400,
      'INVALID_PARAMS',
      `customer.${name} must be text of 1 to 100 characters that are not all spaces.`,
    ]);
  }
  expect(await sql('select id from customers')).toEqual([]);
});

describe('a customer with a profile', () => {
  test('is found by email, and by phone and name when the email is unknown', async () => {
    const ana = await onFile('Ana', { email: 'ana@customers.example.com' });
    const ben = await onFile('Ben', { phone: '+15105550111' });
    expect((await order({ email: 'ANA@customers.example.com' })).data.customer.id).toBe(ana);
    const named = { firstName: 'Ben', lastName: 'Onfile', phone: '5105550111' };
    expect((await order(named)).data.customer.id).toBe(ben);
    expect((await order({ ...named, email: 'new.person@customers.example.com' })).data.customer.id).toBe(ben);
    expect((await order({ phone: '5105550111' })).data.customer.id).not.toBe(ben);
    expect(await person(ben)).toMatchObject({ email: 'new.person@customers.example.com' });
  });

  test('gets missing fields filled in, and keeps names and other fields', async () => {
    const ana = await onFile('Ana', { email: 'ana@customers.example.com' });
    await order({ email: 'ana@customers.example.com', phone: '5105550122', birthday: '1980-01-01' });
    const filled = {
      first_name: 'Ana',
      last_name: 'Onfile',
      email: 'ana@customers.example.com',
      phone: '+15105550122',
      birthday: '1980-01-01',
    };
    expect(await person(ana)).toEqual(filled);
    await order({ email: 'ANA@customers.example.com', phone: '5105550199', birthday: '1999-09-09' });
    await order({ email: 'other@customers.example.com', phone: '5105550122' });
    expect(await person(ana)).toEqual(filled);
    const events = await sql(`select details from audit_entries where action = 'customer.updated'`);
    // The names of the fields, never their values.
    expect(events).toEqual([{ details: { customerId: expect.any(Number), fields: ['phone', 'birthday'] } }]);
  });

  test('without a name gets that of an order, first and last name separately', async () => {
    const email = 'ana@customers.example.com';
    const ana = await onFile('', { email });
    const { data } = await order({ email });
    expect(data.customer).toEqual({ id: ana, fullName: 'Given Onfile' });
    expect(await person(ana)).toMatchObject({ first_name: 'Given', last_name: 'Onfile' });
    await order({ email, firstName: 'Other' });
    expect(await person(ana)).toMatchObject({ first_name: 'Given', last_name: 'Onfile' });
    const events = await sql(`select details from audit_entries where action = 'customer.updated'`);
    expect(events).toEqual([{ details: { customerId: expect.any(Number), fields: ['firstName'] } }]);
  });

  test('the owner of the email wins over the owner of the phone, who keeps the phone', async () => {
    const ana = await onFile('Ana', { email: 'ana@customers.example.com' });
    const ben = await onFile('Ben', { phone: '+15105550111' });
    const { data } = await order({ email: 'ana@customers.example.com', phone: '5105550111' });
    expect(data.customer).toEqual({ id: ana, fullName: 'Ana Onfile' });
    expect(await person(ana)).toMatchObject({ phone: null });
    expect(await person(ben)).toMatchObject({ phone: '+15105550111', email: null });
  });

  test('is unknown to other organizations', async () => {
    const { data } = await order({ email: 'both@customers.example.com' });
    const elsewhere = await createTestShop(service.context);
    const body = pickupBody(elsewhere, {
      customer: { firstName: 'Other', lastName: 'Profile', email: 'both@customers.example.com' },
    });
    const reply = await service.call('POST', '/api/v1/orders', { keys: elsewhere.keys, body });
    expect(reply.data.customer.id).not.toBe(data.customer.id);
    expect(reply.data.customer.fullName).toBe('Other Profile');
  });

  test("with a valid medical card is exempt where the organization grants it, to the end of the card's last day", async () => {
    const patient = await onFile('Pat', { email: 'pat@customers.example.com' });
    const { firstName, lastName, email } = {
      firstName: 'Pat',
      lastName: 'Onfile',
      email: 'pat@customers.example.com',
    };
    const body = () =>
      pickupBody(shop, { customer: { firstName, lastName, email }, idempotencyKey: randomUUID() });
    const prices = async () => {
      const { data } = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body: body() });
      const sales = data.taxes.find(
        ({ description }: { description: string }) => description === 'Sales tax',
      );
      return [data.isMedical, data.taxExempt, sales.amount, sales.amountExempted];
    };
    expect(await prices()).toEqual([false, false, 782, 0]);
    await sql(`update customers set medical_expiration = '2026-03-10' where id = ${patient}`);
    expect(await prices()).toEqual([true, false, 782, 0]);
    await sql('update organizations set medical_tax_exempt = true');
    expect(await prices()).toEqual([true, true, 0, 782]);
    const nowMs = service.clock.now();
    service.clock.set(Date.parse('2026-03-11T07:00:00Z'));
    expect(await prices()).toEqual([false, false, 782, 0]);
    service.clock.set(nowMs);
  });
});
