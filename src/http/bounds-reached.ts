import type { Logger } from 'pino';
import type { Counter } from 'prom-client';

/** What is bounded: connections and requests whose body is awaited, of one address and of all. */
export type Bound = 'connections' | 'connections-of-address' | 'bodies' | 'bodies-of-address';

/** A flood shall not flood the log as well. */
const logEveryMs = 10_000;

/** Tells of what was closed at a bound: a metric counts all of it, the log has a line now and then. */
export class BoundsReached {
  readonly #logger: Logger;
  readonly #closed: Counter<'bound'>;
  readonly #untold = new Map<Bound, { count: number; toldAtMs: number }>();

  constructor(logger: Logger, closed: Counter<'bound'>) {
    this.#logger = logger;
    this.#closed = closed;
  }

  /** `from`: the address, or network of addresses, of the one that came when the bound was reached. */
  note(bound: Bound, from: string, count = 1): void {
    this.#closed.inc({ bound }, count);
    const nowMs = performance.now();
    const state = this.#untold.get(bound) ?? { count: 0, toldAtMs: Number.NEGATIVE_INFINITY };
    this.#untold.set(bound, state);
    state.count += count;
    if (nowMs - state.toldAtMs < logEveryMs) return;
    this.#logger.warn({ bound, from, count: state.count }, 'connections closed at a bound');
    state.toldAtMs = nowMs;
    state.count = 0;
  }
}
