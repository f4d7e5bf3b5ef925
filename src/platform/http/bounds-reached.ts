import type { Logger } from 'pino';
import type { Counter } from 'prom-client';

/** The limits: connections and pending bodies, per address and in total. */
type Bound = 'connections' | 'connections-of-address' | 'bodies' | 'bodies-of-address';

/** A flood must not flood the log as well. */
const logEveryMs = 10_000;

/** Reports connections and requests closed at a limit: a metric counts all of them, the log has a line at intervals. */
export class BoundsReached {
  readonly #logger: Logger;
  readonly #closed: Counter<'bound'>;
  readonly #untold = new Map<Bound, { count: number; toldAtMs: number }>();

  constructor(logger: Logger, closed: Counter<'bound'>) {
    this.#logger = logger;
    this.#closed = closed;
  }

  /** `from`: the address or network whose connection or request reached the limit. */
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
