import { resolve } from 'node:path';
import {
  type ArchiveLock,
  type ArchiveStore,
  type KeptBase,
  type KeptLine,
  openArchive,
  type RestorePlan,
  readLines,
  shopsOf,
} from '../src/hosting/log-archive/log-archive.ts';
import type { Config } from '../src/hosting/startup/config.ts';
import { identitiesIn } from './encrypted-file.ts';
import { UsageError } from './usage-error.ts';

/** The words of a command that choose what is restored. */
export type Choice = Readonly<Partial<Record<'to' | 'from' | 'line' | 'shop' | 'base', string>>>;

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
    if (config.logArchive !== undefined) return openArchive(config.logArchive.place, lock);
    throw new UsageError('--from is missing, and LOG_ARCHIVE is not set: name the archive');
  }
  const bucket = /^s3:\/\/([^/]+)\/?(.*?)\/?$/.exec(from);
  if (bucket === null) return openArchive({ folder: resolve(from) }, lock);
  const { place } = config.logArchive ?? {};
  const access = place !== undefined && 'bucket' in place ? place.bucket : config.bucket;
  if (access === undefined) {
    throw new UsageError('--from: for an archive in a bucket, set LOG_ARCHIVE and the access to it (S3_…)');
  }
  return openArchive({ bucket: { ...access, bucket: bucket[1]!, prefix: bucket[2]! } }, lock);
}

/** The lines that `--shop` and `--line` leave. Fails with a UsageError. */
export async function linesIn(store: ArchiveStore, { shop, line }: Choice): Promise<readonly KeptLine[]> {
  const shops = await shopsOf(store);
  if (shops.length === 0) throw new Error(`${store.place} has no archive of a shop`);
  if (shop !== undefined && !shops.includes(shop)) {
    throw new UsageError(`--shop: there is no ${shop} in ${store.place}`);
  }
  const chosen = shop === undefined ? shops : [shop];
  const lines = (await Promise.all(chosen.map((one) => readLines(store, one)))).flat();
  if (line === undefined) {
    if (chosen.length > 1)
      throw new UsageError(`--shop: ${store.place} has ${shopsIn(chosen, lines)}; name one`);
    return lines;
  }
  // No two lines have the same name.
  const named = lines.filter(({ facts }) => facts.line === line);
  if (named.length === 0) throw new UsageError(`--line: there is no ${line} in ${store.place}`);
  return named;
}

/** The shops, and until when each has written. */
function shopsIn(shops: readonly string[], lines: readonly KeptLine[]): string {
  return shops
    .map((shop) => {
      const newest = lines
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
  const all = await linesIn(store, choice);
  const lines = all.filter(({ reach }) => reach !== null);
  if (lines.length === 0) throw new Error(`${store.place} has no complete base backup yet`);
  const newest = lines.reduce((one, other) => (other.newestMs > one.newestMs ? other : one));
  const fitting =
    toMs === null
      ? lines.filter((line) => line === newest || line.newestMs > newest.reach!.fromMs)
      : lines.filter(({ reach }) => reach!.fromMs <= toMs && toMs <= reach!.toMs);
  const [line, another] = fitting;
  if (line === undefined) {
    throw new UsageError(`--to: ${choice.to} is not in the archive. It reaches\n${reachLines(lines)}`);
  }
  if (another !== undefined) {
    throw new UsageError(
      `--line: several databases have written then, as after a restore that was started; name one of\n${reachLines(fitting)}`,
    );
  }
  return { store, line, base: baseFor(line, toMs, choice.base), toMs };
}

function baseFor(line: KeptLine, toMs: number | null, named: string | undefined): KeptBase {
  const before = line.bases.filter(({ stoppedAtMs }) => toMs === null || stoppedAtMs <= toMs);
  const base = named === undefined ? before.at(-1) : before.find((it) => it.base === named);
  if (base !== undefined) return base;
  throw new UsageError(
    `--base: there is no ${named} before that time in the line; there are ${before.map((it) => it.base).join(', ')}`,
  );
}

function reachLines(lines: readonly KeptLine[]): string {
  return lines
    .map((line) => {
      const [from, to] = [line.reach!.fromMs, line.reach!.toMs].map((ms) => momentText(ms, zoneOf(line)));
      return `  ${line.facts.line}: from ${from} to ${to}`;
    })
    .join('\n');
}

/** The time zone of the shop, as its base backups know it. */
export function zoneOf({ bases }: KeptLine): string | null {
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
