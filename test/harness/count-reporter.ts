import type { Reporter, TestModule } from 'vitest/node';
import { isLongSuite } from './is-long-suite.ts';
import { secondsOfTree } from './processor-time.ts';

/**
 * The processor time of `npm test`, in seconds: four minutes on two cores, less what a busy machine adds. A run beyond it says
 * so. Then measure what the dearest files do, and move full counts to the long suite (CONTRIBUTING.md).
 */
const budgetSeconds = 400;
const shownFiles = 10;

/** Ends a run with what it cost, and with one machine-readable line, independent of vitest's own summary. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0;
    // An error outside of a test, or a file that does not load, fails the run: it counts as one.
    let failed = unhandledErrors.length;
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state);
      const failedHere = states.filter((state) => state === 'failed').length;
      passed += states.filter((state) => state === 'passed').length;
      failed += failedHere || (module.state() === 'failed' ? 1 : 0);
    }
    for (const line of secondAttemptLines(modules)) console.log(line);
    if (modules.length > 1) for (const line of costLines(modules)) console.log(line);
    const leftOut = process.env.TEST_FILES_LEFT_OUT;
    if (leftOut)
      console.log(`Left to other runs and to the long suite: ${leftOut.replaceAll('.test.ts', '')}`);
    console.log(`TEST_SEED=${process.env.TEST_SEED} draws the same cases again.`);
    console.log(`${passed} passed, ${failed} failed`);
  }
}

/** Names each test that passed at its second attempt only, with what failed first: it, or what it tests, has a race. */
function secondAttemptLines(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) =>
    [...module.children.allTests()]
      .filter((test) => test.diagnostic()?.flaky === true)
      .map((test) => {
        const first = test.result().errors?.[0]?.message.split('\n')[0] ?? 'no message';
        return `PASSED AT THE SECOND ATTEMPT: ${module.relativeModuleId}, "${test.name}": ${first}`;
      }),
  );
}

/** The processor time of the whole run, and of its dearest files. */
function costLines(modules: readonly TestModule[]): string[] {
  const remembered = secondsOfTree(process.pid);
  if (remembered === undefined) return [];
  const total = modules.reduce((sum, module) => sum + (module.meta().forgottenSeconds ?? 0), remembered);
  const files = modules
    .map((module) => ({ name: module.relativeModuleId, seconds: module.meta().processorSeconds ?? 0 }))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, shownFiles);
  const isBeyond = !isLongSuite && total > budgetSeconds;
  return [
    `\nProcessor time: ${total.toFixed(0)} s${isLongSuite ? '' : ` of ${budgetSeconds} s`}. The dearest files, without the shared database:`,
    ...files.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`),
    ...(isBeyond ? ['BEYOND THE BUDGET: see "What runs where" in CONTRIBUTING.md.'] : []),
    '',
  ];
}
