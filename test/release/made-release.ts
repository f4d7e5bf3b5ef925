import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import { isLongSuite } from '../harness/long-suite.ts';

const root = projectFolder();
const { version, workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The name of the release's folder, and of its archives up to `.tar.gz`: for any machine, and for one like this. */
export const releaseName = `dispensary-commerce-${version}`;
export const releaseHere = `${releaseName}-${process.platform}-${process.arch}`;

/** Whether releases can be made here: that needs git, GNU tar, the packages from npm, and minutes. */
export const mayRelease = isLongSuite && process.platform === 'linux' && existsSync(join(root, '.git'));

/** Clones the project into `clone`, with the installed packages of this one, and makes its release in `dist-release` there. */
export function makeRelease(clone: string): void {
  execFileSync('git', ['clone', '-q', '--no-hardlinks', root, clone]);
  for (const at of ['.', ...workspaces]) {
    const installed = join(root, at, 'node_modules');
    if (existsSync(installed)) execFileSync('cp', ['-a', installed, join(clone, at, 'node_modules')]);
  }
  execFileSync(process.execPath, ['scripts/run.mjs', 'release'], { cwd: clone, stdio: 'ignore' });
}
