/**
 * Reports changes to listeners (`GET live`). Owns no table: changes come from the events of writes.
 *
 * One poll of the outbox serves all listeners of an organization, twice a second and only while there are listeners; it
 * also finds ended sessions. NOTIFY is not used: inside writes it serializes their commits
 * (measured: 3,700 small writes a second instead of 9,000, 14 at a time). Each process polls for its own listeners.
 *
 * A listener gets every change at least once, in no guaranteed order, or a resync.
 */
import { sessionsInForce } from '../access/organizations.ts';
import type { Context } from '../database/context.ts';
import type { BoundStatement } from '../database/statement.ts';
import {
  type AnnouncedEventRow,
  eventsPerReading,
  isEarlier,
  oldestTransactionOf,
  type Snapshot,
  selectEventSnapshot,
  selectEventsSince,
  snapshotBefore,
} from '../events/announced-events.ts';
import type { EventStream, RequestLog, StaffCaller } from '../http/endpoint.ts';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import type { StaffRole } from '../kernel/staff-roles.ts';
import { shownEvent } from './shown-events.ts';

/** Tabs of one browser. */
const perSessionMax = 6;
const perOrganizationMax = 200;
const perProcessMax = 2000;
/** A listener with more unread bytes is cut; it can reconnect. */
const unreadBytesMax = 65_536;
/** Reads per poll; with more changes, a resync is cheaper than single messages. */
const readingsPerLookMax = 20;

interface Pace {
  readonly lookEveryMs: number;
  /** Shorter than the idle timeouts of proxies and browsers. */
  readonly heartbeatEveryMs: number;
}

interface Listener {
  readonly sessionId: number;
  role: StaffRole;
  readonly stream: EventStream;
  readonly log: RequestLog;
  /** Messages that wait while missed changes are sent; null: sent directly. */
  waiting: string[] | null;
  silentMs: number;
}

interface Watched {
  readonly listeners: Set<Listener>;
  /** All changes committed before this snapshot have been sent; null: not known yet. */
  since: Snapshot | null;
}

interface News {
  /** The id from which a listener can resume. */
  readonly id: string;
  readonly events: readonly AnnouncedEventRow[];
  /** There is more than was read. */
  readonly isTooMuch: boolean;
}

/** Reports changes of an organization to its listeners. */
export class LiveEvents {
  readonly #context: Pick<Context, 'database' | 'clock'>;
  readonly #pace: Pace;
  readonly #watched = new Map<OrganizationId, Watched>();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isBlind = false;

  constructor(
    context: Pick<Context, 'database' | 'clock'>,
    pace: Pace = { lookEveryMs: 500, heartbeatEveryMs: 15_000 },
  ) {
    this.#context = context;
    this.#pace = pace;
  }

  /** Fails with RATE_LIMITED or SERVICE_UNAVAILABLE at the limit of listeners. */
  assertRoomFor({ organizationId, sessionId }: StaffCaller): void {
    const { listeners = new Set<Listener>() } = this.#watched.get(organizationId) ?? {};
    const ofSession = [...listeners].filter((it) => it.sessionId === sessionId).length;
    if (ofSession >= perSessionMax) {
      throw failure('RATE_LIMITED', `A session can have ${perSessionMax} streams at once.`);
    }
    if (listeners.size >= perOrganizationMax || this.#count >= perProcessMax) {
      throw failure('SERVICE_UNAVAILABLE', 'The limit of streams is reached.');
    }
  }

  /**
   * Sends the stream the changes after `lastEventId` (the id of an earlier message), or a resync if that is impossible;
   * and with `follow`, all further changes.
   */
  async join(
    staff: StaffCaller,
    stream: EventStream,
    { lastEventId, follow, log }: { lastEventId: string | undefined; follow: boolean; log: RequestLog },
  ): Promise<void> {
    const { sessionId, role, organizationId } = staff;
    const listener: Listener = { sessionId, role, stream, log, waiting: [], silentMs: 0 };
    // Registered before the missed changes are read: changes meanwhile wait, and none is lost in between.
    const watched = follow ? this.#add(organizationId, listener) : null;
    try {
      const { snapshot, text } = await this.#sinceThen(organizationId, role, lastEventId);
      stream.write(`retry: 3000\n${text}`);
      // The changes not sent yet begin here; a concurrent join may have set a later snapshot.
      if (watched && (watched.since === null || isEarlier(snapshot, watched.since))) watched.since = snapshot;
      for (const text of listener.waiting ?? []) stream.write(text);
      listener.waiting = null;
    } catch (error) {
      log.warn({ err: error }, 'changes could not be sent');
      stream.end();
    }
    if (!follow) stream.end();
  }

  async #sinceThen(
    organization: OrganizationId,
    role: StaffRole,
    lastEventId: string | undefined,
  ): Promise<{ readonly snapshot: Snapshot; readonly text: string }> {
    const { database } = this.#context;
    // Below the largest PostgreSQL transaction id, 2^64.
    const from = lastEventId !== undefined && /^[1-9]\d{0,18}$/.test(lastEventId) ? lastEventId : null;
    const [present, events] = await database.read(
      organization,
      selectEventSnapshot({}),
      from === null ? null : selectEventsSince(snapshotBefore(from)),
    );
    const { snapshot } = present[0]!;
    const id = oldestTransactionOf(snapshot);
    if (lastEventId === undefined) return { snapshot, text: signal('ready', id) };
    // An id from the future belongs to another database.
    const isKnown = from !== null && BigInt(from) <= BigInt(id) && events.length < eventsPerReading;
    return { snapshot, text: isKnown ? signal('ready', id) + told(events, role, id) : signal('resync', id) };
  }

  #add(organization: OrganizationId, listener: Listener): Watched {
    const watched = this.#watched.get(organization) ?? { listeners: new Set(), since: null };
    this.#watched.set(organization, watched);
    watched.listeners.add(listener);
    this.#count += 1;
    this.#timer ??= setInterval(() => void this.#look(), this.#pace.lookEveryMs);
    listener.stream.onceClosed(() => {
      watched.listeners.delete(listener);
      this.#count -= 1;
      if (watched.listeners.size === 0) this.#watched.delete(organization);
      if (this.#count > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
    return watched;
  }

  async #look(): Promise<void> {
    for (const { listeners } of this.#watched.values()) {
      for (const listener of listeners) this.#keepAlive(listener);
    }
    if (this.#isLooking) return;
    this.#isLooking = true;
    for (const [organization, watched] of this.#watched) {
      try {
        this.#tell(watched, await this.#newsOf(organization, watched));
        this.#isBlind = false;
      } catch (error) {
        // Changes meanwhile are in the outbox and are sent when the database is back.
        const [listener] = watched.listeners;
        if (!this.#isBlind) listener?.log.warn({ err: error }, 'changes could not be read');
        this.#isBlind = true;
      }
    }
    this.#isLooking = false;
  }

  /** Reads new events, and ends the streams of ended sessions. */
  async #newsOf(organization: OrganizationId, watched: Watched): Promise<News> {
    const { since } = watched;
    const events: AnnouncedEventRow[] = [];
    let until: Snapshot | null = null;
    for (let reading = 1; ; reading++) {
      const more = since === null ? null : selectEventsSince(since, until, events.at(-1));
      const { snapshot, found } = await this.#read(organization, watched, more);
      // Changes committed between two reads belong to the next poll.
      until ??= snapshot;
      events.push(...found);
      if (found.length === eventsPerReading && reading < readingsPerLookMax) continue;
      // A concurrent join may need the next poll to begin earlier.
      if (since !== null && watched.since === since) watched.since = until;
      // If there is more than was read, every listener gets a resync.
      return { id: oldestTransactionOf(until), events, isTooMuch: reading > 1 };
    }
  }

  async #read(
    organization: OrganizationId,
    { listeners }: Watched,
    more: BoundStatement<AnnouncedEventRow> | null,
  ): Promise<{ readonly snapshot: Snapshot; readonly found: readonly AnnouncedEventRow[] }> {
    const { database, clock } = this.#context;
    const sessionIds = [...new Set([...listeners].map(({ sessionId }) => sessionId))];
    const [present, sessions, found] = await database.read(
      organization,
      selectEventSnapshot({}),
      sessionsInForce(sessionIds, clock.now()),
      more,
    );
    const roles = new Map(sessions.map(({ id, role }) => [id, role]));
    for (const listener of listeners) {
      if (!sessionIds.includes(listener.sessionId)) continue;
      const role = roles.get(listener.sessionId);
      if (role === undefined) listener.stream.end();
      else listener.role = role;
    }
    return { snapshot: present[0]!.snapshot, found };
  }

  #tell({ listeners }: Watched, { id, events, isTooMuch }: News): void {
    if (events.length === 0) return;
    for (const listener of listeners) {
      const text = isTooMuch ? signal('resync', id) : told(events, listener.role, id);
      if (text !== '') this.#send(listener, text);
    }
  }

  #send(listener: Listener, text: string): void {
    listener.silentMs = 0;
    if (listener.waiting !== null) listener.waiting.push(text);
    else listener.stream.write(text);
  }

  #keepAlive(listener: Listener): void {
    if (listener.stream.unreadBytes > unreadBytesMax) {
      listener.stream.cut();
      return;
    }
    listener.silentMs += this.#pace.lookEveryMs;
    if (listener.silentMs >= this.#pace.heartbeatEveryMs) this.#send(listener, ':\n\n');
  }
}

function signal(event: 'ready' | 'resync', id: string): string {
  return `event: ${event}\nid: ${id}\ndata: {}\n\n`;
}

function told(events: readonly AnnouncedEventRow[], role: StaffRole, id: string): string {
  return events
    .map((event) => shownEvent(event, role))
    .filter((event) => event !== null)
    .map((event) => `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}
