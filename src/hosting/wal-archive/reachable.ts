import {
  type BaseManifest,
  getExpected,
  pieceFacts,
  readJson,
  type TimelineFacts,
  type Tip,
  timelineFolder,
  timelinesOf,
} from './archive-layout.ts';
import type { ArchiveStore } from './archive-store.ts';

/** A base backup that is complete. */
export interface KeptBase extends BaseManifest {
  /** Its folder in the archive. */
  readonly folder: string;
  /** Whether a drill restored it and found it whole. */
  readonly isVerified: boolean;
}

/** A timeline of the archive and what it can restore. */
export interface KeptTimeline {
  readonly facts: TimelineFacts;
  readonly folder: string;
  /** Complete ones, oldest first. */
  readonly bases: readonly KeptBase[];
  /** Folders of unfinished ones. */
  readonly unfinished: readonly string[];
  /** Every moment from the first to the last can be restored; null without a base backup. */
  readonly reach: { readonly fromMs: number; readonly toMs: number } | null;
  /** Until when it is complete. */
  readonly newestMs: number;
}

/** The shops of an archive. */
export async function shopsOf(store: ArchiveStore): Promise<readonly string[]> {
  return (await store.folders('')).filter((name) => /^\d+$/.test(name));
}

/** The timelines of a shop, oldest first. */
export async function readTimelines(store: ArchiveStore, shop: string): Promise<readonly KeptTimeline[]> {
  const timelines: KeptTimeline[] = [];
  for (const name of await store.folders(timelinesOf(shop))) {
    const timeline = await readTimeline(store, shop, name);
    if (timeline !== null) timelines.push(timeline);
  }
  return timelines;
}

/** Null if it is not a timeline: its facts are missing. */
export async function readTimeline(
  store: ArchiveStore,
  shop: string,
  name: string,
): Promise<KeptTimeline | null> {
  const folder = timelineFolder(shop, name);
  const facts = await readJson<TimelineFacts>(store, `${folder}/timeline.json`);
  if (facts === null) return null;
  const bases: KeptBase[] = [];
  const unfinished: string[] = [];
  for (const base of await store.folders(`${folder}/bases`)) {
    const at = `${folder}/bases/${base}`;
    const manifest = await readJson<BaseManifest>(store, `${at}/manifest.json`);
    if (manifest === null) {
      unfinished.push(at);
      continue;
    }
    const isVerified = (await store.get(`${at}/verified.json`)) !== null;
    bases.push({ ...manifest, folder: at, isVerified });
  }
  bases.sort((a, b) => a.startedAtMs - b.startedAtMs);
  const newestMs = await newestOf(store, folder, facts);
  const fromMs = bases[0]?.stoppedAtMs;
  const reach = fromMs === undefined ? null : { fromMs, toMs: Math.max(fromMs, newestMs) };
  return { facts, folder, bases, unfinished, reach, newestMs };
}

/** The tip is written from time to time; the last piece may be newer. */
async function newestOf(store: ArchiveStore, folder: string, facts: TimelineFacts): Promise<number> {
  const tip = await readJson<Tip>(store, `${folder}/tip.json`);
  const last = (await store.list(`${folder}/wal`)).at(-1)?.path;
  const lastMs = last === undefined ? 0 : pieceFacts(last, await getExpected(store, last)).atMs;
  return Math.max(tip?.atMs ?? facts.startedAtMs, lastMs);
}
