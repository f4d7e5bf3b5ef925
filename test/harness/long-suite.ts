/** Whether the long suite runs (`npm run test:long`): the full counts of random cases, and the slow proofs. */
export const isLongSuite = process.env.TEST_SUITE === 'long';

/** The number of random cases of a proof: fresh ones in every run of `npm test`, the full count in the long suite. */
export function casesOf(count: { readonly everyRun: number; readonly long: number }): number {
  return isLongSuite ? count.long : count.everyRun;
}

/**
 * The cases of a proof whose cases are listed: all of them in the long suite, `everyRun` of them, drawn afresh, in
 * `npm test`. A failure must name its case, because the next run draws others.
 */
export function drawnFrom<Case>(cases: readonly Case[], everyRun: number): readonly Case[] {
  if (isLongSuite || cases.length <= everyRun) return cases;
  const drawn = [...cases];
  for (let index = 0; index < everyRun; index += 1) {
    const other = index + Math.floor(Math.random() * (drawn.length - index));
    [drawn[index], drawn[other]] = [drawn[other]!, drawn[index]!];
  }
  return drawn.slice(0, everyRun);
}
