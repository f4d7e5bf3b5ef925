import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fsyncSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ClientConfig } from 'pg';
import { reasonOfFileFailure } from '../../kernel/file-failure.ts';
import { withSession } from '../../platform/connections/with-session.ts';
import { type Account, childOptions, directoryArgument } from './account.ts';
import type { Binaries } from './binaries.ts';
import { makersOfClusters } from './nameless-account.ts';

/** The paths below a data directory, all absolute. */
export interface Layout {
  readonly dataDir: string;
  readonly clusterDir: string;
  readonly logPath: string;
  readonly credentialsPath: string;
}

export interface Passwords {
  readonly postgres: string;
  readonly owner: string;
  readonly app: string;
}

const clusterName = 'postgres';
/** A complete cluster of the next major version, just before it gets its name. */
export const nextClusterName = 'postgres-next';

/** Makes the data directory if needed and returns its path; throws when this account cannot use it. */
export function makeDataDirectory(dataDir: string): string {
  try {
    mkdirSync(dirname(resolve(dataDir)), { recursive: true });
    if (!existsSync(dataDir)) mkdirSync(dataDir, { mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return dataDir;
  } catch (error) {
    throw new Error(`DATA_DIR ${dataDir} cannot be used by this account: ${reasonOfFileFailure(error)}.`);
  }
}

/** The layout of an existing data directory. */
export function layoutOf(givenDir: string): Layout {
  const dataDir = realpathSync(resolve(givenDir));
  return {
    dataDir,
    clusterDir: join(dataDir, clusterName),
    logPath: join(dataDir, 'postgres.log'),
    credentialsPath: join(dataDir, 'postgres-credentials.json'),
  };
}

/**
 * Makes the cluster if there is none. It is made under another name and renamed when complete, so that a killed start
 * leaves no partial cluster.
 */
export function ensureCluster(
  layout: Layout,
  binaries: Binaries,
  account: Account | undefined,
  onProgress: (message: string) => void,
  passwords: Passwords = { postgres: newPassword(), owner: newPassword(), app: newPassword() },
): Passwords {
  const { clusterDir, dataDir } = layout;
  if (existsSync(clusterDir)) {
    assertOwn(clusterDir);
    const made = majorOfCluster(clusterDir);
    const major = binaries.version.split('.')[0]!;
    if (made !== major) throw new Error(otherMajor(clusterDir, made, major));
    if (account && statSync(clusterDir).uid === 0) handOver(clusterDir, account);
    return readPasswords(layout);
  }
  onProgress(`Creating a PostgreSQL ${binaries.version} database in ${clusterDir}`);
  writeFileSync(layout.credentialsPath, `${JSON.stringify(passwords, null, 2)}\n`, {
    mode: 0o600,
    flush: true,
  });
  const draftDir = join(dataDir, 'postgres-unfinished');
  rmSync(draftDir, { recursive: true, force: true });
  mkdirSync(draftDir, { mode: 0o700 });
  if (account) chownSync(draftDir, account.uid, account.gid);
  initializeCluster(draftDir, passwords.postgres, binaries, account);
  renameSync(draftDir, clusterDir);
  makeDurable(dataDir);
  return passwords;
}

/** Why the programs of one major version do not start a cluster of another one, and what to do. */
export function otherMajor(clusterDir: string, made: string, major: string): string {
  const facts = `${clusterDir} was made by PostgreSQL ${made}; this release has PostgreSQL ${major}.`;
  return Number(made) < Number(major)
    ? `${facts} Stop the service, take a backup with the former release, and move the database once: ` +
        'node dispensary.mjs upgrade --postgres. It keeps the old folder.'
    : `${facts} Use a release with PostgreSQL ${made}.`;
}

/** Whether there is a database in DATA_DIR: a cluster, or one that only lacks its name after a move ({@link finishMove}). */
export function hasCluster(dataDir: string): boolean {
  return [clusterName, nextClusterName].some((name) => existsSync(join(dataDir, name)));
}

/**
 * Ends the move to the next major version that was interrupted between its two renames: the old cluster has its other name, the new
 * one has not yet got its own. Beside a cluster of that name, what was made is of no use: it may have changed since.
 */
export function finishMove(dataDir: string): void {
  const [clusterDir, next] = [join(dataDir, clusterName), join(dataDir, nextClusterName)];
  if (existsSync(clusterDir) || !existsSync(next)) return;
  renameSync(next, clusterDir);
  makeDurable(dataDir);
}

/** The major version of the cluster; throws if the folder is not a complete PostgreSQL cluster. */
export function majorOfCluster(clusterDir: string): string {
  try {
    return readFileSync(join(clusterDir, 'PG_VERSION'), 'utf8').trim();
  } catch (error) {
    throw new Error(
      `${clusterDir} is not a complete database: its file PG_VERSION cannot be read, ${reasonOfFileFailure(error)}. ` +
        'Restore DATA_DIR from a backup, or set DATA_DIR to an empty folder for a new shop.',
    );
  }
}

/** Makes the rename durable across a power failure. Windows has no such call. */
export function makeDurable(directory: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(directory, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

function initializeCluster(
  draftDir: string,
  password: string,
  binaries: Binaries,
  account: Account | undefined,
): void {
  const passwordPath = `${draftDir}-password`;
  const makers = makersOfClusters(binaries, dirname(draftDir), account);
  writeFileSync(passwordPath, `${password}\n`, { mode: 0o600 });
  const passwordFile = openSync(passwordPath, 'r');
  try {
    if (account) fchownSync(passwordFile, account.uid, account.gid);
    const args = [
      ...['-D', directoryArgument(draftDir, account), '-U', 'postgres', '-A', 'scram-sha-256', '-E', 'UTF8'],
      ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--data-checksums'],
      // Passed by its descriptor: the account may be unable to open its path.
      `--pwfile=${process.platform === 'win32' ? passwordPath : '/dev/fd/3'}`,
    ];
    const made = spawnSync(makers.path('initdb'), args, {
      ...childOptions(draftDir, account),
      stdio: ['ignore', 'pipe', 'pipe', passwordFile],
      encoding: 'utf8',
    });
    if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr.trim()}`);
  } finally {
    closeSync(passwordFile);
    rmSync(passwordPath, { force: true });
    makers.remove();
  }
}

/**
 * Gives root's cluster to the account, such as a backup that root has restored: PostgreSQL does not run as root and
 * could not read it. The folder itself changes last, so that an interrupted run is repeated.
 */
function handOver(path: string, account: Account): void {
  if (lstatSync(path).isDirectory()) {
    for (const name of readdirSync(path)) handOver(join(path, name), account);
  }
  lchownSync(path, account.uid, account.gid);
}

function assertOwn(clusterDir: string): void {
  const owner = statSync(clusterDir).uid;
  const own = process.getuid?.();
  if (own === undefined || own === 0 || own === owner) return;
  throw new Error(
    `${clusterDir} belongs to another account (user id ${owner}). Start as the same user as before (root, if it was root), or choose another DATA_DIR.`,
  );
}

function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

/** The passwords that were created with the cluster. */
export function readPasswords(layout: Layout): Passwords {
  const { credentialsPath, clusterDir } = layout;
  let reason = 'it does not contain the three passwords that the first start wrote';
  try {
    const read: Partial<Passwords> | null = JSON.parse(readFileSync(credentialsPath, 'utf8'));
    const { postgres, owner, app } = read ?? {};
    if (postgres !== undefined && owner !== undefined && app !== undefined) return { postgres, owner, app };
  } catch (error) {
    if (!(error instanceof SyntaxError)) reason = reasonOfFileFailure(error);
  }
  throw new Error(
    `${credentialsPath} cannot be read: ${reason}. The database in ${clusterDir} needs its passwords: restore the file from the same backup as the database.`,
  );
}

/** Creates the two roles and their database if they are missing. */
export async function ensureRoles(adminConnection: ClientConfig, passwords: Passwords): Promise<void> {
  await withSession(adminConnection, async (client) => {
    const found = await client.query<{ name: string }>(
      `select rolname as name from pg_roles where rolname like 'dispensary%' union all select datname from pg_database`,
    );
    const missing = (name: string) => !found.rows.some((row) => row.name === name);
    if (missing('dispensary_owner')) {
      await client.query(`create role dispensary_owner login createdb password '${passwords.owner}'`);
    }
    if (missing('dispensary_app')) {
      await client.query(
        `create role dispensary_app login nobypassrls password '${passwords.app}';
         alter role dispensary_app set idle_in_transaction_session_timeout = '30s';
         grant dispensary_app to dispensary_owner with inherit false, set true`,
      );
    }
    if (missing('dispensary')) await client.query('create database dispensary owner dispensary_owner');
  });
}
