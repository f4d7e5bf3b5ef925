// Own code, because a list of counters must drop some under attack (docs/decisions/0015-limits-of-failed-sign-ins.md).

import { hash } from 'node:crypto';
import type { Clock } from '../../kernel/clock.ts';
import { strongRandomBytes } from '../../kernel/random-bytes.ts';

const rowCount = 3;
/** Two bytes of a digest select a cell of a row. */
const cellsPerRow = 65_536;

/** The values of the RateLimit headers, and whether the request is allowed. */
export interface RateLimitState {
  readonly allowed: boolean;
  /** The capacity of the bucket, in requests. */
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number;
  /** Seconds until the next request is allowed; 0 when it is allowed now. */
  readonly retryAfterSeconds: number;
}

export interface AttemptRate {
  readonly perSecond: number;
  readonly burst: number;
}

/**
 * Token buckets for names that unknown callers choose (emails, addresses), in memory of fixed size. So no flood of
 * names can displace a name that is refused. It is a count-min sketch: a name takes from one cell of each row, and its
 * level is that of the fullest of these cells. Two names can share a cell, but rarely all three; then both have fewer
 * tokens than alone, never more. A secret of the process decides which names share cells. A cell takes 8 bytes: the
 * time at which it is full again.
 */
export class AttemptCounts {
  readonly #clock: Clock;
  readonly #rate: AttemptRate;
  readonly #secret = Buffer.from(strongRandomBytes(16)).toString('base64');
  /** Created for the first name: most processes count no attempts. */
  #fullAtMs: Float64Array | undefined;
  #lastNowMs: number;
  /** Monotonic time, also when the clock steps back. */
  #passedMs = 0;

  constructor(clock: Clock, rate: AttemptRate) {
    this.#clock = clock;
    this.#rate = rate;
    this.#lastNowMs = clock.now();
  }

  /** Takes a token if there is one. `rate`: where names have rates of their own. */
  take(name: string, { perSecond, burst } = this.#rate): RateLimitState {
    const msEach = 1000 / perSecond;
    const nowMs = this.#time();
    const cells = this.#cellsOf(name);
    const full = this.#cells();
    const takenMs = Math.max(0, Math.min(...cells.map((cell) => full[cell]!)) - nowMs);
    const allowed = takenMs <= (burst - 1) * msEach;
    if (allowed) for (const cell of cells) full[cell] = Math.max(full[cell]!, nowMs) + msEach;
    const leftMs = burst * msEach - takenMs - (allowed ? msEach : 0);
    return {
      allowed,
      limit: burst,
      remaining: Math.max(0, Math.floor(leftMs / msEach)),
      resetSeconds: Math.ceil((burst * msEach - leftMs) / 1000),
      retryAfterSeconds: allowed ? 0 : Math.ceil((takenMs - (burst - 1) * msEach) / 1000),
    };
  }

  /** Returns a token. */
  giveBack(name: string): void {
    const full = this.#cells();
    for (const cell of this.#cellsOf(name)) full[cell] = full[cell]! - 1000 / this.#rate.perSecond;
  }

  #time(): number {
    const nowMs = this.#clock.now();
    this.#passedMs += Math.max(0, nowMs - this.#lastNowMs);
    this.#lastNowMs = nowMs;
    return this.#passedMs;
  }

  #cells(): Float64Array {
    this.#fullAtMs ??= new Float64Array(rowCount * cellsPerRow);
    return this.#fullAtMs;
  }

  #cellsOf(name: string): number[] {
    const digest = hash('sha256', `${this.#secret}${name}`, 'buffer');
    return Array.from({ length: rowCount }, (_, row) => row * cellsPerRow + digest.readUInt16LE(row * 2));
  }
}
