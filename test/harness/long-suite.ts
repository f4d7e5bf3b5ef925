/** Whether the long suite runs (`npm run test:long`): the full counts of random cases, and the proofs that take their time. */
export const isLongSuite = process.env.TEST_SUITE === 'long';

/** How many random cases a proof tries: fresh ones in every run of `npm test`, the full count in the long suite. */
export function casesOf(count: { readonly everyRun: number; readonly long: number }): number {
  return isLongSuite ? count.long : count.everyRun;
}
