import { join } from 'node:path';
import { ensureDemo } from '../seed/ensure-demo.ts';
import { readDemoFile, writeDemoFile } from '../seed/seed-demo.ts';
import {
  ApiRequests,
  createAuthenticate,
  KeyUses,
  listOrganizations,
  registerApiRequestMetrics,
  StaffSessions,
  startApiRequestRetention,
} from './access/organizations.ts';
import {
  allEndpoints,
  allStaffEndpoints,
  allTasks,
  createContext,
  describeInterface,
  describeStaffInterface,
  publicPages,
} from './app.ts';
import { startContentCheck } from './catalog/products.ts';
import { Database } from './database/database.ts';
import { migrate } from './database/migrate.ts';
import { findMissingMasterKeys, startRetention } from './documents/documents.ts';
import { consolePages } from './http/console-pages.ts';
import { createLogger } from './http/logging.ts';
import { createMetrics, createMetricsServer } from './http/metrics.ts';
import { createServer } from './http/server.ts';
import { isByTls } from './http/session-cookie.ts';
import { createIdempotentRunner, startIdempotencyRetention } from './idempotency/kept-replies.ts';
import { startJobs } from './jobs/job-runner.ts';
import { systemClock } from './kernel/clock.ts';
import { exitMessage } from './kernel/file-failure.ts';
import { projectFolder } from './kernel/project-folder.ts';
import { followLaw, takeUpLaw } from './law/law-editions.ts';
import { termsLease } from './settings/terms-of-sale.ts';
import { type Config, loadConfig } from './startup/config.ts';
import { makeDataFolder, refuseLostDatabase } from './startup/data-folder.ts';
import { explainDatabaseFailure } from './startup/database-failure.ts';
import { registerDatabaseMetrics, registerRestartMetrics } from './startup/database-metrics.ts';
import { listenFailure, type PortSetting, probeListening } from './startup/listen-failure.ts';
import { openDatabase } from './startup/open-database.ts';
import { shownUrl } from './startup/shown-url.ts';
import { exposureWarnings, startupWarnings } from './startup/startup-warnings.ts';
import { printWelcome } from './startup/welcome.ts';
import { openBlobStores } from './storage/blob-stores.ts';
import { keyInFileWarning, openDocumentFiles } from './storage/document-files.ts';
import { servePhotos } from './storage/photo-files.ts';

const say = (message: string): void => console.log(message);

async function start(config: Config): Promise<void> {
  const startedAtMs = performance.now();
  const logger = createLogger({ level: config.logLevel });
  /** For the terminal and for the collected log. */
  const warn = (message: string): void => {
    say(`Warning: ${message}`);
    logger.warn(message);
  };
  for (const warning of exposureWarnings(config)) warn(warning);
  makeDataFolder(config.dataDir, warn);
  refuseLostDatabase(config);
  const blobs = openBlobStores(config, (problem) => logger.error(problem));
  const blobWarning = await blobs.check();
  if (blobWarning !== null) warn(blobWarning);
  const opening = openDatabase(config, say, {
    share: false,
    onTrouble: (message) => logger.error(message),
    onRecovered: (message) => logger.warn(message),
    onLost: (reason) => {
      console.error(reason.message);
      void database.stop().finally(() => process.exit(1));
    },
  });
  const database = await explainDatabaseFailure(config, 'owner', opening);
  await explainDatabaseFailure(config, 'owner', migrate(database.owner));
  const urlOf = (port: number): string => shownUrl(config.host, port);
  const urls = { baseUrl: urlOf(config.port), menuUrl: urlOf(config.menuPort) };
  const listenAt = async (
    server: { listen(at: { host: string; port: number }): Promise<{ readonly port: number }> },
    setting: PortSetting,
    port: number,
  ): Promise<string> => {
    const at = { host: config.host, port };
    try {
      return urlOf((await server.listen(at)).port);
    } catch (error) {
      throw listenFailure(error, setting, at);
    }
  };
  const context = createContext(database.serving, systemClock, termsLease);
  await explainDatabaseFailure(config, 'serving', context.database.assertServingRole());
  const lawNumber = await takeUpLaw(context);
  // Creating demo shops takes a minute, and the servers start after it; ports in use are reported before.
  for (const [setting, port] of portsOf(config)) await probeListening(setting, { host: config.host, port });
  const madeDemo = config.demo && (await ensureDemo(config, database, urls, say));

  for (const warning of await startupWarnings(database.owner, context.law, systemClock)) warn(warning);
  const metrics = createMetrics();
  registerDatabaseMetrics(metrics.registry, context.database.statistics);
  registerRestartMetrics(metrics.registry, database.restarts);
  const photoUrl = (location: string): string =>
    location.startsWith('/') ? (config.publicUrl ?? urls.baseUrl) + location : location;
  const documentFiles = openDocumentFiles(config, blobs.documents);
  const operator = new Database(database.owner, 1);
  const all = () => listOrganizations(operator);
  const missingKeys = await findMissingMasterKeys(context.database, documentFiles, await all());
  if (missingKeys !== null && config.checksDocumentKeys) throw new Error(missingKeys);
  if (missingKeys !== null) warn(missingKeys);
  await documentFiles.keys.load(context.randomBytes);
  if (config.databaseUrl !== undefined && documentFiles.keys.isKeptInFile) warn(keyInFileWarning);
  const endpoints = allEndpoints(context, photoUrl, documentFiles);
  const followingLaw = followLaw(context, lawNumber, logger);
  const keyUses = new KeyUses(context);
  const authenticate = createAuthenticate(context, config.environment, keyUses);
  const writingKeyUses = keyUses.start(logger);
  const apiRequests = new ApiRequests(context, endpoints);
  registerApiRequestMetrics(metrics.registry, apiRequests.statistics);
  const writingApiRequests = apiRequests.start(logger);
  const { environment, publicUrl, publicMenuUrl } = config;
  const sessions = new StaffSessions(context, environment);
  const staffEndpoints = allStaffEndpoints(
    context,
    { sessions, environment, publicUrl },
    photoUrl,
    documentFiles,
    blobs.photos,
  );
  const shared = {
    endpoints,
    authenticate,
    runIdempotently: createIdempotentRunner(context),
    trustedProxies: config.trustedProxies,
    clock: systemClock,
    logger,
    metrics,
    onFinished: apiRequests.note,
    publicFiles: servePhotos(blobs.photos),
    rateLimits: config.rateLimits ? ('on' as const) : ('off' as const),
    readiness: () => context.database.isReady(),
  };
  const servers: { close(): Promise<void> }[] = [];
  if (config.roles.includes('menu')) {
    const menu = createServer({
      ...shared,
      address: 'menu',
      isByTls: isByTls(publicMenuUrl),
      otherAddress: {
        url: () => publicUrl ?? (config.roles.includes('api') ? urls.baseUrl : undefined),
        paths: staffEndpoints.map(({ path }) => path),
      },
    });
    servers.push(menu);
    urls.menuUrl = await listenAt(menu, 'MENU_PORT', config.menuPort);
  }
  if (config.roles.includes('api')) {
    // A port that the system picks is unknown yet: the document then has the address of its request.
    const shownUrls = {
      baseUrl: publicUrl ?? (config.port === 0 ? '/' : urls.baseUrl),
      menuUrl: publicMenuUrl ?? urls.menuUrl,
    };
    const base = createServer({
      ...shared,
      address: 'base',
      isByTls: isByTls(publicUrl),
      otherAddress: {
        url: () => publicMenuUrl ?? (config.roles.includes('menu') ? urls.menuUrl : undefined),
      },
      openApi: () => describeInterface(endpoints, shownUrls),
      staff: {
        endpoints: staffEndpoints,
        authenticate: sessions.authenticate,
        publicUrl,
        openApi: () => describeStaffInterface(staffEndpoints, shownUrls),
      },
      publicPages: publicPages(context),
      console: consolePages(join(projectFolder(), 'dist', 'console'), context.randomBytes),
    });
    servers.push(base);
    urls.baseUrl = await listenAt(base, 'PORT', config.port);
  }
  if (config.metricsPort !== undefined) {
    const metricsServer = createMetricsServer(metrics, shared.readiness);
    servers.push(metricsServer);
    say(`Metrics: ${await listenAt(metricsServer, 'METRICS_PORT', config.metricsPort)}/metrics`);
  }
  const retentions = config.roles.includes('worker')
    ? [
        startRetention(context, documentFiles, all, logger),
        startApiRequestRetention(context, all, logger),
        startIdempotencyRetention(context, all, logger),
        startContentCheck(context, all, logger),
      ]
    : [];
  const jobs = config.roles.includes('worker')
    ? startJobs({
        connection: database.serving,
        database: context.database,
        tasks: allTasks(context, blobs.photos),
        logger,
        metrics,
      })
    : undefined;
  const demo = config.demo ? readDemoFile(config.dataDir) : null;
  // Another process with other roles and ports may share the file.
  const ownUrls = {
    ...(config.roles.includes('api') && { baseUrl: urls.baseUrl }),
    ...(config.roles.includes('menu') && { menuUrl: urls.menuUrl }),
  };
  if (demo !== null) writeDemoFile(config.dataDir, { ...demo, ...ownUrls });

  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    say(`${signal}: finishing running requests …`);
    const deadline = setTimeout(() => {
      say('Some requests did not end in time.');
      process.exit(1);
    }, config.shutdownTimeoutMs);
    await Promise.all(servers.map((server) => server.close()));
    await Promise.all([jobs?.stop(), ...retentions.map((job) => job.stop())]);
    await Promise.all([writingKeyUses.stop(), writingApiRequests.stop(), followingLaw.stop()]);
    await Promise.all([context.database.close(), operator.close()]);
    await database.stop();
    clearTimeout(deadline);
    say('Stopped.');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => void stop(signal));
  database.leaveSignals();
  await printWelcome({
    ...urls,
    config,
    demo,
    context,
    madeDemo,
    readyAfterMs: performance.now() - startedAtMs,
    say,
  });
}

/** The listeners of this process. */
function portsOf(config: Config): readonly (readonly [PortSetting, number])[] {
  return [
    ...(config.roles.includes('menu') ? [['MENU_PORT', config.menuPort] as const] : []),
    ...(config.roles.includes('api') ? [['PORT', config.port] as const] : []),
    ...(config.metricsPort === undefined ? [] : [['METRICS_PORT', config.metricsPort] as const]),
  ];
}

async function main(): Promise<void> {
  let showsStack = false;
  try {
    const config = loadConfig(process.env, process.cwd());
    showsStack = config.logLevel === 'debug' || config.logLevel === 'trace';
    await start(config);
  } catch (error) {
    console.error(exitMessage(error));
    if (showsStack) console.error(error);
    process.exit(1);
  }
}

void main();
