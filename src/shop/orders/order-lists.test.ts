import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { casesOf } from '../../../test/harness/long-suite.ts';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, type TestReply, testNowMs } from '../../../test/harness/test-service.ts';
import {
  createTestShop,
  deliveryBody,
  pickupBody,
  type TestShop,
  testOrigin,
} from '../../../test/harness/test-shop.ts';
import { addDays } from '../../kernel/local-time.ts';
import { Database } from '../../platform/database/database.ts';
import { stepOrder } from './orders.ts';

const service = await startTestService();
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

type Query = Readonly<Record<string, string | number | boolean>>;

const list = (shop: TestShop, query: Query): Promise<TestReply> =>
  service.call('GET', '/api/v1/orders', { keys: shop.keys, query });

const idsOf = ({ data }: TestReply): string[] => data.map(({ id }: { id: string }) => id);

/** Follows the cursor to the end; `between` runs after each page. */
async function allPages(shop: TestShop, query: Query, between?: () => Promise<unknown>): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const last = ids.at(-1);
    const page = idsOf(await list(shop, last === undefined ? query : { ...query, startingAfter: last }));
    ids.push(...page);
    if (page.length < 50) return ids;
    await between?.();
  }
}

async function place(shop: TestShop, body: object): Promise<TestReply['data']> {
  const reply = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
  expect(reply.status).toBe(201);
  return reply.data;
}

interface Head {
  readonly id: string;
  readonly type: string;
  readonly userId: number;
  readonly createdAtMs: number;
  readonly fulfilledAtMs: number | null;
}

/**
 * Copies an order many times: lists read only heads and documents. `created` and `fulfilled` are SQL of the
 * copy's number `i`.
 */
async function copyOrder(shop: TestShop, id: string, count: number, created: string, fulfilled = 'null') {
  await tenantSql(
    service.context.database,
    shop.organizationId,
    `with copies as (
       select gen_random_uuid() as copy_id, ${created} as at, (${fulfilled})::timestamptz as fulfilled_at
         from generate_series(1, ${count}) i),
     read_with as (
       insert into order_explanations (organization_id, order_id, shown_rows)
       select k.organization_id, copy_id, k.shown_rows from order_explanations k, copies where k.order_id = $1)
     insert into orders
     select (jsonb_populate_record(o, jsonb_build_object(
              'id', copy_id, 'number', null, 'created_at', at, 'fulfilled_at', copies.fulfilled_at, 'idempotency_key', null,
              'status', case when copies.fulfilled_at is null then o.status else 'fulfilled' end))).*
       from orders o, copies where o.id = $1`,
    id,
  );
}

async function heads(shop: TestShop): Promise<Head[]> {
  const rows = await tenantSql(
    service.context.database,
    shop.organizationId,
    'select id, type, user_id, created_at, fulfilled_at from orders',
  );
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    userId: row.user_id,
    createdAtMs: row.created_at,
    fulfilledAtMs: row.fulfilled_at,
  }));
}

/** The expected list: newest first, equal times by id, descending. */
function newestFirst(rows: readonly Head[], timeOf: (row: Head) => number): string[] {
  return [...rows].sort((a, b) => timeOf(b) - timeOf(a) || (a.id < b.id ? 1 : -1)).map(({ id }) => id);
}

const ana = { firstName: 'Ana', lastName: 'One', email: 'ana@customers.example.com' };
const ben = { firstName: 'Ben', lastName: 'Two', email: 'ben@customers.example.com' };

const copiesEach = casesOf({ everyRun: 100, long: 1_500 });

describe(`of ${4 * copiesEach} orders, many of which share a time`, () => {
  let shop: TestShop;
  let all: Head[];
  const userIdOf = new Map<string, number>();

  beforeAll(async () => {
    shop = await createTestShop(service.context);
    for (const customer of [ana, ben]) {
      for (const body of [pickupBody(shop, { customer }), deliveryBody(shop, { customer })]) {
        const order = await place(shop, body);
        userIdOf.set(customer.firstName, order.customer.id);
        // A hundred at one moment, then one a second; every third is fulfilled, many of these also at one
        // moment.
        await copyOrder(
          shop,
          order.id,
          copiesEach,
          `'2026-03-10T12:00:00Z'::timestamptz - greatest(0, i - 100) * interval '1 second'`,
          `case when i % 3 = 0 then '2026-03-10T13:00:00Z'::timestamptz - (i / 90) * interval '1 minute' end`,
        );
      }
    }
    all = await heads(shop);
  });

  test('every page continues where the last ended: the whole list, none skipped, none twice', async () => {
    expect(all.length).toBeGreaterThan(4 * copiesEach);
    expect(await allPages(shop, {})).toEqual(newestFirst(all, (row) => row.createdAtMs));
  });

  test('every filtered list is the whole list without the other orders', async () => {
    const userId = userIdOf.get('Ana')!;
    const cases: [Query, (row: Head) => boolean][] = [
      [{ type: 'delivery' }, (row) => row.type === 'delivery'],
      [{ userId }, (row) => row.userId === userId],
      [{ type: 'pickup', userId }, (row) => row.type === 'pickup' && row.userId === userId],
    ];
    for (const [query, keeps] of cases) {
      const rows = all.filter(keeps);
      expect(await allPages(shop, query)).toEqual(newestFirst(rows, (row) => row.createdAtMs));
      expect(await allPages(shop, { ...query, fulfilledOnly: true })).toEqual(
        newestFirst(
          rows.filter((row) => row.fulfilledAtMs !== null),
          (row) => row.fulfilledAtMs!,
        ),
      );
    }
    expect(idsOf(await list(shop, { type: 'in-store' }))).toEqual([]);
    expect(idsOf(await list(shop, { userId: 1 }))).toEqual([]);
  });

  test('a cursor and a day combine: the later restriction wins', async () => {
    const order = newestFirst(all, (row) => row.createdAtMs);
    const timeOf = new Map(all.map((row) => [row.id, row.createdAtMs]));
    // All orders are on the 10th: the day excludes none or all of them.
    const at = Math.floor(order.length * 0.4);
    const startingAfter = order[at]!;
    expect(idsOf(await list(shop, { startingAfter, startingOn: '2026-03-10' }))).toEqual(
      order.slice(at + 1, at + 51),
    );
    const older = order.filter((id) => timeOf.get(id)! < Date.parse('2026-03-10T07:00:00Z')).slice(0, 50);
    expect(idsOf(await list(shop, { startingAfter, startingOn: '2026-03-09' }))).toEqual(older);
  });

  test('it skips and repeats nothing while orders are placed and imported between pages', async () => {
    const before = newestFirst(all, (row) => row.createdAtMs);
    const known = new Set(before);
    const first = await place(shop, pickupBody(shop));
    let running: Promise<unknown> = Promise.resolve();
    const seen = await allPages(shop, {}, async () => {
      // New orders while the next page is read, and older ones within pages read and not yet read.
      running = Promise.all([running, place(shop, pickupBody(shop)), place(shop, deliveryBody(shop))]);
      await copyOrder(shop, first.id, 1, `'2026-03-10T11:50:00Z'::timestamptz`);
    });
    await running;
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => known.has(id))).toEqual(before);
  });
});

test('a page that was read before shows every later change at once', async () => {
  const shop = await createTestShop(service.context);
  const orders = [await place(shop, pickupBody(shop, { customer: ana }))];
  service.clock.advance(1000);
  orders.push(await place(shop, deliveryBody(shop)));
  const elsewhere = new Database(service.database.serving, 1);
  const details = async () => {
    const replies = orders.map(({ id }) =>
      service.call('GET', `/api/v1/orders/${id}/detail`, { keys: shop.keys }),
    );
    return (await Promise.all(replies)).map(({ data }) => data).reverse();
  };
  let shown = (await list(shop, {})).data;
  const changes = [
    () =>
      stepOrder(service.context, testOrigin, shop.organizationId, orders[1]!.id, 'accept', { staff: null }),
    () => tenantSql(service.context.database, shop.organizationId, `update customers set zip = '94607'`),
    () =>
      tenantSql(
        elsewhere,
        shop.organizationId,
        `update customers set sex = 'tertiary' where first_name = 'Ana'`,
      ),
    () => tenantSql(elsewhere, shop.organizationId, `update orders set customer_name = 'Another guest'`),
    () => place(shop, pickupBody(shop, { customer: { ...ana, phone: '(510) 555-0188' } })),
  ];
  for (const change of changes) {
    service.clock.advance(1000);
    await change();
    const now = (await list(shop, {})).data.slice(-2);
    expect(now).not.toEqual(shown);
    expect(now).toEqual(await details());
    shown = now;
  }
  await elsewhere.close();
});

test('no page shows an order of another organization, also right after that one read it', async () => {
  const [shop, other] = [await createTestShop(service.context), await createTestShop(service.context)];
  const { id } = await place(shop, pickupBody(shop));
  expect(idsOf(await list(shop, {}))).toEqual([id]);
  expect((await list(other, {})).data).toEqual([]);
});

describe('a cursor', () => {
  test('past the end gives an empty page', async () => {
    const shop = await createTestShop(service.context);
    expect((await list(shop, {})).data).toEqual([]);
    const { id } = await place(shop, pickupBody(shop));
    expect(idsOf(await list(shop, {}))).toEqual([id]);
    expect(idsOf(await list(shop, { startingAfter: id }))).toEqual([]);
  });

  test('that is unknown to this organization or this list is refused', async () => {
    const [shop, other] = [await createTestShop(service.context), await createTestShop(service.context)];
    const { id: ours } = await place(shop, pickupBody(shop));
    const { id: theirs } = await place(other, pickupBody(other));
    const refused = [
      { startingAfter: randomUUID() },
      { startingAfter: theirs },
      { startingAfter: 'last' },
      { startingAfter: '' },
      { startingAfter: ours, fulfilledOnly: true },
    ];
    for (const query of refused) {
      expect(await list(shop, query)).toMatchObject({ status: 400, error: { code: 'INVALID_CURSOR' } });
    }
    const { error: unfulfilled } = await list(shop, { startingAfter: ours, fulfilledOnly: true });
    expect(unfulfilled?.message).toBe(
      'startingAfter must be the id of a fulfilled order, as fulfilledOnly is sent.',
    );
    const { error: unknown } = await list(shop, { startingAfter: theirs });
    expect(unknown?.message).toBe('startingAfter must be the id of an order of this list.');
  });
});

describe.each([
  ['America/Los_Angeles', 8],
  ['US/Mountain', 7],
  ['US/Central', 6],
  ['US/Eastern', 5],
] as const)('a day in %s', (tz, winterHours) => {
  test('begins the list with its last millisecond, also where the clock changes', async () => {
    const shop = await createTestShop(service.context, { tz });
    const { id } = await place(shop, pickupBody(shop));
    const days = ['2026-03-07', '2026-03-08', '2026-03-09', '2026-10-31', '2026-11-01', '2026-11-02'];
    for (const day of days) {
      const next = addDays(day, 1);
      const isSummer = next > '2026-03-08' && next <= '2026-11-01';
      const midnight = `${next}T0${winterHours - Number(isSummer)}:00:00Z`;
      // The last millisecond of the day, and the first of the next.
      await copyOrder(
        shop,
        id,
        2,
        `'${midnight}'::timestamptz - (i - 1) * interval '1 millisecond'`,
        `'${midnight}'::timestamptz - (i - 1) * interval '1 millisecond'`,
      );
      const endMs = Date.parse(midnight);
      for (const query of [{ startingOn: day }, { startingOn: day, fulfilledOnly: true }]) {
        const { data } = await list(shop, query);
        expect(Date.parse(createdAtOf(data[0].id, await heads(shop)))).toBe(endMs - 1);
      }
      const { data } = await list(shop, { startingOn: next });
      expect(Date.parse(createdAtOf(data[0].id, await heads(shop)))).toBeGreaterThanOrEqual(endMs);
    }
  });
});

function createdAtOf(id: string, rows: readonly Head[]): string {
  return new Date(rows.find((row) => row.id === id)!.createdAtMs).toISOString();
}

test('a day that does not exist is refused; one before the first order gives an empty page', async () => {
  const shop = await createTestShop(service.context);
  await place(shop, pickupBody(shop));
  for (const startingOn of ['2026-02-30', '2026-3-1', 'today', '']) {
    expect(await list(shop, { startingOn })).toMatchObject({
      status: 400,
      error: { code: 'INVALID_PARAMS' },
    });
  }
  const today = new Date(testNowMs).toISOString().slice(0, 10);
  expect((await list(shop, { startingOn: addDays(today, -1) })).data).toEqual([]);
  expect((await list(shop, { startingOn: today })).data).toHaveLength(1);
});
