import type { Config } from '../src/hosting/startup/config.ts';
import {
  type DrillRecord,
  drillPath,
  openArchive,
  readJson,
  readTimelines,
  shopsOf,
} from '../src/hosting/wal-archive/wal-archive.ts';

/** What an archive has of a shop. */
interface ArchiveState {
  readonly shop: string;
  readonly timeline: string | null;
  /** Until when the newest timeline is complete. */
  readonly completeTo: string | null;
  readonly lastBase: string | null;
  readonly lastDrill: DrillRecord | null;
}

/** The state of the archive of the configuration, by shop; null without an archive; a text if it cannot be read. */
export async function archiveState(config: Config): Promise<readonly ArchiveState[] | string | null> {
  if (config.walArchive === undefined) return null;
  const store = openArchive(config.walArchive.place, config.backupLock);
  try {
    const states: ArchiveState[] = [];
    for (const shop of await shopsOf(store)) {
      const timelines = await readTimelines(store, shop);
      const newest = timelines.toSorted((a, b) => a.newestMs - b.newestMs).at(-1);
      states.push({
        ...{ shop, timeline: newest?.facts.timeline ?? null, lastBase: newest?.bases.at(-1)?.base ?? null },
        completeTo: newest === undefined ? null : new Date(newest.newestMs).toISOString(),
        lastDrill: await readJson<DrillRecord>(store, drillPath(shop)),
      });
    }
    return states;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The same for people. */
export function archiveLines(state: Awaited<ReturnType<typeof archiveState>>): string[] {
  if (state === null) return ['Log archive  none: a lost disk loses what was sold since the last backup'];
  if (typeof state === 'string') return [`Log archive  ${state}`];
  if (state.length === 0) return ['Log archive  empty'];
  return state.flatMap(({ completeTo, lastBase, lastDrill }) => [
    `Log archive  complete to ${completeTo ?? 'no moment'}; last base backup ${lastBase ?? 'none'}`,
    lastDrill === null
      ? 'Last drill   none'
      : `Last drill   ${new Date(lastDrill.atMs).toISOString()}: ${lastDrill.reason ?? `whole, ${lastDrill.orders} orders`}`,
  ]);
}
