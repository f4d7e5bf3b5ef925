import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, inject } from 'vitest';
import { digestOfConsole } from '../scripts/prepare.mjs';

const root = join(import.meta.dirname, '..');

/** Builds of former runs are kept here: one takes ten seconds of the processor, and most changes are none of the console. */
const kept = join(root, 'node_modules', '.cache', 'console-of-tests');
const keptMs = 24 * 3_600_000;

/**
 * The folder of the console as it is served. The first test of a run that needs it builds it, unless a former run has built the
 * same sources; tests of other processes wait for it.
 */
export async function builtConsole(): Promise<string> {
  const folder = join(kept, digestOfConsole());
  const claim = join(inject('server').folder, 'built-console-claim');
  while (!existsSync(folder)) {
    if (claims(claim)) {
      try {
        // Another process may have finished between the look and the claim.
        if (!existsSync(folder)) await build(folder);
      } finally {
        // After a failure the next one tries, and shows why it fails.
        rmdirSync(claim);
      }
    } else await wait(100);
  }
  return folder;
}

/** Whether this process makes the folder first. */
function claims(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Under another name until it is complete. */
async function build(folder: string): Promise<void> {
  mkdirSync(kept, { recursive: true });
  sweep();
  const draft = mkdtempSync(`${folder}-`);
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', '--outDir', draft, '--logLevel', 'error'];
  const { stderr } = await promisify(execFile)(process.execPath, args, {
    cwd: join(root, 'console'),
    // The tests' own mode, `test`, would build another React.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  expect(stderr).toBe('');
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another run on this clone was quicker.
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true });
  }
}

/** Removes builds that no run uses any more. */
function sweep(): void {
  for (const name of readdirSync(kept)) {
    const path = join(kept, name);
    if (Date.now() - statSync(path).mtimeMs > keptMs) rmSync(path, { recursive: true, force: true });
  }
}
