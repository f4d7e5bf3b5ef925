import { afterAll, expect, test } from 'vitest';
import { allEventTypes, checksummedCollections } from '../../src/app/app.ts';
import type { WorkKind } from '../../src/app/work-kinds.ts';
import {
  type RetainedKindName,
  readBacklog,
  retainedKindNames,
} from '../../src/hosting/retention/retention.ts';
import { organizationId } from '../../src/kernel/ids.ts';
import { isoTimestamp } from '../../src/kernel/local-time.ts';
import { Database } from '../../src/platform/database/database.ts';
import { EventFeed, eventFeedOf } from '../../src/platform/events/event-feed.ts';
import type { FeedEventRow } from '../../src/platform/events/event-feed-queries.ts';
import { networkWith } from '../../src/platform/http/guarded-fetch.ts';
import { organizationsWithWork } from '../../src/platform/upkeep/organizations-with-work.ts';
import { productBody } from '../../src/shop/catalog/product-bodies.test-support.ts';
import { bringSumsUpToDate, organizationsWithUnsummed } from '../../src/shop/changes/changes.ts';
import { WebhookWorker } from '../../src/shop/webhooks/webhook-worker.ts';
import { announceProducts, Receiver } from '../../src/shop/webhooks/webhooks.test-support.ts';
import { casesOf } from '../harness/long-suite.ts';
import { execute } from '../harness/test-connection.ts';
import { startOwnTestService } from '../harness/test-service.ts';
import { createTestShop } from '../harness/test-shop.ts';

/* Background work asks the database once for all organizations, and enters those that have something to do. */

const count = casesOf({ everyRun: 20, long: 1_000 });
const service = await startOwnTestService();
const { context } = service;
const operator = new Database(service.database.owner, 1);
const shop = await createTestShop(context);
// Organizations that rest, each with endpoints that were deleted.
await execute(
  service.database.owner,
  `insert into organizations (id, name, customer_email, customer_phone, license_number, state, tz, created_at, updated_at)
   select 1000000 + n, 'Shop ' || n, 'hello@shop.example.com', '+15105550100', 'C10-' || n, 'CA', 'America/Los_Angeles',
          now(), now() from generate_series(1, ${count}) n;
   insert into webhook_organizations select 1000000 + n from generate_series(1, ${count}) n`,
);
const resting = Array.from({ length: count }, (_, at) => organizationId(1_000_001 + at));
afterAll(async () => {
  await operator.close();
  await service.close();
});

/** The database, which counts what enters an organization. */
function countedDatabase() {
  const entered = { reads: 0, writes: 0 };
  const { database } = context;
  const counted = new Proxy(database, {
    get: (target, name) => {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        if (name === 'read') entered.reads += 1;
        if (name === 'write') entered.writes += 1;
        return value.apply(target, given);
      };
    },
  });
  return { counted, entered };
}

/** The operator's connection; `asked` resolves after so many more statements. */
function watchedOperator() {
  let waiting: { left: number; resolve: () => void } | undefined;
  return {
    operator: {
      global: async (statement: never) => {
        const rows = await operator.global(statement);
        if (waiting !== undefined && --waiting.left === 0) waiting.resolve();
        return rows;
      },
    } as unknown as Pick<Database, 'global'>,
    asked: (left: number) => new Promise<void>((resolve) => (waiting = { left, resolve })),
  };
}

test(`the feed of ${count} followed organizations costs one statement a look, and reads only where something happened`, async () => {
  const { counted, entered } = countedDatabase();
  const watched = watchedOperator();
  const feed = new EventFeed(counted, 5);
  feed.findNewsBy(watched.operator);
  const all = [...resting, shop.organizationId];
  const positions = await feed.positions(all);
  expect(positions.size).toBe(count + 1);
  const told: FeedEventRow[] = [];
  let onTold = () => {};
  const unfollow = all.map((organization) =>
    feed.follow(organization, positions.get(organization)!, {
      tell: (events) => {
        told.push(...events);
        if (told.some(({ subject_id: id }) => id === '7')) onTold();
      },
    }),
  );
  await watched.asked(3);
  const before = { ...entered };
  const isTold = new Promise<void>((resolve) => {
    onTold = resolve;
  });
  // Of another process: this one is not told of its commit.
  await announceProducts(service, shop.organizationId, [7]);
  await isTold;
  for (const stop of unfollow) stop();
  expect(entered.reads - before.reads).toBeLessThanOrEqual(6);
  expect(entered.writes - before.writes).toBeLessThanOrEqual(2);
});

test(`a worker of webhooks begins with ${count} organizations in a few statements, and enters none that rests`, async () => {
  const receiver = await Receiver.start();
  const body = { url: receiver.url, types: ['product.updated'] };
  const made = await service.call('POST', '/api/v1/webhook-endpoints', { keys: shop.keys, body });
  expect(made.status).toBe(201);
  const { counted, entered } = countedDatabase();
  const watched = watchedOperator();
  eventFeedOf(counted).findNewsBy(watched.operator);
  const begun = watched.asked(2);
  const worker = new WebhookWorker({
    context: { ...context, database: counted },
    operator: watched.operator,
    eventTypes: allEventTypes,
    keys: service.documentFiles.keys,
    network: networkWith(['127.0.0.1']),
    logger: { error: (fields: object) => void (service.faults as string[]).push(JSON.stringify(fields)) },
  }).start();
  await begun;
  await announceProducts(service, shop.organizationId, [8]);
  await receiver.count(1);
  expect(receiver.received[0]!.body.data.resource.id).toBe('8');
  const { reads, writes } = entered;
  expect(reads + writes).toBeLessThan(30);
  await worker.stop();
  await receiver.close();
  expect(service.faults).toEqual([]);
});

test('one statement names the organizations that have sums of reports to bring up to date', async () => {
  const before = '2026-01-01T00:00:00.000Z';
  const rows = await organizationsWithWork(operator, 'book_changes', before);
  // Nothing was ever counted for any of them.
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set([...resting, shop.organizationId]));
});

test('one statement names the organizations whose checksums lack something, and those with photos or a sandbox to tend', async () => {
  const collections = checksummedCollections(context);
  const unsummed = async () => (await organizationsWithUnsummed(operator, collections)).map(({ id }) => id);
  expect(new Set(await unsummed())).toEqual(new Set([...resting, shop.organizationId]));
  await bringSumsUpToDate(context, collections, shop.organizationId);
  expect(new Set(await unsummed())).toEqual(new Set(resting));
  const owner = await service.staff(shop);
  const made = await owner.call('POST', '/staff/v1/products', productBody());
  expect(made.status).toBe(201);
  expect(new Set(await unsummed())).toEqual(new Set([...resting, shop.organizationId]));
  const before = isoTimestamp(service.clock.now() + 1);
  const withWork = async (kind: WorkKind) =>
    (await organizationsWithWork(operator, kind, before)).map(({ id }) => id);
  expect(await withWork('former_organizations')).toEqual([]);
  // The photo of the shop has no count of its bytes; with one, it waits until its product is deleted.
  expect(await withWork('product_photos')).toEqual([shop.organizationId]);
  const change = (text: string) =>
    execute(
      service.database.owner,
      `select set_config('app.organization_id', '${shop.organizationId}', false); ${text}`,
    );
  await change('update product_photos set byte_count = 1');
  expect(await withWork('product_photos')).toEqual([]);
  await change(`update products set deleted_at = '2026-01-01'`);
  expect(await withWork('product_photos')).toEqual([shop.organizationId]);
});

test('one statement for each kind says what retention has to delete, and names no organization that has nothing', async () => {
  const dueOf = async (kind: RetainedKindName) =>
    (await readBacklog(operator, kind, context.clock.now())).due;
  const due = async () => Promise.all(retainedKindNames.map(dueOf));
  expect((await due()).flat()).toEqual([]);
  const owner = await service.staff(shop);
  const headers = { 'idempotency-key': 'a-tag' };
  const made = await owner.call('POST', '/staff/v1/tags', { name: 'Scale' }, { headers });
  expect(made.status).toBe(201);
  expect((await due()).flat()).toEqual([]);
  service.clock.advance(31 * 86_400_000);
  const later = Object.fromEntries(
    await Promise.all(retainedKindNames.map(async (kind) => [kind, await dueOf(kind)])),
  );
  const one = [shop.organizationId];
  expect(later).toMatchObject({ idempotency_keys: one, events: one, staff_sessions: one, mails: [] });
});
