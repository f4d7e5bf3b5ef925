import type { Clock } from '../kernel/clock.ts';

/** The burst that a full bucket allows, as a multiple of its rate (D10). */
const burstFactor = 2;

/** Wrong keys from one address: 20 at once, then one a second. */
const failedSignInRate = { perSecond: 1, burst: 20 };

/**
 * Failed sign-ins of staff. Of an account: few, against guessing its password. Of an address: enough for a shop full of
 * people who mistype, against trying one password on many accounts.
 */
const failedAttemptRates = {
  account: { perSecond: 1 / 30, burst: 10 },
  address: { perSecond: 1, burst: 50 },
} as const;

/** Buckets kept at once. A forgotten bucket is a full one: an idle key loses nothing. */
const bucketCountMax = 20_000;

/** What the RateLimit headers say, and whether the request may go on. */
export interface RateLimitState {
  readonly allowed: boolean;
  /** Requests that a full bucket holds. */
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number;
  /** Seconds until the next request is allowed; 0 when one is. */
  readonly retryAfterSeconds: number;
}

interface Bucket {
  tokens: number;
  refilledAtMs: number;
}

/** Token buckets by name, refilled by the clock. The least recently used are forgotten. */
export class RateLimits {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes a request of a key or session from the bucket of its group. */
  takeRequest(id: number, group: string, perSecond: number): RateLimitState {
    return this.#take(`${id} ${group}`, perSecond, perSecond * burstFactor);
  }

  /** Counts a failed sign-in of an address. */
  takeFailedSignIn(remoteAddress: string): RateLimitState {
    return this.#take(remoteAddress, failedSignInRate.perSecond, failedSignInRate.burst);
  }

  /**
   * Counts an attempt to sign in, before it is known whether it fails: many at once are not more than one after the
   * other. Refused attempts count nowhere.
   */
  takeAttempt(of: keyof typeof failedAttemptRates, name: string): RateLimitState {
    const { perSecond, burst } = failedAttemptRates[of];
    return this.#take(attemptBucket(of, name), perSecond, burst);
  }

  /** An attempt that did not fail does not count. */
  giveBackAttempt(of: keyof typeof failedAttemptRates, name: string): void {
    const bucket = this.#buckets.get(attemptBucket(of, name));
    if (bucket) bucket.tokens = Math.min(failedAttemptRates[of].burst, bucket.tokens + 1);
  }

  #take(name: string, perSecond: number, limit: number): RateLimitState {
    const nowMs = this.#clock.now();
    const bucket = this.#buckets.get(name) ?? { tokens: limit, refilledAtMs: nowMs };
    // A clock that steps back gives nothing and takes nothing away.
    const passedMs = Math.max(0, nowMs - bucket.refilledAtMs);
    const tokens = Math.min(limit, bucket.tokens + (passedMs / 1000) * perSecond);
    const allowed = tokens >= 1;
    bucket.tokens = allowed ? tokens - 1 : tokens;
    bucket.refilledAtMs = nowMs;
    this.#keep(name, bucket);
    return {
      allowed,
      limit,
      remaining: Math.floor(bucket.tokens),
      resetSeconds: Math.ceil((limit - bucket.tokens) / perSecond),
      retryAfterSeconds: allowed ? 0 : Math.ceil((1 - tokens) / perSecond),
    };
  }

  /** A map remembers the order of insertion: inserting again makes a bucket the youngest. */
  #keep(name: string, bucket: Bucket): void {
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    if (this.#buckets.size <= bucketCountMax) return;
    for (const oldest of this.#buckets.keys()) {
      this.#buckets.delete(oldest);
      return;
    }
  }
}

function attemptBucket(of: string, name: string): string {
  return `sign-in ${of} ${name}`;
}
