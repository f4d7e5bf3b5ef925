import { beforeAll, test as vitestTest } from 'vitest';
import { seededRandom } from '../../seed/seeded-random.ts';
import { drawnFrom, isLongSuite } from './long-suite.ts';

interface Counts {
  /** How many proofs the file defines with it. */
  readonly of: number;
  /** How many of them a run of `npm test` has. */
  readonly everyRun: number;
  /** Whether they run side by side. */
  readonly isConcurrent?: boolean;
}

/**
 * Defines dear proofs that stand for themselves: a run of `npm test` has some of them, drawn by its seed. All of them run in the
 * long suite, and where tests are chosen by their names (`-t`).
 */
export function drawnTest({ of, everyRun, isConcurrent = false }: Counts) {
  const isNamed = process.env.TEST_NAMED !== undefined;
  const drawn = new Set(
    drawnFrom(
      Array.from({ length: of }, (_, index) => index),
      isNamed ? of : everyRun,
    ),
  );
  let defined = 0;
  beforeAll(() => {
    if (defined !== of) throw new Error(`drawnTest draws from ${of} proofs, and ${defined} are defined`);
  });
  return (name: string, prove: () => Promise<void>, timeoutMs?: number, isPossible = true): void => {
    const isDrawn = drawn.has(defined);
    defined += 1;
    if (!isDrawn) return;
    const it = vitestTest.runIf(isPossible);
    (isConcurrent ? it.concurrent : it)(name, prove, timeoutMs);
  };
}

/**
 * Defines a dear proof that stands for itself, in a file that has others: one run of `npm test` in four has it, drawn by the seed of
 * the run and its name. The long suite always has it, and so has a run that chooses tests by their names (`-t`).
 */
export function dearTest(name: string, prove: () => void | Promise<void>, timeoutMs?: number): void {
  if (isDearDrawn(name)) vitestTest(name, prove, timeoutMs);
}

/** Whether this run has the dear proof of that name. */
export function isDearDrawn(name: string): boolean {
  const isDrawn = seededRandom(`${process.env.TEST_SEED} ${name}`).chance(0.25);
  return isLongSuite || process.env.TEST_NAMED !== undefined || isDrawn;
}
