/**
 * The source of the current time. Business code never calls `Date.now()`; it uses the clock of its context, so that
 * tests and the sandbox control the time and no test sleeps.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still until it is moved, for tests and demo data. */
export class ManualClock implements Clock {
  #nowMs: number;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  set(nowMs: number): void {
    this.#nowMs = nowMs;
  }

  advance(byMs: number): void {
    this.#nowMs += byMs;
  }
}
