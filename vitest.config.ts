import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take half a minute or more: begun last, one of them would keep one worker busy and the other idle. */
const longFiles = /(malformed-requests|staff-endpoints|console-proofs|trading-year|crash)\.test\.ts$/;

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => longFiles.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ['src', 'cli', 'seed', 'sdk', 'console', 'scripts', 'test'].map(
      (folder) => `${folder}/**/*.test.ts`,
    ),
    globalSetup: ['test/harness/global-setup.ts'],
    reporters: ['default', './test/harness/count-reporter.ts'],
    pool: 'forks',
    // Files of one worker share the modules of the program: loading them anew for each took a sixth of the run.
    isolate: false,
    // Each brings PostgreSQL sessions and hashing of its own: more than two are slower on small machines.
    maxWorkers: 2,
    sequence: { sequencer: LongFilesFirst },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What is waited for comes when it comes: a second is too short on a machine that does two things at once.
    expect: { poll: { timeout: 20_000 } },
  },
});
