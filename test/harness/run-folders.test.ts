import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderStart, holdFolder, sweepFolders } from './run-folders.ts';

test('a run removes the folders of killed runs, and no other', () => {
  const parent = mkdtempSync(join(tmpdir(), 'sweep-'));
  const folder = (name: string) => {
    const made = `${folderStart(parent)}${name}`;
    mkdirSync(join(made, 'server'), { recursive: true });
    return made;
  };
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeFileSync(join(folder('killed'), 'lock'), JSON.stringify({ pid, startedAt: '' }));
  const release = holdFolder(folder('running'));
  folder('starting');
  mkdirSync(join(parent, 'another'));

  sweepFolders(parent);
  expect(readdirSync(parent).sort()).toEqual([
    'another',
    'dispensary-testrun-running',
    'dispensary-testrun-starting',
  ]);

  release();
  rmSync(parent, { recursive: true });
});
