import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import {
  createTestShop,
  deliveryBody,
  pickupBody,
  type TestShop,
  testOrigin,
} from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';
import { stepOrder } from '../orders/orders.ts';

const service = await startTestService();
const { context, clock } = service;
const witness = await openWitness(service.database);
let shop: TestShop;
let manager: TestStaff;

beforeEach(async () => {
  shop = await createTestShop(context);
  manager = await service.staff(shop, 'manager');
});
afterEach(async () => {
  expect(service.faults).toEqual([]);
  expect(await brokenRules(context.database, shop.organizationId)).toEqual([]);
});
afterAll(async () => {
  await witness.end();
  await service.close();
});

const customers = '/staff/v1/customers';
const now = () => new Date(clock.now()).toISOString();
const sql = (text: string) => tenantSql(context.database, shop.organizationId, text);
const staffCall = async (method: string, path: string, body?: object) => {
  const reply = await manager.call(method, path, body);
  expect([path, reply.error]).toEqual([path, undefined]);
  return reply.data;
};
const create = async (body: object): Promise<number> => (await staffCall('POST', customers, body)).id;
const merge = (fromId: number, intoCustomerId: number) =>
  manager.call('POST', `${customers}/${fromId}/merge`, { intoCustomerId });
const erase = (id: number) => manager.call('DELETE', `${customers}/${id}`);
const detailOf = async (orderId: string) =>
  (await service.call('GET', `/api/v1/orders/${orderId}/detail`, { keys: shop.keys })).data;
const checkIn = (customerId: number) => staffCall('POST', '/staff/v1/instore-queues/intake', { customerId });
const points = (id: number, pointsAmount: number) =>
  staffCall('POST', `${customers}/${id}/loyalty-adjustments`, { pointsAmount, reason: 'Welcome' });
const credit = (id: number) =>
  staffCall('POST', `${customers}/${id}/credits`, {
    type: 'store-credit',
    amount: 500,
    description: 'A broken jar',
  });
const group = async (name: string): Promise<number> =>
  (await staffCall('POST', '/staff/v1/customer-groups', { name })).id;
const join = (id: number, customerGroupIds: number[]) =>
  staffCall('PUT', `${customers}/${id}/groups`, { customerGroupIds });

const justAfter = (at: string) => new Date(Date.parse(at) + 1).toISOString();

const marisol = { firstName: 'Marisol', lastName: 'Okafor', email: 'marisol@customers.example.com' };
const mary = { firstName: 'Mary', lastName: 'Okafor', phone: '+14155550123' };
const address = { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode: '94607' };
const paid = () => ({ payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }] });

async function place(body: object): Promise<string> {
  const { data, error } = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
  expect(error).toBeUndefined();
  return data.id;
}

/** A fulfilled delivery order, which stores much customer data. */
async function delivered(customer: object): Promise<string> {
  const id = await place(
    deliveryBody(shop, { customer, address, deliveryNotes: 'Ring at the blue door', ...paid() }),
  );
  for (const action of ['accept', 'pack', 'fulfill'] as const) {
    await stepOrder(context, testOrigin, shop.organizationId, id, action, { staff: null });
  }
  return id;
}

function document(id: number, userId: number, type: string): Promise<unknown> {
  return sql(
    `insert into customer_documents (organization_id, id, user_id, type, mime, byte_count, file_name, master_key_id,
       wrapped_key, status, uploaded_at, uploaded_by)
     values (current_organization_id(), ${id}, ${userId}, '${type}', 'image/png', 7, 'x', '0123456789abcdef',
       decode(repeat('00', 60), 'hex'), 'pending', now(), 'job:test')`,
  );
}

describe('merging two customers', () => {
  test('fills in a placeholder name, and keeps a real one', async () => {
    const [from, into] = [await create(marisol), await create(mary)];
    await sql(`update customers set first_name = '' where id = ${into}`);
    expect(await merge(from, into)).toMatchObject({
      status: 200,
      data: { id: into, firstName: 'Marisol', lastName: mary.lastName },
    });
  });

  test('moves all data of the merged customer to the other, and removes the merged customer', async () => {
    const from = await create({
      ...marisol,
      zip: '94607',
      licenseExpiry: '2029-02-28',
      marketingOptIn: true,
    });
    const into = await create({ ...mary, zip: '94610' });
    const first = await delivered(marisol);
    const second = await place(pickupBody(shop, { customer: mary }));
    const [veterans, seniors] = [await group('Veterans'), await group('Seniors')];
    await join(from, [veterans, seniors]);
    await join(into, [seniors]);
    await points(from, 30);
    await points(into, 12.5);
    await credit(from);
    await checkIn(from);
    await document(1, from, 'license');
    const before = await detailOf(first);
    clock.advance(1000);

    expect(await merge(from, into)).toMatchObject({
      status: 200,
      data: {
        id: into,
        ...mary,
        email: marisol.email,
        zip: '94610',
        licenseExpiry: '2029-02-28',
        marketingOptIn: false,
        customerGroups: ['Seniors', 'Veterans'],
        loyalty: { pointsAmount: 42.5 },
        mostRecentAddress: address,
        // The points came first.
        updatedAt: justAfter(now()),
        orderCount: 2,
      },
    });
    for (const path of [
      `${customers}/${from}`,
      `${customers}/${from}/credits`,
      `${customers}/${from}/export`,
    ]) {
      expect((await manager.call('GET', path)).error?.code).toBe('USER_NOT_FOUND');
    }
    const asIntegrator = await service.call('GET', `/api/v1/customers/${from}`, { keys: shop.keys });
    expect(asIntegrator).toMatchObject({ status: 410, error: { meta: { intoCustomerId: into } } });

    const after = await detailOf(first);
    expect(after.customer).toMatchObject({ id: into, firstName: 'Mary' });
    expect(after).toEqual({ ...before, userId: into, customer: after.customer, updatedAt: now() });
    expect((await detailOf(second)).userId).toBe(into);
    expect(await staffCall('GET', `${customers}/${into}/credits`)).toMatchObject([{ remaining: 500 }]);
    const { intake } = await staffCall('GET', '/staff/v1/instore-queues');
    expect(intake).toMatchObject([{ id: into }]);
    expect(await sql('select user_id, superseded_at from customer_documents')).toEqual([
      { user_id: into, superseded_at: null },
    ]);
    const [ledger] = await sql(
      'select sum(points_amount)::text as sum, min(user_id) as of_id from loyalty_events',
    );
    expect(ledger).toEqual({ sum: '42.5', of_id: into });
    const entries = await sql(
      `select action, details, actor from audit_entries where action like 'customer.%' order by id desc limit 2`,
    );
    expect(entries.reverse()).toEqual([
      {
        action: 'customer.merged',
        details: { customerId: from, intoCustomerId: into },
        actor: `staff:${manager.staffId}`,
      },
      { action: 'customer.updated', details: { mergedCustomerId: from }, actor: `staff:${manager.staffId}` },
    ]);
  });

  test("keeps one place in the queue, one present document per type, and the target's email", async () => {
    const from = await create(marisol);
    const into = await create({ ...mary, email: 'mary@customers.example.com' });
    const [, stays] = [await checkIn(from), await checkIn(into)];
    await document(1, from, 'license');
    await document(2, into, 'license');
    await document(3, from, 'recommendation');
    expect((await merge(from, into)).data.email).toBe('mary@customers.example.com');
    const { intake } = await staffCall('GET', '/staff/v1/instore-queues');
    expect(intake).toEqual([stays]);
    const documents = await sql(
      'select id, user_id, superseded_at is null as is_present from customer_documents order by id',
    );
    expect(documents).toEqual([
      { id: 1, user_id: into, is_present: false },
      { id: 2, user_id: into, is_present: true },
      { id: 3, user_id: into, is_present: true },
    ]);
    const order = await detailOf(await place(pickupBody(shop, { customer: marisol })));
    expect([from, into]).not.toContain(order.userId);
  });

  test('adds up the uses of a discount', async () => {
    const from = await create(marisol);
    const into = await create(mary);
    await staffCall('POST', '/staff/v1/discounts', {
      name: 'Once each',
      kind: 'order',
      type: 'flat',
      amount: 100,
      usesPerCustomer: 2,
    });
    const orders = [
      await place(pickupBody(shop, { customer: marisol })),
      await place(pickupBody(shop, { customer: marisol })),
      await place(pickupBody(shop, { customer: mary })),
    ];
    await merge(from, into);
    expect(await sql('select user_id, used from discount_customer_uses')).toEqual([
      { user_id: into, used: 3 },
    ]);
    const next = await place(pickupBody(shop, { customer: mary }));
    expect((await detailOf(next)).discounts).toEqual([]);
    for (const id of orders) {
      await stepOrder(context, testOrigin, shop.organizationId, id, 'cancel', {
        staff: null,
        cancelationReason: 'Changed their mind',
      });
    }
    expect(await sql('select user_id, used from discount_customer_uses')).toEqual([
      { user_id: into, used: 0 },
    ]);
  });

  test('loses no order that is placed or canceled concurrently', async () => {
    for (let round = 0; round < 3; round++) {
      const from = await create({ ...marisol, email: `from${round}@customers.example.com` });
      const into = await create({ ...mary, phone: `+1415555010${round}` });
      const customer = { ...marisol, email: `from${round}@customers.example.com` };
      const placed = [
        await place(pickupBody(shop, { customer })),
        await place(pickupBody(shop, { customer })),
      ];
      const [merged] = await Promise.all([
        merge(from, into),
        ...placed.map((id) =>
          stepOrder(context, testOrigin, shop.organizationId, id, 'cancel', {
            staff: null,
            cancelationReason: 'Changed their mind',
          }),
        ),
        ...Array.from({ length: 6 }, () => place(pickupBody(shop, { customer }))),
      ]);
      expect(merged.error).toBeUndefined();
      const [counts] = await sql(`select count(*)::int as orders from orders where user_id = ${into}`);
      expect(counts).toEqual({ orders: 8 });
    }
  });

  test('shows integrators which customer now has the data, also after that customer was merged', async () => {
    const [one, two, three] = [
      await create(marisol),
      await create(mary),
      await create({ ...marisol, email: 'third@customers.example.com' }),
    ];
    const read = (id: number) => service.call('GET', `/api/v1/customers/${id}`, { keys: shop.keys });
    const merged = (intoCustomerId: number) => ({
      status: 410,
      error: { code: 'CUSTOMER_MERGED', meta: { intoCustomerId } },
    });
    await merge(one, two);
    expect(await read(one)).toMatchObject(merged(two));
    expect(await read(two)).toMatchObject({ status: 200, data: { id: two } });
    await merge(two, three);
    expect(await read(one)).toMatchObject(merged(three));
    expect(await read(two)).toMatchObject(merged(three));
    const other = await createTestShop(context);
    const stranger = await service.call('GET', `/api/v1/customers/${one}`, { keys: other.keys });
    expect(stranger).toMatchObject({ status: 404, error: { code: 'USER_NOT_FOUND' } });
  });

  test('in both directions at once merges once', async () => {
    const [one, other] = [await create(marisol), await create(mary)];
    const replies = await Promise.all([merge(one, other), merge(other, one)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await sql('select from customers')).toHaveLength(1);
  });

  test('is refused for a customer with itself, an unknown customer, and an erased one', async () => {
    const [one, other] = [await create(marisol), await create(mary)];
    expect((await merge(one, one)).error).toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringMatching(/^intoCustomerId/),
    });
    expect((await merge(one, 7_000_000)).error?.code).toBe('USER_NOT_FOUND');
    expect((await merge(7_000_000, one)).error?.code).toBe('USER_NOT_FOUND');
    await erase(other);
    expect((await merge(one, other)).error?.code).toBe('CUSTOMER_ERASED');
    expect((await merge(other, one)).error?.code).toBe('CUSTOMER_ERASED');
    expect(await sql('select from customers')).toHaveLength(2);
  });

  test('covers every table that refers to a customer', async () => {
    const tables = await witness.query(
      `select distinct conrelid::regclass::text as name from pg_constraint
        where confrelid = 'customers'::regclass order by 1`,
    );
    expect(tables.map(({ name }) => name)).toEqual([
      ...['customer_caregivers', 'customer_consents', 'customer_credits'],
      'customer_documents',
      'customer_group_members',
      'customer_licenses',
      ...['customer_past_places', 'customer_sums'],
      ...['discount_customer_uses', 'former_customers', 'former_sales'],
      'loyalty_balances',
      'loyalty_events',
      'merged_customers',
      'orders',
      'queue_entries',
    ]);
  });
});

describe('erasing a customer', () => {
  const said = [
    'Marisol',
    'Okafor',
    'marisol@',
    '5550123',
    '418 Alder',
    'blue door',
    '1988-02-29',
    'Left in a hurry',
  ];
  /** All data of the organization in the database, as text. */
  const written = async () => {
    const tables = await witness.query(
      `select polrelid::regclass::text as name from pg_policy where polname = 'tenant' order by 1`,
    );
    const texts = await witness.query(
      tables
        .map(({ name }) => {
          const column = name === 'organizations' ? 'id' : 'organization_id';
          return `select string_agg(t::text, ' ') as text from ${name} t where ${column} = $1`;
        })
        .join(' union all '),
      [shop.organizationId],
      shop.organizationId,
    );
    return texts.map(({ text }) => text).join(' ');
  };

  test('removes all personal data; the orders keep their goods and amounts', async () => {
    const id = await create({ ...marisol, phone: mary.phone, birthday: '1988-02-29', marketingOptIn: true });
    const { hashId } = await staffCall('GET', `${customers}/${id}`);
    const orderId = await delivered(marisol);
    await join(id, [await group('Veterans')]);
    const { entryId } = await checkIn(id);
    await staffCall('POST', `/staff/v1/instore-queues/${entryId}/remove`, { reason: 'Left in a hurry' });
    const before = await detailOf(orderId);
    const text = await written();
    expect(said.filter((it) => !text.includes(it))).toEqual([]);
    clock.advance(1000);

    const erased = await erase(id);
    expect(erased).toMatchObject({
      status: 200,
      data: {
        id,
        firstName: 'Erased',
        lastName: 'Erased',
        email: null,
        phone: null,
        birthday: null,
        marketingOptIn: false,
        customerGroups: [],
        mostRecentAddress: null,
        erasedAt: now(),
        updatedAt: now(),
        orderCount: 1,
        spent: before.customerGrandTotal,
      },
    });
    expect(erased.data.hashId).not.toBe(hashId);
    const shown = await service.call('GET', `/api/v1/customers/${id}`, { keys: shop.keys });
    expect(shown.data).toMatchObject({ id, erasedAt: now() });
    const left = await written();
    expect([...said, hashId].filter((it) => left.includes(it))).toEqual([]);
    const after = await detailOf(orderId);
    expect(after).toEqual({
      ...before,
      address: null,
      customer: after.customer,
      updatedAt: now(),
    });
    expect(after.customer).toMatchObject({ id, firstName: 'Erased', email: null });
  });

  test('again changes nothing and announces nothing', async () => {
    const id = await create(marisol);
    const first = await erase(id);
    clock.advance(1000);
    expect(await erase(id)).toMatchObject({ status: 200, data: first.data });
    expect(await sql(`select from outbox_events where type = 'customer.erased'`)).toHaveLength(1);
  });

  test('is refused while there is an open order', async () => {
    const id = await create(marisol);
    const orderId = await place(pickupBody(shop, { customer: marisol }));
    expect(await erase(id)).toMatchObject({ status: 409, error: { code: 'CUSTOMER_HAS_OPEN_ORDERS' } });
    await stepOrder(context, testOrigin, shop.organizationId, orderId, 'cancel', {
      staff: null,
      cancelationReason: 'Marisol called',
    });
    expect((await detailOf(orderId)).cancelationReason).toBe('Marisol called');
    expect((await erase(id)).status).toBe(200);
    expect((await detailOf(orderId)).cancelationReason).toBeNull();
    expect(await written()).not.toContain('Marisol');
  });

  test('makes the customer unknown, with no more emails to them', async () => {
    const id = await create(marisol);
    await erase(id);
    expect((await manager.call('PATCH', `${customers}/${id}`, { zip: '94607' })).error?.code).toBe(
      'CUSTOMER_ERASED',
    );
    const intake = await manager.call('POST', '/staff/v1/instore-queues/intake', { customerId: id });
    expect([intake.status, intake.error?.code]).toEqual([409, 'CUSTOMER_ERASED']);
    const groups = await manager.call('PUT', `${customers}/${id}/groups`, { customerGroupIds: [] });
    expect(groups.error?.code).toBe('CUSTOMER_ERASED');
    const credit = { type: 'store-credit', amount: 500, description: 'Sorry' };
    const given = await manager.call('POST', `${customers}/${id}/credits`, credit);
    expect([given.status, given.error?.code]).toEqual([409, 'CUSTOMER_ERASED']);
    const points = { pointsAmount: 5, reason: 'Sorry' };
    const adjusted = await manager.call('POST', `${customers}/${id}/loyalty-adjustments`, points);
    expect([adjusted.status, adjusted.error?.code]).toEqual([409, 'CUSTOMER_ERASED']);
    const event = await service.call('POST', '/api/v1/loyalty-events', {
      keys: shop.keys,
      body: { ...points, customerId: id },
    });
    expect([event.status, event.error?.code]).toEqual([404, 'USER_NOT_FOUND']);
    const found = await manager.call('GET', customers, undefined, { query: { search: 'erased' } });
    expect(found.data).toEqual([]);
    expect(await create(marisol)).not.toBe(id);
  });

  test('concurrent with an order ends with an order of a new customer, or with no erasure', async () => {
    const id = await create(marisol);
    const [erased, orderId] = await Promise.all([erase(id), place(pickupBody(shop, { customer: marisol }))]);
    const { userId } = await detailOf(orderId);
    expect([erased.status, userId === id]).toEqual(erased.status === 200 ? [200, false] : [409, true]);
  });
});

describe('exporting a customer', () => {
  test('contains all data of the customer and none of others, and is audited', async () => {
    const id = await create({ ...marisol, phone: mary.phone });
    const other = await create({
      firstName: 'Xanthe',
      lastName: 'Nobody',
      email: 'xn@customers.example.com',
    });
    const orderId = await delivered(marisol);
    await delivered({ firstName: 'Xanthe', lastName: 'Nobody', email: 'xn@customers.example.com' });
    for (const whom of [id, other]) {
      await points(whom, 30);
      await credit(whom);
      await checkIn(whom);
    }
    await document(1, id, 'license');
    await document(2, other, 'license');
    await join(id, [await group('Veterans')]);
    const { text, data } = await manager.call('GET', `${customers}/${id}/export`);
    expect(data).toMatchObject({
      exportedAt: now(),
      customer: { id, ...marisol, customerGroups: ['Veterans'], loyalty: { pointsAmount: 30 } },
      orders: [
        {
          id: orderId,
          status: 'fulfilled',
          address,
          deliveryNotes: 'Ring at the blue door',
          lineItems: [{ productName: 'Moonlit Grove', quantity: 2, finalPrice: 7000 }],
          payments: [{ name: 'Cash' }],
        },
      ],
      loyaltyEvents: [{ type: 'adjusted', pointsAmount: 30, reason: 'Welcome' }],
      credits: [{ type: 'store-credit', amount: 500, description: 'A broken jar' }],
      visits: [{ checkedInAt: now(), leftAt: null }],
      documents: [{ id: 1, type: 'license', status: 'pending' }],
    });
    for (const foreign of ['Xanthe', 'xn@', 'Castellan', '@shop.example.com']) {
      expect(text).not.toContain(foreign);
    }
    const [entry] = await sql(
      `select subject_id, actor from audit_entries where action = 'customer.exported'`,
    );
    expect(entry).toEqual({ subject_id: String(id), actor: `staff:${manager.staffId}` });
  });
});
