/* The times of the shop of list-filters.test.ts, and how its rows take turns. */

/** Midnights in the organization's time zone; on March 8 the clocks change. */
export const midnights = ['06T08', '07T08', '08T08', '09T07', '10T07'].map((at) =>
  Date.parse(`2026-03-${at}:00Z`),
);
export const laterMidnights = ['11T07', '12T07'].map((at) => Date.parse(`2026-03-${at}:00Z`));
export const aroundThem = (days: readonly number[]) => days.flatMap((at) => [at - 1, at, at + 36_000_000]);
export const nowMs = Date.parse('2026-03-12T18:00:00.000Z');

export const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
export const turn = <Item>(items: readonly Item[], at: number): Item => items[at % items.length]!;
