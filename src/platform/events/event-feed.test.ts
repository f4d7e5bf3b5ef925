import { afterAll, expect, test } from 'vitest';
import { casesOf } from '../../../test/harness/long-suite.ts';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import { organizationId } from '../../kernel/ids.ts';
import { Database } from '../database/database.ts';
import { statement } from '../statements/statement.ts';
import { announce } from './announce.ts';
import { EventFeed } from './event-feed.ts';
import type { FeedEventRow } from './event-feed-queries.ts';
import { cursorText, feedStart, readCursor } from './feed-cursor.ts';

const service = await startOwnTestService();
const { context } = service;
// What is written through another one comes from another process.
const elsewhere = new Database(service.database.serving, 8);
afterAll(async () => {
  await elsewhere.close();
  await service.close();
});

const sleep = statement<{ seconds: number }>('test_sleep', 'select pg_sleep(:seconds)');
const lockOrganization = statement<Record<never, never>>(
  'test_lock_organization',
  'select from organizations where id = :organizationId for update',
);
const selectAnnounced = statement<Record<never, never>, { id: number }>(
  'test_select_announced',
  "select id from outbox_events where organization_id = :organizationId and type = 'tag.updated'",
);

/** Announces one change of a tag, identified by `tag` and `change`. */
async function change(database: Database, shop: number, tag: number, number: number, options: Ending) {
  await database
    .write(organizationId(shop), async (tx) => {
      await tx.run(sleep({ seconds: options.beforeSeconds }));
      if (options.locks) await tx.run(lockOrganization({}));
      await announce(tx, context, testOrigin, context.clock.now(), {
        event: 'tag.updated',
        subjectType: 'tag',
        subjectId: tag,
        payload: { tagId: number },
      });
      await tx.run(sleep({ seconds: options.afterSeconds }));
      if (options.fails) throw new Error('rolled back');
    })
    .catch((error: Error) => {
      if (error.message !== 'rolled back') throw error;
    });
}

interface Ending {
  readonly beforeSeconds: number;
  readonly afterSeconds: number;
  readonly fails: boolean;
  readonly locks: boolean;
}

async function readToEnd(feed: EventFeed, shop: number, from = feedStart): Promise<FeedEventRow[]> {
  const events: FeedEventRow[] = [];
  for (let cursor = from; ; ) {
    const page = await feed.after(organizationId(shop), cursor, 7);
    events.push(...page!.events);
    if (!page!.hasMore) return events;
    cursor = page!.cursor;
  }
}

test('50 writers commit in any order or not at all: readers of two processes get every event once, in one order', async () => {
  const { organizationId: shop } = await createTestShop(context);
  const rounds = casesOf({ everyRun: 2, long: 20 });
  const feeds = [new EventFeed(context.database, 5), new EventFeed(elsewhere, 5)];
  const start = await feeds[0]!.latest(shop);
  const followed: FeedEventRow[][] = feeds.map(() => []);
  const unfollow = feeds.map((feed, index) =>
    feed.follow(shop, start.position, { tell: (events) => followed[index]!.push(...events) }),
  );
  let written = 0;
  const paged: FeedEventRow[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const writers = Array.from({ length: 50 }, (_, index) => {
      const fails = Math.random() < 0.2;
      if (!fails) written += 1;
      const delay = () => Math.random() * 0.1;
      const ending = { beforeSeconds: delay(), afterSeconds: delay(), fails, locks: index % 5 === 0 };
      const database = index % 2 === 0 ? context.database : elsewhere;
      return change(database, shop, index % 10, round * 50 + index, ending);
    });
    let isOver = false;
    const all = Promise.all(writers).then(() => {
      isOver = true;
    });
    while (!isOver) {
      const last = paged.at(-1);
      const from = last === undefined ? start : { position: last.position, eventId: last.id };
      paged.push(...(await readToEnd(feeds[round % 2]!, shop, from)));
    }
    await all;
  }
  paged.push(
    ...(await readToEnd(feeds[0]!, shop, { position: paged.at(-1)!.position, eventId: paged.at(-1)!.id })),
  );
  const [announced] = await context.database.read(shop, selectAnnounced({}));
  expect(announced).toHaveLength(written);
  expect(new Set(paged.map(({ id }) => id))).toEqual(new Set(announced.map(({ id }) => id)));
  expect(paged.map(({ position }) => position)).toEqual(
    Array.from({ length: written }, (_, index) => start.position + 1 + index),
  );
  for (const events of followed) {
    await expect.poll(() => events.length).toBe(written);
    expect(events.map(({ id }) => id)).toEqual(paged.map(({ id }) => id));
  }
  for (const stop of unfollow) stop();
});

test('changes of one thing come in the order in which they were made, whichever transaction began first', async () => {
  const { organizationId: shop } = await createTestShop(context);
  const feed = new EventFeed(context.database);
  const start = await feed.latest(shop);
  const made: number[] = [];
  await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      (number % 2 === 0 ? context.database : elsewhere).write(shop, async (tx) => {
        // The transaction has an id before it waits for the lock.
        await tx.run(
          statement<Record<never, never>>('test_assign_transaction_id', 'select pg_current_xact_id()')({}),
          sleep({ seconds: Math.random() * 0.05 }),
        );
        await tx.run(lockOrganization({}));
        made.push(number);
        await announce(tx, context, testOrigin, context.clock.now(), {
          event: 'tag.updated',
          subjectType: 'tag',
          subjectId: 1,
          payload: { tagId: number },
        });
      }),
    ),
  );
  const told = await readToEnd(feed, shop, start);
  expect(told.map(({ facts }) => JSON.parse(facts).tagId)).toEqual(made);
});

test('a thousand followers get the event at the next look after the commit, and cost the same looks as one', async () => {
  const { organizationId: shop } = await createTestShop(context);
  const feed = new EventFeed(context.database);
  const start = await feed.latest(shop);
  const toldAtMs: number[] = [];
  const stops = Array.from({ length: 1_000 }, () =>
    feed.follow(shop, start.position, { tell: () => void toldAtMs.push(performance.now()) }),
  );
  const { statistics } = context.database;
  await expect.poll(() => statistics.roundTrips).toBeGreaterThan(0);
  const fromTrips = statistics.roundTrips;
  const fromMs = performance.now();
  await new Promise<void>((resolve) => {
    const stop = feed.follow(shop, start.position, {
      tell: () => {
        stop();
        resolve();
      },
    });
    void change(elsewhere, shop, 1, 1, { beforeSeconds: 0, afterSeconds: 0, fails: false, locks: false });
  });
  await expect.poll(() => toldAtMs.length).toBe(1_000);
  // A look every 50 ms: one read, and when something is there a write and another read.
  const looks = (performance.now() - fromMs) / 50 + 2;
  expect(statistics.roundTrips - fromTrips).toBeLessThan(looks + 6);
  for (const stop of stops) stop();
});

test('a write of this process reaches followers without the next look, and those at the same place get the same array', async () => {
  const { organizationId: shop } = await createTestShop(context);
  const anHourMs = 3_600_000;
  const feed = new EventFeed(context.database, anHourMs);
  const { position } = await feed.latest(shop);
  const told: number[] = [];
  const arrays: (readonly FeedEventRow[])[] = [];
  const stops = Array.from({ length: 3 }, () =>
    feed.follow(shop, position, {
      tell: (events) => {
        arrays.push(events);
        told.push(...events.map(({ facts }) => JSON.parse(facts).tagId));
      },
    }),
  );
  const ending = { beforeSeconds: 0, afterSeconds: 0, fails: false, locks: false };
  const count = 40;
  await Promise.all(
    Array.from({ length: count }, (_, number) => change(context.database, shop, number, number, ending)),
  );
  await expect.poll(() => told.length, { timeout: 30_000 }).toBe(3 * count);
  expect(new Set(told).size).toBe(count);
  expect(arrays).toHaveLength(3 * new Set(arrays).size);
  for (const stop of stops) stop();
  await change(context.database, shop, 1, count, ending);
  expect(told).not.toContain(count);
});

test('a cursor whose events are no longer kept, or of another database, is recognized', async () => {
  const { organizationId: shop } = await createTestShop(context);
  const feed = new EventFeed(context.database);
  for (let number = 0; number < 3; number += 1) {
    await change(context.database, shop, 1, number, {
      beforeSeconds: 0,
      afterSeconds: 0,
      fails: false,
      locks: false,
    });
  }
  const { position, eventId } = await feed.latest(shop);
  expect((await feed.after(shop, { position, eventId }, 5))?.events).toEqual([]);
  expect(await feed.after(shop, { position: position + 1, eventId }, 5)).toBeNull();
  expect(await feed.after(shop, { position, eventId: eventId + 1 }, 5)).toBeNull();
  expect(await feed.after(shop, { position: position - 1, eventId }, 5)).toBeNull();
  const forget = statement<Record<never, never>>(
    'test_forget_events',
    `delete from outbox_events where organization_id = :organizationId and position < (
       select max(position) from outbox_events where organization_id = :organizationId)`,
  );
  await context.database.write(shop, async (tx) => tx.queue(forget({})));
  expect(await feed.after(shop, feedStart, 5)).toBeNull();
  expect((await feed.after(shop, await feed.oldest(shop), 5))?.events).toHaveLength(1);
});

test('a cursor reads as it was written, and nothing else is one', () => {
  for (const cursor of [feedStart, { position: 1, eventId: 2 }, { position: 987_654, eventId: 2 ** 52 }]) {
    expect(readCursor(cursorText(cursor))).toEqual(cursor);
  }
  for (const text of ['', '1', '1-', '-1', '01-2', '1-2-3', 'A-1', '1-zzzzzzzzzzz', ' 1-2', '1-2\n']) {
    expect([text, readCursor(text)]).toEqual([text, null]);
  }
});
