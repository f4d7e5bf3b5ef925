import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startOwnTestService, startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import {
  createTestKeys,
  createTestShop,
  deliveryBody,
  type TestShop,
} from '../../../test/harness/test-shop.ts';
import { importPeople } from './people.test-support.ts';

const service = await startTestService();
const { context, clock } = service;
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

type Query = Readonly<Record<string, string | number>>;

const list = (shop: TestShop, query: Query = {}, on = service): Promise<TestReply> =>
  on.call('GET', '/api/v1/customers', { keys: shop.keys, query });

const idsOf = ({ data }: TestReply): number[] => data.map(({ id }: { id: number }) => id);

/** Follows the cursor to the empty page; `between` runs after every other page with its last id. */
async function allPages(
  page: (query: Query) => Promise<TestReply>,
  query: Query,
  between: (lastId: number) => Promise<unknown> = async () => {},
): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const last = ids.at(-1);
    const found = idsOf(await page(last === undefined ? query : { ...query, startingAfter: last }));
    if (found.length === 0) return ids;
    expect(found.length).toBeLessThanOrEqual(50);
    ids.push(...found);
    await between(found.at(-1)!);
  }
}

const sql = (shop: TestShop, text: string) => tenantSql(context.database, shop.organizationId, text);

/** Creates customers with joining and change times given as SQL of their number `i`. */
async function fill(shop: TestShop, count: number, joined: string, updated = joined): Promise<void> {
  const base = (await context.ids.take(count))[0]!;
  await sql(
    shop,
    `insert into customers (organization_id, id, hash_id, first_name, last_name, joined_at, updated_at)
     select current_organization_id(), ${base} + i, 'H' || (${base} + i), 'Given', 'Onfile', ${joined}, ${updated}
       from generate_series(1, ${count}) i`,
  );
}

async function inOrderOf(shop: TestShop, column: string): Promise<number[]> {
  const rows = await sql(shop, `select id from customers order by ${column} desc, id desc`);
  return rows.map(({ id }) => id);
}

test('a customer is shown with groups, points, the address of the latest delivery, and the whole profile', async () => {
  const shop = await createTestShop(context);
  const { data: order } = await service.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: deliveryBody(shop, {
      customer: { firstName: 'Ana', lastName: 'Silva', email: 'Ana@Customers.Example.com' },
    }),
  });
  const [bare, ana] = [
    (await importPeople(context, shop.organizationId, [{ phone: '(510) 555-0177', joinedAtMs: 0 }]))[0]!,
    order.customer.id,
  ];
  await sql(
    shop,
    `update customers set birthday = '1988-02-29', sex = 'tertiary', zip = '94607', license_expiry = '2029-01-31',
       medical_expiration = '2027-12-31', marketing_opt_in = true, marketing_opt_in_at = '2026-01-02T03:04:05.678Z'
     where id = ${ana}`,
  );
  await sql(shop, `insert into loyalty_balances values (current_organization_id(), ${ana}, 12.50, now())`);
  const shown = {
    id: ana,
    hashId: expect.stringMatching(/^\w{8}$/),
    firstName: 'Ana',
    lastName: 'Silva',
    email: 'Ana@Customers.Example.com',
    phone: null,
    joinedAt: '2026-03-10T18:00:00.000Z',
    updatedAt: '2026-03-10T18:00:00.000Z',
    birthday: '1988-02-29',
    sex: 'tertiary',
    zip: '94607',
    licenseExpiry: '2029-01-31',
    marketingOptIn: true,
    marketingOptInAt: '2026-01-02T03:04:05.678Z',
    marketingOptInSource: null,
    customerGroups: [],
    loyalty: { pointsAmount: 12.5 },
    mostRecentAddress: {
      street1: '418 Alder Street',
      street2: null,
      city: 'Oakland',
      state: 'CA',
      postalCode: '94607',
    },
    medicalExpiration: '2027-12-31',
    erasedAt: null,
  };
  const { data } = await list(shop);
  expect(data).toEqual([
    shown,
    {
      id: bare,
      hashId: expect.any(String),
      firstName: 'Given',
      lastName: 'Onfile',
      email: null,
      phone: '+15105550177',
      joinedAt: '1970-01-01T00:00:00.000Z',
      updatedAt: '1970-01-01T00:00:00.000Z',
      birthday: null,
      sex: null,
      zip: null,
      licenseExpiry: null,
      marketingOptIn: false,
      marketingOptInAt: null,
      marketingOptInSource: null,
      customerGroups: [],
      loyalty: { pointsAmount: 0 },
      mostRecentAddress: null,
      medicalExpiration: null,
      erasedAt: null,
    },
  ]);
  for (const customer of data) {
    const one = await service.call('GET', `/api/v1/customers/${customer.id}`, { keys: shop.keys });
    expect([one.status, one.data]).toEqual([200, customer]);
  }
});

describe.each([
  ['by the time of joining', {}, 'joined_at'],
  ['by the time of change', { sortBy: 'updatedAt' }, 'updated_at'],
] as [string, Query, string][])('%s', (_, sort, column) => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await createTestShop(context);
    // Two hundred with the same time, then one per minute, second or microsecond.
    await fill(shop, 400, `'2026-03-10T12:00Z'::timestamptz - greatest(0, i - 200) * interval '1 minute'`);
    await fill(shop, 200, `'2026-03-09T12:00Z'::timestamptz - i * interval '1 second'`);
    await fill(shop, 130, `'2026-03-08T12:00Z'::timestamptz + i * interval '1 microsecond'`);
  });

  test('all pages together are all customers, each once, in order', async () => {
    const expected = await inOrderOf(shop, column);
    expect(expected).toHaveLength(730);
    expect(await allPages((query) => list(shop, query), sort)).toEqual(expected);
  });

  test("a day starts the list with its last customer, in the organization's time zone, and a cursor continues", async () => {
    const rows = await sql(shop, `select id, ${column} at time zone 'UTC' as at from customers`);
    expect(rows).toHaveLength(730);
    for (const day of ['2026-03-07', '2026-03-08', '2026-03-09', '2026-03-10', '9999-12-31']) {
      const expected = (
        await sql(
          shop,
          `select id from customers where (${column} at time zone 'America/Los_Angeles')::date <= '${day}'
            order by ${column} desc, id desc`,
        )
      ).map(({ id }) => id);
      expect(await allPages((query) => list(shop, query), { ...sort, startingOn: day })).toEqual(expected);
    }
  });

  test('with a cursor and a day, the stricter one applies', async () => {
    const expected = await inOrderOf(shop, column);
    const [first, late] = [expected[0]!, expected[700]!];
    const fromDay = await list(shop, { ...sort, startingOn: '2026-03-08' });
    expect(idsOf(await list(shop, { ...sort, startingOn: '2026-03-08', startingAfter: first }))).toEqual(
      idsOf(fromDay),
    );
    expect(idsOf(await list(shop, { ...sort, startingOn: '2026-03-10', startingAfter: late }))).toEqual(
      expected.slice(701, 751),
    );
  });
});

describe('while customers change', () => {
  let shop: TestShop;
  let before: number[];
  let changed: Set<number>;
  beforeEach(async () => {
    shop = await createTestShop(context);
    // Thirty share each time, so that a page ends among rows with equal times.
    await fill(shop, 600, `'2026-03-09T12:00Z'::timestamptz - (i / 30) * interval '1 minute'`);
    before = await inOrderOf(shop, 'updated_at');
    changed = new Set();
  });

  async function touch(ids: readonly number[]): Promise<void> {
    for (const id of ids) changed.add(id);
    clock.advance(1000);
    const at = new Date(clock.now()).toISOString();
    await sql(shop, `update customers set updated_at = '${at}' where id in (${ids.join()})`);
  }

  /** This many customers, spread over the whole list, different ones each time. */
  let turn = 0;
  const spread = (count: number) =>
    Array.from({ length: count }, (_, at) => before[(at * 37 + ++turn * 101) % before.length]!);

  /** Every customer that has not changed was seen once, in order. */
  function expectEachOnce(seen: readonly number[]): void {
    const still = before.filter((id) => !changed.has(id));
    expect(still.length).toBeGreaterThan(100);
    expect(seen.filter((id) => !changed.has(id))).toEqual(still);
  }

  test.each([
    ['no other customer', 0, 1],
    ['no other customer, again and again', 0, 3],
    ['a few others', 20, 1],
    ['more other customers than a page holds', 60, 2],
  ])(
    'the cursor customer and %s: no page skips or repeats an unchanged customer',
    async (_, others, times) => {
      const seen = await allPages(
        (query) => list(shop, query),
        { sortBy: 'updatedAt' },
        async (last) => {
          for (let time = 0; time < times; time++) await touch([last, ...spread(others)]);
          // A changed customer is now at the front; reading there between pages does not affect the reader's position.
          if (others === 20) expect(changed).toContain(idsOf(await list(shop, { sortBy: 'updatedAt' }))[0]);
        },
      );
      expectEachOnce(seen);
    },
  );

  test('concurrent changes keep the same guarantee', async () => {
    const groupId = await context.ids.takeOne();
    const at = new Date(clock.now()).toISOString();
    await sql(
      shop,
      `insert into customer_groups values
         (current_organization_id(), ${groupId}, 'Regulars', default, null, '${at}', '${at}')`,
    );
    await sql(
      shop,
      `update customers set email = id || '@c.example.com', email_normalized = id || '@c.example.com'`,
    );
    const change = (id: number, verb: string) => {
      changed.add(id);
      return service.call('PUT', `/api/v1/customer-groups/${groupId}/${verb}-customer`, {
        keys: shop.keys,
        body: { emailOrPhone: `${id}@c.example.com` },
      });
    };
    const running: Promise<TestReply>[] = [];
    const seen = await allPages(
      (query) => list(shop, query),
      { sortBy: 'updatedAt' },
      async (last) => {
        clock.advance(1000);
        await change(last, 'add');
        running.push(...spread(10).map((id) => change(id, 'add')));
      },
    );
    expect((await Promise.all(running)).every(({ status }) => status === 200)).toBe(true);
    expectEachOnce(seen);
  });

  test('a reader whose pages come from several processes skips and repeats no customer either', async () => {
    const second = await startOwnTestService({ database: service.database, clock });
    try {
      let request = 0;
      const seen = await allPages(
        (query) => list(shop, query, request++ % 2 === 0 ? service : second),
        { sortBy: 'updatedAt' },
        (last) => touch([last, ...spread(30)]),
      );
      expectEachOnce(seen);
    } finally {
      await second.context.database.close();
    }
  });

  test('left positions are kept for ten minutes, and then deleted', async () => {
    const id = before[0]!;
    const places = async () => (await sql(shop, 'select count(*) as n from customer_past_places'))[0]!.n;
    for (const minutes of [0, 4, 4, 4]) {
      clock.advance(minutes * 60_000);
      await touch([id]);
    }
    expect(await places()).toBe(3);
    clock.advance(3_600_000);
    await touch([id]);
    expect(await places()).toBe(1);
    // A write without change does not move the customer.
    await sql(shop, `update customers set zip = '94607' where id <> ${id}`);
    expect(await places()).toBe(1);
  });

  test('two readers at different positions continue from their own, also after a customer whom both have read', async () => {
    const { keys } = await createTestKeys(context, shop.organizationId, shop.integrator);
    const page = (reader: typeof keys, query: Query) =>
      service.call('GET', '/api/v1/customers', { keys: reader, query: { sortBy: 'updatedAt', ...query } });
    const last = idsOf(await page(shop.keys, {})).at(-1)!;
    // To the front, and then behind 49 others: the end of the other reader's first page.
    await touch([last]);
    await touch(before.slice(200, 249));
    expect(idsOf(await page(keys, {})).at(-1)).toBe(last);
    expect(idsOf(await page(shop.keys, { startingAfter: last }))).toEqual(before.slice(50, 100));
    expect(idsOf(await page(keys, { startingAfter: last }))).toEqual(before.slice(0, 49).concat(before[50]!));
  });
});
