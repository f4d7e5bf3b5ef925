import type { DatabaseTrial } from './database-trial.ts';
import { DatabaseUnresponsive } from './deadlines.ts';

const pauseMs = 250;

/** Which work a silent database does not get. */
type BlockedWork = 'nothing' | 'writes' | 'everything';

/**
 * Opens when the database is silent. After a round trip misses its deadline, a separate connection tries the
 * database until it answers. Until then callers are refused at once: they would only wait, and each write would leave a
 * session behind that the server can end only when it responds again.
 */
export class CircuitBreaker {
  readonly #attempt: () => Promise<DatabaseTrial>;
  /** Connections opened before this time may be dead. */
  #suspectUntilMs = Number.NEGATIVE_INFINITY;
  #unasked: BlockedWork = 'nothing';
  #isWatching = false;
  #isClosed = false;

  constructor(attempt: () => Promise<DatabaseTrial>) {
    this.#attempt = attempt;
  }

  /** Reports a round trip that missed its deadline. */
  trip(): void {
    this.#suspectUntilMs = performance.now();
    if (this.#isWatching || this.#isClosed) return;
    this.#isWatching = true;
    void this.#watch();
  }

  isSuspect({ madeAtMs }: { readonly madeAtMs: number }): boolean {
    return madeAtMs <= this.#suspectUntilMs;
  }

  refuses(kind: 'read' | 'write'): boolean {
    return this.#unasked === 'everything' || (this.#unasked === 'writes' && kind === 'write');
  }

  close(): void {
    this.#isClosed = true;
  }

  async #watch(): Promise<void> {
    for (;;) {
      this.#unasked = blockedWorkAfter(await this.#attempt());
      if (this.#unasked === 'nothing' || this.#isClosed) break;
      await new Promise<void>((resolve) => setTimeout(resolve, pauseMs).unref());
    }
    this.#isWatching = false;
  }
}

/** Any answer, a refusal too, ends the breaker. */
function blockedWorkAfter({ reached, error }: DatabaseTrial): BlockedWork {
  if (!(error instanceof DatabaseUnresponsive)) return 'nothing';
  return reached === 'nothing' ? 'everything' : 'writes';
}
