import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take a quarter of a minute or more, longest first: begun last, one of them would keep one worker busy and the
 * other idle. Those that mostly wait for processes of their own are run beside those that compute.
 */
const longFiles = [
  'console/proofs/console-proofs',
  'console/proofs/every-screen',
  'cli/verify',
  'src/app/main',
  'console/proofs/hour-offline',
  'test/guide-snippets',
  'test/standby/standby-reads',
  'test/simulation/database-crash',
  'test/contract/staff-endpoints',
  'test/contract/refusals',
  'test/simulation/trading-year',
  'test/simulation/crash',
  'seed/seed-demo',
  'cli/dispensary',
  'test/simulation/silent-database',
  'cli/interrupted',
  'src/platform/database/migrate',
  'test/contract/list-filters',
  'examples/storefront/storefront',
  'test/contract/malformed-requests',
  'test/contract/staff-malformed-requests',
  'src/hosting/embedded-postgres/embedded-postgres',
  'src/engines/pricing/price-cart-laws',
  'scripts/recipes/recipes',
];

/** Its place among the long ones; of all others, behind them. */
function placeOf({ moduleId }: TestSpecification): number {
  const at = longFiles.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return at < 0 ? longFiles.length : at;
}

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

/**
 * The folder of transformed files, another one for other packages. Vitest itself empties its folder when packages have changed,
 * after it has begun to write there for the reporter of this project: the first run then failed.
 */
function cacheFolder(): string {
  const packages = join(import.meta.dirname, 'node_modules');
  const all = join(packages, '.experimental-vitest-cache');
  const record = join(packages, '.package-lock.json');
  const installed = existsSync(record) ? readFileSync(record) : '';
  const name = createHash('sha256').update(installed).digest('hex').slice(0, 16);
  for (const other of existsSync(all) ? readdirSync(all) : []) {
    if (other !== name) rmSync(join(all, other), { recursive: true, force: true });
  }
  return join(all, name);
}

export default defineConfig({
  test: {
    include: ['src', 'cli', 'seed', 'sdk', 'console', 'examples', 'scripts', 'test'].map(
      (folder) => `${folder}/**/*.test.ts`,
    ),
    setupFiles: ['test/harness/file-cost.ts'],
    globalSetup: ['test/harness/global-setup.ts'],
    reporters: ['default', './test/harness/count-reporter.ts'],
    pool: 'forks',
    // Files of one worker share the modules of the program: loading them again for each took a sixth of the run.
    isolate: false,
    // Many tests wait for processes, browsers and clocks of their own: a third worker uses two cores that would idle.
    maxWorkers: 3,
    sequence: { sequencer: LongFilesFirst },
    // Transformed files are kept by their content in node_modules/.experimental-vitest-cache: a later run spares itself 5 of the
    // 7 seconds that the program's own files take. `npx vitest --clearCache` removes them.
    experimental: { fsModuleCache: true, fsModuleCachePath: cacheFolder() },
    // Not `performance`: the shared service of a worker tells by it that it is late, also behind a file that fakes timers.
    fakeTimers: { toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What is waited for comes when it comes: a second is too short on a machine that does two things at once.
    expect: { poll: { timeout: 20_000 } },
  },
});
