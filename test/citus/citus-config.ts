import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((file) => file.endsWith('.test.ts'));
const starting = (files: readonly string[], call: string) =>
  files.filter((file) => readFileSync(file, 'utf8').includes(call));

/** Those of the program: what it does, who may, and what holds under load. */
const files = ['src', 'test/contract', 'test/attacks', 'test/simulation'].flatMap(filesIn);
const sharing = starting(files, 'await startTestService()');
/** They need a database of their own: with CITUS_ADMIN_URL, a copy. */
const owning = process.env.CITUS_ADMIN_URL
  ? starting(files, 'startOwnTestService(').filter((file) => !sharing.includes(file))
  : [];

/** What is left out, and why. */
const leftOut: Readonly<Record<string, string>> = {
  'test/contract/schema-rules.test.ts': 'counts the rows of all tables of one server',
  'test/contract/statement-counts.test.ts': 'explains statements on one server',
  'test/contract/staff-statement-counts.test.ts': 'explains statements on one server',
  'test/contract/list-statement-counts.test.ts': 'explains statements on one server',
  'src/shop/customers/customer-costs.test.ts': 'counts the statements of a read on one server',
  'src/shop/live/live-events.test.ts': 'its own sessions write rows, and hold them open, on one server',
  'src/shop/reports/report-sums.test.ts': 'orders the rows of a table anew as one server stores them',
};

/**
 * `npm run test:citus`: on the coordinator of DATABASE_URL, whose database is distributed. Every statement of a tenant is
 * explained; then the tests of the program run on it, one file after another.
 */
export default defineConfig({
  test: {
    include: [
      'test/citus/tenant-statements.ts',
      'test/citus/walls.ts',
      ...(process.env.CITUS_BENCH ? ['test/citus/bench.ts'] : []),
      ...(process.env.CITUS_ADMIN_URL
        ? ['test/citus/migrations.ts', 'test/citus/moved-organization.ts']
        : []),
      ...[...sharing, ...owning].filter((file) => !(file in leftOut)),
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
