import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import {
  type FeedEventRow,
  selectEventsAfter,
  selectEventsById,
  selectFeedHead,
} from '../../platform/events/event-feed-queries.ts';
import type { PostConnections } from '../../platform/http/guarded-fetch.ts';
import { isWanted } from '../changes/changes.ts';
import { attemptDelivery, type Outcome } from './attempt-delivery.ts';
import { openBody } from './code-deliveries.ts';
import { codeEventType } from './code-endpoints.ts';
import { type Message, messageOf } from './delivery-message.ts';
import { DeliveryRecorder } from './delivery-recorder.ts';
import { type Due, EndpointSlots, type Result } from './endpoint-slots.ts';
import { RecentEvents } from './recent-events.ts';
import {
  type DueDeliveryRow,
  leaseEndpoints,
  releaseEndpoints,
  type ServedEndpointRow,
  selectDueDeliveries,
  selectServedEndpoints,
  selectWaitingResources,
} from './sending-queries.ts';
import { EndpointReader, type ServedEndpoint } from './served-endpoint.ts';
import type { WebhookWorkerOptions } from './webhook-worker-options.ts';

/** Events or deliveries that an endpoint is sent before they are recorded. */
const sentAtOnce = 200;
/** The endpoints of a worker that has died by then are taken over. */
const leaseMs = 60_000;
/** A lease that ends earlier than that is renewed first: an attempt takes 15 seconds at most. */
const leaseLeftMs = 30_000;

/** What all senders of a worker share. */
export interface SenderParts {
  /** Names the worker in leases. */
  readonly worker: string;
  readonly connections: PostConnections;
  readonly stopping: AbortSignal;
}

/**
 * Sends events to the endpoints of one organization. It looks which endpoints have something to send, leases those, and
 * lets each go on by itself: first deliveries that are due again, then the events behind its position. The result of the
 * attempts is recorded with the position, some at a time: a worker that dies in between leaves the events to be sent
 * again, and nothing is lost.
 */
export class OrganizationSender {
  readonly #options: WebhookWorkerOptions;
  readonly #organization: OrganizationId;
  readonly #parts: SenderParts;
  readonly #recorder: DeliveryRecorder;
  readonly #reader: EndpointReader;
  readonly #recent = new RecentEvents();
  /** Events that several endpoints read during one look. */
  readonly #reads = new Map<number, Promise<readonly FeedEventRow[]>>();
  readonly #slots = new Map<number, EndpointSlots>();
  readonly #busy = new Set<number>();
  #isStale = false;
  #looking: Promise<void> | undefined;
  #idle: (() => void)[] = [];

  constructor(options: WebhookWorkerOptions, organization: OrganizationId, parts: SenderParts) {
    this.#options = options;
    this.#organization = organization;
    this.#parts = parts;
    this.#recorder = new DeliveryRecorder(options.context, organization, parts.worker);
    this.#reader = new EndpointReader(options, organization);
  }

  /** Events that follow each other in the feed. */
  tell(events: readonly FeedEventRow[]): void {
    this.#recent.add(events);
    this.wake();
  }

  /** Looks for something to send. */
  wake(): void {
    this.#isStale = true;
    this.#looking ??= this.#lookWhileStale().finally(() => {
      this.#looking = undefined;
      this.#noteIdle();
    });
  }

  /** Resolves when nothing is sent, recorded or looked for. */
  async idle(): Promise<void> {
    while (!this.#isIdle()) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Lets other workers have the endpoints at once. */
  async release(): Promise<void> {
    const { worker } = this.#parts;
    await this.#options.context.database.write(
      this.#organization,
      async (tx) => tx.queue(releaseEndpoints({ worker })),
      { countsAsChange: false },
    );
  }

  #isIdle(): boolean {
    const isSending = [...this.#slots.values()].some(({ underWay }) => underWay.size > 0);
    return this.#looking === undefined && this.#busy.size === 0 && !isSending && this.#recorder.isIdle;
  }

  #noteIdle(): void {
    if (this.#isIdle()) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #report(error: unknown, endpointId?: number): void {
    const about = { organizationId: this.#organization, endpointId };
    this.#options.logger.error({ err: error, ...about }, 'webhooks could not be sent');
  }

  async #lookWhileStale(): Promise<void> {
    while (this.#isStale && !this.#parts.stopping.aborted) {
      this.#isStale = false;
      await this.#look().catch((error) => this.#report(error));
    }
  }

  async #look(): Promise<void> {
    const { context } = this.#options;
    this.#reads.clear();
    let rows = await this.#withWork();
    const free = rows.filter((row) => !row.is_held && row.is_free).map(({ id }) => id);
    if (free.length > 0) {
      const nowMs = context.clock.now();
      const until = isoTimestamp(nowMs + leaseMs);
      const lease = leaseEndpoints({ ids: free, worker: this.#parts.worker, at: isoTimestamp(nowMs), until });
      await context.database.write(this.#organization, async (tx) => tx.queue(lease), {
        countsAsChange: false,
      });
      // Another worker may have moved them until now.
      rows = await this.#withWork();
    }
    for (const row of rows) if (row.is_held) void this.#serve(row);
  }

  /** The endpoints that have something to send, and room to send it. */
  async #withWork(): Promise<ServedEndpointRow[]> {
    const { clock, database } = this.#options.context;
    const nowMs = clock.now();
    const busyBefore = new Set(this.#busy);
    const served = selectServedEndpoints({
      worker: this.#parts.worker,
      at: isoTimestamp(nowMs),
      heldUntil: isoTimestamp(nowMs + leaseLeftMs),
    });
    const [[head], rows] = await database.read(this.#organization, selectFeedHead({}), served);
    return rows.filter((row) => {
      if (this.#busy.has(row.id) || this.#slotsOf(row.id).free === 0) return false;
      // What it sent may have been recorded during the read: the row can show its former position.
      if (busyBefore.has(row.id)) {
        this.#isStale = true;
        return false;
      }
      return row.has_due || row.position < head!.last_position;
    });
  }

  #slotsOf(endpointId: number): EndpointSlots {
    let slots = this.#slots.get(endpointId);
    if (slots === undefined) {
      const record = (due: Due, outcome: Outcome): Promise<void> => {
        const endedResources = outcome.nextAttemptAt === null ? [due.resource] : [];
        return this.#recorder
          .add({ endpointId, results: [{ due, outcome }], endedResources })
          .catch((error) => this.#report(error, endpointId));
      };
      slots = new EndpointSlots(record, () => this.wake(), this.#parts.stopping);
      this.#slots.set(endpointId, slots);
    }
    return slots;
  }

  /** Sends some of what an endpoint is to get, and looks again. */
  async #serve(row: ServedEndpointRow): Promise<void> {
    this.#busy.add(row.id);
    try {
      const endpoint = await this.#reader.read(row);
      const hasSent = (row.has_due && (await this.#sendDue(endpoint))) || (await this.#sendNew(endpoint));
      this.#busy.delete(row.id);
      if (hasSent) this.wake();
    } catch (error) {
      this.#busy.delete(row.id);
      // The look of the next second tries again.
      this.#report(error, row.id);
    }
    this.#noteIdle();
  }

  /** Deliveries that are recorded already, and whose time has come. */
  async #sendDue(endpoint: ServedEndpoint): Promise<boolean> {
    const { clock, database } = this.#options.context;
    const slots = this.#slotsOf(endpoint.id);
    const [rows] = await database.read(
      this.#organization,
      selectDueDeliveries({
        endpointId: endpoint.id,
        at: isoTimestamp(clock.now()),
        underWay: [...slots.underWay],
        limit: sentAtOnce,
      }),
    );
    if (rows.length === 0) return false;
    const messages = await this.#messagesOf(
      rows.flatMap((row) => (row.body === null && row.type !== codeEventType ? [row.event_id] : [])),
    );
    const due = await Promise.all(
      rows.map(async ({ event_id: eventId, message_id: messageId, ...rest }) => {
        const code = await this.#codeOf(rest);
        const message = messages.get(eventId);
        const body = rest.body ?? code ?? message?.body ?? null;
        const traceparent = message?.traceparent ?? null;
        const integrator_id = message?.integrator_id ?? null;
        return { ...rest, eventId, messageId, integrator_id, body, endsAtMs: rest.body_ends_at, traceparent };
      }),
    );
    const results = (await this.#send(slots, endpoint, due)).filter(({ outcome }) => outcome !== null);
    const ended = results.filter(({ outcome }) => outcome!.nextAttemptAt === null);
    const endedResources = ended.map(({ due: { resource } }) => resource);
    if (results.length === 0) return false;
    await this.#recorder.add({ endpointId: endpoint.id, results, endedResources });
    return true;
  }

  /** The body of a delivery with a code, as long as the code is good. */
  async #codeOf(
    row: Pick<DueDeliveryRow, 'id' | 'sealed_body' | 'sealed_body_master_key_id' | 'body_ends_at'>,
  ) {
    const { id, sealed_body, sealed_body_master_key_id, body_ends_at: endsAtMs } = row;
    const { context, keys } = this.#options;
    const isOver = endsAtMs !== null && endsAtMs <= context.clock.now();
    if (sealed_body === null || sealed_body_master_key_id === null || isOver) return null;
    const sealed = { id, sealed_body, sealed_body_master_key_id };
    return openBody(keys, context.randomBytes, this.#organization, sealed);
  }

  async #messagesOf(eventIds: readonly number[]): Promise<ReadonlyMap<number, Message>> {
    if (eventIds.length === 0) return new Map();
    const { database } = this.#options.context;
    const [events] = await database.read(this.#organization, selectEventsById({ ids: eventIds }));
    const messages = await Promise.all(events.map((event) => messageOf(event)));
    return new Map(messages.map((message) => [message.eventId, message]));
  }

  /** Events behind the position. Those of a resource with a waiting delivery wait, too. */
  async #sendNew(endpoint: ServedEndpoint): Promise<boolean> {
    const events = await this.#eventsAfter(endpoint.position);
    const last = events.at(-1);
    if (last === undefined) return false;
    const wanted = events.filter((event) => isWanted(event, endpoint, endpoint.types));
    const messages = await Promise.all(wanted.map((event) => messageOf(event)));
    const ids = await this.#options.context.ids.take(messages.length);
    const due = messages.map((message, index) => ({ ...message, id: ids[index]!, attempts: 0 }));
    const held = await this.#waitingResources(endpoint, messages);
    const sent = due.filter(({ resource }) => !held.has(resource));
    const results = await this.#send(this.#slotsOf(endpoint.id), endpoint, sent);
    const heldBack = due.filter(({ resource }) => held.has(resource));
    await this.#recorder.add({
      endpointId: endpoint.id,
      moved: { from: endpoint.position, to: last.position },
      results: [...results, ...heldBack.map(waitsBehind)],
      endedResources: [],
    });
    return true;
  }

  async #eventsAfter(position: number): Promise<readonly FeedEventRow[]> {
    const recent = this.#recent.after(position, sentAtOnce);
    if (recent !== null) return recent;
    const { database } = this.#options.context;
    let read = this.#reads.get(position);
    if (read === undefined) {
      const statement = selectEventsAfter({ after: position, limit: sentAtOnce });
      read = database.read(this.#organization, statement).then(([rows]) => rows);
      this.#reads.set(position, read);
    }
    return read;
  }

  async #waitingResources(
    { id: endpointId, hasWaiting }: ServedEndpoint,
    messages: readonly Message[],
  ): Promise<ReadonlySet<string>> {
    if (!hasWaiting || messages.length === 0) return new Set();
    const resources = [...new Set(messages.map(({ resource }) => resource))];
    const statement = selectWaitingResources({ endpointId, resources });
    const [rows] = await this.#options.context.database.read(this.#organization, statement);
    return new Set(rows.map(({ resource }) => resource));
  }

  #send(slots: EndpointSlots, endpoint: ServedEndpoint, due: readonly Due[]): Promise<Result[]> {
    const { connections, stopping } = this.#parts;
    return slots.send(due, (one) => attemptDelivery(this.#options, connections, stopping, endpoint, one));
  }
}

/** The first of its resource waits for what is recorded already; the statement finds out whether that still waits. */
function waitsBehind(due: Due, index: number, all: readonly Due[]): Result {
  const isNext = all.findIndex(({ resource }) => resource === due.resource) === index;
  return { due, outcome: null, isNext };
}
