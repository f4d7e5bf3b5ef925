import {
  type BaseFiles,
  blobFolder,
  getExpected,
  keyFolder,
  parsePosition,
  positionOfName,
  unzipped,
} from './archive-layout.ts';
import type { ArchiveStore } from './archive-store.ts';
import { type ArchivedFiles, blobKinds } from './archived-files.ts';
import { type KeptBase, type KeptTimeline, readTimelines } from './reachable.ts';

/** As many files as are removed in one step: other requests to the store come in between. */
const filesPerStep = 500;
/** Clocks of stores differ. */
const clockMs = 3_600_000;

interface Retention {
  readonly store: ArchiveStore;
  readonly shop: string;
  /** The timeline that is being written. */
  readonly timeline: string;
  readonly keepBases: number;
  /** Whether base backups are restored on trial here: without, none is known to be whole. */
  readonly drillsHere: boolean;
  readonly files: ArchivedFiles;
  /** The folder of the base backup that is being written, if any. */
  readonly writing: string | null;
}

/**
 * Removes, in one small step, what no kept base backup needs: older ones of the timeline, the WAL before the oldest kept one, ended timelines,
 * and files that were deleted before it. The newest base backup that a drill found whole always stays. Resolves to the number of
 * removed files; 0: there is nothing left to remove.
 */
export async function pruneArchive(retention: Retention): Promise<number> {
  const { store } = retention;
  let removed = 0;
  for await (const [path, after] of superfluous(retention)) {
    await store.delete(path);
    after?.();
    removed += 1;
    if (removed === filesPerStep) break;
  }
  return removed;
}

/** The base backups of a timeline that stay: the newest ones, and the newest that is known to be whole. */
export function keptOf(bases: readonly KeptBase[], count: number): readonly KeptBase[] {
  const newest = bases.slice(-count);
  if (newest.some(({ isVerified }) => isVerified)) return newest;
  const whole = bases.findLast(({ isVerified }) => isVerified);
  return whole === undefined ? newest : [whole, ...newest];
}

async function* superfluous(
  retention: Retention,
): AsyncGenerator<readonly [path: string, after?: () => void]> {
  const { store, shop, timeline, keepBases, drillsHere, writing } = retention;
  const timelines = await readTimelines(store, shop);
  const own = timelines.find(({ facts }) => facts.timeline === timeline);
  if (own === undefined) return;
  for (const folder of own.unfinished) {
    if (folder !== writing) yield* everythingIn(store, folder);
  }
  const kept = keptOf(own.bases, keepBases);
  const oldest = kept[0];
  if (oldest === undefined) return;
  for (const base of own.bases) {
    if (kept.includes(base)) continue;
    // First: from then on it does not count.
    yield [`${base.folder}/manifest.json`];
    yield* everythingIn(store, base.folder);
  }
  yield* walBefore(store, own, oldest);
  const others = timelines.filter((it) => it !== own);
  const isEnough = kept.length >= keepBases && (!drillsHere || kept.some(({ isVerified }) => isVerified));
  const ended = others.filter(({ newestMs }) => isEnough && newestMs < oldest.startedAtMs);
  for (const { folder } of ended) {
    for await (const step of everythingIn(store, folder)) {
      if (!step[0].endsWith('/timeline.json')) yield step;
    }
    yield [`${folder}/timeline.json`];
  }
  if (others.length > 0) return;
  yield* filesBefore(retention, oldest);
  yield* keysBefore(store, shop, oldest);
}

async function* everythingIn(store: ArchiveStore, folder: string): AsyncGenerator<readonly [string]> {
  for (const { path } of await store.list(folder)) yield [path];
}

async function* walBefore(
  store: ArchiveStore,
  { folder, facts }: KeptTimeline,
  oldest: KeptBase,
): AsyncGenerator<readonly [string]> {
  const start = parsePosition(oldest.startPosition);
  const needed = start - (start % BigInt(facts.segmentBytes));
  const pieces = (await store.list(`${folder}/wal`)).map(({ path }) => path);
  for (const [index, path] of pieces.entries()) {
    const next = pieces[index + 1];
    // The last piece stays: it shows where the timeline goes on.
    if (next === undefined || positionOfName(next.split('/').at(-1)!) > needed) return;
    yield [path];
  }
}

/** Files that were deleted before the oldest moment that can be restored. */
async function* filesBefore(
  { store, shop, files }: Retention,
  oldest: KeptBase,
): AsyncGenerator<readonly [string, () => void]> {
  const listPath = `${oldest.folder}/files.gz`;
  const list: BaseFiles = JSON.parse(
    (await unzipped(listPath, await getExpected(store, listPath))).toString('utf8'),
  );
  const present = await files.present();
  for (const kind of blobKinds) {
    const needed = new Set([...(present[kind] ?? []), ...(list.blobs[kind] ?? [])]);
    if (present[kind] === undefined) continue;
    for (const { path, modifiedAtMs } of await store.list(blobFolder(shop, kind))) {
      const name = path.split('/').at(-1)!;
      if (modifiedAtMs > oldest.startedAtMs - clockMs || needed.has(name)) continue;
      yield [path, () => files.forget(kind, name)];
    }
  }
}

/** Contents of the key file that were replaced before the oldest moment that can be restored. */
async function* keysBefore(
  store: ArchiveStore,
  shop: string,
  oldest: KeptBase,
): AsyncGenerator<readonly [string]> {
  const paths = (await store.list(keyFolder(shop))).map(({ path }) => path);
  for (const [index, path] of paths.entries()) {
    const next = paths[index + 1];
    if (next === undefined) return;
    const replacedAtMs = Number(next.split('/').at(-1)!.split('-')[0]);
    if (replacedAtMs < oldest.startedAtMs - clockMs) yield [path];
  }
}
