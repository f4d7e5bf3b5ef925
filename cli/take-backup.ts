import { mkdir, readdir, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { ConnectionConfig } from '../src/database/database.ts';
import { copyRunningCluster } from '../src/embedded-postgres/backup.ts';
import {
  copyFile,
  copyFolder,
  makeFolderDurable,
  makeNamesDurable,
} from '../src/embedded-postgres/copy-folder.ts';
import { holderOf, lockDataDirectory } from '../src/embedded-postgres/lock.ts';
import { isBlobName } from '../src/storage/blob-store.ts';
import { UsageError } from './usage-error.ts';

export interface BackupRun {
  readonly dataDir: string;
  /** The superuser of the embedded PostgreSQL that runs on it. */
  readonly admin: ConnectionConfig;
  readonly folder: string;
  /** How much of the database is copied: `share` from 0 to 1, roughly. */
  readonly onProgress: (share: number, copiedBytes: number) => void;
}

/**
 * What lies beside the database, and a start on the copy needs. Left out: the lock and the log of PostgreSQL, and marks
 * of imports, which would say that more was imported than there is.
 */
const blobFolders = ['photos', 'documents'];
const looseFiles = ['document-master-key', 'demo.json'];

/**
 * Copies a data directory whose database runs and is written to, into a folder from which the service can be started, as
 * it was at one moment before this resolves. It appears whole or not at all, and on the disk. Fails with a
 * UsageError for a folder that has something in it, or that lies in the data directory.
 */
export async function takeBackup({ dataDir, admin, folder, onProgress }: BackupRun): Promise<void> {
  const target = await placeFor(folder, dataDir);
  const draft = await makeDraft(`${target}.partial`);
  try {
    // Files never change. Before the database: what is deleted meanwhile is still in its rows. After it: what is
    // written meanwhile is in its rows already.
    await copyBlobs(dataDir, draft);
    await copyRunningCluster({ dataDir, admin, folder: draft, onProgress });
    await copyBlobs(dataDir, draft);
    for (const name of looseFiles) await copyFile(join(dataDir, name), join(draft, name));
    await makeFolderDurable(draft);
    await rename(draft, target);
    // Held till now, so that a draft always tells whether somebody works on it.
    await rm(join(target, 'lock'));
    await makeNamesDurable(target);
    await makeNamesDurable(dirname(target));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

async function copyBlobs(dataDir: string, draft: string): Promise<void> {
  for (const name of blobFolders) {
    // Others are unfinished.
    await copyFolder(join(dataDir, name), join(draft, name), { isLeftOut: (path) => !isBlobName(path) });
  }
}

/** The folder's absolute path, when there is nothing of that name. */
async function placeFor(folder: string, dataDir: string): Promise<string> {
  const named = resolve(folder);
  // By its name before a folder is made for it, and by where that leads.
  refuseWithin(dataDir, named);
  await mkdir(dirname(named), { recursive: true });
  const target = join(await realpath(dirname(named)), basename(named));
  refuseWithin(await realpath(dataDir), target);
  try {
    // The finished folder takes the place of an empty one.
    await rmdir(target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR') {
      throw new UsageError(`--to: ${folder} must be empty, or not be there`);
    }
    if (code === 'EBUSY') throw new UsageError(`--to: ${folder} is a mounted disk; name a folder on it`);
    if (code !== 'ENOENT') throw error;
  }
  return target;
}

function refuseWithin(dataDir: string, target: string): void {
  const path = relative(dataDir, target);
  if (path.split(sep)[0] === '..' || isAbsolute(path)) return;
  throw new UsageError(`--to: ${target} lies in DATA_DIR, and would be lost with it`);
}

/** Makes the folder to write to; what a backup that was killed has left there is removed. */
async function makeDraft(draft: string): Promise<string> {
  await mkdir(draft, { recursive: true, mode: 0o700 });
  const left = await readdir(draft);
  if (left.length > 0 && !left.some((name) => /^lock(\.\d+)?$/.test(name))) {
    throw new UsageError(`--to: ${draft}, where it is written first, has something else in it`);
  }
  const holder = holderOf(draft);
  if (holder !== undefined) throw new UsageError(`--to: process ${holder} is writing a backup to it`);
  lockDataDirectory(draft);
  for (const name of left.filter((name) => name !== 'lock')) {
    await rm(join(draft, name), { recursive: true, force: true });
  }
  return draft;
}
