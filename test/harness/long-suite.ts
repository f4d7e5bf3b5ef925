import { isLongSuite } from './is-long-suite.ts';

export { isLongSuite };

/** The number of random cases of a proof: those of `npm test`, and the full count in the long suite. */
export function casesOf(count: { readonly everyRun: number; readonly long: number }): number {
  return isLongSuite ? count.long : count.everyRun;
}
