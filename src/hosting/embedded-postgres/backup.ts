import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Client } from 'pg';
import { withSession } from '../../platform/connections/with-session.ts';
import type { ConnectionConfig } from '../../platform/database/database.ts';
import { layoutOf } from './cluster.ts';
import { copyFile, copyFolder, takeOwner } from './copy-folder.ts';

interface Backup {
  readonly dataDir: string;
  /** The superuser of the embedded PostgreSQL that runs on it. */
  readonly admin: ConnectionConfig;
  /** An existing folder; it gets the database part of `dataDir`. */
  readonly folder: string;
  /** `share` from 0 to 1, approximate. */
  readonly onProgress: (share: number, copiedBytes: number) => void;
}

/** Contents that only a running server has, or the next start creates: folders that are copied empty … */
const emptiedFolders = new Set([
  ...['pg_dynshmem', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'],
  // The needed segments of this one are copied later.
  'pg_wal',
]);
/** … and files that are not copied (basebackup.c); label files are left over from a restore. */
const leftOutFiles =
  /^(postmaster\.(pid|opts)|\.s\.PGSQL\..*|backup_manifest|(backup_label|tablespace_map)(\.old)?)$/;
export const controlFile = 'global/pg_control';

/** Whether a copy of a running cluster leaves a file or folder out, by its path in the cluster. */
export function isLeftOut(path: string): boolean {
  const name = basename(path);
  if (/^(pgsql_tmp|pg_internal\.init)/.test(name)) return true;
  return path === name
    ? leftOutFiles.test(name)
    : path === controlFile || emptiedFolders.has(path.slice(0, path.indexOf('/')));
}

/**
 * Copies the database of a data directory during writes, by PostgreSQL's rules ("Making a Base Backup Using the Low
 * Level API"). Files are copied one after the other and are inconsistent; the write-ahead log of the whole period is
 * copied too, and a start on the copy recovers everything that was committed up to its end. A replication slot keeps
 * that part of the log. Slot and backup end with the session: nothing stays on the server when this process is killed.
 * Throws when tablespaces lie outside the directory.
 */
export async function copyRunningCluster({ dataDir, admin, folder, onProgress }: Backup): Promise<void> {
  const { clusterDir, credentialsPath } = layoutOf(dataDir);
  const target = join(folder, basename(clusterDir));
  await withSession(admin, async (client) => {
    const { rows: facts } = await client.query<{ bytes: string; tablespaces: string | null }>(
      `select (select sum(pg_database_size(oid)) from pg_database) as bytes,
              (select string_agg(spcname, ', ') from pg_tablespace
                where spcname not in ('pg_default', 'pg_global')) as tablespaces`,
    );
    const { bytes: expectedBytes, tablespaces } = facts[0]!;
    if (tablespaces !== null) {
      throw new Error(`Tablespaces lie outside ${clusterDir}: ${tablespaces}. Use pg_basebackup.`);
    }
    await client.query(
      `select pg_create_physical_replication_slot('dispensary_backup_' || pg_backend_pid(), true, true)`,
    );
    const started = await client.query<{ lsn: string }>(`select pg_backup_start('dispensary', true) as lsn`);
    let copiedBytes = 0;
    await copyFolder(clusterDir, target, {
      isLeftOut,
      onCopied: (bytes) => {
        copiedBytes += bytes;
        onProgress(Math.min(copiedBytes / Number(expectedBytes), 1), copiedBytes);
      },
    });
    await copyControlFile(join(clusterDir, controlFile), join(target, controlFile));
    const stopped = await client.query<{ lsn: string; label: string }>(
      'select lsn, labelfile as label from pg_backup_stop(false)',
    );
    const { lsn, label } = stopped.rows[0]!;
    const labelPath = join(target, 'backup_label');
    await writeFile(labelPath, label, { mode: 0o600 });
    await takeOwner(labelPath, await stat(clusterDir));
    for (const segment of await logSegments(client, started.rows[0]!.lsn, lsn)) {
      const path = join('pg_wal', segment);
      const copied = await copyFile(join(clusterDir, path), join(target, path));
      if (copied === null) throw new Error(`PostgreSQL has removed ${path} before it was copied: try again.`);
    }
    await copyFile(credentialsPath, join(folder, basename(credentialsPath)));
  });
}

/** PostgreSQL rewrites it in place, rarely: two equal readings prove that it is complete. */
export async function readControlFile(path: string): Promise<Buffer> {
  let seen = await readFile(path);
  for (let again = await readFile(path); !again.equals(seen); again = await readFile(path)) seen = again;
  return seen;
}

async function copyControlFile(from: string, to: string): Promise<void> {
  await writeFile(to, await readControlFile(from), { mode: 0o600 });
  await takeOwner(to, await stat(from));
}

/** The names of the log segments from the one of the first position to the one before the end position. */
async function logSegments(client: Client, from: string, to: string): Promise<readonly string[]> {
  // The name is asked for by the second byte of a segment: at the first byte, versions answer differently.
  const { rows } = await client.query<{ name: string }>(
    `select pg_walfile_name('0/0'::pg_lsn + number * size + 1) as name
       from (select pg_size_bytes(current_setting('wal_segment_size'))::numeric as size) settings,
            generate_series(floor(($1::pg_lsn - '0/0'::pg_lsn) / size),
                            floor(($2::pg_lsn - '0/0'::pg_lsn - 1) / size)) as number
      order by number`,
    [from, to],
  );
  return rows.map(({ name }) => name);
}
