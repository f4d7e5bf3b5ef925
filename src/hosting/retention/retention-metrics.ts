import { Counter, Gauge, Registry } from 'prom-client';
import type { BacklogOfKind, RetainedKindName } from './retention-backlog.ts';

/** Metrics of expired rows, as of the last pass of this process. */
export class RetentionMetrics {
  readonly #overdue: Gauge<'kind'>;
  readonly #pruned: Counter<'kind'>;
  readonly #failures: Counter<'kind'>;
  readonly #oldestMs = new Map<RetainedKindName, number>();

  constructor(now: () => number, registry: Registry = new Registry()) {
    const registers = [registry];
    const labelNames = ['kind'] as const;
    this.#overdue = new Gauge({
      name: 'retention_overdue_rows',
      help: 'Rows that are older than they are kept, by kind, after the last pass; at most 10,000 of each organization.',
      ...{ labelNames, registers },
    });
    const oldestMs = this.#oldestMs;
    new Gauge({
      name: 'retention_oldest_row_seconds',
      help: 'The age of the oldest row, by kind.',
      ...{ labelNames, registers },
      collect() {
        this.reset();
        for (const [kind, ms] of oldestMs) this.set({ kind }, Math.max(0, (now() - ms) / 1_000));
      },
    });
    this.#pruned = new Counter({
      name: 'retention_pruned_total',
      help: 'Expired rows that were deleted, or that lost their expired part, by kind.',
      ...{ labelNames, registers },
    });
    this.#failures = new Counter({
      name: 'retention_failures_total',
      help: 'Steps that failed, by kind; the next pass tries again.',
      ...{ labelNames, registers },
    });
  }

  /** What is left of a kind. */
  show({ kind, overdue, oldestMs }: BacklogOfKind): void {
    this.#overdue.set({ kind }, overdue);
    if (oldestMs === null) this.#oldestMs.delete(kind);
    else this.#oldestMs.set(kind, oldestMs);
  }

  count(kind: RetainedKindName, rows: number): void {
    this.#pruned.inc({ kind }, rows);
  }

  failed(kind: RetainedKindName): void {
    this.#failures.inc({ kind });
  }
}
