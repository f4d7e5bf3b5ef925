import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { expect, inject } from 'vitest';
import { startSession } from '../../src/access/sessions/sessions.ts';
import { allEventTypes, checksummedCollections } from '../../src/app/app.ts';
import {
  pruneInTurns,
  RetentionMetrics,
  readBacklog,
  retainedKinds,
} from '../../src/hosting/retention/retention.ts';
import type { ManualClock } from '../../src/kernel/clock.ts';
import { Database } from '../../src/platform/database/database.ts';
import { linkAuditEntries } from '../../src/platform/events/audit-chain.ts';
import { networkWith } from '../../src/platform/http/guarded-fetch.ts';
import { bringSumsUpToDate } from '../../src/shop/changes/changes.ts';
import { bringReportSumsUpToDate } from '../../src/shop/reports/reports.ts';
import { WebhookWorker } from '../../src/shop/webhooks/webhook-worker.ts';
import { Receiver } from '../../src/shop/webhooks/webhooks.test-support.ts';
import { onDatabase } from '../harness/test-connection.ts';
import type { TestService } from '../harness/test-service.ts';
import { createTestShop, type TestProduct, type TestShop, testOrigin } from '../harness/test-shop.ts';
import { bearerHeader } from '../harness/test-staff.ts';

const dayMs = 86_400_000;
const yearDays = 365;
/** One order in five has a new customer, the others come back. */
const newCustomersOf = 5;

/** What a table takes: a year's orders of `orders`, and what of that a year's orders of another number would take. */
export interface GrownTable {
  readonly name: string;
  /** With indexes and large values, beyond the shop without orders. */
  readonly bytes: number;
  readonly rows: number;
  readonly deadRows: number;
}

const products = Array.from(
  { length: 40 },
  (_, at): TestProduct => ({
    key: `product ${at}`,
    options: [{ key: `product ${at}`, priceCents: 1_500 + at * 50, content: '0.001' }],
    stock: Array.from({ length: 4 }, (_, number) => ({
      option: `product ${at}`,
      amount: '500000',
      label: `1A4FF${String(at * 10 + number).padStart(19, '0')}`,
      receivedDaysAgo: 20 - number,
    })),
  }),
);

/**
 * A shop that trades for a year, with so many orders, equally on each day: an integrator asks for the price twice, places the order
 * of two lines with its key and looks at its state five times; staff accept, pack and hand it over with idempotency keys; every change goes to a
 * webhook. Retention and vacuum come every few days, sums and links of the audit on each day with orders.
 */
export async function tradeBusyYear(
  service: TestService<ManualClock>,
  { orders, pruneEveryDays }: { readonly orders: number; readonly pruneEveryDays: number },
  onDay: (day: number) => void = () => {},
): Promise<{ shop: TestShop; tables: readonly GrownTable[] }> {
  const { context, clock } = service;
  const shop = await createTestShop(context, { products });
  const { owner } = service.database;
  const database = owner.connectionString
    ? new URL(owner.connectionString).pathname.slice(1)
    : owner.database!;
  // The owner sees no rows of organizations.
  const admin = new Client(onDatabase(inject('server').admin, database));
  await admin.connect();
  const receiver = await Receiver.start();
  const background = openBackground(service, shop);
  const url = receiver.url;
  const endpoint = await service.call('POST', '/api/v1/webhook-endpoints', {
    keys: shop.keys,
    body: { url },
  });
  expect(endpoint.error).toBeUndefined();
  const { staffId } = await service.staff(shop);
  try {
    // Tables and indexes have their first pages.
    for (let at = 0; at < 3; at += 1)
      await sell(service, shop, await signIn(service, shop, staffId), -1 - at);
    await background.day(true);
    await admin.query('vacuum');
    const empty = await sizes(admin);
    let sold = 0;
    for (let day = 1; day <= yearDays; day += 1) {
      const until = Math.round((orders * day) / yearDays);
      const stepMs = Math.floor(dayMs / (2 * (until - sold + 1)));
      const beganMs = clock.now();
      const staff = until > sold ? await signIn(service, shop, staffId) : null;
      for (; sold < until; sold += 1) {
        clock.advance(stepMs);
        await sell(service, shop, staff!, sold);
      }
      clock.set(beganMs + dayMs);
      const isPruning = day % pruneEveryDays === 0 || day === yearDays;
      if (staff !== null || isPruning) await background.day(isPruning);
      if (isPruning) await admin.query('vacuum');
      onDay(day);
    }
    const grown = await sizes(admin);
    const tables = [...grown].map(([name, { bytes, rows, deadRows }]) => ({
      ...{ name, rows, deadRows },
      bytes: bytes - (empty.get(name)?.bytes ?? 0),
    }));
    return { shop, tables: tables.sort((one, other) => other.bytes - one.bytes) };
  } finally {
    await background.stop();
    await receiver.close();
    await admin.end();
  }
}

/** A session of the day: one that rests for a night ends. */
async function signIn({ context }: TestService, shop: TestShop, staffId: number): Promise<string> {
  return (await startSession(context, 'production', testOrigin, shop.organizationId, staffId)).token;
}

/** One order from its preview to its handing over. */
async function sell(service: TestService, shop: TestShop, staff: string, at: number): Promise<void> {
  const option = (line: number) => shop.optionId(`product ${(at * 7 + line * 11 + 400) % products.length}`);
  const buyer = at < newCustomersOf ? at : (at * 31) % Math.ceil((at + 1) / newCustomersOf);
  const cart = {
    type: 'pickup',
    lineItems: [1, 2].map((line) => ({ productOptionId: option(line), quantity: line })),
    customer: { firstName: 'Buyer', lastName: `No. ${buyer}`, email: `buyer${buyer}@customers.example.com` },
    payments: [{ paymentTypeId: shop.paymentTypeId('Bank'), remaining: true }],
  };
  const ask = async (method: string, path: string, request: object = {}) => {
    const reply = await service.call(method, `/api/v1${path}`, { keys: shop.keys, ...request });
    expect(reply.error).toBeUndefined();
    return reply.data;
  };
  await ask('POST', '/orders/pricing', { body: cart });
  await ask('POST', '/orders/pricing', { body: cart });
  const { id, status } = await ask('POST', '/orders', { body: { ...cart, idempotencyKey: randomUUID() } });
  const steps = status === 'draft' ? ['accept', 'pack', 'fulfill'] : ['pack', 'fulfill'];
  for (const step of steps) {
    await ask('GET', `/orders/${id}`);
    const headers = { ...bearerHeader(staff), 'idempotency-key': `${step}-${id}` };
    const done = await service.call('POST', `/staff/v1/orders/${id}/${step}`, { headers, body: {} });
    expect(done.error).toBeUndefined();
  }
  await ask('GET', `/orders/${id}`);
  await ask('GET', `/orders/${id}`);
  await service.apiRequests.write();
}

/** What a process with the role `worker` does, once a day. */
function openBackground(service: TestService, shop: TestShop) {
  const { context } = service;
  const operator = new Database(service.database.owner, 2);
  const logger = { info: () => {}, warn: () => {}, error: (fields: object) => faults.push(fields) };
  const faults: object[] = [];
  const worker = new WebhookWorker({
    ...{ context, eventTypes: allEventTypes, keys: service.documentFiles.keys, logger },
    network: networkWith(['127.0.0.1']),
  });
  const metrics = new RetentionMetrics(() => context.clock.now());
  return {
    day: async (isPruning: boolean) => {
      await worker.pass(shop.organizationId);
      await linkAuditEntries(context, shop.organizationId);
      await bringReportSumsUpToDate(context, shop.organizationId);
      await bringSumsUpToDate(context, checksummedCollections(context), shop.organizationId);
      if (isPruning) {
        await pruneInTurns({
          kinds: retainedKinds(context, service.documentFiles),
          backlog: (kind) => readBacklog(operator, kind, context.clock.now()),
          ...{ metrics, logger: logger as never },
        });
      }
      expect(faults).toEqual([]);
    },
    stop: async () => {
      await worker.stop();
      await operator.close();
    },
  };
}

/** The size of every table; the rows are counted, since the server's own figures are estimates. */
async function sizes(admin: Client) {
  const { rows } = await admin.query<{ name: string; bytes: string; dead: string }>(
    `select c.relname as name, pg_total_relation_size(c.oid) as bytes, coalesce(s.n_dead_tup, 0) as dead
       from pg_class c left join pg_stat_user_tables s on s.relid = c.oid
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
  );
  const sized = new Map<string, { bytes: number; rows: number; deadRows: number }>();
  for (const { name, bytes, dead } of rows) {
    const counted = await admin.query<{ count: string }>(`select count(*) as count from "${name}"`);
    const count = Number(counted.rows[0]!.count);
    sized.set(name, { bytes: Number(bytes), rows: count, deadRows: Number(dead) });
  }
  return sized;
}
