import { archiveLines } from './archive-state.ts';
import type { Sample } from './prometheus-text.ts';
import { processOf, requestsOf } from './status-metrics.ts';
import { type Answer, type DeploymentFacts, durationOf, type StatusReport, sizeOf } from './status-report.ts';

const columns = 100;
const linesMax = 40;
const label = 14;

/** The report on one screen: at most 40 lines of 100 columns. What needs attention stands first. */
export function screenOf(report: StatusReport, verdict: string, attention: readonly string[]): string[] {
  const shown = [
    row('Status', verdict),
    ...few(attention, 6).flatMap((words) => wrapped('', `! ${words}`)),
    row('Version', report.version),
    ...(report.health === null ? [] : [row('Health', answerWords(report.health))]),
    ...(report.readiness === null ? [] : [row('Readiness', answerWords(report.readiness))]),
    ...(report.menu === null ? [] : [row('Menu', answerWords(report.menu))]),
    ...processRows(report),
    ...(report.deployment === null ? [] : deploymentRows(report.deployment, report.atMs)),
    ...few(report.notes, 4).map((note) => row('Note', note)),
  ];
  return shown.slice(0, linesMax);
}

function row(name: string, words: string): string {
  const line = `${name.padEnd(label)}${words}`.trimEnd();
  return line.length <= columns ? line : `${line.slice(0, columns - 1)}…`;
}

/** On two lines at most. */
function wrapped(name: string, words: string): string[] {
  const width = columns - label;
  const end = words.length <= width ? words.length : words.lastIndexOf(' ', width);
  const rest = words.slice(end).trim();
  return [row(name, words.slice(0, end)), ...(rest === '' ? [] : [row('', rest)])];
}

function few(all: readonly string[], max: number): string[] {
  return all.length <= max ? [...all] : [...all.slice(0, max - 1), `and ${all.length - max + 1} more`];
}

function answerWords({ url, status, milliseconds, says }: Answer): string {
  const words = says.length === 0 ? '' : `: ${says.join(' ')}`;
  return status === null
    ? `${url} does not answer${words}`
    : `${status} in ${milliseconds} ms  ${url}${status === 200 ? '' : words}`;
}

function processRows({ processes, recent, recentSeconds, atMs }: StatusReport): string[] {
  if (processes.length === 0) return [];
  const { count, failed, refused, overRateLimit, medianSeconds, p99Seconds } = requestsOf(recent);
  const since = recentSeconds === null ? 'since the start' : `in ${recentSeconds} s`;
  return [
    ...few(
      processes.map(({ url, samples }) => row('Process', processWords(url, samples, atMs))),
      5,
    ),
    row(
      'Requests',
      `${count} ${since}: ${failed} of them 5xx, ${refused} 4xx, ${overRateLimit} over a rate limit`,
    ),
    ...(count === 0
      ? []
      : [row('Latency', `half of them ${upTo(medianSeconds)}, 99 in a hundred ${upTo(p99Seconds)}`)]),
  ];
}

function upTo(seconds: number | null): string {
  return seconds === null ? 'over 10 s' : `up to ${Math.ceil(seconds * 1_000)} ms`;
}

function processWords(at: string, samples: readonly Sample[], atMs: number): string {
  const { url, info, startedAtSeconds, memoryBytes, eventLoopSeconds, standbyInUse, standbyLagBytes } =
    processOf(at, samples);
  return [
    url.replace(/^https?:\/\//, '').replace(/\/metrics$/, ''),
    info === null ? '' : `${info.roles} on Node ${info.node}`,
    startedAtSeconds === null ? '' : `up ${durationOf(atMs / 1_000 - startedAtSeconds)}`,
    memoryBytes === null ? '' : sizeOf(memoryBytes),
    eventLoopSeconds === null ? '' : `loop ${Math.round(eventLoopSeconds * 1_000)} ms`,
    standbyInUse === null
      ? ''
      : standbyInUse === 1
        ? `standby ${standbyLagBytes === null ? 'in use' : `${sizeOf(standbyLagBytes)} behind`}`
        : 'standby NOT used',
  ]
    .filter((words) => words !== '')
    .join(', ');
}

function deploymentRows(facts: DeploymentFacts, atMs: number): string[] {
  const { database, serverRunning, waitingMigrations, jobs, webhooks, mail, lawWarnings } = facts;
  const running =
    serverRunning === null ? '' : serverRunning ? ', in use by a running server' : ', no server running';
  const oldest = facts.oldestTransactionSeconds;
  const waiting = jobs.reduce((sum, job) => sum + job.waiting, 0);
  const longest = Math.max(0, ...jobs.map(({ seconds }) => seconds));
  const read =
    facts.organizationsRead < facts.organizations ? ` (of ${facts.organizationsRead} organizations)` : '';
  return [
    row('Data', facts.dataDir),
    row(
      'Database',
      `${database}, PostgreSQL ${facts.databaseVersion}, ${sizeOf(facts.databaseBytes)}${running}`,
    ),
    row(
      'Sessions',
      `${facts.sessions} of ${facts.sessionsMax}` +
        (oldest === null ? '' : `, the oldest transaction is open for ${durationOf(oldest)}`),
    ),
    row(
      'Schema',
      facts.missingMigrations.length === 0
        ? 'up to date'
        : `${facts.missingMigrations.length} migrations are missing`,
    ),
    ...few(
      waitingMigrations.map((file) =>
        row('Waiting', `${file}, until no process of an earlier release is connected`),
      ),
      3,
    ),
    row('Jobs', waiting === 0 ? 'none waits' : `${waiting} wait, the oldest for ${durationOf(longest)}`),
    row(
      'Webhooks',
      `${webhooks.enabled} on, ${webhooks.failing} failing, ${webhooks.switchedOff} switched off${read}`,
    ),
    row(
      'Mail',
      `${mail.server ? 'by a mail server' : 'kept in the mailbox'}, ${mail.waiting} waiting, ` +
        `${mail.refusedLastDay} refused in the last day${read}`,
    ),
    row('Retention', retentionWords(facts)),
    row('Files', filesWords(facts)),
    row('Disk', `${sizeOf(facts.diskFreeBytes)} free of ${sizeOf(facts.diskBytes)}`),
    row('Backup', backupWords(facts, atMs)),
    ...(database === 'embedded' ? few(archiveLines(facts.walArchive), 4).map(realigned) : []),
    row('Rate limits', facts.rateLimits ? 'on' : 'off'),
    row('Environment', facts.environment),
    row('Organizations', `${facts.organizations}`),
    ...few(lawWarnings, 3).flatMap((warning) => wrapped('Law', warning)),
  ];
}

/** A line that has its own label, such as `Log archive  empty`. */
function realigned(line: string): string {
  const [name, ...words] = line.split(/ {2,}/);
  return row(name!, words.join(' '));
}

/** With what is nearest to its limit. */
function filesWords({ files, storedFiles: [fullest] }: DeploymentFacts): string {
  const place = files === 'bucket' ? 'in a bucket' : 'in DATA_DIR';
  if (fullest === undefined) return place;
  const { organization, kind, files: count, filesMax, bytes, bytesMax } = fullest;
  return (
    `${place}; nearest to a limit: organization ${organization}, ${count} of ${filesMax} ${kind}, ` +
    `${sizeOf(bytes)} of ${sizeOf(bytesMax)}`
  );
}

function retentionWords({ retention }: DeploymentFacts): string {
  if (retention === null) return 'not known of tables of another release';
  const overdue = retention.filter(({ overdueRows }) => overdueRows > 0);
  if (overdue.length === 0) return 'nothing is older than it is kept';
  return overdue
    .map(
      ({ kind, overdueRows, lateSeconds }) =>
        `${overdueRows} ${kind.replaceAll('_', ' ')}${lateSeconds === null ? '' : `, ${durationOf(lateSeconds)} late`}`,
    )
    .join('; ');
}

function backupWords({ lastBackup, database }: DeploymentFacts, atMs: number): string {
  if (lastBackup === null) {
    return database === 'embedded'
      ? 'none by this command is known'
      : 'by the means of PostgreSQL; not known here';
  }
  const { isWhole, to } = lastBackup;
  const verdict = isWhole === null ? 'not verified' : isWhole ? 'verified: whole' : 'DAMAGED';
  return `${durationOf((atMs - lastBackup.atMs) / 1_000)} ago, ${verdict}, in ${to}`;
}
