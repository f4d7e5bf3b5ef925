import { existsSync } from 'node:fs';
import { seededRandom } from '../../seed/seeded-random.ts';
import { isLongSuite } from './is-long-suite.ts';

interface Kind {
  /** How many of its files a run of `npm test` has. */
  readonly everyRun: number;
  readonly files: readonly string[];
}

/**
 * Files that take many seconds each, because they start clusters, programs or browsers of their own, or are one long proof. A
 * run of `npm test` has some of each kind, drawn by its seed: `TEST_SEED=… npm test` repeats them. The long suite has all of
 * them; so has each run that names its files.
 */
const dearKinds: Readonly<Record<string, Kind>> = {
  'disks and backups': {
    everyRun: 1,
    files: [
      'cli/backup',
      'cli/interrupted',
      'cli/restore',
      'cli/sealed-archive',
      'cli/verify',
      'src/hosting/log-archive/archive-stores',
      'src/hosting/log-archive/log-archive',
      'src/hosting/verification/anchored-meanwhile',
      'test/simulation/lost-disk',
    ],
  },
  'servers and processes': {
    everyRun: 1,
    files: [
      'src/platform/database/deadlines',
      'src/hosting/embedded-postgres/embedded-postgres',
      'src/hosting/embedded-postgres/nameless-account',
      'src/hosting/startup/telemetry',
      'test/rolling/rolling-restarts',
      'test/rolling/two-releases',
      'test/simulation/crash',
      'test/simulation/database-crash',
      'test/simulation/silent-database',
      'test/standby/failover',
      'test/standby/standby-reads',
      'test/webhooks/webhook-kills',
    ],
  },
  'commands and migrations': {
    everyRun: 1,
    files: [
      'cli/dispensary',
      'cli/law-commands',
      'cli/sandbox-commands',
      'scripts/run',
      'src/app/main',
      'src/platform/database/migrate',
      'src/platform/database/migration-phases',
      'src/platform/database/upgrade-plan',
      'test/release/former-data',
    ],
  },
  'programs of integrators': {
    everyRun: 1,
    files: [
      'console/proofs/hour-offline',
      'console/proofs/limits-policy',
      'console/proofs/reference-policy',
      'examples/dispatcher/dispatcher',
      'examples/menu-board/menu-board',
      'examples/storefront/storefront',
      'scripts/recipes/recipes',
      'sdk/integrator/package',
      'sdk/integrator/src/mirror/mirror',
      'test/guide-snippets',
      'test/guides',
    ],
  },
  'single proofs': {
    everyRun: 1,
    files: [
      'src/shop/customers/sign-in-logs',
      'src/shop/orders/search-at-location',
      'src/shop/returns/return-sequences',
      'src/hosting/startup/serving-processes',
      'src/hosting/startup/startup-warnings',
      'src/hosting/verification/verify-after-crash',
      'src/shop/webhooks/webhook-burst',
      'test/promotions-page',
    ],
  },
  // Each makes a whole shop before its first proof, and then draws from hundreds of operations: half of the files with twice the
  // operations cost less than all of them. Those on the wall between organizations and on keys are in every run.
  'generated proofs of the interface': {
    everyRun: 7,
    files: [
      'test/contract/announcements',
      'test/contract/hostile-input',
      'test/contract/idempotency',
      'test/contract/list-filters',
      'test/contract/list-statement-counts',
      'test/contract/malformed-requests',
      'test/contract/page-key-operations',
      'test/contract/precedence',
      'test/contract/recent-proof',
      'test/contract/refusals',
      'test/contract/replies',
      'test/contract/staff-endpoints',
      'test/contract/staff-malformed-requests',
      'test/contract/staff-statement-counts',
      'test/contract/stale-edits',
    ],
  },
  'long days of a shop': {
    everyRun: 1,
    files: [
      'seed/demo-hours',
      'seed/demo-reads',
      'seed/seed-demo',
      'src/shop/imports/killed-imports',
      'src/shop/reports/report-sums',
      'test/scale/busy-year',
      'test/scale/many-organizations',
      'test/scale/noisy-shop',
      'test/simulation/mirrored-year',
      'test/simulation/trading-load',
    ],
  },
};

/** The dear files that this run leaves to others. */
export function filesLeftOut(seed: string): readonly string[] {
  if (isLongSuite) return [];
  return Object.entries(dearKinds).flatMap(([kind, { everyRun, files }]) => {
    const random = seededRandom(`${seed} ${kind}`);
    const rest = files.map((file) => `${file}.test.ts`);
    for (const file of rest)
      if (!existsSync(file)) throw new Error(`drawn-files.ts names ${file}, which is not there`);
    for (let count = 0; count < everyRun; count += 1) rest.splice(random.integer(0, rest.length - 1), 1);
    return rest;
  });
}
