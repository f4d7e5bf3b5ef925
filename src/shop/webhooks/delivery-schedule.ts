const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The pauses after failed attempts: the last attempt is almost three days after the first (D66). */
export const pausesMs: readonly number[] = [
  ...[5 * second, 30 * second, 2 * minute, 10 * minute],
  ...[1, 3, 6, 12, 24, 24].map((hours) => hours * hour),
];

/** An endpoint whose attempts only failed for this long is switched off. */
export const failingMsMax = 5 * 24 * hour;

/** When a delivery is tried again after its nth failed attempt; null: it is given up. */
export function nextAttemptMs(attempts: number, nowMs: number): number | null {
  const pause = pausesMs[attempts - 1];
  return pause === undefined ? null : nowMs + pause;
}
