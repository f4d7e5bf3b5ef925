/**
 * The live stream of changes for staff (`GET live`). Owns no table: it tells the events of the feed that a role may read.
 *
 * A listener gets every event at least once, in the order of the feed, or the notice to read everything again. Not
 * NOTIFY: inside of writes it makes their commits wait for each other (measured: 3,700 small writes a second in place of
 * 9,000, 14 at a time). Each process looks for its own listeners.
 */
import { sessionsInForce } from '../../access/sessions/sessions.ts';
import { addressFilter } from '../../kernel/address-ranges.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import type { Context } from '../../platform/database/context.ts';
import { type EventFeed, eventFeedOf } from '../../platform/events/event-feed.ts';
import type { FeedEventRow } from '../../platform/events/event-feed-queries.ts';
import { cursorText, type FeedCursor, readCursor } from '../../platform/events/feed-cursor.ts';
import type { EventStream, RequestLog, StaffCaller } from '../../platform/http/endpoint.ts';
import { shownEvent } from './shown-events.ts';

/** Tabs of one browser. */
const perSessionMax = 6;
const perOrganizationMax = 200;
const perProcessMax = 2000;
/** Who does not read what is sent is cut, and comes again when it can. */
const unreadBytesMax = 65_536;
/** Where more happened at once, listeners read everything again. */
const eventsToldMax = 500;

interface Pace {
  readonly lookEveryMs: number;
  /** Shorter than proxies and browsers wait for a word. */
  readonly heartbeatEveryMs: number;
}

interface Listener {
  readonly sessionId: number;
  readonly clientAddress: string;
  role: StaffRole;
  readonly stream: EventStream;
  readonly log: RequestLog;
  silentMs: number;
}

/** Tells listeners of an organization what has changed there. */
export class LiveEvents {
  readonly #context: Pick<Context, 'database' | 'clock'>;
  readonly #feed: EventFeed;
  readonly #pace: Pace;
  readonly #listening = new Map<OrganizationId, Set<Listener>>();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(
    context: Pick<Context, 'database' | 'clock'>,
    feed: EventFeed = eventFeedOf(context.database),
    pace: Pace = { lookEveryMs: 500, heartbeatEveryMs: 15_000 },
  ) {
    this.#context = context;
    this.#feed = feed;
    this.#pace = pace;
  }

  /** Fails with RATE_LIMITED or SERVICE_UNAVAILABLE when as many listen as may. */
  assertRoomFor({ organizationId, sessionId }: StaffCaller): void {
    const listeners = this.#listening.get(organizationId) ?? new Set();
    const ofSession = [...listeners].filter((it) => it.sessionId === sessionId).length;
    if (ofSession >= perSessionMax) {
      throw failure('RATE_LIMITED', `A session can listen ${perSessionMax} times at once.`);
    }
    if (listeners.size >= perOrganizationMax || this.#count >= perProcessMax) {
      throw failure('SERVICE_UNAVAILABLE', 'Too many listeners are connected.');
    }
  }

  /**
   * Tells the stream what happened after `lastEventId` (the id of an earlier message), or `resync` when that cannot be
   * told. With `follow`, continues with new events.
   */
  async join(
    staff: StaffCaller,
    stream: EventStream,
    {
      lastEventId,
      follow,
      log,
      clientAddress,
    }: {
      readonly lastEventId: string | undefined;
      readonly follow: boolean;
      readonly log: RequestLog;
      readonly clientAddress: string;
    },
  ): Promise<void> {
    const { sessionId, role, organizationId } = staff;
    const listener: Listener = { sessionId, clientAddress, role, stream, log, silentMs: 0 };
    if (follow) this.#add(organizationId, listener);
    try {
      const { text, position } = await this.#missed(organizationId, role, lastEventId);
      stream.write(`retry: 3000\n${text}`);
      if (follow) {
        stream.onceClosed(
          this.#feed.follow(organizationId, position, {
            tell: (events) => tell(listener, events),
            fail: (error) => log.warn({ err: error }, 'changes could not be read'),
          }),
        );
      }
    } catch (error) {
      log.warn({ err: error }, 'changes could not be told');
      stream.end();
    }
    if (!follow) stream.end();
  }

  /** The first messages of a stream, and the position in the feed up to which they tell. */
  async #missed(
    organization: OrganizationId,
    role: StaffRole,
    lastEventId: string | undefined,
  ): Promise<{ readonly text: string; readonly position: number }> {
    const from = lastEventId === undefined ? null : readCursor(lastEventId);
    const page = from && (await this.#feed.after(organization, from, eventsToldMax));
    if (page && !page.hasMore) {
      const text = signal('ready', page.cursor) + told(page.events, role);
      return { text, position: page.cursor.position };
    }
    const latest = await this.#feed.latest(organization);
    const text = signal(lastEventId === undefined ? 'ready' : 'resync', latest);
    return { text, position: latest.position };
  }

  #add(organization: OrganizationId, listener: Listener): void {
    const listeners = this.#listening.get(organization) ?? new Set();
    this.#listening.set(organization, listeners);
    listeners.add(listener);
    this.#count += 1;
    this.#timer ??= setInterval(() => void this.#look(), this.#pace.lookEveryMs);
    listener.stream.onceClosed(() => {
      listeners.delete(listener);
      this.#count -= 1;
      if (listeners.size === 0) this.#listening.delete(organization);
      if (this.#count > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
  }

  /** Keeps connections alive, and ends the streams of sessions that have ended. */
  async #look(): Promise<void> {
    for (const listeners of this.#listening.values()) {
      for (const listener of listeners) this.#keepAlive(listener);
    }
    if (this.#isLooking) return;
    this.#isLooking = true;
    for (const [organization, listeners] of this.#listening) {
      // A database that does not answer is reported by the feed.
      await this.#checkSessions(organization, listeners).catch(() => {});
    }
    this.#isLooking = false;
  }

  async #checkSessions(organization: OrganizationId, listeners: ReadonlySet<Listener>): Promise<void> {
    const { database, clock } = this.#context;
    const sessionIds = [...new Set([...listeners].map(({ sessionId }) => sessionId))];
    const [sessions] = await database.read(organization, sessionsInForce(sessionIds, clock.now()));
    const roles = new Map(sessions.map(({ id, role }) => [id, role]));
    // The same for all sessions: the list of the organization.
    const isAllowedFrom = addressFilter(sessions[0]?.allowed_addresses ?? []);
    for (const listener of listeners) {
      if (!sessionIds.includes(listener.sessionId)) continue;
      const role = roles.get(listener.sessionId);
      if (role === undefined || !isAllowedFrom(listener.clientAddress)) listener.stream.end();
      else listener.role = role;
    }
  }

  #keepAlive(listener: Listener): void {
    if (listener.stream.unreadBytes > unreadBytesMax) {
      listener.stream.cut();
      return;
    }
    listener.silentMs += this.#pace.lookEveryMs;
    if (listener.silentMs >= this.#pace.heartbeatEveryMs) send(listener, ':\n\n');
  }
}

function send(listener: Listener, text: string): void {
  listener.silentMs = 0;
  listener.stream.write(text);
}

function tell(listener: Listener, events: readonly FeedEventRow[]): void {
  const { position, id: eventId } = events.at(-1)!;
  const text =
    events.length > eventsToldMax ? signal('resync', { position, eventId }) : told(events, listener.role);
  if (text !== '') send(listener, text);
}

function signal(event: 'ready' | 'resync', cursor: FeedCursor): string {
  return `event: ${event}\nid: ${cursorText(cursor)}\ndata: {}\n\n`;
}

function told(events: readonly FeedEventRow[], role: StaffRole): string {
  return events
    .map((event) => {
      const shown = shownEvent(event, role);
      if (shown === null) return '';
      const id = cursorText({ position: event.position, eventId: event.id });
      return `id: ${id}\ndata: ${JSON.stringify(shown)}\n\n`;
    })
    .join('');
}
