import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { withSession } from '../../platform/connections/with-session.ts';
import {
  finishMove,
  hasCluster,
  type Layout,
  layoutOf,
  majorOfCluster,
  makeDurable,
  nextClusterName,
  otherMajor,
  readPasswords,
} from './cluster.ts';
import { copyFolder, makeFolderDurable } from './copy-folder.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { isAlive, lockDataDirectory } from './lock.ts';
import { readPostmasterFile, stopOrphan } from './process.ts';

/*
 * The move of an embedded cluster to the next major version of PostgreSQL (docs/decisions/0030-next-major-postgresql.md). The old cluster
 * is only read, and no server runs on it: its own programs run on a copy. The folders, in DATA_DIR:
 *   postgres              the old cluster, until the new one has its name
 *   postgres-move/from    the copy, which is brought to the schema of this release
 *   postgres-move/to      the new cluster, with its files complete and flushed before it leaves this folder
 *   postgres-next         the new cluster, compared and verified: two renames are left
 *   postgres-17           the old cluster afterwards, until its owner removes it
 * What is in postgres-move is thrown away by the next try.
 */

const workName = 'postgres-move';

/** Nothing reads the new cluster before it is complete, and then it is flushed. */
const loading = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' },
  ...{ wal_level: 'minimal', max_wal_senders: '0', max_wal_size: '512MB', maintenance_work_mem: '256MB' },
};
/** Programs, and what both servers need beside their data. */
const spareBytes = 1_000_000_000;

export interface Move {
  readonly layout: Layout;
  /** The major version of the cluster. */
  readonly from: string;
  readonly workDir: string;
  /** The folder for programs of that version; it stays when a try fails. */
  readonly programsDir: string;
  /** Where the old cluster is afterwards. */
  readonly keptDir: string;
  /** The size of the old cluster. */
  readonly bytes: number;
  readonly neededBytes: number;
  /** Releases DATA_DIR, and removes what a failed try leaves but the programs. */
  end(): Promise<void>;
}

/** The major version of the cluster in DATA_DIR; null if there is none. */
export function majorIn(dataDir: string): string | null {
  const { clusterDir } = layoutOf(dataDir);
  const found = [clusterDir, join(dataDir, nextClusterName)].find((path) => existsSync(path));
  return found === undefined ? null : majorOfCluster(found);
}

/**
 * Takes DATA_DIR for the move, and clears what a killed try has left. Throws if a service or a PostgreSQL runs on it, or there is not
 * enough room. Null: the cluster has this version already.
 */
export async function beginMove(dataDir: string, major: string): Promise<Move | null> {
  if (!existsSync(dataDir) || !hasCluster(dataDir))
    throw new Error(`There is no database in DATA_DIR ${dataDir}.`);
  const layout = layoutOf(dataDir);
  const unlock = lockDataDirectory(layout.dataDir);
  const workDir = join(layout.dataDir, workName);
  try {
    finishMove(layout.dataDir);
    await clearWork(layout, workDir);
    const from = majorOfCluster(layout.clusterDir);
    if (from === major) {
      rmSync(workDir, { recursive: true, force: true });
      unlock();
      return null;
    }
    if (Number(from) > Number(major)) throw new Error(otherMajor(layout.clusterDir, from, major));
    refuseInUse(layout);
    const keptDir = `${layout.clusterDir}-${from}`;
    if (existsSync(keptDir)) {
      throw new Error(
        `${keptDir} exists, of an earlier move: the old database gets that name. Rename or remove it.`,
      );
    }
    const bytes = bytesOf(layout.clusterDir);
    const neededBytes = 2 * bytes + spareBytes;
    mkdirSync(workDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    const end = async () => {
      try {
        await clearWork(layout, workDir);
        if (existsSync(workDir) && readdirSync(workDir).length === 0) rmdirSync(workDir);
      } finally {
        unlock();
      }
    };
    return {
      layout,
      from,
      workDir,
      programsDir: join(workDir, 'programs'),
      keptDir,
      bytes,
      neededBytes,
      end,
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** The free bytes of the disk of DATA_DIR. */
export function freeBytesOf(dataDir: string): number {
  const { bavail, bsize } = statfsSync(dataDir);
  return bavail * bsize;
}

/** Both servers of a killed try may still run: they are its own. */
async function clearWork({ dataDir }: Layout, workDir: string): Promise<void> {
  for (const name of ['from', 'to']) {
    const path = join(workDir, name);
    if (!existsSync(path)) continue;
    await stopOrphan(layoutOf(path), () => {});
    rmSync(path, { recursive: true, force: true });
  }
  // A cluster has its name, so this one was made from an earlier state of it.
  rmSync(join(dataDir, nextClusterName), { recursive: true, force: true });
}

/** A PostgreSQL outlives a service that was killed. It is not this program's to end. */
function refuseInUse(layout: Layout): void {
  const { clusterDir } = layout;
  const left = readPostmasterFile(layout);
  if (left !== undefined && isAlive(left.pid)) {
    throw new Error(
      `A PostgreSQL may still run on ${clusterDir} (process ${left.pid}), of a service that was killed: start the former ` +
        'release and stop it, and try again.',
    );
  }
  if (readdirSync(join(clusterDir, 'pg_tblspc')).length > 0) {
    throw new Error(`Tablespaces lie outside of ${clusterDir}: move their tables back first.`);
  }
}

function bytesOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).reduce((sum, entry) => {
    return sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0);
  }, 0);
}

/** Starts the programs of the old version on a copy of the old cluster. It repairs itself there after a power failure. */
export async function startCopy(
  { layout, workDir, bytes }: Move,
  programs: string,
  onProgress: (share: number) => void,
): Promise<EmbeddedPostgres> {
  const folder = join(workDir, 'from');
  mkdirSync(folder, { mode: 0o700 });
  const own = layoutOf(folder);
  let copied = 0;
  await copyFolder(layout.clusterDir, own.clusterDir, {
    isLeftOut: isOfServer,
    onCopied: (more) => {
      copied += more;
      onProgress(Math.min(copied / bytes, 1));
    },
  });
  copyFileSync(layout.credentialsPath, own.credentialsPath);
  return startEmbeddedPostgres({
    ...{ dataDir: folder, programs, onProgress: () => {} },
    settings: { fsync: 'off', full_page_writes: 'off', autovacuum: 'off' },
  });
}

/** Files of a server that has ended, and the slots of the log's archive, which would keep the log of the copy. */
function isOfServer(path: string): boolean {
  return /^(postmaster\.|\.s\.PGSQL|pg_replslot\/)/.test(path);
}

/** Makes the new cluster, as a first start does, with the passwords and the owner of the old one. */
export function startNew({ layout, workDir }: Move): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    ...{ dataDir: join(workDir, 'to'), onProgress: () => {}, settings: loading },
    ...{ passwords: readPasswords(layout), ownedLike: layout.clusterDir },
  });
}

/** The folder of the new cluster, as a DATA_DIR. */
export function newFolderOf({ workDir }: Move): string {
  return join(workDir, 'to');
}

/**
 * Gives the new cluster its name, and the old one another. Its server has been stopped. A crash before the second rename leaves the
 * old one; one after it, the new one: the next start, or try, does the third.
 */
export async function swapClusters(move: Move): Promise<void> {
  const { workDir, keptDir } = move;
  const { dataDir, clusterDir } = move.layout;
  const made = layoutOf(newFolderOf(move)).clusterDir;
  await makeFolderDurable(made);
  renameSync(made, join(dataDir, nextClusterName));
  makeDurable(dataDir);
  renameSync(clusterDir, keptDir);
  makeDurable(dataDir);
  finishMove(dataDir);
  rmSync(workDir, { recursive: true, force: true });
}

/** Settings that the owner has written into the old cluster's own file: the new one does not have them. */
export function ownSettings({ layout }: Move): readonly string[] {
  const path = join(layout.clusterDir, 'postgresql.auto.conf');
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => /^\s*\w/.test(line));
}

/** Roles and databases that the owner has made in the old cluster: they are not copied. */
export async function ownObjects({ adminConnection }: EmbeddedPostgres): Promise<readonly string[]> {
  return withSession(adminConnection, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select 'role ' || rolname as name from pg_roles
        where rolname !~ '^pg_' and rolname not in ('postgres', 'dispensary_owner', 'dispensary_app')
       union all
       select 'database ' || datname from pg_database
        where datname not in ('postgres', 'template0', 'template1', 'dispensary') order by 1`,
    );
    return rows.map(({ name }) => name);
  });
}
