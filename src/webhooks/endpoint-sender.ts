import { isWanted } from '../changes/changes.ts';
import type { TenantTransaction } from '../database/database.ts';
import { announce } from '../events/announce.ts';
import { FetchRefused, guardedPost } from '../http/guarded-fetch.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { failingMsMax, nextAttemptMs } from './delivery-schedule.ts';
import { permissionsOf } from './make-deliveries.ts';
import {
  beginFailing,
  type ClaimedDeliveryRow,
  claimDeliveries,
  endFailing,
  recordAttempts,
  releaseDeliveries,
  type SendingEndpointRow,
  selectSendingEndpoint,
  switchOffFailing,
} from './sending-queries.ts';
import { testEventType } from './test-event.ts';
import { openSecrets, signedHeaders } from './webhook-secrets.ts';
import type { WebhookWorkerOptions } from './webhook-worker-options.ts';

/** Attempts of an endpoint at the same time, each of another resource. */
const attemptsAtOnce = 8;
const attemptMsMax = 15_000;
const answerBytesMax = 1_024;
/** A worker that has died by then leaves its deliveries to others. */
const claimMs = 60_000;
/** The receiver wants no more. */
const goneStatus = 410;

/** What came of an attempt, as it is recorded. */
interface Attempt {
  readonly id: number;
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly at: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
  /** Null: it was not sent. */
  readonly ms: number | null;
  readonly deliveredAt: string | null;
}

interface Claim {
  readonly endpoint: SendingEndpointRow | undefined;
  readonly deliveries: readonly ClaimedDeliveryRow[];
}

/**
 * Sends the deliveries of one endpoint, some at the same time. A delivery is claimed, sent, and recorded after its
 * answer: a worker that dies in between leaves it to be sent again. One transaction records what has ended and claims
 * what follows.
 */
export class EndpointSender {
  readonly #options: WebhookWorkerOptions;
  readonly #organization: OrganizationId;
  readonly #endpointId: number;
  readonly #stopping: AbortSignal;
  readonly #underWay = new Map<number, Promise<void>>();
  #ended: Attempt[] = [];
  #run: Promise<void> | undefined;
  #wake: () => void = () => {};
  #isAwake = false;

  constructor(
    options: WebhookWorkerOptions,
    organization: OrganizationId,
    endpointId: number,
    stopping: AbortSignal,
  ) {
    this.#options = options;
    this.#organization = organization;
    this.#endpointId = endpointId;
    this.#stopping = stopping;
  }

  /** Sends what is due now or comes to be due while it sends; resolves when nothing is left. */
  send(): Promise<void> {
    this.#isAwake = true;
    this.#wake();
    this.#run ??= this.#sendAll()
      .catch((error) => {
        this.#isAwake = false;
        const about = { organizationId: this.#organization, endpointId: this.#endpointId };
        this.#options.logger.error({ err: error, ...about }, 'webhooks could not be sent');
      })
      .finally(() => {
        this.#run = undefined;
        if (this.#isAwake && !this.#stopping.aborted) void this.send();
      });
    return this.#run;
  }

  async idle(): Promise<void> {
    await this.#run;
  }

  async #sendAll(): Promise<void> {
    try {
      while (!this.#stopping.aborted) {
        const isAsked = this.#isAwake || this.#ended.length > 0;
        this.#isAwake = false;
        if (!isAsked && this.#underWay.size === 0) return;
        if (isAsked) {
          const { endpoint, deliveries } = await this.#recordAndClaim();
          if (endpoint !== undefined && deliveries.length > 0) await this.#begin(endpoint, deliveries);
          else if (this.#underWay.size === 0 && !this.#isAwake && this.#ended.length === 0) return;
        }
        if (this.#ended.length === 0 && !this.#isAwake) await this.#somethingHappens();
      }
    } finally {
      await this.#leave();
    }
  }

  #somethingHappens(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.#ended.length > 0 || this.#isAwake || this.#underWay.size === 0) resolve();
    });
  }

  /** What ended is recorded; what was interrupted goes back. */
  async #leave(): Promise<void> {
    await Promise.all(this.#underWay.values());
    if (this.#ended.length === 0) return;
    await this.#recordAndClaim({ claims: false });
  }

  async #begin(endpoint: SendingEndpointRow, deliveries: readonly ClaimedDeliveryRow[]): Promise<void> {
    const { context, keys } = this.#options;
    const sealed = [{ masterKeyId: endpoint.secret_master_key_id, wrapped: endpoint.secret }];
    const { former_secret: former, former_secret_master_key_id: formerKeyId } = endpoint;
    if (former !== null && (endpoint.former_secret_ends_at ?? 0) > context.clock.now()) {
      sealed.push({ masterKeyId: formerKeyId!, wrapped: former });
    }
    const secrets = await openSecrets(
      keys,
      context.randomBytes,
      this.#organization,
      this.#endpointId,
      sealed,
    );
    for (const delivery of deliveries) {
      const attempt = this.#attempt(endpoint, secrets, delivery)
        .then((ended) => {
          if (ended !== null) this.#ended.push(ended);
        })
        .catch((error) => {
          this.#options.logger.error(
            { err: error, endpointId: this.#endpointId },
            'a claim was not released',
          );
        })
        .finally(() => {
          this.#underWay.delete(delivery.id);
          this.#wake();
        });
      this.#underWay.set(delivery.id, attempt);
    }
  }

  /** Null: interrupted. */
  async #attempt(
    endpoint: SendingEndpointRow,
    secrets: readonly Uint8Array[],
    { id, type, message_id: messageId, body, attempts }: ClaimedDeliveryRow,
  ): Promise<Attempt | null> {
    const { clock, database } = this.#options.context;
    const caller = { permissions: permissionsOf(endpoint.permissions) };
    const startedMs = performance.now();
    const ended = (status: number | null, error: string | null, answer: string | null): Attempt => {
      const nowMs = clock.now();
      const at = isoTimestamp(nowMs);
      const isDelivered = status !== null && status >= 200 && status < 300;
      const nextMs = isDelivered ? null : nextAttemptMs(attempts + 1, nowMs);
      return {
        id,
        attempts: attempts + 1,
        nextAttemptAt: nextMs === null ? null : isoTimestamp(nextMs),
        at,
        status,
        error,
        answer,
        ms: Math.round(performance.now() - startedMs),
        deliveredAt: isDelivered ? at : null,
      };
    };
    if (type !== testEventType && !isWanted({ type }, caller, undefined)) {
      const error = 'The key may not read this event any more.';
      return { ...ended(null, error, null), attempts, nextAttemptAt: null, ms: null };
    }
    try {
      const { status, beginning } = await guardedPost(
        endpoint.url,
        { headers: signedHeaders(secrets, messageId, clock.now(), body), body },
        { answerBytesMax, totalMsMax: this.#options.attemptMsMax ?? attemptMsMax },
        this.#stopping,
        this.#options.network,
      );
      return ended(status, null, beginning.toString('utf8').replaceAll('\0', '\uFFFD'));
    } catch (error) {
      if (this.#stopping.aborted) {
        await database.write(this.#organization, async (tx) => tx.queue(releaseDeliveries({ ids: [id] })), {
          countsAsChange: false,
        });
        return null;
      }
      if (error instanceof FetchRefused) return ended(null, error.message, null);
      this.#options.logger.error({ err: error, endpointId: this.#endpointId }, 'a webhook could not be sent');
      return ended(null, 'The attempt failed.', null);
    }
  }

  async #recordAndClaim({ claims = true } = {}): Promise<Claim> {
    const { clock, database } = this.#options.context;
    const nowMs = clock.now();
    const at = isoTimestamp(nowMs);
    const ended = [...this.#ended];
    const limit = attemptsAtOnce - this.#underWay.size;
    const claim = claimDeliveries({
      endpointId: this.#endpointId,
      at,
      until: isoTimestamp(nowMs + claimMs),
      limit,
    });
    const claimed = await database.write(
      this.#organization,
      async (tx) => {
        if (ended.length > 0) await this.#record(tx, ended, nowMs);
        if (!claims || limit <= 0) return { endpoint: undefined, deliveries: [] };
        const [[endpoint], deliveries] = await tx.run(selectSendingEndpoint({ id: this.#endpointId }), claim);
        return { endpoint, deliveries };
      },
      { countsAsChange: false },
    );
    this.#ended = this.#ended.slice(ended.length);
    return claimed;
  }

  /** Writes what came of attempts, and switches off an endpoint that has failed for too long or is gone. */
  async #record(tx: TenantTransaction, ended: readonly Attempt[], nowMs: number): Promise<void> {
    const id = this.#endpointId;
    const at = isoTimestamp(nowMs);
    await tx.run(recordAttempts({ attempts: JSON.stringify(ended) }));
    // The others were not sent.
    if (ended.every(({ ms }) => ms === null)) return;
    if (ended.some(({ deliveredAt }) => deliveredAt !== null)) {
      await tx.run(endFailing({ id, at }));
      return;
    }
    const isGone = ended.some(({ status }) => status === goneStatus);
    const reason = isGone ? 'gone' : 'failing';
    const failingBefore = isoTimestamp(isGone ? nowMs : nowMs - failingMsMax);
    const [, [switchedOff]] = await tx.run(
      beginFailing({ id, at }),
      switchOffFailing({ id, at, failingBefore, reason }),
    );
    if (switchedOff === undefined) return;
    await announce(tx, this.#options.context, { actor: 'job:webhooks', requestId: null }, nowMs, {
      event: 'webhook_endpoint.switched_off',
      subjectType: 'webhook_endpoint',
      subjectId: id,
      payload: { webhookEndpointId: id, reason },
    });
  }
}
