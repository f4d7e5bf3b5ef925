import { resolve } from 'node:path';
import type { Config } from '../src/hosting/startup/config.ts';
import {
  type ArchiveLock,
  type ArchiveStore,
  type KeptBase,
  type KeptTimeline,
  openArchive,
  type RestorePlan,
  readTimelines,
  shopsOf,
} from '../src/hosting/wal-archive/wal-archive.ts';
import { identitiesIn } from './encrypted-file.ts';
import { UsageError } from './usage-error.ts';

/** The words of a command that choose what is restored. */
export type Choice = Readonly<Partial<Record<'to' | 'from' | 'timeline' | 'shop' | 'base', string>>>;

/** The archive of `--from`, or that of the configuration, opened with the private keys of `--identity`. Fails with a UsageError. */
export function archiveOf(
  config: Config,
  from: string | undefined,
  identity: string | undefined,
): ArchiveStore {
  const lock: ArchiveLock = {
    ...config.backupLock,
    ...(identity !== undefined && { identities: () => identitiesIn(identity) }),
  };
  if (from === undefined) {
    if (config.walArchive !== undefined) return openArchive(config.walArchive.place, lock);
    throw new UsageError('--from is missing, and WAL_ARCHIVE is not set: name the archive');
  }
  const bucket = /^s3:\/\/([^/]+)\/?(.*?)\/?$/.exec(from);
  if (bucket === null) return openArchive({ folder: resolve(from) }, lock);
  const { place } = config.walArchive ?? {};
  const access = place !== undefined && 'bucket' in place ? place.bucket : config.bucket;
  if (access === undefined) {
    throw new UsageError('--from: for an archive in a bucket, set WAL_ARCHIVE and the access to it (S3_…)');
  }
  return openArchive({ bucket: { ...access, bucket: bucket[1]!, prefix: bucket[2]! } }, lock);
}

/** The timelines that `--shop` and `--timeline` leave. Fails with a UsageError. */
export async function timelinesIn(
  store: ArchiveStore,
  { shop, timeline }: Choice,
): Promise<readonly KeptTimeline[]> {
  const shops = await shopsOf(store);
  if (shops.length === 0) throw new Error(`${store.place} has no archive of a shop`);
  if (shop !== undefined && !shops.includes(shop)) {
    throw new UsageError(`--shop: there is no ${shop} in ${store.place}`);
  }
  const chosen = shop === undefined ? shops : [shop];
  const timelines = (await Promise.all(chosen.map((one) => readTimelines(store, one)))).flat();
  if (timeline === undefined) {
    if (chosen.length > 1)
      throw new UsageError(`--shop: ${store.place} has ${shopsIn(chosen, timelines)}; name one`);
    return timelines;
  }
  // No two timelines have the same name.
  const named = timelines.filter(({ facts }) => facts.timeline === timeline);
  if (named.length === 0) throw new UsageError(`--timeline: there is no ${timeline} in ${store.place}`);
  return named;
}

/** The shops, and until when each has written. */
function shopsIn(shops: readonly string[], timelines: readonly KeptTimeline[]): string {
  return shops
    .map((shop) => {
      const newest = timelines
        .filter(({ facts }) => facts.shop === shop)
        .toSorted((a, b) => a.newestMs - b.newestMs)
        .at(-1);
      return newest ? `${shop} (until ${momentText(newest.newestMs, zoneOf(newest))})` : shop;
    })
    .join(', ');
}

/** `latest` is null. Fails with a UsageError for a time without an offset. */
export function momentOf(text: string): number | null {
  if (text === 'latest') return null;
  const parts = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.exec(text);
  const ms = parts === null ? Number.NaN : Date.parse(text);
  // February 30 is a day in March for JavaScript.
  const isDay = parts !== null && new Date(`${parts[1]}T00:00:00Z`).toISOString().startsWith(parts[1]!);
  if (Number.isNaN(ms) || !isDay) {
    throw new UsageError(
      `--to: ${text} must be latest, or a time with its offset such as 2026-11-22T18:04:00-08:00`,
    );
  }
  return ms;
}

/** Which base backup, and how far. Fails with a UsageError that says what can be reached. */
export async function planOf(store: ArchiveStore, choice: Choice): Promise<RestorePlan> {
  const toMs = momentOf(choice.to ?? 'latest');
  const all = await timelinesIn(store, choice);
  const timelines = all.filter(({ reach }) => reach !== null);
  if (timelines.length === 0) throw new Error(`${store.place} has no complete base backup yet`);
  const newest = timelines.reduce((one, other) => (other.newestMs > one.newestMs ? other : one));
  const fitting =
    toMs === null
      ? timelines.filter((timeline) => timeline === newest || timeline.newestMs > newest.reach!.fromMs)
      : timelines.filter(({ reach }) => reach!.fromMs <= toMs && toMs <= reach!.toMs);
  const [timeline, another] = fitting;
  if (timeline === undefined) {
    throw new UsageError(`--to: ${choice.to} is not in the archive. It reaches\n${reachText(timelines)}`);
  }
  if (another !== undefined) {
    throw new UsageError(
      `--timeline: several databases have written then, as after a restore that was started; name one of\n${reachText(fitting)}`,
    );
  }
  return { store, timeline, base: baseFor(timeline, toMs, choice.base), toMs };
}

function baseFor(timeline: KeptTimeline, toMs: number | null, named: string | undefined): KeptBase {
  const before = timeline.bases.filter(({ stoppedAtMs }) => toMs === null || stoppedAtMs <= toMs);
  const base = named === undefined ? before.at(-1) : before.find((it) => it.base === named);
  if (base !== undefined) return base;
  throw new UsageError(
    `--base: there is no ${named} before that time in the timeline; there are ${before.map((it) => it.base).join(', ')}`,
  );
}

function reachText(timelines: readonly KeptTimeline[]): string {
  return timelines
    .map((timeline) => {
      const [from, to] = [timeline.reach!.fromMs, timeline.reach!.toMs].map((ms) =>
        momentText(ms, zoneOf(timeline)),
      );
      return `  ${timeline.facts.timeline}: from ${from} to ${to}`;
    })
    .join('\n');
}

/** The time zone of the shop, as its base backups know it. */
export function zoneOf({ bases }: KeptTimeline): string | null {
  return bases.at(-1)?.timeZone ?? null;
}

/** In the time of the shop, and in UTC. */
export function momentText(ms: number, timeZone: string | null): string {
  const utc = new Date(ms).toISOString();
  if (timeZone === null) return utc;
  const local = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, year: 'numeric', month: 'short', day: 'numeric' },
    ...{ hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'short' },
  });
  return `${local.format(ms)} (${utc})`;
}
