import type { FileKind } from '../src/shop/files/file-limits.ts';
import type { archiveState } from './archive-state.ts';
import type { Sample } from './prometheus-text.ts';

/** What one address of the service answered. */
export interface Answer {
  readonly url: string;
  /** Null: no answer. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** What it said about itself, or why it did not answer. */
  readonly says: readonly string[];
  /** The identity of the service; null: it told none. */
  readonly service: string | null;
}

/** What the deployment tells of itself, where the command can open it. */
export interface DeploymentFacts {
  readonly dataDir: string;
  readonly database: 'embedded' | 'external';
  /** Null: cannot be told of an external database. */
  readonly serverRunning: boolean | null;
  readonly databaseVersion: string;
  readonly databaseBytes: number;
  readonly sessions: number;
  readonly sessionsMax: number;
  readonly oldestTransactionSeconds: number | null;
  readonly missingMigrations: readonly string[];
  readonly waitingMigrations: readonly string[];
  readonly environment: string;
  readonly organizations: number;
  /** For so many of them mail and webhooks are counted. */
  readonly organizationsRead: number;
  readonly jobs: readonly { readonly task: string; readonly waiting: number; readonly seconds: number }[];
  readonly webhooks: { readonly enabled: number; readonly failing: number; readonly switchedOff: number };
  readonly mail: { readonly server: boolean; readonly waiting: number; readonly refusedLastDay: number };
  readonly files: 'disk' | 'bucket';
  /** Photos or documents of organizations that are nearest to their limits. */
  readonly storedFiles: readonly FullStore[];
  readonly diskFreeBytes: number;
  readonly diskBytes: number;
  readonly lastBackup: LastBackup | null;
  /** The archive of PostgreSQL's log, of the embedded one only. */
  readonly walArchive: Awaited<ReturnType<typeof archiveState>>;
  /** Rows that expire; null: not told of tables of another release. */
  readonly retention: readonly RetentionFacts[] | null;
  readonly rateLimits: boolean;
  /** Warnings about facts of the law, and presets that end. */
  readonly lawWarnings: readonly string[];
}

/** What an organization keeps of a kind of files, and may keep. */
export interface FullStore {
  readonly organization: number;
  readonly kind: FileKind;
  readonly files: number;
  readonly filesMax: number;
  readonly bytes: number;
  readonly bytesMax: number;
}

/** How full it is: 1 is full. */
export function shareOf({ files, filesMax, bytes, bytesMax }: FullStore): number {
  const share = (used: number, max: number) => (max === 0 ? Number(used > 0) : used / max);
  return Math.max(share(files, filesMax), share(bytes, bytesMax));
}

/** How much of a kind is older than it is kept. */
export interface RetentionFacts {
  readonly kind: string;
  /** Counted up to 10,000 in each organization. */
  readonly overdueRows: number;
  readonly oldestSeconds: number | null;
  /** How long the oldest row has stayed too long; null: its owner says how long it is kept. */
  readonly lateSeconds: number | null;
}

/** What the last `dispensary backup` of this data folder left behind. */
export interface LastBackup {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly to: string;
  /** Null: it was not verified. */
  readonly isWhole: boolean | null;
}

/** All that `dispensary status` finds out. Null: could not be told, for the reason that `notes` has. */
export interface StatusReport {
  readonly atMs: number;
  readonly version: string;
  /** The base address; null: it is not known here. */
  readonly health: Answer | null;
  readonly readiness: Answer | null;
  readonly menu: Answer | null;
  readonly deployment: DeploymentFacts | null;
  /** Samples of each process that has metrics. */
  readonly processes: readonly { readonly url: string; readonly samples: readonly Sample[] }[];
  /** All processes together; only the seconds of `--seconds`, if that was given. */
  readonly recent: readonly Sample[];
  readonly recentSeconds: number | null;
  /** Addresses of metrics that did not answer: a process is down. */
  readonly silent: readonly string[];
  readonly notes: readonly string[];
  /** Addresses that another service or program answers, not that of this data folder. */
  readonly foreign: readonly string[];
}

const gigabyte = 1_000_000_000;
const dayMs = 86_400_000;
const backupDaysMax = 8;
const lateSecondsMax = 86_400;
const fullShare = 0.95;

/**
 * What needs attention, in words, the most urgent first; nothing: the service is healthy. Warnings about the law are for reading,
 * not for the exit code: they last for years.
 */
export function attentionOf(report: StatusReport, alerts: readonly string[]): string[] {
  const { readiness, menu, deployment } = report;
  const words = report.foreign.map(
    (url) => `${url} is answered by another program, or by a service with another DATA_DIR`,
  );
  for (const answer of [readiness, menu]) {
    if (answer !== null && answer.status !== 200 && !report.foreign.includes(answer.url))
      words.push(`${answer.url} answers ${answer.status ?? 'nothing'}`);
  }
  if (readiness?.status === 200) words.push(...readiness.says);
  words.push(...report.silent.map((url) => `ServiceDown: ${url} does not answer`), ...alerts);
  if (deployment === null) return words;
  const { missingMigrations, jobs, webhooks, mail, diskFreeBytes, diskBytes, lastBackup } = deployment;
  if (missingMigrations.length > 0)
    words.push(`${missingMigrations.length} migrations are missing: start the service`);
  if (diskFreeBytes < gigabyte || diskFreeBytes < diskBytes / 20) {
    words.push(`the disk of DATA_DIR has ${sizeOf(diskFreeBytes)} left`);
  }
  const late = jobs.filter(({ seconds }) => seconds > 900).map(({ task }) => task);
  if (late.length > 0) words.push(`jobs wait for more than 15 minutes: ${late.join(', ')}`);
  if (webhooks.switchedOff > 0) words.push(`${webhooks.switchedOff} webhook endpoints are switched off`);
  if (mail.refusedLastDay > 0) words.push(`${mail.refusedLastDay} mails were refused in the last day`);
  const behind = (deployment.retention ?? []).filter(
    ({ lateSeconds }) => (lateSeconds ?? 0) > lateSecondsMax,
  );
  if (behind.length > 0)
    words.push(`rows stay for more than a day too long: ${behind.map(({ kind }) => kind).join(', ')}`);
  for (const store of deployment.storedFiles.filter((one) => shareOf(one) >= fullShare)) {
    words.push(
      `organization ${store.organization} has nearly no room for more ${store.kind}: limit-files gives it some`,
    );
  }
  const { walArchive } = deployment;
  if (typeof walArchive === 'string') words.push(`the WAL archive cannot be read: ${walArchive}`);
  else if (walArchive?.some(({ lastDrill }) => lastDrill?.reason))
    words.push('the last drill of the WAL archive failed');
  if (lastBackup?.isWhole === false) words.push('the last backup is damaged');
  else if (lastBackup !== null && report.atMs - lastBackup.atMs > backupDaysMax * dayMs) {
    words.push('the last backup is more than 8 days old');
  }
  return words;
}

/** Whether the service does not answer: neither at the address nor, where it is not known, by a server on the database. */
export function isAway({ health, deployment, foreign }: StatusReport): boolean {
  if (health !== null) return health.status === null || foreign.includes(health.url);
  return deployment?.serverRunning === false;
}

/** Bytes for people: `12.3 GB`. */
export function sizeOf(bytes: number): string {
  if (bytes >= gigabyte) return `${(bytes / gigabyte).toFixed(1)} GB`;
  return `${Math.round(bytes / 1_000_000)} MB`;
}

/** Seconds for people: `45 s`, `12 min`, `5 h`, `3 days`. */
export function durationOf(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
