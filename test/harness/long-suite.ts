import { basename } from 'node:path';
import { expect } from 'vitest';
import { type SeededRandom, seededRandom } from '../../seed/seeded-random.ts';
import { isLongSuite } from './is-long-suite.ts';

export { isLongSuite };

/** The number of random cases of a proof: fresh ones in every run of `npm test`, the full count in the long suite. */
export function casesOf(count: { readonly everyRun: number; readonly long: number }): number {
  return isLongSuite ? count.long : count.everyRun;
}

/**
 * The cases of a proof whose cases are listed: all of them in the long suite, or `long` of them; `everyRun` of them in `npm test`,
 * drawn by the seed of the run. A failure must name its case, because the next run draws others.
 */
export function drawnFrom<Case>(
  cases: readonly Case[],
  everyRun: number,
  long: number = cases.length,
): readonly Case[] {
  const count = casesOf({ everyRun, long });
  if (cases.length <= count) return cases;
  const random = drawing();
  const drawn = [...cases];
  for (let index = 0; index < count; index += 1) {
    const other = random.integer(index, drawn.length - 1);
    [drawn[index], drawn[other]] = [drawn[other]!, drawn[index]!];
  }
  return drawn.slice(0, count);
}

/** One of so many cases in a run of `npm test`, at least one, except where tests are chosen by their names (`-t`). */
export function oneIn<Case>(count: number, cases: readonly Case[]): readonly Case[] {
  return process.env.TEST_NAMED === undefined ? drawnFrom(cases, Math.ceil(cases.length / count)) : cases;
}

const drawings = new Map<string, number>();

/** Differs between runs, files and draws; `TEST_SEED` repeats the draws of a run, also of one file of it. */
function drawing(): SeededRandom {
  const file = expect.getState().testPath ?? '';
  const count = drawings.get(file) ?? 0;
  drawings.set(file, count + 1);
  return seededRandom(`${process.env.TEST_SEED} ${basename(file)} ${count}`);
}
