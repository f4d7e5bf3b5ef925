/**
 * What has changed, for whoever is listening (`GET live`). Owns no table: changes are those that writes announce.
 *
 * One look at the outbox for all listeners of an organization, twice a second and only while somebody listens; that
 * look also tells whose session has ended. Not NOTIFY: inside of writes it makes their commits wait for each other
 * (measured: 3,700 small writes a second in place of 9,000, 14 at a time). Each process looks for its own listeners.
 *
 * A listener is told of every change at least once, in no certain order, or else to read everything again.
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
/** Who does not read what is sent is cut, and comes again when it can. */
const unreadBytesMax = 65_536;
/** Readings in one look; more has changed at once than anybody wants to be told one by one. */
const readingsPerLookMax = 20;

interface Pace {
  readonly lookEveryMs: number;
  /** Shorter than proxies and browsers wait for a word. */
  readonly heartbeatEveryMs: number;
}

interface Listener {
  readonly sessionId: number;
  role: StaffRole;
  readonly stream: EventStream;
  readonly log: RequestLog;
  /** What came while it was still being told what it had missed; null: it has been. */
  waiting: string[] | null;
  silentMs: number;
}

interface Watched {
  readonly listeners: Set<Listener>;
  /** Whatever was committed until then has been told; null: nobody is told of anything yet. */
  since: Snapshot | null;
}

interface News {
  /** What who comes back is told from. */
  readonly id: string;
  readonly events: readonly AnnouncedEventRow[];
  /** There is more than was read. */
  readonly isTooMuch: boolean;
}

/** Tells listeners of an organization what has changed there. */
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

  /** Fails with RATE_LIMITED or SERVICE_UNAVAILABLE when as many listen as may. */
  assertRoomFor({ organizationId, sessionId }: StaffCaller): void {
    const { listeners = new Set<Listener>() } = this.#watched.get(organizationId) ?? {};
    const ofSession = [...listeners].filter((it) => it.sessionId === sessionId).length;
    if (ofSession >= perSessionMax) {
      throw failure('RATE_LIMITED', `A session can listen ${perSessionMax} times at once.`);
    }
    if (listeners.size >= perOrganizationMax || this.#count >= perProcessMax) {
      throw failure('SERVICE_UNAVAILABLE', 'As many are listening as can be told.');
    }
  }

  /**
   * Tells the stream what has happened after `lastEventId` (the id of something told before), or that everything is
   * to be read again when that cannot be told; and from then on, with `follow`, what happens.
   */
  async join(
    staff: StaffCaller,
    stream: EventStream,
    { lastEventId, follow, log }: { lastEventId: string | undefined; follow: boolean; log: RequestLog },
  ): Promise<void> {
    const { sessionId, role, organizationId } = staff;
    const listener: Listener = { sessionId, role, stream, log, waiting: [], silentMs: 0 };
    // Before it is told what was: what happens meanwhile waits, and nothing falls between the two.
    const watched = follow ? this.#add(organizationId, listener) : null;
    try {
      const { snapshot, text } = await this.#sinceThen(organizationId, role, lastEventId);
      stream.write(`retry: 3000\n${text}`);
      // What it was not told of yet begins here, also where somebody who joined with it was quicker.
      if (watched && (watched.since === null || isEarlier(snapshot, watched.since))) watched.since = snapshot;
      for (const text of listener.waiting ?? []) stream.write(text);
      listener.waiting = null;
    } catch (error) {
      log.warn({ err: error }, 'changes could not be told');
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
    // Below the largest that PostgreSQL knows, 2^64.
    const from = lastEventId !== undefined && /^[1-9]\d{0,18}$/.test(lastEventId) ? lastEventId : null;
    const [present, events] = await database.read(
      organization,
      selectEventSnapshot({}),
      from === null ? null : selectEventsSince(snapshotBefore(from)),
    );
    const { snapshot } = present[0]!;
    const id = oldestTransactionOf(snapshot);
    if (lastEventId === undefined) return { snapshot, text: signal('ready', id) };
    // An id from ahead of now is that of another database.
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
        // What happens meanwhile is in the outbox: it is told when the database is there again.
        const [listener] = watched.listeners;
        if (!this.#isBlind) listener?.log.warn({ err: error }, 'changes could not be read');
        this.#isBlind = true;
      }
    }
    this.#isLooking = false;
  }

  /** Reads what is new, and ends the streams of sessions that have ended. */
  async #newsOf(organization: OrganizationId, watched: Watched): Promise<News> {
    const { since } = watched;
    const events: AnnouncedEventRow[] = [];
    let until: Snapshot | null = null;
    for (let reading = 1; ; reading++) {
      const more = since === null ? null : selectEventsSince(since, until, events.at(-1));
      const { snapshot, found } = await this.#read(organization, watched, more);
      // What is committed between two readings is the next look's.
      until ??= snapshot;
      events.push(...found);
      if (found.length === eventsPerReading && reading < readingsPerLookMax) continue;
      // Somebody who joined meanwhile may need the next look to begin earlier.
      if (since !== null && watched.since === since) watched.since = until;
      // Where there is more than is read, everybody reads everything again.
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
