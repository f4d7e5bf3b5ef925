import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { bundleOptions } from '../../scripts/prepare.mjs';
import { packageFolder, packageName } from '../../src/hosting/embedded-postgres/binaries.ts';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import type { BuiltProgram } from '../simulation/built-program.ts';

/** Debian's libfaketime, which answers a process that asks for the time. */
const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path));

/** Its settings: clocks that only count, and times of files, stay true; a moved clock is seen within a second. */
const settings = {
  FAKETIME_CACHE_DURATION: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  FAKETIME_DISABLE_SHM: '1',
  NO_FAKE_STAT: '1',
};
const seenAfterMs = 1_100;

/** The clock of a program and of its PostgreSQL. */
export interface MovedClock {
  /** The program whose PostgreSQL has this clock too. */
  readonly built: BuiltProgram;
  readonly settings: Readonly<Record<string, string>>;
  /** What it adds to the true time. */
  readonly aheadMs: number;
  now(): number;
  /** Resolves when every process sees it. */
  move(aheadMs: number): Promise<void>;
  /** The command, by this clock; resolves to its exit code and output. */
  command(
    args: readonly string[],
    env: NodeJS.ProcessEnv,
  ): Promise<{ code: number; out: string; err: string }>;
}

let builtCommand: Promise<string> | undefined;

async function buildCommand({ folder }: BuiltProgram): Promise<string> {
  const outfile = join(folder, 'dispensary.mjs');
  await build({ ...bundleOptions, entryPoints: ['cli/main.ts'], outfile });
  return outfile;
}

/** Prepares a clock for the deployment that will be at `name`; a text: why this machine cannot. */
export async function prepareClock(built: BuiltProgram, name: string): Promise<MovedClock | string> {
  if (library === undefined) return 'install libfaketime';
  const folder = join(built.folder, `clock of ${name}`);
  mkdirSync(folder);
  for (const part of ['migrations', 'docs', 'contract', 'sdk']) {
    symlinkSync(join(projectFolder(), part), join(folder, part));
  }
  for (const name of ['main.mjs', 'import-reader.mjs'])
    copyFileSync(join(built.folder, name), join(folder, name));
  layPackages(folder);
  const command = join(folder, 'dispensary.mjs');
  builtCommand ??= buildCommand(built);
  copyFileSync(await builtCommand, command);
  // In PostgreSQL's own folder, which its account can read.
  const file = join(folder, name, 'postgres', 'clock');
  const own = { ...settings, LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: file };
  let aheadMs = 0;
  return {
    built: { ...built, folder },
    settings: own,
    get aheadMs() {
      return aheadMs;
    },
    now: () => Date.now() + aheadMs,
    move: async (ms) => {
      aheadMs = ms;
      writeFileSync(`${file} new`, `${ms < 0 ? '-' : '+'}${Math.abs(ms) / 1_000}\n`);
      chmodSync(`${file} new`, 0o644);
      renameSync(`${file} new`, file);
      await delay(seenAfterMs);
    },
    command: (args, env) =>
      promisify(execFile)(process.execPath, [command, ...args], {
        ...{ cwd: folder, env: { PATH: process.env.PATH, ...own, ...env }, maxBuffer: 100_000_000 },
      }).then(
        ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
        (error: { code: number; stdout: string; stderr: string }) => ({
          ...{ code: error.code, out: error.stdout, err: error.stderr },
        }),
      ),
  };
}

/** The packages of the installation, with a PostgreSQL that starts by the clock in its folder: the program cleans its environment. */
function layPackages(folder: string): void {
  const from = join(projectFolder(), 'node_modules');
  const to = join(folder, 'node_modules');
  const [scope, name] = packageName().split('/') as [string, string];
  mkdirSync(join(to, scope), { recursive: true });
  for (const entry of readdirSync(from)) {
    if (entry !== scope) symlinkSync(join(from, entry), join(to, entry));
  }
  const own = join(to, scope, name);
  cpSync(dirname(packageFolder()), own, { recursive: true, verbatimSymlinks: true });
  const program = join(own, 'native', 'bin', 'postgres');
  renameSync(program, `${program}.real`);
  const set = Object.entries({
    ...settings,
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: '/proc/self/cwd/clock',
  });
  const exports = set.map(([key, value]) => `${key}=${value}`).join(' ');
  writeFileSync(program, `#!/bin/sh\nexport ${exports}\nexec "$0.real" "$@"\n`, { mode: 0o755 });
}

/** The hour and day that a zone's clocks show. */
function shownBy(zone: string): (atMs: number) => { readonly day: string; readonly hour: string } {
  const format = new Intl.DateTimeFormat('en-CA', {
    ...{
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
    },
  });
  return (atMs) => {
    const parts = format.formatToParts(atMs);
    const of = (type: string) => parts.find((part) => part.type === type)!.value;
    return { day: `${of('year')}-${of('month')}-${of('day')}`, hour: of('hour') };
  };
}

/** The next instant at which the clocks of a zone are put forward from 2 to 3 o'clock, or back from 2 to 1. */
export function nextChange(zone: string, way: 'forward' | 'back', afterMs: number): number {
  const hourMs = 3_600_000;
  const shown = shownBy(zone);
  const changed = way === 'forward' ? '03' : '01';
  const before = '01';
  // Sundays: each hour of a year would take seconds.
  for (let dayAt = Math.ceil(afterMs / (24 * hourMs)) * 24 * hourMs; ; dayAt += 24 * hourMs) {
    if (new Date(dayAt).getUTCDay() !== 0) continue;
    for (let at = dayAt; at < dayAt + 24 * hourMs; at += hourMs) {
      const [past, now] = [shown(at - hourMs), shown(at)];
      if (past.day === now.day && past.hour === before && now.hour === changed) return at;
    }
  }
}
