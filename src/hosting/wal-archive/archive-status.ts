import { Counter, Gauge, type Registry } from 'prom-client';
import { concerns } from '../../kernel/concerns.ts';
import type { DrillRecord } from './archive-layout.ts';

/** What is known of the archive now. */
export interface ArchiveStatus {
  readonly startedAtMs: number;
  /** What was answered before this moment is in the archive; null: nothing is yet. */
  safeAtMs: number | null;
  /** Attempts that failed, since the start. */
  failures: number;
  /** Why the last attempt failed; null if it did not. */
  reason: string | null;
  /** The same without places and addresses. */
  shownReason: string | null;
  /** Bytes of the WAL that wait for the archive. */
  waitingBytes: number;
  /** Lines that ended because the WAL was lost or written by another database. */
  brokenTimelines: number;
  /** The start of the newest complete base backup of the timeline. */
  baseAtMs: number | null;
  baseReason: string | null;
  shownBaseReason: string | null;
  /** The last drill that is recorded in the archive. */
  drill: DrillRecord | null;
}

/** Nothing is archived yet. */
export function newStatus(startedAtMs: number): ArchiveStatus {
  return {
    ...{
      startedAtMs,
      safeAtMs: null,
      failures: 0,
      reason: null,
      shownReason: null,
      waitingBytes: 0,
      brokenTimelines: 0,
    },
    ...{ baseAtMs: null, baseReason: null, shownBaseReason: null, drill: null },
  };
}

/** D77: at most this much is lost with the disk. */
export const behindMsMax = 60_000;

/** What was answered since then would be lost with the disk, in milliseconds. */
export function ageMs({ safeAtMs, startedAtMs }: ArchiveStatus, nowMs: number): number {
  return Math.max(0, nowMs - (safeAtMs ?? startedAtMs));
}

/** Tells owners, health checks and metrics what is wrong. Sales go on in each case. */
export function raiseConcerns(status: ArchiveStatus, baseHours: number, nowMs: number): void {
  const { safeAtMs, shownReason, baseAtMs, baseReason, shownBaseReason, startedAtMs, drill } = status;
  const isBehind = ageMs(status, nowMs) > behindMsMax;
  const since = safeAtMs === null ? 'All sales' : `Sales since ${timeText(safeAtMs)}`;
  const why = shownReason === null ? 'it is slower than the sales.' : `${shownReason}.`;
  concerns.set(
    'wal-archive',
    isBehind ? `The WAL archive is behind: ${why} ${since} would be lost with the disk.` : null,
  );
  const isOverdue = nowMs - (baseAtMs ?? startedAtMs) > 2 * baseHours * 3_600_000;
  const isMissing = baseReason !== null && (baseAtMs === null || isOverdue);
  concerns.set(
    'base-backup',
    isMissing || isOverdue
      ? `There is no base backup since ${timeText(baseAtMs ?? startedAtMs)}: ${shownBaseReason ?? 'it takes too long'}.`
      : null,
  );
  concerns.set(
    'backup-drill',
    drill === null || drill.isWhole
      ? null
      : `The restore drill of ${timeText(drill.atMs)} failed. The command dispensary status says why.`,
  );
}

/** A moment for people, to the minute. */
function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Metrics of the archive. */
export function registerArchiveMetrics(
  registry: Registry,
  status: Readonly<ArchiveStatus>,
  now: () => number,
): void {
  const counters: readonly (readonly [string, string, () => number])[] = [
    [
      'wal_archive_failures_total',
      'Attempts to archive the WAL, or to take a base backup, that failed.',
      () => status.failures,
    ],
    [
      'wal_archive_broken_timelines_total',
      'Lines of the archive that ended with a gap behind them.',
      () => status.brokenTimelines,
    ],
  ];
  for (const [name, help, read] of counters) {
    new Counter({
      ...{ name, help, registers: [registry] },
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }
  const sinceMs = (ms: number | null) => (ms === null ? Number.NaN : (now() - ms) / 1_000);
  const gauges: readonly (readonly [string, string, () => number])[] = [
    [
      'wal_archive_age_seconds',
      'Seconds of sales that would be lost with the disk now.',
      () => ageMs(status, now()) / 1_000,
    ],
    ['wal_archive_waiting_bytes', 'Bytes of the WAL that wait for the archive.', () => status.waitingBytes],
    [
      'base_backup_age_seconds',
      'Seconds since the newest complete base backup began, or since the start if there is none.',
      () => sinceMs(status.baseAtMs ?? status.startedAtMs),
    ],
    [
      'backup_drill_age_seconds',
      'Seconds since the last restore drill; not a number before the first one.',
      () => sinceMs(status.drill?.atMs ?? null),
    ],
    [
      'backup_drill_failed',
      '1 if the last restore drill failed, else 0.',
      () => (status.drill === null || status.drill.isWhole ? 0 : 1),
    ],
  ];
  for (const [name, help, read] of gauges) {
    new Gauge({
      ...{ name, help, registers: [registry] },
      collect() {
        this.set(read());
      },
    });
  }
}
