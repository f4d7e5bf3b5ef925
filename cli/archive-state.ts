import {
  type DrillRecord,
  drillPath,
  openArchive,
  readJson,
  readLines,
  shopsOf,
} from '../src/hosting/log-archive/log-archive.ts';
import type { Config } from '../src/hosting/startup/config.ts';

/** What an archive has of a shop. */
export interface ArchiveState {
  readonly shop: string;
  readonly line: string | null;
  /** Until when the newest line is complete. */
  readonly completeTo: string | null;
  readonly lastBase: string | null;
  readonly lastDrill: DrillRecord | null;
}

/** The state of the archive of the configuration, by shop; null without an archive; a text if it cannot be read. */
export async function archiveState(config: Config): Promise<readonly ArchiveState[] | string | null> {
  if (config.logArchive === undefined) return null;
  const store = openArchive(config.logArchive.place, config.backupLock);
  try {
    const states: ArchiveState[] = [];
    for (const shop of await shopsOf(store)) {
      const lines = await readLines(store, shop);
      const newest = lines.toSorted((a, b) => a.newestMs - b.newestMs).at(-1);
      states.push({
        ...{ shop, line: newest?.facts.line ?? null, lastBase: newest?.bases.at(-1)?.base ?? null },
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
