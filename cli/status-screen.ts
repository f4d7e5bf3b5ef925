import { largestOf, quantileOf, type Sample, sumOf } from './prometheus-text.ts';
import { type Answer, type DeploymentFacts, durationOf, type StatusReport, sizeOf } from './status-report.ts';

const columns = 100;
const linesMax = 40;
const label = 14;

/** The report on one screen: at most 40 lines of 100 columns. What needs attention stands first. */
export function screenOf(report: StatusReport, verdict: string, attention: readonly string[]): string[] {
  const shown = [
    row('Status', verdict),
    ...few(attention, 8).map((words) => row('', `! ${words}`)),
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
  const name = 'http_request_duration_seconds';
  const count = sumOf(recent, `${name}_count`);
  const ofStatus = (digit: string) =>
    sumOf(recent, `${name}_count`, ({ status }) => status!.startsWith(digit));
  const limited = sumOf(recent, `${name}_count`, ({ status }) => status === '429');
  const since = recentSeconds === null ? 'since the start' : `in ${recentSeconds} s`;
  return [
    ...few(
      processes.map(({ url, samples }) => row('Process', processWords(url, samples, atMs))),
      5,
    ),
    row(
      'Requests',
      `${count} ${since}: ${ofStatus('5')} of them 5xx, ${ofStatus('4')} 4xx, ${limited} over a rate limit`,
    ),
    row(
      'Latency',
      `${latency(recent, name, 0.5)} half of them, ${latency(recent, name, 0.99)} 99 in a hundred`,
    ),
  ];
}

function latency(samples: readonly Sample[], name: string, share: number): string {
  const seconds = quantileOf(samples, name, share);
  if (seconds === null) return 'nothing for';
  return seconds === Number.POSITIVE_INFINITY ? 'over 10 s' : `up to ${Math.ceil(seconds * 1_000)} ms`;
}

function processWords(url: string, samples: readonly Sample[], atMs: number): string {
  const info = samples.find(({ name }) => name === 'service_info')?.labels;
  const startedAt = largestOf(samples, 'process_start_time_seconds');
  const memory = largestOf(samples, 'process_resident_memory_bytes');
  const lag = largestOf(samples, 'nodejs_eventloop_lag_p99_seconds');
  return [
    url.replace(/^https?:\/\//, '').replace(/\/metrics$/, ''),
    info === undefined ? '' : `${info.roles} on Node ${info.node}`,
    startedAt === null ? '' : `up ${durationOf(atMs / 1_000 - startedAt)}`,
    memory === null ? '' : sizeOf(memory),
    lag === null ? '' : `loop ${Math.round(lag * 1_000)} ms`,
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
  const lag = facts.standbyLagSeconds;
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
    ...(lag === null ? [] : [row('Standby', `${durationOf(lag)} behind`)]),
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
    row('Files', facts.files === 'bucket' ? 'in a bucket' : 'in DATA_DIR'),
    row('Disk', `${sizeOf(facts.diskFreeBytes)} free of ${sizeOf(facts.diskBytes)}`),
    row('Backup', backupWords(facts, atMs)),
    row('Rate limits', facts.rateLimits ? 'on' : 'off'),
    row('Environment', facts.environment),
    row('Organizations', `${facts.organizations}`),
    ...few(lawWarnings, 4).map((warning) => row('Law', warning)),
  ];
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
