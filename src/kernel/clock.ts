import { AsyncLocalStorage } from 'node:async_hooks';

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

/** How the clock of a sandbox differs from that of the deployment (D60). */
export interface ClockSetting {
  /** What it adds to the time of the deployment. */
  readonly aheadMs: number;
  /** The moment at which it stands; null: it runs. */
  readonly standsAtMs: number | null;
}

/** A clock that runs with that of the deployment. */
export const realTime: ClockSetting = { aheadMs: 0, standsAtMs: null };

/** Whether a clock shows another time than that of the deployment. */
export function isMoved({ aheadMs, standsAtMs }: ClockSetting): boolean {
  return aheadMs !== 0 || standsAtMs !== null;
}

/** What a clock with this setting shows. */
export function timeBy({ aheadMs, standsAtMs }: ClockSetting, realMs: number): number {
  return standsAtMs ?? realMs + aheadMs;
}

/**
 * The clock of the organization for which the running function works: that of the deployment, or of its sandbox. Node 20
 * follows a function through its promises with hooks that slow down every promise of the process, so they are active only
 * while a sandbox with a moved clock is at work.
 */
export class OrganizationClock implements Clock {
  readonly #base: Clock;
  readonly #storage = new AsyncLocalStorage<ClockSetting>();
  #count = 0;

  constructor(base: Clock) {
    this.#base = base;
  }

  now(): number {
    const realMs = this.#base.now();
    if (this.#count === 0) return realMs;
    const setting = this.#storage.getStore();
    return setting === undefined ? realMs : timeBy(setting, realMs);
  }

  /** Runs `work` by a clock with this setting. */
  async runBy<Result>(setting: ClockSetting, work: () => Promise<Result> | Result): Promise<Result> {
    if (!isMoved(setting)) return work();
    this.#count++;
    try {
      return await this.#storage.run(setting, work);
    } finally {
      this.#count--;
      if (this.#count === 0) this.#storage.disable();
    }
  }
}
