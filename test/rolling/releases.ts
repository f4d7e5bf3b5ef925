import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import type { BuiltProgram } from '../simulation/built-program.ts';

/** The built program with further migrations, as the next release would have. */
export function nextRelease(built: BuiltProgram, migrations: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(built.folder, 'next-'));
  for (const name of ['node_modules', 'docs', 'contract', 'sdk'])
    symlinkSync(join(projectFolder(), name), join(folder, name));
  cpSync(join(projectFolder(), 'migrations'), join(folder, 'migrations'), { recursive: true });
  for (const [file, text] of Object.entries(migrations))
    writeFileSync(join(folder, 'migrations', file), text);
  for (const name of ['main.mjs', 'import-reader.mjs'])
    copyFileSync(join(built.folder, name), join(folder, name));
  return folder;
}

const git = (...words: string[]): string => {
  const { status, stdout } = spawnSync('git', words, { cwd: projectFolder(), encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
};

/** The tag of the last release that is on this baseline. Null while there is none. */
export function lastRelease(): string | null {
  const tag = git('describe', '--tags', '--abbrev=0');
  return tag !== '' && git('ls-tree', '--name-only', tag, 'migrations/0001_baseline.sql') !== '' ? tag : null;
}

/** The program of a commit, built in a folder of its own with the packages of this one. */
export function buildRelease(built: BuiltProgram, commit: string): string {
  const folder = mkdtempSync(join(built.folder, 'former-'));
  const archive = join(folder, 'release.tar');
  execFileSync('git', ['archive', '--output', archive, commit], { cwd: projectFolder() });
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  rmSync(archive);
  symlinkSync(join(projectFolder(), 'node_modules'), join(folder, 'node_modules'));
  // In a process of its own: its options name its own folder.
  const script = `
    const { bundleOptions } = await import('./scripts/prepare.mjs');
    const { build } = await import('esbuild');
    await build({ ...bundleOptions, entryPoints: ['src/main.ts'], outfile: 'main.mjs' });
    process.exit(0);`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
  if (!existsSync(join(folder, 'main.mjs'))) throw new Error(`${commit} was not built`);
  mkdirSync(join(folder, 'data'), { recursive: true });
  return folder;
}
