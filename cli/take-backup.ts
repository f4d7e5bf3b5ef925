import { mkdir, readdir, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { copyRunningCluster } from '../src/hosting/embedded-postgres/backup.ts';
import {
  copyFile,
  copyFolder,
  makeFolderDurable,
  makeNamesDurable,
} from '../src/hosting/embedded-postgres/copy-folder.ts';
import { holderOf, lockDataDirectory } from '../src/hosting/embedded-postgres/lock.ts';
import type { ConnectionConfig } from '../src/platform/database/database.ts';
import { isBlobName } from '../src/platform/storage/blob-store.ts';
import { UsageError } from './usage-error.ts';

interface BackupRun {
  readonly dataDir: string;
  /** The superuser of the embedded PostgreSQL that runs on it. */
  readonly admin: ConnectionConfig;
  readonly folder: string;
  /** The folder is in the data directory, and goes to another place. */
  readonly isScratch?: boolean;
  /** The copied part of the database: `share` from 0 to 1, approximate. */
  readonly onProgress: (share: number, copiedBytes: number) => void;
}

/**
 * The files beside the database that a start on the copy needs. Left out: PostgreSQL's lock and log, and import marks, which
 * would claim more imports than the copy has.
 */
const blobFolders = ['photos', 'documents'];
/** Only copied before the database: an anchor must not be newer than the audit log of the copy. */
const anchors = 'audit-anchors';
const looseFiles = ['document-master-key', 'demo.json'];

/**
 * Copies a data directory, while its database runs and is written to, into a folder that the service can start from. The copy
 * has the state of one moment before this resolves. The folder appears complete or not at all, and is flushed to disk. Fails
 * with a UsageError if the folder is not empty or is inside the data directory.
 */
export async function takeBackup({
  dataDir,
  admin,
  folder,
  isScratch = false,
  onProgress,
}: BackupRun): Promise<void> {
  const target = await placeFor(folder, isScratch ? null : dataDir);
  const draft = await makeDraft(`${target}.partial`);
  try {
    // Files never change. Copied before the database: files deleted during the copy are still in its rows. Copied after it:
    // files written during the copy are already in its rows.
    await copyBlobs(dataDir, draft);
    await copyFolder(join(dataDir, anchors), join(draft, anchors), {
      isLeftOut: (path) => !isBlobName(path),
    });
    await copyRunningCluster({ dataDir, admin, folder: draft, onProgress });
    await copyBlobs(dataDir, draft);
    for (const name of looseFiles) await copyFile(join(dataDir, name), join(draft, name));
    await makeFolderDurable(draft);
    await rename(draft, target);
    // Held until now, so a draft always shows whether a backup is running.
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
    // Other names are unfinished files.
    await copyFolder(join(dataDir, name), join(draft, name), { isLeftOut: (path) => !isBlobName(path) });
  }
}

/** The folder's absolute path, if it is free. */
async function placeFor(folder: string, dataDir: string | null): Promise<string> {
  const named = resolve(folder);
  // Checked by name before the folder is created, and by its real path.
  if (dataDir !== null) refuseWithin(dataDir, named);
  await mkdir(dirname(named), { recursive: true });
  const target = join(await realpath(dirname(named)), basename(named));
  if (dataDir !== null) refuseWithin(await realpath(dataDir), target);
  try {
    // The finished folder replaces an empty one.
    await rmdir(target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR') {
      throw new UsageError(`--to: ${folder} must be empty or not exist`);
    }
    if (code === 'EBUSY') throw new UsageError(`--to: ${folder} is a mounted disk; name a folder on it`);
    if (code !== 'ENOENT') throw error;
  }
  return target;
}

function refuseWithin(dataDir: string, target: string): void {
  const path = relative(dataDir, target);
  if (path.split(sep)[0] === '..' || isAbsolute(path)) return;
  throw new UsageError(`--to: ${target} is inside DATA_DIR and would be lost with it`);
}

/** Creates the folder to write to; leftovers of a killed backup are removed. */
async function makeDraft(draft: string): Promise<string> {
  await mkdir(draft, { recursive: true, mode: 0o700 });
  const left = await readdir(draft);
  if (left.length > 0 && !left.some((name) => /^lock(\.\d+)?$/.test(name))) {
    throw new UsageError(`--to: ${draft}, the temporary folder of the backup, contains other files`);
  }
  const holder = holderOf(draft);
  if (holder !== undefined) throw new UsageError(`--to: process ${holder} is writing a backup to it`);
  lockDataDirectory(draft);
  for (const name of left.filter((name) => name !== 'lock')) {
    await rm(join(draft, name), { recursive: true, force: true });
  }
  return draft;
}
