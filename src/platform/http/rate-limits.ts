import type { Clock } from '../../kernel/clock.ts';
import { addressBlock } from './address-block.ts';
import { AttemptCounts, type AttemptRate, type RateLimitState } from './attempt-counts.ts';

/** The burst that a full bucket allows, as a multiple of its rate (D10). */
export const burstFactor = 2;

/** All visitors of a page together get this many times the rate of one of them (D67). */
export const visitorsFactor = 20;

/** Up to this many buckets are kept regardless of their age. */
const bucketCountKept = 1_000;

/** After this time a bucket is full again and can be dropped. */
const refillMs = burstFactor * 1000;

/** How often something may fail or be tried, counted apart from all else. */
export interface FailureLimit extends AttemptRate {
  /** What is counted; all processes count it under this name. */
  readonly kind: string;
}

/** A network address counts by itself and for its network. */
export interface AddressLimits {
  readonly ofAddress: FailureLimit;
  readonly ofNetwork: FailureLimit;
}

/**
 * A limit on what callers may do without a proof of who they are, declared by the slice that counts it: for the address of a page's
 * visitor and the key that the page uses, and for names that the slice gives.
 */
export interface UnprovenLimits {
  readonly ofAddress: AddressLimits;
  readonly ofKey: FailureLimit;
  readonly ofName?: FailureLimit;
  /** The message of the refusal. */
  readonly refusal: string;
}

/** A limit on failures of a kind. */
export function failureLimit(kind: string, rate: AttemptRate): FailureLimit {
  return { kind, ...rate };
}

/** Limits for addresses, and four times as much for their networks. */
export function addressLimits(kind: string, { perSecond, burst }: AttemptRate): AddressLimits {
  return {
    ofAddress: failureLimit(`${kind}OfAddress`, { perSecond, burst }),
    ofNetwork: failureLimit(`${kind}OfNetwork`, { perSecond: 4 * perSecond, burst: 4 * burst }),
  };
}

/**
 * The limits of the frame, each counted separately, so that a flood of one kind does not affect another. IPv6 addresses
 * count by their /64, the network of one home or server, and by their /48, because one caller can have many /64.
 */
export const failureLimits = {
  /** Wrong keys and tokens from one address: 20 at once, then one a second (D10). */
  keys: addressLimits('keys', { perSecond: 1, burst: 20 }),
  /** Sign-ins: allows a shop full of people who mistype, and slows down trying one password on many accounts. */
  signIns: addressLimits('signIns', { perSecond: 1, burst: 50 }),
  /** Who is known by a device that has opened the account, or by a session, may mistype more. */
  knownSignIns: addressLimits('knownSignIns', { perSecond: 1, burst: 100 }),
  /**
   * Few, against guessing the password of an account: from unknown callers by its email; from each device that has opened it, and
   * from all of these together.
   */
  signInsOfAccount: failureLimit('signInsOfAccount', { perSecond: 1 / 30, burst: 10 }),
  signInsOfDevice: failureLimit('signInsOfDevice', { perSecond: 1 / 30, burst: 10 }),
  signInsOfDevices: failureLimit('signInsOfDevices', { perSecond: 1 / 30, burst: 30 }),
  /** Mails with a link to a new password. */
  resetsOfAccount: failureLimit('resetsOfAccount', { perSecond: 1 / 1_200, burst: 3 }),
  resets: addressLimits('resets', { perSecond: 1 / 60, burst: 20 }),
  /** Within a session, and within all sessions of a member. */
  passwordsOfSession: failureLimit('passwordsOfSession', { perSecond: 1 / 30, burst: 10 }),
  passwordsOfSessions: failureLimit('passwordsOfSessions', { perSecond: 1 / 30, burst: 30 }),
  /**
   * PINs, which are short: within a session, and within an organization. At 144 wrong ones a day a manager's six digits are guessed once in years;
   * right ones are given back.
   */
  pinsOfSession: failureLimit('pinsOfSession', { perSecond: 1 / 300, burst: 5 }),
  pinsOfAll: failureLimit('pinsOfAll', { perSecond: 1 / 600, burst: 15 }),
  /**
   * Codes of a second factor, after the right password. Three of a million are right at a time: at 300 tries a day one is guessed
   * once in three years.
   */
  factorsOfAccount: failureLimit('factorsOfAccount', { perSecond: 1 / 300, burst: 5 }),
} as const;

/** One more failure of `name`. */
export type CountedFailure = readonly [limit: FailureLimit, name: string];

interface Bucket {
  tokens: number;
  refilledAtMs: number;
}

/** The failure over its limit. */
export interface RefusedFailure {
  readonly kind: string;
  readonly state: RateLimitState;
}

/** The limits of this process, or of all processes together. Methods return no promise unless they have to wait. */
export interface RateLimiter {
  /** Takes a request of a key or session from the bucket of its group. */
  takeRequest(id: number, group: string, perSecond: number): RateLimitState | Promise<RateLimitState>;
  /**
   * Takes a request of a publishable key: from the bucket of the visitor's address, then from that of the key, which all
   * visitors share. So a visitor who asks too much costs the others nothing. The result is the visitor's, unless the key's bucket is empty.
   */
  takeVisit(
    id: number,
    group: string,
    perSecond: number,
    address: string,
  ): RateLimitState | Promise<RateLimitState>;
  /**
   * Counts failures before the outcome is known: concurrent attempts get no more than sequential ones. The first one
   * over its limit is returned, and then none of them counts.
   */
  takeFailures(
    ...failures: readonly CountedFailure[]
  ): RefusedFailure | null | Promise<RefusedFailure | null>;
  /** Gives back attempts that succeeded. */
  giveBackFailures(...failures: readonly CountedFailure[]): void;
}

/** Token buckets of this process, refilled by the clock: for requests per key or session, and for failures per name. */
export class RateLimits implements RateLimiter {
  readonly #clock: Clock;
  /** For valid keys and sessions only, so unknown callers cannot add entries. */
  readonly #requests = new Map<string, Bucket>();
  /** The visits with publishable keys, by key, group and address: in memory of fixed size, as every visitor can send one. */
  readonly #visits: AttemptCounts;
  readonly #failures = new Map<string, AttemptCounts>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#visits = new AttemptCounts(clock, { perSecond: 1, burst: burstFactor });
  }

  takeRequest(id: number, group: string, perSecond: number): RateLimitState {
    const name = `${id} ${group}`;
    const limit = perSecond * burstFactor;
    const nowMs = this.#clock.now();
    const bucket = this.#requests.get(name) ?? { tokens: limit, refilledAtMs: nowMs };
    // A clock that steps back adds and removes no tokens.
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

  takeVisit(id: number, group: string, perSecond: number, address: string): RateLimitState {
    const name = `${id} ${group} ${addressBlock(address, 64)}`;
    const visitor = this.#visits.take(name, { perSecond, burst: perSecond * burstFactor });
    if (!visitor.allowed) return visitor;
    const all = this.takeRequest(id, group, perSecond * visitorsFactor);
    return all.allowed ? visitor : all;
  }

  takeFailures(...failures: readonly CountedFailure[]): RefusedFailure | null {
    for (const [index, [limit, name]] of failures.entries()) {
      const state = this.#countsOf(limit).take(name);
      if (state.allowed) continue;
      this.giveBackFailures(...failures.slice(0, index));
      return { kind: limit.kind, state };
    }
    return null;
  }

  giveBackFailures(...failures: readonly CountedFailure[]): void {
    for (const [limit, name] of failures) this.#countsOf(limit).giveBack(name);
  }

  #countsOf(limit: FailureLimit): AttemptCounts {
    const known = this.#failures.get(limit.kind);
    if (known !== undefined) return known;
    const counts = new AttemptCounts(this.#clock, limit);
    this.#failures.set(limit.kind, counts);
    return counts;
  }

  /** A map keeps the order of insertion: inserting again makes a bucket the youngest. */
  #keep(name: string, bucket: Bucket, nowMs: number): void {
    this.#requests.delete(name);
    this.#requests.set(name, bucket);
    if (this.#requests.size <= bucketCountKept) return;
    // Checks the two oldest, so that the map shrinks; drops only full ones.
    let count = 0;
    for (const [oldest, { refilledAtMs }] of this.#requests) {
      if (count++ === 2 || nowMs - refilledAtMs < refillMs) return;
      this.#requests.delete(oldest);
    }
  }
}

/** The names under which an address counts: itself and its network. */
export function failuresOfAddress(
  { ofAddress, ofNetwork }: AddressLimits,
  address: string,
): CountedFailure[] {
  return [
    [ofAddress, addressBlock(address, 64)],
    [ofNetwork, addressBlock(address, 48)],
  ];
}
