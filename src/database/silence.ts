import type { DatabaseTrial } from './database-trial.ts';
import { DatabaseSilence } from './deadlines.ts';

const pauseMs = 250;

/** What a silent database is not asked. */
type Unasked = 'nothing' | 'writes' | 'everything';

/**
 * Knows whether the database is silent. It is tried by a connection of its own as soon as a round trip has passed its
 * deadline, and again until it answers. Until then callers are refused at once: they would only wait, and each write
 * that is sent leaves a session behind which the server can end only when it answers again.
 */
export class Silence {
  readonly #attempt: () => Promise<DatabaseTrial>;
  /** Connections from before have not proven that they lead anywhere. */
  #suspectUntilMs = Number.NEGATIVE_INFINITY;
  #unasked: Unasked = 'nothing';
  #isWatching = false;
  #isClosed = false;

  constructor(attempt: () => Promise<DatabaseTrial>) {
    this.#attempt = attempt;
  }

  /** To be told of each round trip that has passed its deadline. */
  note(): void {
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
      this.#unasked = unaskedAfter(await this.#attempt());
      if (this.#unasked === 'nothing' || this.#isClosed) break;
      await new Promise<void>((resolve) => setTimeout(resolve, pauseMs).unref());
    }
    this.#isWatching = false;
  }
}

/** Any answer, a refusal too, is no silence. */
function unaskedAfter({ reached, error }: DatabaseTrial): Unasked {
  if (!(error instanceof DatabaseSilence)) return 'nothing';
  return reached === 'nothing' ? 'everything' : 'writes';
}
