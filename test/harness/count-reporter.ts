import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one machine-readable line, independent of vitest's own summary. */
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
    console.log(`${passed} passed, ${failed} failed`);
  }
}
