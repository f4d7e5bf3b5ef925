/**
 * The feed of an organization's events (D64): every committed event once, in an order that respects commits, without
 * gaps. Change feed, live stream and webhooks read it here.
 *
 * An event gets its position after its transaction has committed, when a reader looks. So a transaction that commits
 * late is published late, and never behind a reader. Of two transactions that change the same thing, the later one waits
 * for the earlier one and announces after it: `announced` puts their events in this order.
 *
 * Owns `change_feeds` and the column `position` of `outbox_events`.
 */

import { failure } from '../../kernel/failure.ts';
import { type OrganizationId, organizationId } from '../../kernel/ids.ts';
import { memoizeByObject } from '../../kernel/lazily.ts';
import type { RowsOf, Statements } from '../database/bind-statements.ts';
import type { Database } from '../database/database.ts';
import {
  type FeedEventRow,
  type FeedHeadRow,
  lockFeed,
  publishEvents,
  publishedAtOnce,
  selectEventAt,
  selectEventsAfter,
  selectFeedCursor,
  selectFeedHead,
  selectFeedPositions,
  selectFirstEventSince,
  selectOrganizationsWithNews,
} from './event-feed-queries.ts';
import { type FeedCursor, feedStart } from './feed-cursor.ts';

/** Events that one read returns at most. */
export const eventsPerRead = 1_000;
/** Reads of one look; followers that are farther behind get the rest from the next look. */
const readsPerLookMax = 20;
/** Each takes milliseconds, as long as something comes in between. */
const exactReadsMax = 200;
/** A look that a write of this process asks for comes no sooner after the former one. */
const looksApartMs = 50;
/** After a look, the feed rests for this many times as long: thousands of followed organizations take no more of the database. */
const restsForLook = 4;
/** Organizations that are looked at at the same time. */
const looksAtOnce = 4;

/** Events of the feed behind a cursor. */
export interface FeedPage {
  readonly events: readonly FeedEventRow[];
  /** The cursor of the last event; without events, the cursor of the request. */
  readonly cursor: FeedCursor;
  /** Whether more events were there when the page was read. */
  readonly hasMore: boolean;
}

/** Gets what follows in the feed. */
interface Follower {
  /** Events in order; each one once. */
  tell(events: readonly FeedEventRow[]): void;
  /** The database does not answer. The feed keeps looking, and delivers everything later. */
  fail?(error: unknown): void;
}

interface Following {
  readonly follower: Follower;
  position: number;
}

/** The looks at one organization. */
interface Looks {
  lastAtMs: number;
  isUnderWay: boolean;
  /** Set while a look is due. */
  timer: NodeJS.Timeout | undefined;
}

export class EventFeed {
  readonly #database: Database;
  #operator: Pick<Database, 'global'> | undefined;
  readonly #lookEveryMs: number;
  readonly #followed = new Map<OrganizationId, Set<Following>>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #restsUntilMs = 0;
  readonly #looks = new Map<OrganizationId, Looks>();
  #stopListening = () => {};
  /** Organizations whose last look failed. */
  readonly #blind = new Set<OrganizationId>();

  /**
   * @param lookEveryMs how often followers' organizations are looked at; an event of another process reaches them within
   * that time, and one of this process at once
   */
  constructor(database: Database, lookEveryMs = 50) {
    this.#database = database;
    this.#lookEveryMs = lookEveryMs;
  }

  /** The cursor after all committed changes. */
  async latest(organization: OrganizationId): Promise<FeedCursor> {
    const head = await this.#publishedHead(organization);
    return this.#cursorAt(organization, head.last_position);
  }

  /**
   * Rows with the cursor at which they are exact: they show what the events up to it tell, and nothing of those behind.
   * Fails with TRANSACTION_RETRY_EXCEEDED if events keep coming in between publishing and reading.
   */
  async readAtCursor<Given extends Statements>(
    organization: OrganizationId,
    ...statements: Given
  ): Promise<{ readonly rows: RowsOf<Given>; readonly cursor: FeedCursor }> {
    for (let tries = 0; tries < exactReadsMax; tries += 1) {
      // One snapshot: without an event that waits for a position, it shows exactly the events that have one.
      const [[head], ...rows] = await this.#database.read(organization, selectFeedHead({}), ...statements);
      if (!head!.has_unpublished) {
        const cursor = await this.#cursorAt(organization, head!.last_position);
        return { rows: rows as RowsOf<Given>, cursor };
      }
      await this.#publish(organization);
    }
    throw failure('TRANSACTION_RETRY_EXCEEDED', 'The organization kept changing; try again.');
  }

  /** The cursor before the oldest event that is kept. */
  async oldest(organization: OrganizationId): Promise<FeedCursor> {
    const { oldest_position: oldest, last_position: last } = await this.#publishedHead(organization);
    return { position: oldest === null ? last : oldest - 1, eventId: 0 };
  }

  /** The cursor before the first event of that time or later, of those that are kept; the latest where there is none. */
  async before(organization: OrganizationId, at: string): Promise<FeedCursor> {
    const head = await this.#publishedHead(organization);
    const [[first]] = await this.#database.read(organization, selectFirstEventSince({ at }));
    if (first === undefined) return this.#cursorAt(organization, head.last_position);
    return { position: first.position - 1, eventId: 0 };
  }

  /** Whether the feed still has everything behind a cursor of its own. */
  async keeps(organization: OrganizationId, cursor: FeedCursor): Promise<boolean> {
    const statement = selectFeedCursor({ position: cursor.position });
    const [row] = await this.#database.readBatched(organization, statement);
    const { event_id: id } = row!;
    return isKept(cursor, row!, id === null ? undefined : { id });
  }

  /**
   * The events behind a cursor. Null when the feed no longer has all of them, or the cursor is of another feed. Two
   * round trips where nothing waits for a position.
   */
  async after(organization: OrganizationId, cursor: FeedCursor, limit: number): Promise<FeedPage | null> {
    const { position } = cursor;
    const read = () =>
      this.#database.read(
        organization,
        selectFeedHead({}),
        position === 0 ? null : selectEventAt({ position }),
        selectEventsAfter({ after: position, limit: limit + 1 }),
      );
    let [[head], [at], rows] = await read();
    if (head!.has_unpublished && rows.length <= limit) {
      await this.#publish(organization);
      [[head], [at], rows] = await read();
    }
    if (!isKept(cursor, head!, at)) return null;
    const events = rows.slice(0, limit);
    const last = events.at(-1);
    return {
      events,
      cursor: last === undefined ? cursor : { position: last.position, eventId: last.id },
      hasMore: rows.length > limit || head!.has_unpublished,
    };
  }

  /**
   * Tells a follower all events behind a position, in order, soon after they have committed, until the returned
   * function is called. All followers of an organization cost one look at the database; those at the same position get the
   * same array.
   */
  follow(organization: OrganizationId, position: number, follower: Follower): () => void {
    const following: Following = { follower, position };
    let followers = this.#followed.get(organization);
    if (followers === undefined) {
      followers = new Set();
      this.#followed.set(organization, followers);
    }
    followers.add(following);
    if (this.#timer === undefined) {
      this.#timer = setInterval(() => void this.#lookAtAll(), this.#lookEveryMs).unref();
      this.#stopListening = this.#database.onCommit((written) => this.#lookSoon(written));
    }
    return () => {
      followers.delete(following);
      if (followers.size === 0 && this.#followed.get(organization) === followers) {
        this.#followed.delete(organization);
        this.#forgetLooks(organization);
      }
      if (this.#followed.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
      this.#stopListening();
    };
  }

  /** Looks at an organization that was just written: at once, or some time after the former look. */
  #lookSoon(organization: OrganizationId): void {
    if (!this.#followed.has(organization)) return;
    const looks = this.#looksAt(organization);
    if (looks.timer !== undefined) return;
    const waitMs = Math.max(0, looks.lastAtMs + looksApartMs - performance.now());
    looks.timer = setTimeout(() => {
      looks.timer = undefined;
      // The look under way may not have seen the write.
      if (looks.isUnderWay) this.#lookSoon(organization);
      else void this.#look(organization);
    }, waitMs).unref();
  }

  #looksAt(organization: OrganizationId): Looks {
    let looks = this.#looks.get(organization);
    if (looks === undefined) {
      looks = { lastAtMs: Number.NEGATIVE_INFINITY, isUnderWay: false, timer: undefined };
      this.#looks.set(organization, looks);
    }
    return looks;
  }

  #forgetLooks(organization: OrganizationId): void {
    clearTimeout(this.#looks.get(organization)?.timer);
    this.#looks.delete(organization);
    this.#blind.delete(organization);
  }

  /** Gives positions to everything that has committed. */
  async publish(organization: OrganizationId): Promise<void> {
    await this.#publishedHead(organization);
  }

  /**
   * From now on one statement of the operator, who is connected as the owner, finds the organizations that have news. Without an
   * operator each followed organization is looked at.
   */
  findNewsBy(operator: Pick<Database, 'global'>): void {
    this.#operator = operator;
  }

  /** The positions up to which the feeds of organizations have events; those without one come behind. */
  async positions(organizations: readonly OrganizationId[]): Promise<ReadonlyMap<OrganizationId, number>> {
    if (this.#operator === undefined) {
      const latest = await Promise.all(organizations.map((organization) => this.latest(organization)));
      return new Map(latest.map(({ position }, at) => [organizations[at]!, position]));
    }
    const rows = await this.#operator.global(selectFeedPositions({ organizations }));
    return new Map(rows.map(({ id, last_position: position }) => [organizationId(id), position]));
  }

  /** With an operator, only organizations with news. */
  async #lookAtAll(): Promise<void> {
    if (this.#isLooking || performance.now() < this.#restsUntilMs) return;
    this.#isLooking = true;
    const startedAtMs = performance.now();
    try {
      const news = await this.#withNews();
      const lookAtNext = async () => {
        for (const organization of news) await this.#look(organization);
      };
      await Promise.all(Array.from({ length: looksAtOnce }, lookAtNext));
    } catch (error) {
      for (const organization of this.#followed.keys()) this.#tellFailure(organization, error);
    }
    const nowMs = performance.now();
    this.#restsUntilMs = nowMs + (nowMs - startedAtMs) * restsForLook;
    this.#isLooking = false;
  }

  /** An organization whose last look failed is looked at in any case. */
  async #withNews(): Promise<IterableIterator<OrganizationId>> {
    if (this.#operator === undefined) return this.#followed.keys();
    const organizations = [...this.#followed.keys()];
    const positions = [...this.#followed.values()].map((followers) => positionOf(followers));
    const rows = await this.#operator.global(selectOrganizationsWithNews({ organizations, positions }));
    return new Set([...rows.map(({ id }) => organizationId(id)), ...this.#blind]).values();
  }

  #tellFailure(organization: OrganizationId, error: unknown): void {
    // The events stay in the outbox: followers get them when the database answers again.
    const followers = this.#blind.has(organization) ? [] : (this.#followed.get(organization) ?? []);
    for (const { follower } of followers) follower.fail?.(error);
    this.#blind.add(organization);
  }

  async #look(organization: OrganizationId): Promise<void> {
    const looks = this.#looksAt(organization);
    if (looks.isUnderWay) return;
    looks.isUnderWay = true;
    looks.lastAtMs = performance.now();
    try {
      for (let reads = 0; reads < readsPerLookMax; reads += 1) {
        if (!(await this.#tellFollowers(organization))) break;
      }
      this.#blind.delete(organization);
    } catch (error) {
      this.#tellFailure(organization, error);
    } finally {
      looks.isUnderWay = false;
      // Its last follower may have left during the look.
      if (!this.#followed.has(organization)) this.#forgetLooks(organization);
    }
  }

  /** Returns whether more events are there. */
  async #tellFollowers(organization: OrganizationId): Promise<boolean> {
    const followers = this.#followed.get(organization);
    if (followers === undefined) return false;
    const after = positionOf(followers);
    const read = () =>
      this.#database.read(
        organization,
        selectFeedHead({}),
        selectEventsAfter({ after, limit: eventsPerRead }),
      );
    let [[head], events] = await read();
    if (head!.has_unpublished && events.length < eventsPerRead) {
      await this.#publish(organization);
      [[head], events] = await read();
    }
    const last = events.at(-1)?.position;
    if (last === undefined) return false;
    const behind = new Map<number, readonly FeedEventRow[]>();
    for (const following of followers) {
      const from = following.position;
      let fresh = behind.get(from);
      if (fresh === undefined) {
        fresh = events.filter(({ position }) => position > from);
        behind.set(from, fresh);
      }
      following.position = Math.max(from, last);
      if (fresh.length > 0) following.follower.tell(fresh);
    }
    return events.length === eventsPerRead;
  }

  async #publishedHead(organization: OrganizationId): Promise<FeedHeadRow> {
    let [[head]] = await this.#database.read(organization, selectFeedHead({}));
    if (head!.has_unpublished) {
      await this.#publish(organization);
      [[head]] = await this.#database.read(organization, selectFeedHead({}));
    }
    return head!;
  }

  async #publish(organization: OrganizationId): Promise<void> {
    let published = publishedAtOnce;
    while (published === publishedAtOnce) {
      published = await this.#database.write(
        organization,
        async (tx) => {
          const [, [row]] = await tx.run(lockFeed({}), publishEvents({}));
          return row!.published;
        },
        { countsAsChange: false },
      );
    }
  }

  async #cursorAt(organization: OrganizationId, position: number): Promise<FeedCursor> {
    if (position === 0) return feedStart;
    const [[at]] = await this.#database.read(organization, selectEventAt({ position }));
    return { position, eventId: at?.id ?? 0 };
  }
}

/** The position up to which all followers have been told. */
function positionOf(followers: ReadonlySet<Following>): number {
  let first = Number.MAX_SAFE_INTEGER;
  for (const { position } of followers) first = Math.min(first, position);
  return first;
}

/** Whether every event behind the cursor is still there. `at`: the event at the cursor's position. */
function isKept(
  { position, eventId }: FeedCursor,
  { last_position: last, oldest_position: oldest }: Pick<FeedHeadRow, 'last_position' | 'oldest_position'>,
  at: { readonly id: number } | undefined,
): boolean {
  if (position > last) return false;
  // Where nothing is kept, only the end of the feed has nothing behind it.
  if (position < (oldest ?? last + 1) - 1) return false;
  return at === undefined || eventId === 0 || at.id === eventId;
}

/** The feed of a database in this process: all of its readers share the looks. */
export const eventFeedOf = memoizeByObject((database: Database) => new EventFeed(database));
