import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Files that share the service of their worker, and so need no database of their own. */
const sharing = ['src', 'test/contract', 'test/attacks']
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))))
  .filter(
    (file) => file.endsWith('.test.ts') && readFileSync(file, 'utf8').includes('await startTestService()'),
  );

/** What they read or change is not the program's: their own statements, or the tables of one server. */
const ofOneServer = [
  // It counts the rows of all tables, and explains statements on one server.
  'test/contract/schema-rules.test.ts',
  'test/contract/statement-counts.test.ts',
  'test/contract/staff-statement-counts.test.ts',
  'test/contract/list-statement-counts.test.ts',
];

process.env.TEST_SEED ??= '1';

/**
 * `npm run test:citus`: on the coordinator of DATABASE_URL, whose database is distributed. Every statement of a tenant is
 * explained; then the tests of the program that share a service run on it, one file after another.
 */
export default defineConfig({
  test: {
    include: [
      'test/citus/tenant-statements.ts',
      'test/citus/killed-server.ts',
      ...sharing.filter((file) => !ofOneServer.includes(file)),
    ],
    globalSetup: ['test/citus/distributed-server.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    testTimeout: 1_800_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
