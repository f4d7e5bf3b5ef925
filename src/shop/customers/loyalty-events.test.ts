import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { casesOf } from '../../../test/harness/long-suite.ts';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import {
  createTestIntegrator,
  createTestKeys,
  createTestShop,
  type TestShop,
} from '../../../test/harness/test-shop.ts';
import { importPeople } from './people.test-support.ts';

const service = await startTestService();
const { context, clock } = service;
let shop: TestShop;
let ana: number;
let ben: number;

const anaEmail = 'ana@customers.example.com';
const anaPhone = '(415) 555-0123';

beforeEach(async () => {
  shop = await createTestShop(context);
  [ana, ben] = (await importPeople(context, shop.organizationId, [
    { firstName: 'Ana', email: anaEmail, phone: anaPhone },
    { firstName: 'Ben', email: 'ben@customers.example.com' },
  ])) as [number, number];
});
afterEach(async () => {
  // The balance is always the sum of the events.
  const rows = await sql(
    `select coalesce(b.user_id, e.user_id) as id, b.points is not distinct from e.points and b.points >= 0 as equal
       from loyalty_balances b
       full join (select user_id, sum(points_amount) as points from loyalty_events group by user_id) e
         on e.user_id = b.user_id`,
  );
  expect(rows.filter(({ equal }) => !equal)).toEqual([]);
  expect(service.faults).toEqual([]);
});
afterAll(() => service.close());

const sql = (text: string) => tenantSql(context.database, shop.organizationId, text);

function add(body: object, keys = shop.keys): Promise<TestReply> {
  return service.call('POST', '/api/v1/loyalty-events', {
    keys,
    body: { pointsAmount: 10, reason: 'Brought a friend', ...body },
  });
}

async function pointsOf(id: number): Promise<number> {
  const { data } = await service.call('GET', `/api/v1/customers/${id}`, { keys: shop.keys });
  return data.loyalty.pointsAmount;
}

test('points are added and removed, each time with the event as response, and change the customer', async () => {
  clock.advance(60_000);
  const given = await add({ customerId: ana, pointsAmount: 12.5 });
  const at = new Date(clock.now()).toISOString();
  expect([given.status, given.data]).toEqual([
    200,
    {
      id: expect.any(Number),
      organizationId: shop.organizationId,
      userId: ana,
      type: 'open-api',
      pointsAmount: 12.5,
      reason: 'Brought a friend',
      createdAt: at,
      updatedAt: at,
    },
  ]);
  expect(await pointsOf(ana)).toBe(12.5);
  clock.advance(60_000);
  const taken = await add({ customerId: ana, pointsAmount: -12.49, reason: 'x'.repeat(500) });
  expect(taken.data).toMatchObject({ pointsAmount: -12.49, reason: 'x'.repeat(500) });
  const { data } = await service.call('GET', `/api/v1/customers/${ana}`, { keys: shop.keys });
  expect([data.loyalty.pointsAmount, data.updatedAt]).toEqual([0.01, new Date(clock.now()).toISOString()]);
  const events = await sql(
    `select e.type, e.subject_id, e.payload, a.actor from outbox_events e
       join audit_entries a on a.action = e.type and a.subject_id = e.subject_id
      where e.type = 'loyalty_event.created' order by e.id`,
  );
  expect(events).toEqual(
    [given.data, taken.data].map(({ id }) => ({
      type: 'loyalty_event.created',
      subject_id: String(id),
      payload: { loyaltyEventId: id, customerId: ana, type: 'open-api' },
      actor: `key:${shop.clientKeyId}`,
    })),
  );
});

test.each(['', '   ', '\t\n', undefined])('a blank reason (%j) is refused', async (reason) => {
  const { status, error } = await add({ customerId: ana, reason });
  expect([status, error?.code, error?.message]).toEqual([
    400,
    reason === undefined ? 'MISSING_PARAMS' : 'INVALID_PARAMS',
    expect.stringContaining('reason'),
  ]);
});

describe('the customer', () => {
  test('is the one that id, email and phone match, if they match one customer', async () => {
    for (const said of [
      { customerId: ana },
      { customerEmail: ` ${anaEmail.toUpperCase()} ` },
      { customerPhone: '415.555.0123' },
      { customerId: ana, customerEmail: anaEmail, customerPhone: '+1 415 555 0123' },
      { customerEmail: anaEmail, customerPhone: ' ' },
      { customerEmail: '', customerPhone: anaPhone },
    ]) {
      expect((await add(said)).data.userId).toBe(ana);
    }
    expect(await pointsOf(ana)).toBe(60);
  });

  test('is not found if the fields match two customers, an unknown one, or one of another organization', async () => {
    const other = await createTestShop(context);
    const [theirs] = await importPeople(context, other.organizationId, [
      { email: 'cy@customers.example.com' },
    ]);
    const refused = await Promise.all(
      [
        { customerId: 9_007_199_254_740_000 },
        { customerId: theirs },
        { customerEmail: 'cy@customers.example.com' },
        { customerPhone: '(415) 555-0199' },
        { customerId: ben, customerEmail: anaEmail },
        { customerEmail: 'ben@customers.example.com', customerPhone: anaPhone },
        { customerId: ana, customerEmail: anaEmail, customerPhone: '(415) 555-0199' },
        { customerId: ana, customerEmail: 'unknown@customers.example.com' },
      ].map((said) => add(said)),
    );
    for (const { status, text, error } of refused) {
      expect([status, error?.code, text]).toEqual([404, 'USER_NOT_FOUND', refused[0]!.text]);
    }
  });

  test('must be given, by valid emails and phone numbers', async () => {
    for (const said of [{}, { customerEmail: ' ', customerPhone: '' }]) {
      const missing = await add(said);
      expect(missing.error).toEqual({
        code: 'MISSING_PARAMS',
        message: 'Required but absent: customerId, customerEmail or customerPhone.',
        meta: { missing: ['customerId', 'customerEmail', 'customerPhone'] },
      });
    }
    for (const said of [{ customerEmail: 'ana' }, { customerPhone: '12' }, { customerId: 0 }]) {
      const [name] = Object.keys(said);
      const { error } = await add(said);
      expect(error).toMatchObject({
        code: 'INVALID_PARAMS',
        message: expect.stringContaining(`${name} must`),
      });
    }
  });
});

test('points are not 0, have at most 2 decimals, and need a reason', async () => {
  const wrong = [0, -0, 0.001, 12.345, 1e-7, 0.1 + 0.2, 1e21, 1_000_000_000.01, '10', null, true];
  for (const pointsAmount of wrong) {
    const { error } = await add({ customerId: ana, pointsAmount });
    expect([pointsAmount, error?.code]).toEqual([pointsAmount, 'INVALID_PARAMS']);
    expect(error!.message).toMatch(/^pointsAmount must be/);
  }
  for (const reason of ['', 'x'.repeat(501), 7]) {
    expect((await add({ customerId: ana, reason })).error?.code).toBe('INVALID_PARAMS');
  }
  for (const [field, value] of Object.entries({ pointsAmount: undefined, reason: undefined })) {
    expect((await add({ customerId: ana, [field]: value })).error?.meta).toEqual({ missing: [field] });
  }
  expect(await sql('select 1 from loyalty_events')).toEqual([]);
  for (const pointsAmount of [0.01, 0.1, 0.29, 1_000_000_000, 999_999_999.99, -0.3]) {
    expect((await add({ customerId: ana, pointsAmount })).data.pointsAmount).toBe(pointsAmount);
  }
  expect(await pointsOf(ana)).toBe(2_000_000_000.09);
});

test('the balance never becomes negative', async () => {
  const { error } = await add({ customerId: ana, pointsAmount: -0.01 });
  expect(error).toMatchObject({
    code: 'INVALID_PARAMS',
    message: 'pointsAmount must not take more points than the customer has.',
  });
  await add({ customerId: ana, pointsAmount: 5 });
  expect((await add({ customerId: ana, pointsAmount: -5.01 })).status).toBe(400);
  expect((await add({ customerId: ana, pointsAmount: -5 })).status).toBe(200);
  expect(await pointsOf(ana)).toBe(0);
});

describe('a key', () => {
  test('makes one event, which every replay gets, whatever its body', async () => {
    const idempotencyKey = randomUUID();
    const first = await add({ customerId: ana, idempotencyKey });
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    clock.advance(1000);
    for (const body of [
      { customerId: ana, idempotencyKey },
      { customerId: ben, pointsAmount: -999, reason: 'Other', idempotencyKey },
      { customerId: 9_007_199_254_740_000, idempotencyKey: idempotencyKey.toUpperCase() },
    ]) {
      const replay = await add(body);
      expect([replay.status, replay.text]).toEqual([200, first.text]);
      expect(replay.headers['idempotent-replayed']).toBe('true');
    }
    expect(await pointsOf(ana)).toBe(10);
  });

  test("is free again after a refusal, and is independent of other integrators' keys", async () => {
    const idempotencyKey = randomUUID();
    expect((await add({ customerId: ana, pointsAmount: -1, idempotencyKey })).status).toBe(400);
    const first = await add({ customerId: ana, idempotencyKey });
    const rival = await createTestIntegrator(context);
    const { keys } = await createTestKeys(context, shop.organizationId, rival);
    const theirs = await add({ customerId: ana, idempotencyKey }, keys);
    expect(theirs.data.id).not.toBe(first.data.id);
    expect(await pointsOf(ana)).toBe(20);
  });

  test('that is not a UUID v4 is refused', async () => {
    for (const idempotencyKey of ['', 'abc', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f', 7]) {
      expect((await add({ customerId: ana, idempotencyKey })).error?.code).toBe('INVALID_IDEMPOTENCY_KEY');
    }
  });

  test.each([
    ['for one customer', () => ana],
    ['for two customers', (at: number) => (at % 2 ? ana : ben)],
  ])('in 40 concurrent requests, %s, makes one event', async (_, who) => {
    for (const id of [ana, ben]) await add({ customerId: id, pointsAmount: 10 });
    const idempotencyKey = randomUUID();
    // The whole balance: a second event would be refused.
    const replies = await Promise.all(
      Array.from({ length: 40 }, (__, at) => add({ customerId: who(at), pointsAmount: -10, idempotencyKey })),
    );
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(39);
    expect((await pointsOf(ana)) + (await pointsOf(ben))).toBe(10);
  });
});

test('of 30 concurrent requests for the last points, as many succeed as there are points', async () => {
  await add({ customerId: ana, pointsAmount: 25 });
  const replies = await Promise.all(
    Array.from({ length: 30 }, () => add({ customerId: ana, pointsAmount: -2.5 })),
  );
  const statuses = replies.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(10).fill(200), ...Array(20).fill(400)]);
  expect(await pointsOf(ana)).toBe(0);
});

test('in sequence or concurrently, the balance is the sum of all events with status 200', async () => {
  const hundredths = fc.integer({ min: -3000, max: 3000 }).filter((points) => points !== 0);
  const batches = fc.array(fc.array(fc.tuple(fc.boolean(), hundredths), { minLength: 1, maxLength: 8 }), {
    minLength: 1,
    maxLength: 6,
  });
  const sums = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(batches, async (sent) => {
      for (const batch of sent) {
        const replies = await Promise.all(
          batch.map(([isAna, points]) =>
            add({ customerId: isAna ? ana : ben, pointsAmount: Number((points / 100).toFixed(2)) }),
          ),
        );
        for (const [at, { status }] of replies.entries()) {
          const [isAna, points] = batch[at]!;
          const id = isAna ? ana : ben;
          if (status === 200) sums.set(id, (sums.get(id) ?? 0) + points);
          else expect([status, points < 0]).toEqual([400, true]);
        }
        for (const id of [ana, ben]) {
          expect(await pointsOf(id)).toBe(Number(((sums.get(id) ?? 0) / 100).toFixed(2)));
        }
      }
    }),
    { numRuns: casesOf({ everyRun: 4, long: 25 }) },
  );
});
