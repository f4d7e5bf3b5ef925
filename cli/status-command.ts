import { existsSync, statfsSync } from 'node:fs';
import { readDemoFile } from '../seed/seed-demo.ts';
import { listOrganizations } from '../src/access/organizations/organizations.ts';
import { readBacklog, retainedKindNames } from '../src/hosting/retention/retention.ts';
import type { Config } from '../src/hosting/startup/config.ts';
import { identityOf } from '../src/hosting/startup/service-identity.ts';
import { startupWarnings } from '../src/hosting/startup/startup-warnings.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { organizationId } from '../src/kernel/ids.ts';
import { programVersion } from '../src/kernel/project-folder.ts';
import { selectServerFacts } from '../src/platform/connections/server-facts-queries.ts';
import { selectWaitingJobs } from '../src/platform/jobs/job-metrics.ts';
import { countMail } from '../src/platform/mail/mail.ts';
import { fileKinds } from '../src/shop/files/file-limits.ts';
import { readFileUses } from '../src/shop/files/quotas.ts';
import { countEndpointStates } from '../src/shop/webhooks/webhooks.ts';
import { archiveState } from './archive-state.ts';
import { type Command, optional, type Result, wholeNumber } from './command.ts';
import { type Deployment, openDeployment } from './deployment.ts';
import { readLastBackup } from './last-backup.ts';
import type { Screen } from './progress-bar.ts';
import { between, type Sample } from './prometheus-text.ts';
import { firing } from './status-alerts.ts';
import { processOf, requestsOf } from './status-metrics.ts';
import { probe, scrape } from './status-probe.ts';
import {
  type Answer,
  attentionOf,
  type DeploymentFacts,
  type FullStore,
  isAway,
  type RetentionFacts,
  type StatusReport,
  shareOf,
} from './status-report.ts';
import { screenOf } from './status-screen.ts';
import { UsageError } from './usage-error.ts';

const secondsMax = 600;
/** Mail and webhooks are counted for so many organizations: a status should be quick. */
const organizationsReadMax = 500;
/** Those that are nearest to their limits. */
const storesShownMax = 5;
const dayMs = 86_400_000;

/** One look at a deployment: of this folder, or over HTTP alone. Changes nothing. */
export const statusCommands: Readonly<Record<string, Command>> = {
  status: {
    summary:
      'show the state of the service on one screen; exit code 0: healthy, 1: needs attention, 2: does not answer',
    options: {
      url: optional(
        'only this base address, over HTTP; by default the service of this folder, and its database',
      ),
      metrics: optional('with --url: the address of its metrics, such as http://10.0.0.11:9100/metrics'),
      seconds: optional('count requests and errors for so long; by default since the start of each process'),
    },
    acceptsAnySchema: true,
    runOnItsOwn: (config, options, { stderr }) => showStatus(config, options, stderr),
  },
};

async function showStatus(
  config: Config,
  options: Readonly<Record<string, string>>,
  screen: Screen,
): Promise<Result> {
  const seconds = options.seconds === undefined ? null : wholeNumber('seconds', options.seconds);
  if (seconds !== null && (seconds < 1 || seconds > secondsMax)) {
    throw new UsageError(`--seconds: a whole number from 1 to ${secondsMax}`);
  }
  if (options.url === undefined && options.metrics !== undefined)
    throw new UsageError('--metrics needs --url');
  const place = options.url === undefined ? ownPlace(config) : remotePlace(options.url, options.metrics);
  const deployment = options.url === undefined ? await factsOf(config, screen) : null;
  const [health, readiness, menu] = await Promise.all([
    place.baseUrl === null ? null : probe(`${place.baseUrl}/healthz`),
    place.baseUrl === null ? null : probe(`${place.baseUrl}/readyz`),
    place.menuUrl === null ? null : probe(`${place.menuUrl}/readyz`),
  ]);
  const { processes, recent, silent } = await readProcesses(place.metricsUrls, seconds);
  const report: StatusReport = {
    ...{
      atMs: systemClock.now(),
      version: versionOf(processes, options.url === undefined),
      health,
      readiness,
      menu,
      deployment,
      processes,
      recent,
    },
    recentSeconds: seconds,
    silent,
    foreign: foreignAmong([health, readiness, menu], options.url === undefined ? config.dataDir : null),
    notes: [
      ...place.notes,
      ...(place.metricsUrls.length === 0 ? [`requests, memory and alerts need ${place.metricsFrom}`] : []),
    ],
  };
  return resultOf(report, seconds !== null);
}

/** The addresses that answer well, but not for this data folder, or not as this product does. */
function foreignAmong(answers: readonly (Answer | null)[], dataDir: string | null): string[] {
  const own = dataDir === null ? null : identityOf(dataDir);
  const isOwn = ({ service }: Answer) => service !== null && (dataDir === null || service === own);
  return answers.flatMap((answer) => (answer?.status === 200 && !isOwn(answer) ? [answer.url] : []));
}

function resultOf(report: StatusReport, isShort: boolean): Result {
  const now = report.processes.flatMap(({ samples }) => samples);
  const alerts = firing({ now, recent: report.recent, isShort });
  const attention = attentionOf(report, alerts);
  const away = isAway(report);
  const verdict = away ? 'does not answer' : attention.length > 0 ? 'needs attention' : 'healthy';
  const { deployment, processes, recent: _, ...rest } = report;
  return {
    lines: screenOf(report, verdict, attention),
    data: {
      ...{ verdict, attention, alerts },
      ...rest,
      ...(deployment ?? {}),
      requests: processes.length === 0 ? null : requestsOf(report.recent),
      processes: processes.map(({ url, samples }) => processOf(url, samples)),
    },
    exitCode: away ? 2 : attention.length > 0 ? 1 : 0,
  };
}

/** The version that runs; where no metrics tell it, that of this folder, which the service of this folder has. */
function versionOf(processes: StatusReport['processes'], isOwn: boolean): string {
  const told = processes.flatMap(({ url, samples }) => processOf(url, samples).info?.version ?? []);
  const distinct = [...new Set(told)];
  if (distinct.length > 0) return distinct.join(', ');
  return isOwn ? programVersion() : `not known; this command is ${programVersion()}`;
}

interface Place {
  readonly baseUrl: string | null;
  readonly menuUrl: string | null;
  readonly metricsUrls: readonly string[];
  /** What would give metrics. */
  readonly metricsFrom: string;
  readonly notes: readonly string[];
}

function remotePlace(url: string, metrics: string | undefined): Place {
  for (const [name, value] of Object.entries({ url, metrics })) {
    if (value !== undefined && !/^https?:\/\/[^/]/.test(value)) {
      throw new UsageError(`--${name}: an address such as https://shop.example.com`);
    }
  }
  return {
    baseUrl: url.replace(/\/+$/, ''),
    menuUrl: null,
    metricsUrls: metrics === undefined ? [] : [metrics],
    ...{ metricsFrom: '--metrics', notes: ['seen from outside: nothing is known of its database'] },
  };
}

/** Where the service of this folder should answer, by its settings. */
function ownPlace({ host, port, menuPort, metricsPort, workers, roles, dataDir }: Config): Place {
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const urlOf = (at: number) => `http://${reached.includes(':') ? `[${reached}]` : reached}:${at}`;
  // With a port of 0 only the demo's file knows the address.
  const demo = port === 0 && existsSync(dataDir) ? readDemoFile(dataDir) : null;
  const processes = workers > 1 ? workers + 1 : 1;
  return {
    baseUrl: roles.includes('api') ? (port === 0 ? (demo?.baseUrl ?? null) : urlOf(port)) : null,
    menuUrl: roles.includes('menu') ? (menuPort === 0 ? (demo?.menuUrl ?? null) : urlOf(menuPort)) : null,
    metricsUrls: metricsPort
      ? Array.from({ length: processes }, (_, index) => `${urlOf(metricsPort + index)}/metrics`)
      : [],
    metricsFrom: 'METRICS_PORT',
    notes:
      roles.includes('api') && port === 0 && demo === null
        ? ['PORT is 0: the address is not known here']
        : [],
  };
}

/** Reads the metrics of each process, twice with `seconds` between. */
async function readProcesses(urls: readonly string[], seconds: number | null) {
  const readAll = () => Promise.all(urls.map(async (url) => ({ url, samples: await scrape(url) })));
  const first = seconds === null ? [] : await readAll();
  if (seconds !== null && urls.length > 0)
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  const last = await readAll();
  const processes = last.flatMap(({ url, samples }) => (samples === null ? [] : [{ url, samples }]));
  const recent: Sample[] = processes.flatMap(({ url, samples }) => {
    const earlier = first.find((it) => it.url === url)?.samples;
    return seconds === null ? samples : between(earlier ?? [], samples);
  });
  return { processes, recent, silent: last.flatMap(({ url, samples }) => (samples === null ? [url] : [])) };
}

async function factsOf(config: Config, screen: Screen): Promise<DeploymentFacts> {
  const deployment = await openDeployment(config, screen, { acceptsAnySchema: true });
  try {
    return await askDeployment(deployment);
  } finally {
    await deployment.close();
  }
}

async function askDeployment(deployment: Deployment): Promise<DeploymentFacts> {
  const { config, context, database, operator, missing, waiting } = deployment;
  const organizations = await listOrganizations(operator);
  const [server] = await operator.global(selectServerFacts({}));
  const isEmbedded = config.databaseUrl === undefined;
  const disk = statfsSync(config.dataDir);
  // The statements are those of this release's tables.
  const isKnown = missing.length === 0;
  const read = isKnown ? organizations.slice(0, organizationsReadMax) : [];
  const webhooks = { enabled: 0, failing: 0, switchedOff: 0 };
  const mail = { server: config.mail !== undefined, waiting: 0, refusedLastDay: 0 };
  const fullest: FullStore[] = [];
  const since = new Date(context.clock.now() - dayMs).toISOString();
  for (const { id } of read) {
    const asked = [countEndpointStates({}), countMail({ since })] as const;
    const [[hooks], [mails]] = await context.database.read(organizationId(id), ...asked);
    webhooks.enabled += hooks!.enabled;
    webhooks.failing += hooks!.failing;
    webhooks.switchedOff += hooks!.switched_off;
    mail.waiting += mails!.waiting;
    mail.refusedLastDay += mails!.refused;
    const uses = await readFileUses(context, organizationId(id));
    for (const kind of fileKinds) fullest.push({ organization: id, kind, ...uses[kind] });
  }
  return {
    dataDir: config.dataDir,
    database: isEmbedded ? 'embedded' : 'external',
    serverRunning: isEmbedded ? database.isShared : null,
    ...{ databaseVersion: server!.version, databaseBytes: Number(server!.size_bytes) },
    ...{ sessions: server!.sessions, sessionsMax: server!.sessions_max },
    oldestTransactionSeconds: server!.oldest_seconds,
    ...{ missingMigrations: missing, waitingMigrations: waiting, environment: config.environment },
    ...{ organizations: organizations.length, organizationsRead: read.length },
    jobs: isKnown ? await operator.global(selectWaitingJobs({})) : [],
    ...{ webhooks, mail, files: config.bucket === undefined ? 'disk' : 'bucket' },
    ...{ diskFreeBytes: disk.bavail * disk.bsize, diskBytes: disk.blocks * disk.bsize },
    storedFiles: fullest.sort((a, b) => shareOf(b) - shareOf(a)).slice(0, storesShownMax),
    lastBackup: readLastBackup(config.dataDir),
    walArchive: isEmbedded ? await archiveState(config) : null,
    retention: isKnown ? await retentionOf(operator, context.clock.now()) : null,
    rateLimits: config.rateLimits,
    lawWarnings: isKnown ? await startupWarnings(database.owner, context.law, systemClock) : [],
  };
}

async function retentionOf(operator: Deployment['operator'], nowMs: number): Promise<RetentionFacts[]> {
  const facts: RetentionFacts[] = [];
  for (const name of retainedKindNames) {
    const { kind, overdue, oldestMs, lateMs } = await readBacklog(operator, name, nowMs);
    const seconds = (ms: number | null) => (ms === null ? null : Math.round(ms / 1_000));
    facts.push({
      ...{ kind, overdueRows: overdue, lateSeconds: seconds(lateMs) },
      oldestSeconds: seconds(oldestMs === null ? null : nowMs - oldestMs),
    });
  }
  return facts;
}
