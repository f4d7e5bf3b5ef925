import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { systemClock } from '../../kernel/clock.ts';
import { isBlobName } from '../../platform/storage/blob-store.ts';
import { controlFile, isLeftOut, readControlFile } from '../embedded-postgres/backup.ts';
import {
  type BaseFiles,
  type BaseManifest,
  digestOf,
  type Position,
  parsePosition,
  writeJson,
  zipped,
} from './archive-layout.ts';
import { sealed } from './archive-lock.ts';
import type { ArchiveStore } from './archive-store.ts';

/** As much as is held in memory. */
const volumeBytes = 16 * 1_048_576;

/** Files of DATA_DIR beside the folder `postgres` that a start needs; the archive has photos and documents apart. */
const anchors = 'audit-anchors';
const looseFiles = ['postgres-credentials.json', 'demo.json'];

interface BaseBackup {
  readonly store: ArchiveStore;
  /** The folder of the base backup in the archive. */
  readonly folder: string;
  readonly base: string;
  readonly dataDir: string;
  readonly blobs: () => Promise<BaseFiles['blobs']>;
  readonly timeZone: string | null;
  readonly stop: AbortSignal;
  /** Resolves when the archive has the WAL up to there. */
  readonly untilShipped: (position: Position) => Promise<void>;
}

/**
 * Writes a base backup of the running database into the archive. By PostgreSQL's rules ("Making a Base Backup Using the Low Level
 * API"): its files are read one after the other during writes, and the WAL makes them consistent. The manifest comes last, when
 * the archive has that WAL: a base backup without a manifest does not count.
 */
export async function takeBaseBackup(client: Client, backup: BaseBackup): Promise<BaseManifest> {
  const { store, folder, base, dataDir } = backup;
  const startedAtMs = systemClock.now();
  const started = await client.query<{ lsn: string }>(`select pg_backup_start('dispensary', true) as lsn`);
  const volumes = new Volumes(store, folder, backup.stop);
  await packAnchors(volumes, dataDir);
  await packCluster(volumes, dataDir);
  const stopped = await client.query<{ lsn: string; label: string; map: string; ms: number }>(
    `select lsn, labelfile as label, spcmapfile as map, extract(epoch from clock_timestamp())::float8 * 1000 as ms
       from pg_backup_stop(false)`,
  );
  const { lsn, label, map, ms } = stopped.rows[0]!;
  if (map !== '')
    throw new Error('The database has tablespaces outside of its folder: they are not archived.');
  await volumes.add('postgres/backup_label', 0o600, Buffer.from(label));
  const digests = await volumes.end();
  const listed: BaseFiles = { files: volumes.files, blobs: await backup.blobs() };
  const list = await zipped(Buffer.from(JSON.stringify(listed)));
  await store.put(`${folder}/files.gz`, list);
  await backup.untilShipped(parsePosition(lsn));
  const manifest: BaseManifest = {
    ...{ format: 1, base, startPosition: started.rows[0]!.lsn, stopPosition: lsn, startedAtMs },
    // Rounded up: what was answered before is in it.
    stoppedAtMs: Math.ceil(ms),
    ...{ bytes: volumes.bytes, volumes: digests, files: await digestOf(list as Buffer<ArrayBuffer>) },
    timeZone: backup.timeZone,
  };
  await writeJson(store, `${folder}/manifest.json`, manifest);
  return manifest;
}

/** Before the database: an anchor must not be newer than the audit log of a moment that can be restored. */
async function packAnchors(volumes: Volumes, dataDir: string): Promise<void> {
  const folder = join(dataDir, anchors);
  const names = ((await readdir(folder).catch(ifGone)) ?? []).filter(isBlobName);
  if (names.length > 0) volumes.addFolder(anchors, 0o700);
  for (const name of names) await volumes.addFile(`${anchors}/${name}`, join(folder, name), 0o600);
}

async function packCluster(volumes: Volumes, dataDir: string): Promise<void> {
  const clusterDir = join(dataDir, 'postgres');
  const walk = async (below: string): Promise<void> => {
    const folder = join(clusterDir, below);
    const entry = await stat(folder).catch(ifGone);
    if (entry === null) return;
    volumes.addFolder(below === '' ? 'postgres' : `postgres/${below}`, entry.mode & 0o777);
    for (const name of (await readdir(folder).catch(ifGone)) ?? []) {
      const path = below === '' ? name : `${below}/${name}`;
      if (isLeftOut(path)) continue;
      const found = await stat(join(clusterDir, path)).catch(ifGone);
      if (found?.isDirectory()) await walk(path);
      else if (found?.isFile()) await volumes.addFile(`postgres/${path}`, join(clusterDir, path), found.mode);
    }
  };
  await walk('');
  const control = await readControlFile(join(clusterDir, controlFile));
  await volumes.add(`postgres/${controlFile}`, 0o600, control);
  for (const name of looseFiles) {
    const bytes = await readFile(join(dataDir, name)).catch(ifGone);
    if (bytes !== null) await volumes.add(name, 0o600, bytes);
  }
}

/** The contents of files, one after the other, cut into volumes. */
class Volumes {
  readonly #store: ArchiveStore;
  readonly #folder: string;
  readonly #stop: AbortSignal;
  readonly files: BaseFiles['files'][number][] = [];
  readonly #digests: string[] = [];
  bytes = 0;
  readonly #buffer = Buffer.allocUnsafe(volumeBytes);
  #filled = 0;

  constructor(store: ArchiveStore, folder: string, stop: AbortSignal) {
    this.#store = store;
    this.#folder = folder;
    this.#stop = stop;
  }

  addFolder(path: string, mode: number): void {
    this.files.push([path, mode, null]);
  }

  async add(path: string, mode: number, bytes: Uint8Array): Promise<void> {
    await this.#append(bytes);
    this.files.push([path, mode & 0o777, bytes.length]);
  }

  /** Reads to the end of a file that may grow, shrink or disappear meanwhile. */
  async addFile(path: string, from: string, mode: number): Promise<void> {
    const file = await open(from, 'r').catch(ifGone);
    if (file === null) return;
    try {
      let bytes = 0;
      for (;;) {
        const { bytesRead } = await file.read(this.#buffer, this.#filled, volumeBytes - this.#filled, null);
        if (bytesRead === 0) break;
        this.#filled += bytesRead;
        this.bytes += bytesRead;
        bytes += bytesRead;
        if (this.#filled === volumeBytes) await this.#write();
      }
      this.files.push([path, mode & 0o777, bytes]);
    } finally {
      await file.close();
    }
  }

  /** Resolves to the digests of all volumes. */
  async end(): Promise<readonly string[]> {
    if (this.#filled > 0) await this.#write();
    return this.#digests;
  }

  async #append(bytes: Uint8Array): Promise<void> {
    this.bytes += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + volumeBytes - this.#filled);
      this.#buffer.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === volumeBytes) await this.#write();
    }
  }

  async #write(): Promise<void> {
    this.#stop.throwIfAborted();
    const path = `${this.#folder}/${volumeName(this.#digests.length)}`;
    const packed = await zipped(this.#buffer.subarray(0, this.#filled));
    const stored = await sealed(this.#store, path, packed as Buffer<ArrayBuffer>);
    await this.#store.put(path, stored);
    this.#digests.push(await digestOf(stored));
    this.#filled = 0;
  }
}

/** The name of a volume in the folder of its base backup. */
export function volumeName(index: number): string {
  return `${String(index).padStart(6, '0')}.gz`;
}

function ifGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
