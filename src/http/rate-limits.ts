import type { Clock } from '../kernel/clock.ts';
import { addressBlock } from './address-block.ts';
import { AttemptCounts, type AttemptRate, type RateLimitState } from './attempt-counts.ts';

/** The burst that a full bucket allows, as a multiple of its rate (D10). */
const burstFactor = 2;

/** Buckets kept without a look at their age. */
const bucketCountKept = 1_000;

/** A bucket is full again after that: forgotten then, it has lost nothing. */
const refillMs = burstFactor * 1000;

/**
 * What may fail, each kind counted apart: so no flood of one is a way to another. Addresses of IPv6 count by their /64, which
 * is what one home or server has, and by their /48, of which one caller can have many /64.
 */
const failureRates = {
  /** Wrong keys and tokens from one address: 20 at once, then one a second (D10). */
  keysOfAddress: { perSecond: 1, burst: 20 },
  keysOfNetwork: { perSecond: 4, burst: 80 },
  /** Sign-ins: for a shop full of people who mistype, against trying one password on many accounts. */
  signInsOfAddress: { perSecond: 1, burst: 50 },
  signInsOfNetwork: { perSecond: 4, burst: 200 },
  /** Few, against guessing the password of an account: by strangers, from a device that is known, by who is signed in. */
  signInsOfAccount: { perSecond: 1 / 30, burst: 10 },
  signInsOfDevice: { perSecond: 1 / 30, burst: 10 },
  passwordsOfSession: { perSecond: 1 / 30, burst: 10 },
} as const satisfies Record<string, AttemptRate>;

export type FailureKind = keyof typeof failureRates;

/** One more failure of `name`. */
export type CountedFailure = readonly [kind: FailureKind, name: string];

interface Bucket {
  tokens: number;
  refilledAtMs: number;
}

/** Token buckets, refilled by the clock: of requests by key or session, of failures by what failed. */
export class RateLimits {
  readonly #clock: Clock;
  /** Of keys and sessions that are good: no stranger makes one. */
  readonly #requests = new Map<string, Bucket>();
  readonly #failures: Readonly<Record<FailureKind, AttemptCounts>>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#failures = Object.fromEntries(
      Object.entries(failureRates).map(([kind, rate]) => [kind, new AttemptCounts(clock, rate)]),
    ) as Record<FailureKind, AttemptCounts>;
  }

  /** Takes a request of a key or session from the bucket of its group. */
  takeRequest(id: number, group: string, perSecond: number): RateLimitState {
    const name = `${id} ${group}`;
    const limit = perSecond * burstFactor;
    const nowMs = this.#clock.now();
    const bucket = this.#requests.get(name) ?? { tokens: limit, refilledAtMs: nowMs };
    // A clock that steps back gives nothing and takes nothing away.
    const passedMs = Math.max(0, nowMs - bucket.refilledAtMs);
    const tokens = Math.min(limit, bucket.tokens + (passedMs / 1000) * perSecond);
    const allowed = tokens >= 1;
    bucket.tokens = allowed ? tokens - 1 : tokens;
    bucket.refilledAtMs = nowMs;
    this.#keep(name, bucket, nowMs);
    return {
      allowed,
      limit,
      remaining: Math.floor(bucket.tokens),
      resetSeconds: Math.ceil((limit - bucket.tokens) / perSecond),
      retryAfterSeconds: allowed ? 0 : Math.ceil((1 - tokens) / perSecond),
    };
  }

  /**
   * Counts failures, before it is known whether it is one: many at once are not more than one after the other. The first
   * that is over its limit refuses, and then none of them counts.
   */
  takeFailures(...failures: readonly CountedFailure[]): { kind: FailureKind; state: RateLimitState } | null {
    for (const [index, [kind, name]] of failures.entries()) {
      const state = this.#failures[kind].take(name);
      if (state.allowed) continue;
      this.giveBackFailures(...failures.slice(0, index));
      return { kind, state };
    }
    return null;
  }

  /** What did not fail does not count. */
  giveBackFailures(...failures: readonly CountedFailure[]): void {
    for (const [kind, name] of failures) this.#failures[kind].giveBack(name);
  }

  /** A map remembers the order of insertion: inserting again makes a bucket the youngest. */
  #keep(name: string, bucket: Bucket, nowMs: number): void {
    this.#requests.delete(name);
    this.#requests.set(name, bucket);
    if (this.#requests.size <= bucketCountKept) return;
    // The two oldest, so that there are fewer every time; none that is not full again.
    let count = 0;
    for (const [oldest, { refilledAtMs }] of this.#requests) {
      if (count++ === 2 || nowMs - refilledAtMs < refillMs) return;
      this.#requests.delete(oldest);
    }
  }
}

/** An address by what counts it: by itself, and by the network around it. */
export function failuresOfAddress(of: 'keys' | 'signIns', address: string): CountedFailure[] {
  return [
    [`${of}OfAddress`, addressBlock(address, 64)],
    [`${of}OfNetwork`, addressBlock(address, 48)],
  ];
}
