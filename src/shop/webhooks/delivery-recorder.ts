import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { failingMsMax } from './delivery-schedule.ts';
import type { Result } from './endpoint-slots.ts';
import { mailSwitchedOff } from './mail-switched-off.ts';
import { recordDeliveries, recordEndpoints, switchOffFailing, unblockDeliveries } from './sending-queries.ts';

/** The receiver wants no more. */
const goneStatus = 410;

/** What is recorded of an endpoint. */
interface EndpointRecord {
  readonly endpointId: number;
  /** The events from one position to another have their deliveries now; undefined: the position stays. */
  readonly moved?: { readonly from: number; readonly to: number };
  readonly results: readonly Result[];
  /** Resources whose next delivery may be due now: one that was recorded as waiting has ended. */
  readonly endedResources: readonly string[];
}

interface Waiting {
  readonly record: EndpointRecord;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Writes the result of attempts, for all endpoints of an organization that have something to write, in one transaction
 * at a time. Nothing is written of endpoints that another worker has taken over: it sends the events again.
 */
export class DeliveryRecorder {
  readonly #context: Context;
  readonly #organization: OrganizationId;
  readonly #worker: string;
  #waiting: Waiting[] = [];
  #run: Promise<void> | undefined;

  constructor(context: Context, organization: OrganizationId, worker: string) {
    this.#context = context;
    this.#organization = organization;
    this.#worker = worker;
  }

  get isIdle(): boolean {
    return this.#run === undefined;
  }

  /** Resolves once it has committed. */
  add(record: EndpointRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ record, resolve, reject });
      this.#run ??= this.#writeAll().finally(() => {
        this.#run = undefined;
      });
    });
  }

  async #writeAll(): Promise<void> {
    // What ends in the same turn is written together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const written = this.#waiting.splice(0);
      try {
        await this.#write(written.map(({ record }) => record));
        for (const { resolve } of written) resolve();
      } catch (error) {
        for (const { reject } of written) reject(error);
      }
    }
  }

  async #write(records: readonly EndpointRecord[]): Promise<void> {
    const nowMs = this.#context.clock.now();
    const at = isoTimestamp(nowMs);
    const worker = this.#worker;
    const endpoints = endpointsOf(records);
    const deliveries = deliveriesOf(records, at);
    const lines = records.flatMap(({ endpointId, endedResources }) =>
      endedResources.map((resource) => ({ endpointId, resource })),
    );
    const statements = [
      recordEndpoints({ endpoints: JSON.stringify(endpoints), worker, at }),
      ...(deliveries.length > 0
        ? [recordDeliveries({ deliveries: JSON.stringify(deliveries), worker, at })]
        : []),
      ...(lines.length > 0 ? [unblockDeliveries({ lines: JSON.stringify(lines) })] : []),
    ];
    const failing = endpoints.filter(({ hasFailed, hasSucceeded }) => hasFailed && !hasSucceeded);
    await this.#context.database.write(
      this.#organization,
      async (tx) => {
        if (failing.length === 0) return tx.queue(...statements);
        await tx.run(...statements);
        for (const { id, isGone } of failing) await this.#switchOff(tx, id, isGone, nowMs);
      },
      { countsAsChange: false },
    );
  }

  /** Switches an endpoint off that is gone, or that has failed for too long. */
  async #switchOff(tx: TenantTransaction, id: number, isGone: boolean, nowMs: number): Promise<void> {
    const reason = isGone ? 'gone' : 'failing';
    const failingBefore = isoTimestamp(isGone ? nowMs : nowMs - failingMsMax);
    const at = isoTimestamp(nowMs);
    const worker = this.#worker;
    const [[switchedOff]] = await tx.run(switchOffFailing({ id, worker, at, failingBefore, reason }));
    if (switchedOff === undefined) return;
    await mailSwitchedOff(tx, this.#context, { id, url: switchedOff.url, isGone }, nowMs);
    await announce(tx, this.#context, { actor: 'job:webhooks', requestId: null }, nowMs, {
      event: 'webhook_endpoint.switched_off',
      subjectType: 'webhook_endpoint',
      subjectId: id,
      payload: { webhookEndpointId: id, reason },
    });
  }
}

/** One row for each endpoint. */
function endpointsOf(records: readonly EndpointRecord[]) {
  const ids = [...new Set(records.map(({ endpointId }) => endpointId))].sort((one, other) => one - other);
  return ids.map((id) => {
    const ofEndpoint = records.filter(({ endpointId }) => endpointId === id);
    const moved = ofEndpoint.find((record) => record.moved !== undefined)?.moved;
    const sent = ofEndpoint.flatMap(({ results }) =>
      results.flatMap(({ outcome }) => (outcome === null || outcome.ms === null ? [] : [outcome])),
    );
    return {
      id,
      from: moved?.from ?? null,
      to: moved?.to ?? null,
      hasSucceeded: sent.some(({ deliveredAt }) => deliveredAt !== null),
      hasFailed: sent.some(({ deliveredAt }) => deliveredAt === null),
      isGone: sent.some(({ status }) => status === goneStatus),
    };
  });
}

/** One row for each delivery, with the last that is known of it. */
function deliveriesOf(records: readonly EndpointRecord[], at: string) {
  const rows = new Map<string, object>();
  for (const { endpointId, results } of records) {
    for (const result of results) {
      const { id, eventId, position, messageId, type, resource, attempts } = result.due;
      const { outcome } = result;
      const waiting = { attempts, nextAttemptAt: at, blocked: outcome === null && !result.isNext };
      const delivery = { id, endpointId, eventId, position, messageId, type, resource };
      rows.set(`${endpointId}/${eventId}`, { ...delivery, ...(outcome ?? waiting) });
    }
  }
  return [...rows.values()];
}
