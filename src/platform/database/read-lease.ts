import { setTimeout as wait } from 'node:timers/promises';
import type { PipelineStatement } from '../connections/pipeline.ts';
import { tablesWrittenBy } from '../statements/statement.ts';

/**
 * Lets readers of any process use a result for `leaseMs` without checking these tables for changes. A write of the
 * tables is answered only after that time, so a caller who knows of a change always sees it.
 */
export interface ReadLease {
  readonly ms: number;
  readonly tables: ReadonlySet<string>;
}

/** A timer can fire a fraction of a millisecond early. */
const timerErrorMs = 2;

/** The writers' side of a lease. Without a lease, no write waits. */
export class Leases {
  readonly #lease: ReadLease | undefined;

  constructor(lease: ReadLease | undefined) {
    this.#lease = lease;
  }

  /** How long a reader may use a result without a check; 0 without a lease. */
  get ms(): number {
    return this.#lease?.ms ?? 0;
  }

  /** Whether a statement writes a table under the lease. */
  areWrittenBy({ text }: PipelineStatement): boolean {
    if (this.#lease === undefined) return false;
    for (const table of tablesWrittenBy(text)) if (this.#lease.tables.has(table)) return true;
    return false;
  }

  /** Waits until no reader uses a result from before the commit, if the write concerns the lease. */
  async waitIf(areWritten: boolean): Promise<void> {
    if (areWritten) await wait(this.ms + timerErrorMs);
  }
}
