import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ensureHome, requireNode, stopWithParent } from './entry.mjs';
import {
  ensureBuilt,
  ensureConsoleBuilt,
  ensureInstalled,
  ensureSdkTypes,
  root,
  runBuilt,
} from './prepare.mjs';

// The entry of every npm script: each installs and builds what it needs on a fresh clone.

const commands = {
  start: async (args) => {
    await ensureBuilt();
    ensureConsoleBuilt();
    stopWithParent();
    await runBuilt('main.mjs', args);
  },
  build: async () => {
    await ensureBuilt();
    ensureConsoleBuilt();
  },
  dev: (args) => {
    ensureConsoleBuilt();
    return runOnly('tsx', ['watch', 'src/main.ts', ...args]);
  },
  test: (args) => runOnly('vitest', ['run', ...args]),
  'test:long': async (args) => {
    process.env.TEST_SUITE = 'long';
    await runOnly('vitest', ['run', ...args]);
    if (args.length > 0) return;
    for (const part of ['scripts/test-on-postgres-15.ts', 'scripts/test-next-major.ts']) {
      process.exitCode = (await run('tsx', [part])) || process.exitCode;
    }
  },
  'test:citus': (args) => {
    const { DATABASE_URL: coordinator, POSTGRES_PROGRAMS: programs } = process.env;
    if (!coordinator && !programs) {
      console.error(
        'Usage: DATABASE_URL=<that of a coordinator> npm run test:citus, or POSTGRES_PROGRAMS=<folder of a PostgreSQL with Citus>',
      );
      process.exit(2);
    }
    const config = coordinator ? 'citus-config.ts' : 'servers-config.ts';
    return runOnly('vitest', ['run', '--config', `test/citus/${config}`, ...args]);
  },
  release: (args) => runOnly('tsx', ['scripts/release.ts', ...args]),
  'release:fixture': () => {
    process.env.RELEASE_FIXTURE = 'write';
    return runOnly('vitest', ['run', 'test/release/former-data.test.ts']);
  },
  new: (args) => runOnly('tsx', ['scripts/new.ts', ...args]),
  simulate: (args) => {
    passSimulation(args);
    return runOnly('vitest', ['run', 'test/simulation/trading-year.test.ts']);
  },
  faults: (args) => {
    process.env.FAULTS_ROUNDS = '1';
    for (const arg of args) {
      const [, name, value] = /^--(rounds|seed|only|json|add-to)=(.+)$/.exec(arg) ?? [];
      if (name === undefined || (/^(rounds|seed)$/.test(name) && !/^\d+$/.test(value))) {
        console.error(
          'Usage: npm run faults -- [--rounds=N] [--only=kind] [--seed=S] [--json=<file>] [--add-to=<file>]',
        );
        process.exit(2);
      }
      const variable = `FAULTS_${name.toUpperCase().replace('-', '_')}`;
      process.env[variable] = /^(json|add-to)$/.test(name) ? resolve(value) : value;
    }
    return runOnly('vitest', ['run', 'test/faults/fault-rounds.test.ts']);
  },
  soak: (args) => {
    process.env.SOAK_HOURS = '8';
    for (const arg of args) {
      const [, name, value] = /^--(hours|part|state|database|json)=(.+)$/.exec(arg) ?? [];
      if (name === undefined || (/^(hours|part)$/.test(name) && !(Number(value) > 0))) {
        console.error(
          'Usage: npm run soak -- [--hours=8] [--state=<folder> [--part=<hours>]] [--database=<url>] [--json=<file>]',
        );
        process.exit(2);
      }
      process.env[`SOAK_${name.toUpperCase()}`] = /^(json|state)$/.test(name) ? resolve(value) : value;
    }
    return runOnly('vitest', ['run', 'test/soak/soak.test.ts']);
  },
  growth: (args) => {
    for (const arg of args) {
      const [, orders] = /^--orders=(\d{2,6})$/.exec(arg) ?? [];
      const [, path] = /^--json=(.+)$/.exec(arg) ?? [];
      if (orders === undefined && path === undefined) {
        console.error('Usage: npm run growth -- [--orders=5000] [--json=<file>]');
        process.exit(2);
      }
      if (orders !== undefined) process.env.GROWTH_ORDERS = orders;
      if (path !== undefined) process.env.GROWTH_JSON = resolve(path);
    }
    process.env.GROWTH_ORDERS ??= '5000';
    return runOnly('vitest', ['run', 'test/scale/busy-year.test.ts']);
  },
  screenshots: async (args) => {
    await ensureBuilt();
    ensureConsoleBuilt();
    await runOnly('tsx', ['console/proofs/take-screenshots.ts', ...args]);
  },
  pictures: async (args) => {
    await ensureBuilt();
    ensureConsoleBuilt();
    await runOnly('tsx', ['console/proofs/take-document-pictures.ts', ...args]);
  },
  stopwatch: async () => {
    // A browser that optimizes, and milliseconds that count.
    process.env.TEST_SUITE = 'long';
    process.env.STOPWATCH_FILE = join(mkdtempSync(join(tmpdir(), 'stopwatch-')), 'measured.jsonl');
    await runOnly('vitest', ['run', 'console/proofs/console-proofs.test.ts', '-t', 'stopwatch:']);
    await run('tsx', ['console/proofs/stopwatch-table.ts', process.env.STOPWATCH_FILE]);
  },
  bench: (args) => runOnly('tsx', ['bench/run.ts', ...args]),
  lists: async (args) => {
    await ensureBuilt();
    await runOnly('tsx', ['bench/list-growth.ts', ...args]);
  },
  plans: (args) => {
    const [, rows] = /^--rows=(\d+)$/.exec(args[0] ?? '') ?? [];
    if (rows !== undefined) process.env.PLANS_ROWS = rows;
    return runOnly('vitest', ['run', '--config', 'test/plans/plans-config.ts']);
  },
  generate: async (args) => {
    await runOnly('tsx', ['scripts/generate.ts', ...args]);
    ensureSdkTypes();
  },
  check: runChecks,
};

const checks = [
  ['house rules', 'tsx', ['scripts/tidy.ts']],
  ['types', 'typescript', ['--noEmit']],
  ['types of the console', 'typescript', ['--noEmit', '-p', 'console']],
  ['types of the examples', 'typescript', ['--noEmit', '-p', 'examples']],
  ['lint and format', '@biomejs/biome', ['check']],
  ['generated files', 'tsx', ['scripts/generate.ts', '--check']],
  [
    'contract',
    '@redocly/cli',
    ['lint', '--config', 'lint-contract.yaml', 'contract/v1.json', 'contract/staff.json'],
  ],
  ['tests', 'vitest', ['run']],
];

const [name, ...args] = process.argv.slice(2);
if (!Object.hasOwn(commands, name ?? '')) {
  console.error(`Usage: npm run ${Object.keys(commands).join('|')}`);
  process.exit(2);
}
requireNode();
ensureHome();
ensureInstalled();
await commands[name](args);

/**
 * `--seed=N` repeats a simulated year (of as many moves as it had), `--hours=H` continues with further ones; the default is one with a
 * random seed.
 */
function passSimulation(args) {
  for (const arg of args) {
    const [, name, value] = /^--(seed|moves|hours)=(\d+(?:\.\d+)?)$/.exec(arg) ?? [];
    if (name === undefined) {
      console.error('Usage: npm run simulate -- [--seed=N] [--moves=500] [--hours=H]');
      process.exit(2);
    }
    process.env[`SIMULATION_${name.toUpperCase()}`] = value;
  }
  process.env.SIMULATION_HOURS ??= '0';
  process.env.SIMULATION_MOVES ??= '500';
}

async function runOnly(tool, args) {
  process.exitCode = await run(tool, args);
}

/** Runs every check, even after a failure, and prints a summary. `--no-tests` leaves the tests to `npm test`. */
async function runChecks(options) {
  ensureSdkTypes();
  const lines = [];
  const chosen = options.includes('--no-tests') ? checks.filter(([title]) => title !== 'tests') : checks;
  for (const [title, tool, args] of chosen) {
    console.log(`\n— ${title}`);
    const startedMs = performance.now();
    const failed = (await run(tool, args)) !== 0;
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    lines.push(`${failed ? 'FAILED' : 'ok    '}  ${title} (${seconds} s)`);
    if (failed) process.exitCode = 1;
  }
  console.log(`\n${lines.join('\n')}`);
}

/** Runs the program of an installed package in the project's folder; returns its exit code. */
function run(tool, args) {
  const folder = join(root, 'node_modules', tool);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const program = typeof bin === 'string' ? bin : (bin[tool] ?? Object.values(bin)[0]);
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const child = spawn(process.execPath, [join(folder, program), ...args], {
    cwd: root,
    stdio: 'inherit',
    env,
  });
  const terminate = () => child.kill('SIGTERM');
  // Ctrl-C reaches the child directly; this process only waits for it.
  const wait = () => {};
  process.on('SIGTERM', terminate).on('SIGINT', wait);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.off('SIGTERM', terminate).off('SIGINT', wait);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}
