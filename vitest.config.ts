import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src', 'cli', 'seed', 'scripts', 'test'].map((folder) => `${folder}/**/*.test.ts`),
    globalSetup: ['test/harness/global-setup.ts'],
    reporters: ['default', './test/harness/count-reporter.ts'],
    pool: 'forks',
    // Each brings PostgreSQL sessions and hashing of its own: more than two are slower on small machines.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
