import { resolve } from 'node:path';
import type { Config } from '../src/hosting/startup/config.ts';
import { reportLines } from '../src/hosting/verification/verification.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { type Command, flag, optional, type Result } from './command.ts';
import { encryptedBackupAt, openBackup, verifyEncrypted } from './encrypted-backup.ts';
import type { Screen } from './progress-bar.ts';
import { drill, megabytes, type Restored, restoreInto } from './restore-data.ts';
import { archiveOf, momentText, planOf, timelinesIn, zoneOf } from './restore-plan.ts';
import { UsageError } from './usage-error.ts';
import { verifyFolder } from './verify-folder.ts';

const choosing = {
  from: optional(
    'the archive: a folder, or s3://bucket/prefix; by default that of WAL_ARCHIVE; or an encrypted backup',
  ),
  identity: optional('file with the private key, for an encrypted backup or archive'),
  timeline: optional('the timeline of the archive, where several have written at the same time'),
  shop: optional('the shop, where the archive has several'),
};

/** The commands that read the WAL archive (docs/RESTORE.md). */
export const restoreCommands: Readonly<Record<string, Command>> = {
  restore: {
    summary: 'make a data folder as of a moment, from the WAL archive',
    options: {
      to: optional('the moment, with its offset: 2026-11-22T18:04:00-08:00, or latest'),
      into: optional('the new DATA_DIR; it must be empty or not exist'),
      ...choosing,
      base: optional('the base backup to begin with; by default the latest before the moment'),
      list: flag('show which moments can be restored, and the base backups'),
      unverified: flag('do not verify what was restored'),
    },
    runOnItsOwn: async (config, options, { stderr }) => {
      const { to, into, from, list, unverified } = options;
      const file = encryptedBackupAt(from);
      if (file !== null) return opened(config, file, options, stderr);
      const store = archiveOf(config, from, options.identity);
      if (list !== undefined) return listed(store.place, await timelinesIn(store, options));
      if (to === undefined) throw new UsageError('missing: --to, a moment or latest; or --list');
      if (into === undefined) throw new UsageError('missing: --into, the new DATA_DIR');
      const plan = await planOf(store, options);
      const restored = await restoreInto(config, plan, into, {
        ...{ screen: stderr, isVerified: unverified === undefined },
      });
      const { facts } = plan.timeline;
      const zone = zoneOf(plan.timeline);
      const moment = plan.toMs ?? plan.timeline.reach!.toMs;
      return {
        lines: [
          `Restored to ${into}, as of ${momentText(moment, zone)}`,
          `From ${store.place}, timeline ${facts.timeline}, base backup ${plan.base.base}`,
          ...shopLines(restored, zone),
          ...verdictLines(restored, unverified !== undefined),
          ...(config.keepsKeyInFile
            ? []
            : ['It needs the DOCUMENT_MASTER_KEY of that time to open documents.']),
          `It contains secrets. Start it with DATA_DIR=${into}; it begins a timeline of its own in the archive.`,
        ],
        data: {
          ...{ into, moment: new Date(moment).toISOString(), timeline: facts.timeline, base: plan.base.base },
          ...{ shops: restored.shops, verification: restored.report },
        },
        exitCode: restored.report === null || restored.report.isWhole ? 0 : 1,
      };
    },
  },
  'backup drill': {
    summary: 'restore the newest to a scratch folder, verify it, remove it, and record the outcome',
    options: {
      ...choosing,
      scratch: optional('the folder for it, with as much room as the data; by default DATA_DIR'),
    },
    runOnItsOwn: async (config, { from, timeline, shop, scratch, identity }, { stderr }) => {
      const file = encryptedBackupAt(from);
      if (file !== null) return drilled(config, { file, identity }, scratch ?? config.dataDir, stderr);
      const store = archiveOf(config, from, identity);
      const { record, restored } = await drill(config, store, {
        ...{ timeline, shop, scratch: scratch ?? config.dataDir, screen: stderr },
      });
      const seconds = (record.tookMs / 1_000).toFixed(1);
      return {
        lines: [
          `Restored ${store.place}, timeline ${record.timeline}, base backup ${record.base}, in ${seconds} s`,
          `As of ${new Date(record.restoredToMs).toISOString()}: ${record.orders} orders`,
          ...(restored?.report ? reportLines(restored.report) : []),
          record.isWhole ? 'The drill succeeded' : `The drill failed: ${record.reason}`,
        ],
        data: { ...record, verification: restored?.report ?? null },
        exitCode: record.isWhole ? 0 : 1,
      };
    },
  },
};

/** Restores an encrypted backup, which is of one moment. */
async function opened(
  config: Config,
  file: string,
  { into, to, unverified, identity }: Readonly<Record<string, string>>,
  screen: Screen,
): Promise<Result> {
  if (into === undefined) throw new UsageError('missing: --into, the new DATA_DIR');
  if (to !== undefined && to !== 'latest') {
    throw new UsageError('--to: a backup is of one moment; only a WAL archive has others');
  }
  await openBackup(config, { file, identity }, into);
  const report = unverified === undefined ? await verifyFolder(config, resolve(into), screen) : null;
  return {
    lines: [
      `Restored ${file} to ${into}`,
      ...verdictLines({ shops: [], report }, unverified !== undefined),
      `It contains secrets. Start it with DATA_DIR=${into}.`,
    ],
    data: { into, from: file, verification: report },
    exitCode: report === null || report.isWhole ? 0 : 1,
  };
}

/** A drill of an encrypted backup leaves nothing behind but its outcome. */
async function drilled(
  config: Config,
  opening: { readonly file: string; readonly identity: string | undefined },
  scratch: string,
  screen: Screen,
): Promise<Result> {
  const startedAtMs = systemClock.now();
  const report = await verifyEncrypted(config, opening, scratch, screen);
  const tookMs = systemClock.now() - startedAtMs;
  return {
    lines: [
      `Opened ${opening.file} in ${(tookMs / 1_000).toFixed(1)} s`,
      ...reportLines(report),
      report.isWhole ? 'The drill succeeded' : 'The drill failed: the data is damaged',
    ],
    data: { from: opening.file, tookMs, isWhole: report.isWhole, verification: report },
    exitCode: report.isWhole ? 0 : 1,
  };
}

function shopLines({ shops }: Restored, zone: string | null): string[] {
  return shops.map(({ name, orders, last_number: number, last_at_ms: at }) => {
    const last = at === null ? '' : `, the last one number ${number ?? 'none'} of ${momentText(at, zone)}`;
    return `${name}: ${orders} orders${last}`;
  });
}

function verdictLines({ report }: Restored, isUnwanted: boolean): string[] {
  if (report !== null) return report.isWhole ? ['Verified: it is whole'] : reportLines(report);
  return [isUnwanted ? 'Not verified' : 'Not verified: its schema is of an earlier release'];
}

function listed(place: string, timelines: Awaited<ReturnType<typeof timelinesIn>>): Result {
  return {
    lines: timelines.flatMap((timeline) => {
      const zone = zoneOf(timeline);
      const { reach, facts, bases } = timeline;
      return [
        `Timeline ${facts.timeline} of shop ${facts.shop} in ${place}`,
        reach === null
          ? '  no complete base backup: nothing can be restored yet'
          : `  from ${momentText(reach.fromMs, zone)} to ${momentText(reach.toMs, zone)}`,
        ...bases.map(
          ({ base, bytes, stoppedAtMs, isVerified }) =>
            `  base backup ${base}: ${megabytes(bytes)}, complete at ${momentText(stoppedAtMs, zone)}, ` +
            (isVerified ? 'found whole by a drill' : 'without a drill'),
        ),
      ];
    }),
    data: timelines.map(({ facts, reach, bases }) => ({
      ...{ shop: facts.shop, timeline: facts.timeline },
      from: reach === null ? null : new Date(reach.fromMs).toISOString(),
      to: reach === null ? null : new Date(reach.toMs).toISOString(),
      bases: bases.map(({ base, bytes, stoppedAtMs, isVerified }) => ({
        ...{ base, bytes, completeAt: new Date(stoppedAtMs).toISOString(), isVerified },
      })),
    })),
  };
}
