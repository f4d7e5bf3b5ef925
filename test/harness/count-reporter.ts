import type { Reporter, TestModule } from 'vitest/node';
import { isLongSuite } from './is-long-suite.ts';
import { secondsOfTree } from './processor-time.ts';

/**
 * The processor time of `npm test`, in seconds: twelve minutes on two cores that do nothing else, less what waits for processes
 * and disks. A run beyond it says so. Then the dearest files get by with less: one service, one cluster, one browser for more
 * proofs (CONTRIBUTING.md). No proof is left out.
 */
const budgetSeconds = 1_320;
const shownFiles = 10;

/** Ends a run with what ran and what it cost, and with one machine-readable line, independent of vitest's own summary. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0;
    // An error outside of a test, or a file that does not load, fails the run: it counts as one.
    let failed = unhandledErrors.length;
    let skipped = 0;
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state);
      const failedHere = states.filter((state) => state === 'failed').length;
      passed += states.filter((state) => state === 'passed').length;
      skipped += states.filter((state) => state === 'skipped').length;
      failed += failedHere || (module.state() === 'failed' ? 1 : 0);
    }
    if (modules.length > 1) for (const line of costLines(modules)) console.log(line);
    console.log(`Ran ${modules.length} files: ${passed + failed} tests, ${skipped} skipped.`);
    console.log(`${passed} passed, ${failed} failed`);
  }
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
  const budget = isLongSuite ? '' : ` of ${budgetSeconds} s, for 12 minutes on two idle cores`;
  return [
    `\nProcessor time: ${total.toFixed(0)} s${budget}. The dearest files, without the shared database:`,
    ...files.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`),
    ...(isBeyond ? ['BEYOND THE BUDGET: see "What runs where" in CONTRIBUTING.md.'] : []),
    '',
  ];
}
