export interface LoopResult {
  readonly count: number;
  readonly opsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * Runs `concurrency` workers for a while. Each worker starts its next operation when the last one has ended, as a
 * caller that waits for the answer does.
 */
export async function closedLoop(
  concurrency: number,
  durationMs: number,
  operate: (worker: number) => Promise<void>,
): Promise<LoopResult> {
  const tookMs: number[] = [];
  const startedAtMs = performance.now();
  const endsAtMs = startedAtMs + durationMs;
  await Promise.all(
    Array.from({ length: concurrency }, async (_, worker) => {
      for (let beganAtMs = performance.now(); beganAtMs < endsAtMs; ) {
        await operate(worker);
        const endedAtMs = performance.now();
        tookMs.push(endedAtMs - beganAtMs);
        beganAtMs = endedAtMs;
      }
    }),
  );
  const seconds = (performance.now() - startedAtMs) / 1000;
  tookMs.sort((a, b) => a - b);
  return {
    count: tookMs.length,
    opsPerSecond: tookMs.length / seconds,
    p50Ms: percentile(tookMs, 0.5),
    p99Ms: percentile(tookMs, 0.99),
  };
}

/** Nearest rank; `sorted` is ascending and not empty. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(sorted.length * share) - 1]!;
}

export function median(values: readonly number[]): number {
  return percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

/** The results of that many pieces of work, so many at a time. */
export async function allOf<Result>(
  count: number,
  concurrency: number,
  work: (at: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const at = next++;
      results[at] = await work(at);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
}
