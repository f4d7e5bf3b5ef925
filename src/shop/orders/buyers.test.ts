import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { mailsOf } from '../../../test/harness/test-mails.ts';
import { startTestService, testNowMs } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { openPatientNumber } from '../customers/customers.ts';

const service = await startTestService();
beforeEach(() => service.clock.set(testNowMs));
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

interface Open {
  readonly shop: TestShop;
  readonly owner: TestStaff;
  customer(profile: object): Promise<number>;
  change(id: number, profile: object): Promise<TestReply>;
  /** Places a cart over the counter. */
  place(body: object, quantity?: number, by?: TestStaff): Promise<TestReply>;
  warned(body: object): Promise<string[]>;
}
type TestReply = Awaited<ReturnType<TestStaff['call']>>;

let names = 0;

async function open(state: string): Promise<Open> {
  const shop = await createTestShop(service.context, { state, taxes: [] });
  const owner = await service.staff(shop, 'owner');
  const cart = (body: object, quantity = 1) => ({
    type: 'in-store',
    lineItems: [{ productOptionId: shop.optionId('eighth'), quantity }],
    payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
    ...body,
  });
  return {
    ...{ shop, owner },
    customer: async (profile) => {
      names += 1;
      const body = { firstName: 'Ada', lastName: `Quill ${names}`, ...profile };
      const { data, status, text } = await owner.call('POST', '/staff/v1/customers', body);
      expect(status, text).toBe(201);
      return data.id;
    },
    change: (id, profile) => owner.call('PATCH', `/staff/v1/customers/${id}`, profile),
    place: (body, quantity, by = owner) =>
      by.call('POST', '/staff/v1/orders', { ...cart(body, quantity), idempotencyKey: randomUUID() }),
    warned: async (body) => {
      const { data } = await owner.call('POST', '/staff/v1/orders/pricing', cart(body));
      return data.warnings.map(({ code }: { code: string }) => code);
    },
  };
}

test('who does not live in Illinois, and who was not asked, gets half of what residents get', async () => {
  const { customer, change, place, warned } = await open('IL');
  const id = await customer({});
  // 6 eighths are 21 g: more than the 15 g of the others, less than the 30 g of residents.
  expect(await warned({ customerId: id })).toContain('RESIDENCE_UNKNOWN');
  expect((await place({ customerId: id }, 6)).error?.code).toBe('PURCHASE_LIMIT_EXCEEDED');
  await change(id, { residence: 'WI' });
  expect(await warned({ customerId: id })).toEqual([]);
  expect((await place({ customerId: id }, 6)).error?.code).toBe('PURCHASE_LIMIT_EXCEEDED');
  await change(id, { residence: 'IL' });
  expect((await place({ customerId: id }, 6)).status).toBe(201);
});

test('an order that was lawful for a resident is not handed over to a person who has moved away', async () => {
  const { customer, change, place, owner } = await open('IL');
  const id = await customer({ residence: 'IL' });
  const { data } = await place({ customerId: id }, 6);
  await change(id, { residence: 'WI' });
  const fulfill = () => owner.call('POST', `/staff/v1/orders/${data.id}/fulfill`, {});
  expect((await fulfill()).error?.code).toBe('PURCHASE_LIMIT_EXCEEDED');
  await change(id, { residence: 'IL' });
  expect((await fulfill()).status).toBe(200);
});

test('a scanned card says where its holder lives', async () => {
  const { owner } = await open('IL');
  const card = {
    ...{ issuer: '636035', number: 'Q12345678901', firstName: 'Wren', lastName: 'Castellan' },
    ...{ birthday: '1979-06-05', state: ' il ' },
  };
  const scan = (body: object) => owner.call('POST', '/staff/v1/customers/by-license', body);
  expect((await scan(card)).data.customer).toMatchObject({ residence: 'IL' });
  expect((await scan({ ...card, state: 'WI' })).data.customer).toMatchObject({ residence: 'WI' });
  expect((await scan({ ...card, state: null })).data.customer).toMatchObject({ residence: 'WI' });
});

test('a patient whose limits the state does not tell is named at the till', async () => {
  const { customer, warned } = await open('NJ');
  const id = await customer({ medicalExpiration: '2030-01-01' });
  expect(await warned({ customerId: id })).toEqual(['PATIENT_LIMITS_UNKNOWN']);
});

test('the number of a patient is sealed, shown by its last four, and in no event, audit entry or list', async () => {
  const { shop, owner, customer, change, place } = await open('MD');
  const number = 'MD-77-441092X';
  const id = await customer({ patientNumber: ` ${number.toLowerCase()} `, patientState: 'MD' });
  const read = () => owner.call('GET', `/staff/v1/customers/${id}`);
  expect((await read()).data).toMatchObject({ patientNumberLastFour: '092X', patientState: 'MD' });
  expect(await openPatientNumber(service.context, shop.organizationId, id)).toBe(number);
  const other = { patientNumber: 'MD-00-118824Z' };
  expect((await change(id, other)).data.patientNumberLastFour).toBe('824Z');
  // Staff find the patient by the whole number, in any case and without hyphens, and by no part of it.
  const found = async (search: string, path = 'customers') =>
    (await owner.call('GET', `/staff/v1/${path}`, undefined, { query: { search } })).data.map(
      (it: { id: unknown }) => it.id,
    );
  expect(await found(other.patientNumber)).toEqual([id]);
  expect(await found('md00118824z')).toEqual([id]);
  expect([await found('MD-00-118824'), await found('824Z'), await found(number)]).toEqual([[], [], []]);
  const order = await place({ customerId: id });
  expect(await found(other.patientNumber, 'orders')).toEqual([order.data.id]);
  const canceled = await owner.call('POST', `/staff/v1/orders/${order.data.id}/cancel`, {
    reason: 'Changed mind',
  });
  expect(canceled.status, canceled.text).toBe(200);
  expect((await change(id, { patientNumber: 'MD1' })).error?.code).toBe('INVALID_PARAMS');
  const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);
  const rows = await sql(
    `select row_to_json(c)::text as row from customers c union all select row_to_json(e)::text from outbox_events e
     union all select row_to_json(a)::text from audit_entries a`,
  );
  const stored = JSON.stringify(rows);
  for (const secret of [number, other.patientNumber]) expect(stored).not.toContain(secret);
  expect(stored).toContain('patientNumber');
  // What integrators read has nothing of it.
  const { data: theirs, text } = await service.call('GET', `/api/v1/customers/${id}`, { keys: shop.keys });
  expect(theirs.id, text).toBe(id);
  expect(Object.keys(theirs).filter((name) => /patient|residence/.test(name))).toEqual([]);
  expect((await change(id, { patientNumber: null })).data.patientNumberLastFour).toBeNull();
  await change(id, other);
  expect((await owner.call('DELETE', `/staff/v1/customers/${id}`)).status).toBeLessThan(300);
  expect(await openPatientNumber(service.context, shop.organizationId, id)).toBeNull();
});

test('a caregiver buys for a patient of any age, by the limits of the patient, as long as both are registered', async () => {
  const { shop, owner, customer, change, place } = await open('MD');
  const email = 'patient@customers.example.com';
  const [patient, other, caregiver] = await Promise.all([
    customer({
      firstName: 'Noor',
      lastName: 'Okafor',
      email,
      birthday: '2012-01-01',
      medicalExpiration: '2026-12-31',
    }),
    customer({ medicalExpiration: '2026-12-31' }),
    customer({ firstName: 'Wren', lastName: 'Alder', birthday: '1980-01-01' }),
  ]);
  const bought = (customerId: number, quantity?: number, by?: TestStaff) =>
    place({ customerId, boughtById: caregiver }, quantity, by);
  expect((await bought(patient)).error?.code).toBe('CAREGIVER_NOT_REGISTERED');
  const register = (patients: readonly object[]) =>
    owner.call('PUT', `/staff/v1/customers/${caregiver}/patients`, { patients });
  const both = [patient, other].map((customerId) => ({ customerId, expiresOn: '2026-03-10' }));
  expect(
    (await register(both)).data.patients.map((it: { customerId: number }) => it.customerId).toSorted(),
  ).toEqual([patient, other].toSorted());
  // 30 eighths are 105 g of the 120 g of each patient in 30 days.
  const { data: order, text } = await bought(patient, 30);
  expect(order, text).toMatchObject({
    boughtBy: { id: caregiver },
    isMedical: true,
    customer: { id: patient },
  });
  expect((await bought(patient, 5)).error?.code).toBe('PURCHASE_LIMIT_EXCEEDED');
  const { data: waiting } = await bought(other, 30);
  expect((await place({ customerId: patient })).error?.code).toBe('CUSTOMER_UNDERAGE');
  const { data: profile } = await owner.call('GET', `/staff/v1/customers/${patient}`);
  expect(profile.caregivers).toMatchObject([{ customerId: caregiver, expiresOn: '2026-03-10' }]);
  await owner.call('POST', `/staff/v1/orders/${order.id}/fulfill`, { idCheck: 'scan' });
  expect((await owner.call('POST', `/staff/v1/orders/${order.id}/send-receipt`)).status).toBe(202);
  const [receipt] = await mailsOf(service.context, shop.organizationId, email);
  expect(receipt!.text).toContain('Bought by Wren Alder for Noor Okafor.');
  // Their own purchases are not the patients'.
  expect((await place({ customerId: caregiver })).status).toBe(201);
  await change(caregiver, { birthday: '2010-01-01' });
  expect((await bought(other)).error?.code).toBe('CUSTOMER_UNDERAGE');
  await change(caregiver, { birthday: '1980-01-01' });
  service.clock.set(Date.parse('2026-03-11T16:00:00Z'));
  const tomorrow = await service.staff(shop, 'owner');
  expect((await bought(other, 1, tomorrow)).error?.message).toMatch(/until 2026-03-10/);
  const fulfill = await tomorrow.call('POST', `/staff/v1/orders/${waiting.id}/fulfill`, {});
  expect(fulfill.error?.code).toBe('CAREGIVER_NOT_REGISTERED');
  const self = await tomorrow.call('PUT', `/staff/v1/customers/${caregiver}/patients`, {
    patients: [{ customerId: caregiver, expiresOn: null }],
  });
  expect(self.error?.message).toMatch(/^patients\[0\]\.customerId must be another customer/);
});

test('where the shop or the law asks for it, an ID is seen on the day of the hand-over, and the order says by whom', async () => {
  const { shop, owner, place } = await open('OK');
  const ada = { firstName: 'Ada', lastName: 'Quill', email: 'ada@customers.example.com' };
  const fulfill = (id: string, body: object = {}, by = owner) =>
    by.call('POST', `/staff/v1/orders/${id}/fulfill`, body);
  const placed = async () => (await place({ customer: ada })).data.id as string;
  expect((await fulfill(await placed())).data.idCheck).toBeNull();
  const set = { saleHours: null, overrides: [], idCheck: true };
  expect((await owner.call('PUT', '/staff/v1/duties', set)).data.idCheck).toBe(true);
  const first = await placed();
  expect((await fulfill(first)).error).toMatchObject({
    code: 'ID_CHECK_REQUIRED',
    meta: { duty: 'idCheck', citation: null },
  });
  const seen = await fulfill(first, { idCheck: 'scan' });
  expect(seen.data.idCheck).toMatchObject({ how: 'scan', by: { firstName: expect.any(String) } });
  const second = await placed();
  const check = (by = owner) => by.call('POST', `/staff/v1/orders/${second}/id-check`, { idCheck: 'eye' });
  expect((await check()).data.idCheck).toMatchObject({ how: 'eye' });
  service.clock.set(testNowMs + 24 * 3_600_000);
  const next = await service.staff(shop, 'owner');
  expect((await fulfill(second, {}, next)).error?.code).toBe('ID_CHECK_REQUIRED');
  await check(next);
  expect((await fulfill(second, {}, next)).status).toBe(200);
  expect((await check(next)).error?.code).toBe('INVALID_ORDER_TRANSITION');
  const alaska = await open('AK');
  const { data } = await alaska.place({ customer: ada });
  const refused = await alaska.owner.call('POST', `/staff/v1/orders/${data.id}/fulfill`, {});
  expect(refused.error).toMatchObject({ code: 'ID_CHECK_REQUIRED', meta: { citation: '3 AAC 306.350' } });
});
