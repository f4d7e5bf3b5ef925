/**
 * Where "now" comes from. Business code never calls `Date.now()`: it asks the clock of its context,
 * so that tests and the sandbox decide what time it is and no test sleeps.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still until it is moved: for tests and for the demo data. */
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
