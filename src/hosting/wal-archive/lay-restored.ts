import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import {
  type BaseFiles,
  blobFolder,
  DamagedArchive,
  decodePiece,
  digestOf,
  getExpected,
  keyFolder,
  type Position,
  parsePosition,
  positionName,
  positionOfName,
  positionText,
  segmentName,
  unzipped,
} from './archive-layout.ts';
import { opened } from './archive-lock.ts';
import type { ArchiveStore } from './archive-store.ts';
import { blobKinds, keyFileName } from './archived-files.ts';
import { volumeName } from './base-backup.ts';
import type { KeptBase, KeptTimeline } from './reachable.ts';

/** What is restored, from which base backup, until when. */
export interface RestorePlan {
  readonly store: ArchiveStore;
  readonly timeline: KeptTimeline;
  readonly base: KeptBase;
  /** Null: to the end of the WAL. */
  readonly toMs: number | null;
}

interface Laying extends RestorePlan {
  /** An existing, empty folder. */
  readonly folder: string;
  readonly onProgress: (share: number, words: string) => void;
}

/** Most of the time of a small file is waiting for the store. */
const filesAtOnce = 8;

/**
 * Makes a data folder as of the moment: the base backup, the WAL after it, photos and documents, and PostgreSQL's recovery. The
 * database there is on a PostgreSQL timeline of its own and has no replication slot, so a service on it begins a timeline of its own and
 * writes nothing into the one that it came from. The folder is durable only after `makeFolderDurable`.
 */
export async function layRestored(laying: Laying): Promise<void> {
  await unpackBase(laying);
  await layWal(laying);
  await layFiles(laying);
  laying.onProgress(0.9, 'PostgreSQL replays the WAL');
  await recover(laying);
}

async function unpackBase({ store, base, folder, onProgress }: Laying): Promise<void> {
  const listPath = `${base.folder}/files.gz`;
  const packed = await getExpected(store, listPath);
  await expectDigest(listPath, packed, base.files);
  const { files }: BaseFiles = JSON.parse((await unzipped(listPath, packed)).toString('utf8'));
  for (const [path] of files) {
    if (path.split('/').includes('..')) throw new DamagedArchive(`${listPath} names ${path}`);
  }
  const contents = new Contents(store, base, (share) => onProgress(share * 0.4, 'the base backup'));
  for (const [path, mode, bytes] of files) {
    const target = join(folder, path);
    if (bytes === null) {
      await mkdir(target, { recursive: true, mode });
      continue;
    }
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const file = await open(target, 'wx', mode);
    try {
      for (let left = bytes; left > 0; ) {
        const part = await contents.next(left);
        await file.writeFile(part);
        left -= part.length;
      }
    } finally {
      await file.close();
    }
  }
}

/** The volumes of a base backup as one stream. */
class Contents {
  readonly #store: ArchiveStore;
  readonly #base: KeptBase;
  readonly #onProgress: (share: number) => void;
  #volume = 0;
  #rest: Buffer = Buffer.alloc(0);

  constructor(store: ArchiveStore, base: KeptBase, onProgress: (share: number) => void) {
    this.#store = store;
    this.#base = base;
    this.#onProgress = onProgress;
  }

  /** Some bytes, at most so many. */
  async next(count: number): Promise<Buffer> {
    if (this.#rest.length === 0) await this.#read();
    const part = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }

  async #read(): Promise<void> {
    const digest = this.#base.volumes[this.#volume];
    const path = `${this.#base.folder}/${volumeName(this.#volume)}`;
    if (digest === undefined) throw new DamagedArchive(`${path} is not in the manifest`);
    const packed = await getExpected(this.#store, path);
    await expectDigest(path, packed, digest);
    this.#rest = await unzipped(path, await opened(this.#store, path, packed));
    this.#volume += 1;
    this.#onProgress(this.#volume / this.#base.volumes.length);
  }
}

async function expectDigest(path: string, bytes: Buffer, digest: string): Promise<void> {
  if ((await digestOf(bytes as Buffer<ArrayBuffer>)) !== digest) {
    throw new DamagedArchive(`${path} in the archive is damaged: its digest is another one`);
  }
}

/** Puts the pieces of the WAL together to the segments that PostgreSQL reads. Throws where one is missing. */
async function layWal({ store, timeline, base, toMs, folder, onProgress }: Laying): Promise<void> {
  const { segmentBytes, timelineId } = timeline.facts;
  const start = parsePosition(base.startPosition);
  const first = start - (start % BigInt(segmentBytes));
  const wal = `${timeline.folder}/wal`;
  const after = first === 0n ? undefined : `${wal}/${positionName(first - 1n)}`;
  const pieces = (await store.list(wal, after)).map(({ path }) => path);
  let expected: Position = first;
  const reading = readAhead(pieces, (path) => getExpected(store, path));
  for await (const [index, path, stored] of reading) {
    const from = positionOfName(path.split('/').at(-1)!);
    if (from !== expected)
      throw new DamagedArchive(`The WAL at ${positionText(expected)} is missing in ${wal}`);
    const { bytes, atMs } = await decodePiece(store, path, stored);
    const name = segmentName(timelineId, from, segmentBytes);
    await writeSegment(join(folder, 'postgres', 'pg_wal', name), from, bytes, segmentBytes);
    expected = from + BigInt(bytes.length);
    onProgress(0.4 + (0.4 * (index + 1)) / pieces.length, 'the WAL');
    // Everything before the moment is there.
    if (toMs !== null && atMs >= toMs && expected >= parsePosition(base.stopPosition)) return;
  }
  if (expected < parsePosition(base.stopPosition)) {
    throw new DamagedArchive(`The WAL from ${positionText(expected)} on is missing in ${wal}`);
  }
}

/** Reads some in advance, and hands them out in order. */
async function* readAhead<Item, Value>(
  items: readonly Item[],
  read: (item: Item) => Promise<Value>,
): AsyncGenerator<readonly [index: number, item: Item, value: Value]> {
  const started: Promise<Value>[] = [];
  for (const [index, item] of items.entries()) {
    while (started.length < Math.min(index + filesAtOnce, items.length)) {
      const reading = read(items[started.length]!);
      // Thrown when it is its turn.
      reading.catch(() => {});
      started.push(reading);
    }
    yield [index, item, await started[index]!];
    started[index] = undefined as never;
  }
}

async function writeSegment(
  path: string,
  from: Position,
  bytes: Buffer,
  segmentBytes: number,
): Promise<void> {
  const at = Number(from % BigInt(segmentBytes));
  const file = await open(path, at === 0 ? 'w' : 'r+', 0o600);
  try {
    // PostgreSQL reads whole segments; the rest is zero, where its WAL ends.
    if (at === 0) await file.truncate(segmentBytes);
    await file.write(bytes, 0, bytes.length, at);
  } finally {
    await file.close();
  }
}

async function layFiles({ store, timeline, folder, onProgress }: Laying): Promise<void> {
  const { shop } = timeline.facts;
  for (const kind of blobKinds) {
    const names = (await store.list(blobFolder(shop, kind))).map(({ path }) => path);
    if (names.length === 0) continue;
    const target = join(folder, kind);
    await mkdir(target, { recursive: true, mode: 0o700 });
    for await (const [index, path, bytes] of readAhead(names, (path) => getExpected(store, path))) {
      await writeFile(join(target, path.split('/').at(-1)!), bytes, { mode: 0o600 });
      onProgress(0.8 + (0.1 * (index + 1)) / names.length, kind);
    }
  }
  // All keys that were ever there, the latest first: documents of each moment open.
  const keys: string[] = [];
  for (const { path } of (await store.list(keyFolder(shop))).toReversed()) {
    const bytes = await opened(store, path, await getExpected(store, path));
    keys.push(...bytes.toString('utf8').split('\n'));
  }
  const texts = [...new Set(keys.filter((key) => key !== ''))];
  if (texts.length === 0) return;
  await writeFile(join(folder, keyFileName), texts.map((key) => `${key}\n`).join(''), { mode: 0o600 });
}

/** PostgreSQL says this when nothing was committed after the moment: then the end of the WAL is the moment. */
const endsBefore = /recovery ended before configured recovery target was reached/;

async function recover({ folder, toMs }: Laying): Promise<void> {
  const settings = {
    // The WAL is in pg_wal already.
    ...{ restore_command: 'exit 1', recovery_target_timeline: 'current', recovery_target_action: 'promote' },
    // Otherwise it would count as ready before the WAL is replayed.
    hot_standby: 'off',
    // The folder is not used before it is durable as a whole.
    ...{ fsync: 'off', full_page_writes: 'off' },
  };
  const target: Record<string, string> =
    toMs === null
      ? {}
      : { recovery_target_time: new Date(toMs).toISOString().replace('T', ' ').replace('Z', '+00') };
  await writeFile(join(folder, 'postgres', 'recovery.signal'), '', { mode: 0o600 });
  try {
    await startAndStop(folder, { ...settings, ...target });
  } catch (error) {
    if (!endsBefore.test((error as Error).message)) throw error;
    await startAndStop(folder, settings);
  }
  await rm(join(folder, 'postgres.log'), { force: true });
}

async function startAndStop(dataDir: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir, onProgress: () => {}, settings });
  await server.stop();
}
