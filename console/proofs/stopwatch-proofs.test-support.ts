import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isLongSuite } from '../../test/harness/long-suite.ts';
import { counterJobs } from './counter-jobs.test-support.ts';
import { Hands, type Job } from './hands.test-support.ts';
import { type JobName, jobBounds } from './job-bounds.ts';
import { machinePace, paceMax } from './machine-pace.ts';
import { officeJobs } from './office-jobs.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';
import { tillJobs } from './till-jobs.test-support.ts';

/** Where `npm run stopwatch` collects what was measured, a line of JSON for each job. */
const measuredFile = process.env.STOPWATCH_FILE;

/** Other work on the machine only adds milliseconds: the best try counts. */
const triesMax = 3;

/**
 * The stopwatch: every job of the table is done with counted hands, and fails where it needs more acts or, on a machine that is
 * idle enough, more milliseconds than its bound.
 */
export function stopwatchProofs(shop: () => ProofShop): void {
  const jobs: Readonly<Record<JobName, Job>> = { ...counterJobs, ...officeJobs, ...tillJobs };
  const everyRun = { ...counterJobs, ...officeJobs };
  for (const name of Object.keys(isLongSuite ? jobBounds : everyRun) as JobName[]) {
    test(`stopwatch: ${name}`, async () => {
      let best = await measured(jobs[name], name, shop());
      // The browser of `npm test` optimizes nothing, and other tests run beside it.
      for (let tries = 1; isLongSuite && isTooSlow(best) && tries < triesMax; tries += 1) {
        await shop().settle();
        const next = await measured(jobs[name], name, shop());
        if (next.ms / next.pace < best.ms / best.pace) best = next;
      }
      if (measuredFile) appendFileSync(measuredFile, `${JSON.stringify(best)}\n`);
      if (!isLongSuite || best.pace > paceMax) return;
      expect(isTooSlow(best), `${best.ms} ms at pace ${best.pace.toFixed(2)}:\n${best.steps}`).toBe(false);
    });
  }
}

interface Measured {
  readonly name: JobName;
  readonly actions: number;
  readonly ms: number;
  readonly actionsMax: number;
  readonly msMax: number;
  /** The slower of the machine's paces before and after. */
  readonly pace: number;
  readonly steps: string;
}

/** Telling it takes half a second of the processor: only where milliseconds count. */
const paceIfTimed = () => (isLongSuite || measuredFile !== undefined ? machinePace() : 1);

/** Does the job once. Its acts are exact in every run. */
async function measured({ prepare }: Job, name: JobName, shop: ProofShop): Promise<Measured> {
  const bound = jobBounds[name];
  const { console: opened, work } = await prepare(shop);
  const hands = new Hands(opened.page);
  const before = paceIfTimed();
  await work(hands);
  const pace = Math.max(1, before, paceIfTimed());
  const { actions, ms, steps } = hands;
  expect(actions, `scans, taps, keys and typed values:\n${steps}`).toBeLessThanOrEqual(bound.actions);
  return { name, actions, ms, steps, pace, actionsMax: bound.actions, msMax: bound.ms };
}

/** On a slower machine it may take as many times longer as its pace is slower. */
function isTooSlow({ ms, msMax, pace }: Measured): boolean {
  return ms > msMax * pace;
}
