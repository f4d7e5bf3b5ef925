import { hash } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import { strongRandomBytes } from '../kernel/random-bytes.ts';

const rowCount = 3;
/** Two bytes of a digest choose a cell of a row. */
const cellsPerRow = 65_536;

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

export interface AttemptRate {
  readonly perSecond: number;
  readonly burst: number;
}

/**
 * Token buckets of names that strangers choose (emails, addresses), in memory that does not grow, so that nothing is ever
 * forgotten that still refuses. A count-min sketch: a name takes from one cell of each row, and has what the fullest of
 * them holds. Two names can share a cell, but hardly all three; then both have less than they would alone, never more.
 * Which cells are shared depends on a secret of the process. A cell takes 8 bytes: the moment at which it is full again.
 */
export class AttemptCounts {
  readonly #clock: Clock;
  readonly #burst: number;
  readonly #msEach: number;
  readonly #secret = Buffer.from(strongRandomBytes(16)).toString('base64');
  /** Made with the first name: most processes count no attempts. */
  #fullAtMs: Float64Array | undefined;
  #lastNowMs: number;
  /** Time that never goes back, also when the clock does. */
  #passedMs = 0;

  constructor(clock: Clock, { perSecond, burst }: AttemptRate) {
    this.#clock = clock;
    this.#burst = burst;
    this.#msEach = 1000 / perSecond;
    this.#lastNowMs = clock.now();
  }

  /** Takes one, unless there is none. */
  take(name: string): RateLimitState {
    const nowMs = this.#time();
    const cells = this.#cellsOf(name);
    const full = this.#cells();
    const takenMs = Math.max(0, Math.min(...cells.map((cell) => full[cell]!)) - nowMs);
    const allowed = takenMs <= (this.#burst - 1) * this.#msEach;
    if (allowed) for (const cell of cells) full[cell] = Math.max(full[cell]!, nowMs) + this.#msEach;
    const leftMs = this.#burst * this.#msEach - takenMs - (allowed ? this.#msEach : 0);
    return {
      allowed,
      limit: this.#burst,
      remaining: Math.max(0, Math.floor(leftMs / this.#msEach)),
      resetSeconds: Math.ceil((this.#burst * this.#msEach - leftMs) / 1000),
      retryAfterSeconds: allowed ? 0 : Math.ceil((takenMs - (this.#burst - 1) * this.#msEach) / 1000),
    };
  }

  /** What was taken counts no more. */
  giveBack(name: string): void {
    const full = this.#cells();
    for (const cell of this.#cellsOf(name)) full[cell] = full[cell]! - this.#msEach;
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
