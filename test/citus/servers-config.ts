import { defineConfig } from 'vitest/config';

/** `POSTGRES_PROGRAMS=<folder> npm run test:citus`: servers that the tests make themselves, and what becomes of them under load. */
export default defineConfig({
  test: {
    include: [
      'test/citus/failures.ts',
      'test/citus/recovery.ts',
      ...(process.env.CITUS_BENCH ? ['test/citus/speed.ts'] : []),
    ],
    globalSetup: ['test/citus/own-servers.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
