import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Builds the console as it is served, into a new folder that the caller removes. */
export function buildConsole(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dispensary-console-build-'));
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const built = spawnSync(process.execPath, [vite, 'build', '--outDir', folder, '--logLevel', 'error'], {
    cwd: join(root, 'console'),
    encoding: 'utf8',
    // The tests' own mode, `test`, would build another React.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (built.status !== 0) rmSync(folder, { recursive: true });
  expect(built).toMatchObject({ status: 0, stderr: '' });
  return folder;
}
