import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { isAlive } from '../src/hosting/embedded-postgres/lock.ts';
import { layCluster } from '../test/harness/made-cluster.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Each creates a cluster, the schema and part of a shop: takes seconds on a busy machine. */
const firstStartMs = 120_000;

// The command builds the program if needed.
beforeAll(async () => {
  await once(spawn(process.execPath, ['dispensary.mjs', '--help'], { cwd: root, stdio: 'ignore' }), 'exit');
}, firstStartMs);

let folder: string;
let dataDir: string;
let children: ChildProcess[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dispensary interrupted-'));
  dataDir = join(folder, 'data');
  children = [];
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program until it prints the words on either stream, sends it the signal, and resolves to how it ended. */
async function interrupt(args: readonly string[], words: string, signal: NodeJS.Signals) {
  const { DATABASE_URL: _, DATABASE_APP_URL: __, ...rest } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...rest, DATA_DIR: dataDir, DEMO: 'on', PORT: '0', MENU_PORT: '0', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const ended = once(child, 'close');
  const said: string[] = [];
  const reached = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (line) => {
        said.push(line);
        if (line.includes(words)) resolve();
      });
    }
  });
  await Promise.race([reached, ended]);
  expect(said.join('\n')).toContain(words);
  const postmaster = Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  expect(isAlive(postmaster)).toBe(true);
  child.kill(signal);
  const [code] = await ended;
  return { code, said: said.join('\n'), leavesPostgres: isAlive(postmaster) };
}

test.skipIf(process.platform === 'win32')(
  'an interrupted command stops the database it started, and the next run starts the unfinished work over',
  async () => {
    await layCluster(dataDir);
    const seed = ['dispensary.mjs', 'seed'];
    const first = await interrupt(seed, 'Making the demo shop', 'SIGINT');
    expect(first).toMatchObject({ code: 130, leavesPostgres: false });
    // No errors about the lost connections.
    expect(first.said.split('\n').at(-1)).toContain('Making the demo shop');
    expect(existsSync(join(dataDir, 'demo-unfinished'))).toBe(true);
    expect(existsSync(join(dataDir, 'lock'))).toBe(false);

    const second = await interrupt(seed, 'Making the demo shop', 'SIGHUP');
    expect(second).toMatchObject({ code: 129, leavesPostgres: false });
    expect(second.said).toContain('The demo shops were not finished: starting over.');
    expect(second.said).not.toContain('a killed start left running');
  },
  firstStartMs,
);

test.skipIf(process.platform === 'win32')(
  'a first start stopped while it creates the demo shops stops its database',
  async () => {
    const stopped = await interrupt(['dist/main.mjs'], 'Making the demo shop', 'SIGTERM');
    expect(stopped).toMatchObject({ code: 143, leavesPostgres: false });
    expect(existsSync(join(dataDir, 'demo-unfinished'))).toBe(true);
  },
  firstStartMs,
);
