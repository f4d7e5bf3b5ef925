import type { Clock } from '../../kernel/clock.ts';
import { addressBlock } from './address-block.ts';
import type { AttemptRate, RateLimitState } from './attempt-counts.ts';
import {
  burstFactor,
  type CountedFailure,
  type RateLimiter,
  type RateLimits,
  type RefusedFailure,
  visitorsFactor,
} from './rate-limits.ts';

/** Tokens that a process wants of a bucket which all processes share. */
export interface TokenRequest extends AttemptRate {
  readonly name: string;
  /** For requests that wait now. */
  readonly wanted: number;
  /** Whether more may be taken for the next ones: a share of what is left. */
  readonly isLease: boolean;
}

export interface TokenGrant {
  /** At most `wanted`; a lease can get more. */
  readonly granted: number;
  /** The milliseconds until the bucket is full again. */
  readonly fullAfterMs: number;
}

/** Keeps the buckets that all processes share. */
export interface TokenStore {
  /** Takes tokens, in the order of the requests; for each of them a grant. */
  take(requests: readonly TokenRequest[]): Promise<readonly TokenGrant[]>;
  /** Returns a token to each of these buckets. */
  giveBack(buckets: readonly Pick<TokenRequest, 'name' | 'perSecond'>[]): Promise<void>;
}

/** Unused tokens of a lease are lost after that. */
const leaseMs = 1_000;
/** Up to this many buckets are kept regardless of their age. */
const bucketCountKept = 1_000;

/** What this process knows of a shared bucket. */
interface Bucket {
  /** Leased, and not used yet. */
  tokens: number;
  leasedAtMs: number;
  leasedUntilMs: number;
  fullAtMs: number;
  /** No token is free before then. */
  refusedUntilMs: number;
  /** Requests that wait for a grant. */
  waiting: ((state: RateLimitState) => void)[];
}

/**
 * Limits that hold for all processes of a deployment together. A process takes tokens from the shared bucket as a lease, an
 * eighth of what is left at a time, and then decides without asking until it has used them; so few requests wait for the
 * database, and the processes together never exceed a limit. Attempts are counted one by one. Each process also keeps the
 * limits by itself, before it asks: a flood costs the database no more than its rate, and while the database does not
 * answer, these limits hold.
 */
export class SharedRateLimits implements RateLimiter {
  readonly #own: RateLimits;
  readonly #store: TokenStore;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(own: RateLimits, store: TokenStore, clock: Clock) {
    this.#own = own;
    this.#store = store;
    this.#clock = clock;
  }

  takeRequest(id: number, group: string, perSecond: number): RateLimitState | Promise<RateLimitState> {
    const own = this.#own.takeRequest(id, group, perSecond);
    return own.allowed ? this.#take(`request ${id} ${group}`, perSecond, own) : own;
  }

  takeVisit(
    id: number,
    group: string,
    perSecond: number,
    address: string,
  ): RateLimitState | Promise<RateLimitState> {
    const own = this.#own.takeVisit(id, group, perSecond, address);
    if (!own.allowed) return own;
    const visitor = this.#take(`visit ${id} ${group} ${addressBlock(address, 64)}`, perSecond, own);
    const andAll = (state: RateLimitState) => {
      if (!state.allowed) return state;
      const all = this.#take(`request ${id} ${group}`, perSecond * visitorsFactor, own);
      const worse = (everyone: RateLimitState) => (everyone.allowed ? state : everyone);
      return all instanceof Promise ? all.then(worse) : worse(all);
    };
    return visitor instanceof Promise ? visitor.then(andAll) : andAll(visitor);
  }

  async takeFailures(...failures: readonly CountedFailure[]): Promise<RefusedFailure | null> {
    const own = this.#own.takeFailures(...failures);
    if (own !== null) return own;
    const requests = failures.map(requestOf);
    let grants: readonly TokenGrant[];
    try {
      grants = await this.#store.take(requests);
    } catch {
      return null;
    }
    const refused = grants.findIndex(({ granted }) => granted === 0);
    if (refused === -1) return null;
    this.#own.giveBackFailures(...failures);
    await this.#store.giveBack(requests.filter((_, at) => grants[at]!.granted > 0)).catch(() => {});
    const { perSecond, burst } = requests[refused]!;
    const state = stateOf({ perSecond, burst }, grants[refused]!.fullAfterMs, 0, false);
    return { kind: failures[refused]![0].kind, state };
  }

  giveBackFailures(...failures: readonly CountedFailure[]): void {
    this.#own.giveBackFailures(...failures);
    // Without an answer the attempt stays counted, and is forgotten in time.
    this.#store.giveBack(failures.map(requestOf)).catch(() => {});
  }

  #take(name: string, perSecond: number, own: RateLimitState): RateLimitState | Promise<RateLimitState> {
    const rate = { perSecond, burst: perSecond * burstFactor };
    const nowMs = this.#clock.now();
    const bucket = this.#bucketOf(name);
    const tell = (allowed: boolean) =>
      stateOf(rate, Math.max(0, bucket.fullAtMs - nowMs), bucket.tokens, allowed);
    // The clock was put back: until those instants it would refuse, or lease, for as long.
    if (nowMs < bucket.leasedAtMs) bucket.refusedUntilMs = bucket.leasedUntilMs = 0;
    if (bucket.refusedUntilMs > nowMs) return tell(false);
    if (bucket.tokens >= 1 && bucket.leasedUntilMs > nowMs) {
      bucket.tokens -= 1;
      return tell(true);
    }
    return new Promise((resolve) => {
      bucket.waiting.push(resolve);
      if (bucket.waiting.length > 1) return;
      // Those of the same turn ask together.
      setImmediate(() => void this.#lease(name, bucket, rate, own));
    });
  }

  async #lease(name: string, bucket: Bucket, rate: AttemptRate, own: RateLimitState): Promise<void> {
    const asked = bucket.waiting.length;
    let grant: TokenGrant;
    try {
      [grant] = (await this.#store.take([{ name, ...rate, wanted: asked, isLease: true }])) as [TokenGrant];
    } catch {
      for (const resolve of bucket.waiting.splice(0)) resolve(own);
      return;
    }
    const nowMs = this.#clock.now();
    bucket.tokens = grant.granted;
    bucket.leasedAtMs = nowMs;
    bucket.leasedUntilMs = nowMs + leaseMs;
    bucket.fullAtMs = nowMs + grant.fullAfterMs;
    for (const resolve of bucket.waiting.splice(0, asked)) {
      const allowed = bucket.tokens >= 1;
      if (allowed) bucket.tokens -= 1;
      const state = stateOf(rate, grant.fullAfterMs, bucket.tokens, allowed);
      if (!allowed) bucket.refusedUntilMs = nowMs + waitMsOf(rate, grant.fullAfterMs);
      resolve(state);
    }
    if (bucket.waiting.length > 0) void this.#lease(name, bucket, rate, own);
  }

  /** A map keeps the order of insertion: inserting again makes a bucket the youngest. */
  #bucketOf(name: string): Bucket {
    const bucket = this.#buckets.get(name) ?? {
      ...{ tokens: 0, leasedAtMs: 0, leasedUntilMs: 0, fullAtMs: 0, refusedUntilMs: 0 },
      waiting: [],
    };
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    if (this.#buckets.size > bucketCountKept) {
      for (const [oldest, { waiting, leasedUntilMs }] of this.#buckets) {
        if (waiting.length > 0 || leasedUntilMs > this.#clock.now()) break;
        this.#buckets.delete(oldest);
        if (this.#buckets.size <= bucketCountKept) break;
      }
    }
    return bucket;
  }
}

function requestOf([{ kind, perSecond, burst }, name]: CountedFailure): TokenRequest {
  return { name: `${kind} ${name}`, perSecond, burst, wanted: 1, isLease: false };
}

/** The milliseconds until a token is free. */
function waitMsOf({ perSecond, burst }: AttemptRate, fullAfterMs: number): number {
  return Math.max(0, fullAfterMs - ((burst - 1) * 1_000) / perSecond);
}

function stateOf(rate: AttemptRate, fullAfterMs: number, leased: number, allowed: boolean): RateLimitState {
  const { perSecond, burst } = rate;
  const takenMs = Math.max(0, fullAfterMs - (leased * 1_000) / perSecond);
  return {
    allowed,
    limit: burst,
    remaining: Math.max(0, Math.floor(burst - (takenMs * perSecond) / 1_000)),
    resetSeconds: Math.ceil(takenMs / 1_000),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil(waitMsOf(rate, fullAfterMs) / 1_000)),
  };
}
