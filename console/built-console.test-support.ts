import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject } from 'vitest';

const root = join(import.meta.dirname, '..');

/** The folder of the console as it is served. The first test of a run that needs it builds it, which takes seconds. */
export function builtConsole(): string {
  const folder = join(inject('server').folder, 'built-console');
  if (existsSync(folder)) return folder;
  // Under another name until it is complete: tests of other processes may need it.
  const draft = mkdtempSync(`${folder}-`);
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const built = spawnSync(process.execPath, [vite, 'build', '--outDir', draft, '--logLevel', 'error'], {
    cwd: join(root, 'console'),
    encoding: 'utf8',
    // The tests' own mode, `test`, would build another React.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  expect(built).toMatchObject({ status: 0, stderr: '' });
  if (existsSync(folder)) return draft;
  renameSync(draft, folder);
  return folder;
}
