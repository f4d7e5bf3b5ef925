import { largestOf, quantileOf, type Sample, sumOf } from './prometheus-text.ts';

/*
 * The alerts of deploy/prometheus/alerts.yml, on what one reading of the metrics shows. Prometheus sees a course of time, so it
 * may be silent where this speaks of a past moment; what counts since the start of a process is only told with `--seconds`.
 */

interface Reading {
  /** All samples of all processes. */
  readonly now: readonly Sample[];
  /** Counters of the time that is looked at. */
  readonly recent: readonly Sample[];
  /** Whether that time is only some seconds, not all since the start. */
  readonly isShort: boolean;
}

const durations = 'http_request_duration_seconds';
const slowRoutes = ['exportOrders', 'publicFile'];

/** By the name of the alert: what it would say; null: it is silent. */
export const alertsByName: Readonly<Record<string, (reading: Reading) => string | null>> = {
  RequestsFail: ({ recent }) => {
    const all = sumOf(recent, `${durations}_count`);
    const failed = sumOf(recent, `${durations}_count`, ({ status }) => status!.startsWith('5'));
    return all > 0 && failed / all > 0.01 ? `${failed} of ${all} requests are answered with 5xx` : null;
  },
  RequestsSlow: ({ recent }) => {
    const isMeant = ({ route }: Sample['labels']) => !slowRoutes.includes(route!);
    const seconds = quantileOf(recent, durations, 0.99, isMeant);
    return seconds !== null && seconds > 1 ? 'one request in a hundred takes longer than a second' : null;
  },
  EventLoopLate: ({ now }) =>
    (largestOf(now, 'nodejs_eventloop_lag_p99_seconds') ?? 0) > 0.5
      ? 'a process has more work than one core'
      : null,
  MemoryGrows: ({ now }) =>
    (largestOf(now, 'process_resident_memory_bytes') ?? 0) > 1.5e9
      ? 'a process holds more than 1.5 GB'
      : null,
  DatabaseRestarted: ({ now }) =>
    sumOf(now, 'database_restarts_total') > 0 ? 'PostgreSQL has ended by itself since the start' : null,
  DatabaseServerAway: ({ now }) =>
    (largestOf(now, 'database_servers_away') ?? 0) > 0 ? 'a database server does not answer' : null,
  RetentionBehind: ({ now }) =>
    (largestOf(now, 'retention_overdue_rows') ?? 0) > 10_000
      ? 'more than 10,000 rows stay longer than they are kept'
      : null,
  WritesCollide: ({ recent, isShort }) =>
    isShort && sumOf(recent, 'database_write_retries_total') > 50 ? 'writes keep colliding' : null,
  JobsFail: ({ recent, isShort }) =>
    isShort && sumOf(recent, 'jobs_total', ({ outcome }) => outcome === 'failed') > 5
      ? 'jobs keep failing'
      : null,
  JobsWait: ({ now }) =>
    (largestOf(now, 'jobs_oldest_waiting_seconds') ?? 0) > 900
      ? 'a job has waited for more than 15 minutes'
      : null,
  ConnectionsAtBound: ({ recent, isShort }) =>
    isShort && sumOf(recent, 'http_closed_at_bound_total') > 50 ? 'connections are closed at a bound' : null,
  RequestLogDropped: ({ recent, isShort }) =>
    isShort && sumOf(recent, 'api_request_log_dropped_total') > 0
      ? 'requests are missing from the log'
      : null,
  StandbyUnused: ({ now }) =>
    now.some(({ name, value }) => name === 'database_standby_in_use' && value === 0)
      ? 'a process does not read from its standby'
      : null,
  WalArchiveBehind: ({ now }) =>
    (largestOf(now, 'wal_archive_age_seconds') ?? 0) > 60
      ? 'with the disk, the latest sales would be lost'
      : null,
  WalArchiveBroken: ({ recent, isShort }) =>
    isShort && sumOf(recent, 'wal_archive_broken_timelines_total') > 0
      ? 'a timeline of the WAL archive has a gap'
      : null,
  BaseBackupOld: ({ now }) =>
    (largestOf(now, 'base_backup_age_seconds') ?? 0) > 172_800
      ? 'no complete base backup for two days'
      : null,
  RestoreDrillFailed: ({ now }) =>
    (largestOf(now, 'backup_drill_failed') ?? 0) > 0 ? 'the last drill failed' : null,
};

/** What the alerts would say now: `RequestsFail: …`. */
export function firing(reading: Reading): string[] {
  return Object.entries(alertsByName).flatMap(([name, says]) => {
    const words = says(reading);
    return words === null ? [] : [`${name}: ${words}`];
  });
}
