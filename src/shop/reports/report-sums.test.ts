import { afterAll, afterEach, expect, test } from 'vitest';
import { seededRandom } from '../../../seed/seeded-random.ts';
import { casesOf } from '../../../test/harness/long-suite.ts';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { execute } from '../../../test/harness/test-connection.ts';
import {
  startOwnTestService,
  startTestService,
  type TestReply,
  type TestService,
} from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import { localDateAt } from '../../kernel/local-time.ts';
import { readAndCounted } from './counted-reports.test-support.ts';
import { stepReportSums } from './keep-report-sums.ts';
import { foldReportChanges, insertReportState, lockReportState } from './report-sum-queries.ts';
import { bringReportSumsUpToDate, findReportDrift, recountReportSums } from './reports.ts';

const service = await startTestService();
/** Another process with the same database and clock. */
const elsewhere = await startOwnTestService({ database: service.database, clock: service.clock });
afterEach(() => expect([...service.faults, ...elsewhere.faults]).toEqual([]));
afterAll(async () => {
  await elsewhere.close();
  await service.close();
});

type Data = TestReply['data'];
type Random = ReturnType<typeof seededRandom>;

const tz = 'America/Los_Angeles';
const firstDay = localDateAt(service.clock.now(), tz);
const year = { from: firstDay, to: `${Number(firstDay.slice(0, 4)) + 1}${firstDay.slice(4)}`, tz };
/** The clock moves on in each test: what a shop has sold lately. */
const lately = (): typeof year => {
  const dayOf = (fromNow: number) => localDateAt(service.clock.now() + fromNow * 86_400_000, tz);
  return { from: dayOf(-300), to: dayOf(60), tz };
};
const { database } = service.context;

const openShop = () =>
  createTestShop(service.context, {
    taxes: [
      { description: 'City tax', rate: '5', tier: '1' },
      { description: 'Sales tax', rate: '9.25', tier: '2', encompass: true, appliesToFees: true },
    ],
  });

/** The reports equal the orders, on one snapshot. */
async function expectExact(shop: TestShop, days = lately()): Promise<number> {
  const { read, counted, orders } = await readAndCounted(database, shop.organizationId, days);
  expect([days, read]).toEqual([days, counted]);
  return orders;
}

const waitingIn = async (shop: TestShop): Promise<number> => {
  const [row] = await tenantSql(database, shop.organizationId, 'select count(*)::int as n from book_changes');
  return row!.n;
};

/** Random days within the year, whole months among them. */
function randomDays(random: Random): typeof year {
  const dayAt = (day: number) => localDateAt(Date.parse(`${firstDay}T20:00:00Z`) + day * 86_400_000, tz);
  const from = random.integer(0, 200);
  return { from: dayAt(from), to: dayAt(from + random.integer(0, 165)), tz };
}

/** Sells, edits, cancels, takes back and voids at random. */
class Trader {
  readonly by: TestService;
  readonly shop: TestShop;
  readonly random: Random;
  readonly #sold: Data[] = [];
  readonly #returns: number[] = [];
  #member: Awaited<ReturnType<TestService['staff']>> | null = null;

  constructor(by: TestService, shop: TestShop, random: Random) {
    this.by = by;
    this.shop = shop;
    this.random = random;
  }

  async #call(method: string, path: string, body: object, refusal?: 'may be refused'): Promise<Data> {
    const { data, error } = await (await this.#staff()).call(method, `/staff/v1/${path}`, body);
    if (error !== undefined && refusal === undefined) throw new Error(JSON.stringify(error));
    return error === undefined ? data : null;
  }

  async #staff() {
    // Often another member of staff.
    if (this.#member === null || this.random.chance(0.2)) this.#member = await this.by.staff(this.shop);
    return this.#member;
  }

  /** A sale and several acts, at one time. */
  async trade(acts: number): Promise<void> {
    // The former session is over.
    this.#member = null;
    for (const before = this.#sold.length; this.#sold.length === before; ) await this.#sell();
    for (let act = 0; act < acts; act += 1) await this.#act();
  }

  async #act(): Promise<void> {
    const { random } = this;
    if (this.#sold.length > 0 && random.chance(0.35)) await this.#takeBack(random.pick(this.#sold));
    else if (this.#returns.length > 0 && random.chance(0.4)) await this.#void();
    else await this.#sell();
  }

  async #sell(): Promise<void> {
    const { random, shop } = this;
    const items = ['gummies', 'eighth', 'tray', 'gram', 'quarter'].filter(() => random.chance(0.5));
    const lineItems = (items.length === 0 ? ['eighth'] : items).map((key) => ({
      productOptionId: shop.optionId(key),
      quantity: random.integer(2, 6),
    }));
    const cash = { paymentTypeId: shop.paymentTypeId('Cash'), remaining: true };
    const order = await this.#call(
      'POST',
      'orders',
      {
        type: random.pick(['delivery', 'pickup', 'in-store']),
        customer: { firstName: 'Wren', lastName: 'Alder', email: `wren${random.integer(1, 9)}@example.com` },
        address: { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode: '94607' },
        lineItems: [{ productOptionId: shop.optionId('quarter'), quantity: 2 }, ...lineItems].slice(
          random.integer(0, 1),
        ),
        ...(random.chance(0.4) && {
          adjustments: [{ amount: random.integer(-900, 700), description: 'For the wait' }],
        }),
        payments: random.chance(0.3)
          ? [{ paymentTypeId: shop.paymentTypeId('Bank'), amount: 700 }, cash]
          : [random.chance(0.5) ? cash : { ...cash, paymentTypeId: shop.paymentTypeId('Bank') }],
        idempotencyKey: crypto.randomUUID(),
      },
      'may be refused',
    );
    if (order === null) return;
    const path = `orders/${order.id}`;
    if (order.status === 'draft') await this.#call('POST', `${path}/accept`, {});
    if (random.chance(0.2)) {
      await this.#call(
        'PATCH',
        path,
        { lineItems: lineItems.map((line) => ({ ...line, quantity: 7 })) },
        'may be refused',
      );
    }
    if (random.chance(0.1)) await this.#call('POST', `${path}/cancel`, { reason: 'No answer' });
    else if (random.chance(0.95)) this.#sold.push(await this.#call('POST', `${path}/fulfill`, {}));
  }

  async #takeBack(order: Data): Promise<void> {
    const { random, shop } = this;
    const lines = order.lineItems.filter(() => random.chance(0.6));
    const made = await this.#call(
      'POST',
      `orders/${order.id}/returns`,
      {
        ...(random.chance(0.8)
          ? { refundType: 'payment-method', paymentTypeId: shop.paymentTypeId('Cash') }
          : { refundType: 'none' }),
        lineItems: (lines.length === 0 ? order.lineItems : lines).map(({ id, quantity }: Data) => ({
          orderLineItemId: id,
          quantity: random.chance(0.4) ? quantity : 1,
          ...{ type: 'return', inventoryAction: 'inventory', reason: 'Changed their mind' },
        })),
      },
      // More than is left.
      'may be refused',
    );
    if (made !== null) this.#returns.push(made.id);
  }

  async #void(): Promise<void> {
    const id = this.random.pick(this.#returns);
    await this.#call('POST', `order-returns/${id}/void`, { reason: 'Wrong order' }, 'may be refused');
  }
}

test('at every moment, while staff sell, edit, cancel, take back and void, every report equals its orders to the cent', async () => {
  const shop = await openShop();
  const random = seededRandom('traders');
  const traders = [service, elsewhere, service].map(
    (by, at) => new Trader(by, shop, seededRandom(`trader ${at}`)),
  );
  let isTrading = true;
  const trade = async (): Promise<void> => {
    for (let rounds = casesOf({ everyRun: 3, long: 80 }); rounds > 0; rounds -= 1) {
      await Promise.all(traders.map((trader) => trader.trade(2)));
      // Hours, or weeks.
      service.clock.advance(random.integer(1, random.chance(0.5) ? 1_000 : 20) * 1_800_000);
    }
  };
  const trading = trade().finally(() => {
    isTrading = false;
  });
  /** Two processes take changes into the sums, in the smallest steps. */
  const keeping = [service, elsewhere].map(async ({ context }) => {
    while (isTrading) {
      await stepReportSums(context, shop.organizationId, { changesMax: 2, eventsMax: 1, rowsMax: 3 });
    }
  });
  let compared = 0;
  const reading = async (): Promise<void> => {
    while (isTrading) {
      await expectExact(shop, random.chance(0.5) ? year : randomDays(random));
      compared += 1;
    }
  };
  await Promise.all([trading, ...keeping, reading()]);
  expect(compared).toBeGreaterThan(0);
  expect(await findReportDrift(service.context, shop.organizationId)).toEqual([]);
  const orders = await expectExact(shop, year);
  expect(orders).toBeGreaterThan(5);

  await bringReportSumsUpToDate(service.context, shop.organizationId);
  expect(await waitingIn(shop)).toBe(0);
  expect(await expectExact(shop, year)).toBe(orders);
  for (let days = 0; days < 5; days += 1) await expectExact(shop, randomDays(random));
  expect(await findReportDrift(service.context, shop.organizationId)).toEqual([]);
});

/** A shop that sold, took back and voided on several days, with nothing in its sums yet. */
async function tradedShop(name: string): Promise<{ shop: TestShop; trader: Trader }> {
  const shop = await openShop();
  const trader = new Trader(service, shop, seededRandom(name));
  for (let rounds = 0; rounds < 4; rounds += 1) {
    await trader.trade(3);
    service.clock.advance(40 * 3_600_000);
  }
  expect(await waitingIn(shop)).toBeGreaterThan(0);
  return { shop, trader };
}

const rowsOf = async (shop: TestShop, columns: string): Promise<Data> => {
  const [row] = await tenantSql(database, shop.organizationId, `select ${columns}`);
  return row!;
};

const smallest = { changesMax: 1, eventsMax: 1, rowsMax: 2 };

test('events that the sums lack are counted in small steps, and reports are exact after each', async () => {
  const { shop, trader } = await tradedShop('before');
  const { organizationId } = shop;
  // No change was noted.
  await tenantSql(database, organizationId, 'delete from book_changes');
  const before = await expectExact(shop);
  let steps = 0;
  while (await stepReportSums(service.context, organizationId, smallest)) {
    await expectExact(shop);
    steps += 1;
    if (steps % 3 === 0 && steps < 10) await trader.trade(1);
  }
  expect([steps > 2, before > 2]).toEqual([true, true]);
  expect(await rowsOf(shop, 'counted_from::text as f from book_states')).toEqual({ f: '-infinity' });
  expect(await waitingIn(shop)).toBe(0);
  await expectExact(shop);
  expect(await findReportDrift(service.context, organizationId)).toEqual([]);
});

test('a step that ends half way changes nothing, and the next one does its work', async () => {
  const { shop } = await tradedShop('crash');
  const { organizationId } = shop;
  await stepReportSums(service.context, organizationId, smallest);
  const waiting = await waitingIn(shop);
  const ended = database.write(organizationId, async (tx) => {
    await tx.run(insertReportState({}), lockReportState({}));
    const [[folded]] = await tx.run(foldReportChanges({ changesMax: 1_000 }));
    expect(folded!.changes).toBe(waiting);
    // The connection is lost before the commit.
    await tx.run({
      name: 'test_end_connection',
      text: 'select pg_terminate_backend(pg_backend_pid())',
      values: [],
    });
  });
  await expect(ended).rejects.toThrow();
  expect(await waitingIn(shop)).toBe(waiting);
  await expectExact(shop);
  await bringReportSumsUpToDate(service.context, organizationId);
  expect(await waitingIn(shop)).toBe(0);
  await expectExact(shop);
});

test('the sums keep one row for each day, group and key, however many changes they take', async () => {
  const { shop, trader } = await tradedShop('rows');
  const { organizationId } = shop;
  await bringReportSumsUpToDate(service.context, organizationId);
  await trader.trade(8);
  await bringReportSumsUpToDate(service.context, organizationId);
  const { rows, keys, orders } = await rowsOf(
    shop,
    `count(*)::int as rows, count(distinct (report, span, day, key))::int as keys,
     sum(orders) filter (where report = 'day' and span = 'day')::int as orders from book_sums`,
  );
  expect([rows, orders]).toEqual([keys, await expectExact(shop)]);
  // Nothing is left to do.
  expect(await stepReportSums(service.context, organizationId)).toBe(false);
});

test('of several changes of a sale each counts once, in whatever order they are read', async () => {
  const { shop, trader } = await tradedShop('order');
  const { organizationId } = shop;
  await bringReportSumsUpToDate(service.context, organizationId);
  const changedAgain = `(select count(*)::int from book_changes where return_id is not null
    and order_id in (select order_id from book_changes where return_id is null)) as n`;
  do await trader.trade(4);
  while ((await rowsOf(shop, changedAgain)).n < 3);
  // Space that is used again has any order: here the latest change is stored first.
  await execute(
    service.database.owner,
    `create index backwards on book_changes (id desc);
     cluster book_changes using backwards; drop index backwards; analyze book_changes`,
  );
  await expectExact(shop);
  await database.write(organizationId, async (tx) => {
    await tx.run({ name: 'test_read_as_stored', text: readAsStored, values: [] });
    await tx.run(insertReportState({}), lockReportState({}));
    await tx.run(foldReportChanges({ changesMax: 1_000 }));
  });
  expect(await waitingIn(shop)).toBe(0);
  await expectExact(shop);
});

const readAsStored = `select set_config(of, 'off', true)
  from unnest(array['enable_indexscan', 'enable_bitmapscan', 'enable_nestloop']) of`;

test('the days follow the time zone of the shop when it changes, at once and when they are counted again', async () => {
  const { shop, trader } = await tradedShop('zone');
  const { organizationId } = shop;
  await bringReportSumsUpToDate(service.context, organizationId);
  const owner = await service.staff(shop);
  const { error } = await owner.call('PATCH', '/staff/v1/organization', { tz: 'US/Eastern' });
  expect(error).toBeUndefined();
  const days = { ...year, from: '2026-03-01', tz: 'US/Eastern' };
  await expectExact(shop, days);
  await trader.trade(2);
  while (await stepReportSums(service.context, organizationId, smallest)) await expectExact(shop, days);
  await expectExact(shop, days);
  expect(await rowsOf(shop, 'count(distinct generation)::int as generations from book_sums')).toEqual({
    generations: 1,
  });
  expect(await findReportDrift(service.context, organizationId)).toEqual([]);
});

test('sums that drifted are found with what was counted, and counting again sets them', async () => {
  const { shop } = await tradedShop('drift');
  const { organizationId } = shop;
  await bringReportSumsUpToDate(service.context, organizationId);
  await tenantSql(
    database,
    organizationId,
    `update book_sums set net_cents = net_cents + 1
      where ctid = (select ctid from book_sums where report = 'type' and span = 'day' limit 1)`,
  );
  await tenantSql(
    database,
    organizationId,
    `delete from book_taxes where ctid = (select ctid from book_taxes where span = 'month' and tax_id > 0 limit 1)`,
  );
  const found = await findReportDrift(service.context, organizationId);
  expect(found).toHaveLength(2);
  const [type, tax] = found;
  expect(type).toMatchObject({ report: 'type', span: 'day' });
  expect(type!.kept!.net_cents).toBe(Number(type!.counted!.net_cents) + 1);
  expect(tax).toMatchObject({ report: 'taxes', span: 'month', kept: null });
  await recountReportSums(service.context, organizationId);
  expect(await findReportDrift(service.context, organizationId)).toEqual([]);
  await expectExact(shop);
});
