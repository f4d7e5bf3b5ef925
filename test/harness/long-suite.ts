/** Whether the long suite runs (`npm run test:long`): the full counts of random cases, and the slow proofs. */
export const isLongSuite = process.env.TEST_SUITE === 'long';

/** The number of random cases of a proof: fresh ones in every run of `npm test`, the full count in the long suite. */
export function casesOf(count: { readonly everyRun: number; readonly long: number }): number {
  return isLongSuite ? count.long : count.everyRun;
}
