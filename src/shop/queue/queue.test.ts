import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { importPeople } from '../customers/people.test-support.ts';
import { stepOrder } from '../orders/orders.ts';

const service = await startTestService();
const { context, clock } = service;
let shop: TestShop;
let staff: TestStaff;

beforeEach(async () => {
  shop = await createTestShop(context);
  staff = await service.staff(shop, 'budtender');
});
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const now = () => new Date(clock.now()).toISOString();
const path = '/staff/v1/instore-queues';
const sql = (text: string) => tenantSql(context.database, shop.organizationId, text);
const person = { firstName: 'Marisol', lastName: 'Okafor', email: 'marisol@customers.example.com' };
const checkIn = (body: object) => staff.call('POST', `${path}/intake`, body);
const move = (entryId: number, action: 'admit' | 'call' | 'remove', body?: object) =>
  staff.call('POST', `${path}/${entryId}/${action}`, body);
const lines = async () => {
  const { data } = await service.call('GET', '/api/v1/instore-queues', { keys: shop.keys });
  return data as Record<'intake' | 'pos', { id: number; firstName: string; isFirstTime: boolean }[]>;
};
const namesOf = (line: readonly { firstName: string }[]) => line.map(({ firstName }) => firstName);
const people = (count: number) =>
  importPeople(
    context,
    shop.organizationId,
    Array.from({ length: count }, (_, at) => ({ firstName: `Person ${at}` })),
  );

describe('checking in', () => {
  test('creates a customer, at the end of the front desk line', async () => {
    const reply = await checkIn({ person: { ...person, phone: '(415) 555-0123', birthday: '1988-02-29' } });
    expect(reply).toMatchObject({
      status: 201,
      data: {
        ...person,
        phone: '+14155550123',
        birthday: '1988-02-29',
        isFirstTime: true,
        line: 'intake',
        checkedInAt: now(),
        since: now(),
        calledAt: null,
        leftAt: null,
        leftReason: null,
      },
    });
    const { entryId, line, checkedInAt, since, calledAt, leftAt, leftReason, ...asIntegratorsSee } =
      reply.data;
    expect(await lines()).toEqual({ intake: [asIntegratorsSee], pos: [] });
    expect((await staff.call('GET', path)).data).toEqual({ intake: [reply.data], pos: [] });
  });

  test('orders the line by arrival', async () => {
    const ids = await people(3);
    for (const customerId of [ids[2], ids[0], ids[1]]) {
      await checkIn({ customerId });
      clock.advance(1000);
    }
    expect(namesOf((await lines()).intake)).toEqual(['Person 2', 'Person 0', 'Person 1']);
  });

  test('finds a customer by email, or phone and name, and fills in blank fields', async () => {
    const onFile = { firstName: 'MARISOL', lastName: 'Ökafor', phone: '+14155550123' };
    const [id] = await importPeople(context, shop.organizationId, [onFile]);
    const { data } = await checkIn({ person: { ...person, phone: '415-555-0123' } });
    expect(data).toMatchObject({ id, firstName: 'MARISOL', email: person.email });
    const other = await checkIn({ person: { firstName: 'Ana', lastName: 'Brandt', phone: '415-555-0123' } });
    expect(other.data.id).not.toBe(id);
  });

  test('accepts a person without email and phone', async () => {
    const { status, data } = await checkIn({ person: { firstName: 'Ana', lastName: 'Brandt' } });
    expect([status, data.email, data.phone]).toEqual([201, null, null]);
  });

  test('again responds with the existing place, in either line, and announces nothing', async () => {
    const { data: first } = await checkIn({ person });
    clock.advance(60_000);
    expect(await checkIn({ customerId: first.id })).toMatchObject({ status: 201, data: first });
    const { data: admitted } = await move(first.entryId, 'admit');
    expect((await checkIn({ person })).data).toEqual(admitted);
    const [count] = await sql(`select count(*)::int as events from outbox_events where type like 'queue.%'`);
    expect(count).toEqual({ events: 2 });
  });

  test('in many concurrent requests makes one place, also for a new customer', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => checkIn({ person })));
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(new Set(replies.map(({ data }) => `${data.entryId} ${data.id}`)).size).toBe(1);
    expect((await lines()).intake).toHaveLength(1);
  });

  test('refuses a person below the minimum age, by request or stored birthday, and stores nothing', async () => {
    const young = await checkIn({ person: { ...person, birthday: '2005-03-11' } });
    expect(young.error).toMatchObject({ code: 'CUSTOMER_UNDERAGE', meta: { minimumAge: 21 } });
    expect(young.status).toBe(422);
    expect(await sql('select from customers')).toEqual([]);
    const [minor, patient] = await importPeople(context, shop.organizationId, [
      { birthday: '2005-03-11' },
      { birthday: '2005-03-11', medicalExpiration: '2026-03-10' },
    ]);
    expect((await checkIn({ customerId: minor })).error?.code).toBe('CUSTOMER_UNDERAGE');
    expect((await checkIn({ customerId: patient })).status).toBe(201);
    expect((await checkIn({ person: { ...person, birthday: '2005-03-10' } })).status).toBe(201);
    expect((await lines()).intake).toHaveLength(2);
  });

  test.each([
    [{}, 'MISSING_PARAMS', /^customerId or person/],
    [{ customerId: 7, person }, 'INVALID_PARAMS', /^customerId and person/],
    [{ person: { ...person, lastName: ' ' } }, 'INVALID_PARAMS', /^person\.lastName/],
    [{ person: { ...person, email: 'nowhere' } }, 'INVALID_PARAMS', /^person\.email/],
    [{ person: { ...person, phone: '12' } }, 'INVALID_PARAMS', /^person\.phone/],
    [{ person: { ...person, birthday: '1988-02-30' } }, 'INVALID_PARAMS', /^person\.birthday/],
    [{ customerId: 7_000_000 }, 'USER_NOT_FOUND', /./],
  ])('of %j is refused with %s', async (body, code, message) => {
    const { error } = await checkIn(body);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(await sql('select from queue_entries')).toEqual([]);
  });
});

describe('the queue', () => {
  test('admits to the end of the other line, calls, and removes', async () => {
    const [first, second] = await people(2);
    const { data: a } = await checkIn({ customerId: first });
    clock.advance(1000);
    const { data: b } = await checkIn({ customerId: second });
    clock.advance(1000);
    await move(b.entryId, 'admit');
    clock.advance(1000);
    expect((await move(a.entryId, 'call')).data.calledAt).toBe(now());
    expect((await move(a.entryId, 'admit')).data).toMatchObject({
      line: 'pos',
      checkedInAt: a.checkedInAt,
      since: now(),
      calledAt: null,
    });
    expect(namesOf((await lines()).pos)).toEqual(['Person 1', 'Person 0']);
    expect((await move(b.entryId, 'call')).data.calledAt).toBe(now());
    expect(await move(b.entryId, 'remove', { reason: ' Served ' })).toMatchObject({
      status: 200,
      data: { entryId: b.entryId, leftAt: now(), leftReason: 'Served' },
    });
    expect(namesOf((await lines()).pos)).toEqual(['Person 0']);
    expect((await move(a.entryId, 'remove')).data.leftReason).toBeNull();
    expect(await lines()).toEqual({ intake: [], pos: [] });
    const types = await sql(`select type from outbox_events where type like 'queue.%' order by id`);
    expect(types.map(({ type }) => type)).toEqual(
      ['checked_in', 'checked_in', 'admitted', 'called', 'admitted', 'called', 'left', 'left'].map(
        (it) => `queue.${it}`,
      ),
    );
    const [{ actor }] = (await sql(`select actor from audit_entries where action = 'queue.left'`)) as [
      { actor: string },
    ];
    expect(actor).toBe(`staff:${staff.staffId}`);
  });

  test('puts a returning customer at the end', async () => {
    const [first, second] = await people(2);
    const { data: a } = await checkIn({ customerId: first });
    await checkIn({ customerId: second });
    clock.advance(1000);
    await move(a.entryId, 'remove');
    const { data: back } = await checkIn({ customerId: first });
    expect(back.entryId).not.toBe(a.entryId);
    expect(namesOf((await lines()).intake)).toEqual(['Person 1', 'Person 0']);
  });

  test('writes nothing for repeated actions, and distinguishes removed customers from waiting ones', async () => {
    const { data } = await checkIn({ person });
    const admitted = await Promise.all(Array.from({ length: 4 }, () => move(data.entryId, 'admit')));
    expect(admitted.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const [removed, again] = [
      await move(data.entryId, 'remove', { reason: 'Served' }),
      await move(data.entryId, 'remove', { reason: 'Gone' }),
    ];
    expect(again.data).toEqual(removed.data);
    expect(
      await sql(`select from outbox_events where type in ('queue.admitted', 'queue.left')`),
    ).toHaveLength(2);
    for (const action of ['admit', 'call'] as const) {
      expect(await move(data.entryId, action)).toMatchObject({
        status: 404,
        error: { code: 'QUEUE_ENTRY_NOT_FOUND' },
      });
    }
    expect((await move(7_000_000, 'remove')).error?.code).toBe('QUEUE_ENTRY_NOT_FOUND');
  });

  test('shows a first visit until an order is fulfilled', async () => {
    await checkIn({ person });
    const order = await service.call('POST', '/api/v1/orders', {
      keys: shop.keys,
      body: pickupBody(shop, {
        payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
      }),
    });
    expect((await lines()).intake[0]!.isFirstTime).toBe(true);
    for (const action of ['pack', 'fulfill'] as const) {
      await stepOrder(context, testOrigin, shop.organizationId, order.data.id, action, { staff: null });
    }
    expect((await lines()).intake[0]!.isFirstTime).toBe(false);
  });
});
