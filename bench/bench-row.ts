import { type LoopResult, median } from './closed-loop.ts';
import type { ServerProcess } from './server-process.ts';

/** Puts load on one side of a row, for a while. */
export type Load = (concurrency: number, durationMs: number) => Promise<LoopResult>;

/** A workload, its baseline, and the targets of their ratio. */
export interface BenchRow {
  readonly work: string;
  readonly baseline: Load;
  readonly ours: Load;
  readonly target: number;
  readonly goal: number;
  /** Default: 8. */
  readonly concurrency?: number;
  /** The baseline is measured at the other numbers of connections, too. */
  readonly baselineBeside?: boolean;
  /** Per operation. */
  readonly statements: number;
  readonly roundTrips: number;
}

/** Medians of the rounds. */
export interface MeasuredRow extends BenchRow {
  readonly baselineOpsPerSecond: number;
  readonly oursOpsPerSecond: number;
  /** Ours ÷ baseline, measured one right after the other. */
  readonly ratio: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly serverCpuMs: number;
  /** NaN where it is not available. */
  readonly databaseCpuMs: number;
  /** Results with other numbers of connections. */
  readonly beside: readonly (LoopResult & {
    readonly concurrency: number;
    /** NaN where the baseline is not measured. */
    readonly ratio: number;
  })[];
}

export interface Rounds {
  readonly count: number;
  readonly durationMs: number;
}

const concurrencyUsual = 8;
const concurrenciesBeside = [1, 64];
/**
 * The runtime compiles a function after so many calls, on the same two cores; a server runs for weeks. An order takes three times
 * as much of the processor at first as after ten thousand. Baseline and ours get as many operations, however slow they are.
 */
const warmUpCount = 12_000;
const warmUpMs = 6_000;
const warmUpMsMax = 40_000;

/** Measures baseline and ours by turns, after a warm-up that does not count: other load on the machine slows both. */
export async function measureRow(row: BenchRow, server: ServerProcess, rounds: Rounds): Promise<MeasuredRow> {
  const { count, durationMs } = rounds;
  const concurrencyOfRow = row.concurrency ?? concurrencyUsual;
  await warmUp(row.baseline, concurrencyOfRow);
  await warmUp(row.ours, concurrencyOfRow);
  const measured = [];
  for (let round = 0; round < count; round++) {
    const baseline = await row.baseline(concurrencyOfRow, durationMs);
    const before = await server.usage();
    const ours = await row.ours(concurrencyOfRow, durationMs);
    const after = await server.usage();
    measured.push({
      ...ours,
      baselineOpsPerSecond: baseline.opsPerSecond,
      ratio: ours.opsPerSecond / baseline.opsPerSecond,
      serverCpuMs: ((after.serverCpuSeconds - before.serverCpuSeconds) * 1000) / ours.count,
      databaseCpuMs: ((after.databaseCpuSeconds - before.databaseCpuSeconds) * 1000) / ours.count,
    });
  }
  const beside = [];
  for (const concurrency of concurrenciesBeside) {
    const results = [];
    for (let round = 0; round < count; round++) {
      const baseline = row.baselineBeside ? await row.baseline(concurrency, durationMs / 2) : null;
      const ours = await row.ours(concurrency, durationMs / 2);
      results.push({
        ...ours,
        ratio: baseline === null ? Number.NaN : ours.opsPerSecond / baseline.opsPerSecond,
      });
    }
    beside.push({ ...mediansOf(results), concurrency });
  }
  const { opsPerSecond, ...medians } = mediansOf(measured);
  return { ...row, ...medians, oursOpsPerSecond: opsPerSecond, beside };
}

async function warmUp(load: Load, concurrency: number): Promise<void> {
  const startedAtMs = performance.now();
  for (let count = 0; count < warmUpCount; ) {
    count += (await load(concurrency, warmUpMs)).count;
    if (performance.now() - startedAtMs > warmUpMsMax) return;
  }
}

function mediansOf<Key extends string>(
  results: readonly Readonly<Record<Key, number>>[],
): Record<Key, number> {
  const keys = Object.keys(results[0]!) as Key[];
  const pairs = keys.map((key) => [key, median(results.map((result) => result[key]))]);
  return Object.fromEntries(pairs) as Record<Key, number>;
}
