import { mkdirSync } from 'node:fs';
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
} from './app.ts';
import { loadConfig } from './config.ts';
import { Database } from './database/database.ts';
import { registerDatabaseMetrics, registerRestartMetrics } from './database/database-metrics.ts';
import { migrate } from './database/migrate.ts';
import { openDatabase } from './database/open-database.ts';
import { startRetention } from './documents/documents.ts';
import { consolePages } from './http/console-pages.ts';
import { createLogger } from './http/logging.ts';
import { createMetrics, createMetricsServer } from './http/metrics.ts';
import { createServer } from './http/server.ts';
import { startJobs } from './jobs/job-runner.ts';
import { systemClock } from './kernel/clock.ts';
import { projectFolder } from './kernel/project-folder.ts';
import { listenFailure } from './listen-failure.ts';
import { startupWarnings } from './startup-warnings.ts';
import { openBlobStores } from './storage/blob-stores.ts';
import { keyInFileWarning, openDocumentFiles } from './storage/document-files.ts';
import { servePhotos } from './storage/photo-files.ts';
import { printWelcome } from './welcome.ts';

const say = (message: string): void => console.log(message);

async function main(): Promise<void> {
  const startedAtMs = performance.now();
  const config = loadConfig(process.env, process.cwd());
  mkdirSync(config.dataDir, { recursive: true });
  const logger = createLogger({ level: config.logLevel });
  const blobs = openBlobStores(config, (problem) => logger.error(problem));
  const blobWarning = await blobs.check();
  if (blobWarning !== null) say(`Warning: ${blobWarning}`);
  const database = await openDatabase(config, say, {
    share: false,
    onTrouble: (message) => logger.error(message),
    onLost: (reason) => {
      console.error(reason.message);
      void database.stop().finally(() => process.exit(1));
    },
  });
  await migrate(database.owner);
  const shownHost = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host;
  const urlOf = (port: number): string => `http://${shownHost}:${port}`;
  const urls = { baseUrl: urlOf(config.port), menuUrl: urlOf(config.menuPort) };
  const listenAt = async (
    server: { listen(at: { host: string; port: number }): Promise<{ readonly port: number }> },
    setting: Parameters<typeof listenFailure>[1],
    port: number,
  ): Promise<string> => {
    const at = { host: config.host, port };
    try {
      return urlOf((await server.listen(at)).port);
    } catch (error) {
      throw listenFailure(error, setting, at);
    }
  };
  if (config.demo) await ensureDemo(config, database, urls, say);

  const context = createContext(database.serving);
  await context.database.assertServingRole();
  for (const warning of await startupWarnings(database.owner, systemClock)) say(`Warning: ${warning}`);
  const metrics = createMetrics();
  registerDatabaseMetrics(metrics.registry, context.database.statistics);
  registerRestartMetrics(metrics.registry, database.restarts);
  const photoUrl = (location: string): string =>
    location.startsWith('/') ? (config.publicUrl ?? urls.baseUrl) + location : location;
  const documentFiles = openDocumentFiles(config, blobs.documents);
  await documentFiles.keys.load(context.randomBytes);
  if (config.databaseUrl !== undefined && documentFiles.keys.isKeptInFile)
    say(`Warning: ${keyInFileWarning}`);
  const endpoints = allEndpoints(context, photoUrl, documentFiles);
  const keyUses = new KeyUses(context);
  const authenticate = createAuthenticate(context, config.environment, keyUses);
  const writingKeyUses = keyUses.start(logger);
  const apiRequests = new ApiRequests(context, endpoints);
  registerApiRequestMetrics(metrics.registry, apiRequests.statistics);
  const writingApiRequests = apiRequests.start(logger);
  const { environment, publicUrl } = config;
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
    trustedProxies: config.trustedProxies,
    clock: systemClock,
    logger,
    metrics,
    onFinished: apiRequests.note,
    publicFiles: servePhotos(blobs.photos),
    rateLimits: config.rateLimits ? ('on' as const) : ('off' as const),
    readiness: () =>
      context.database.ping().then(
        () => true,
        () => false,
      ),
  };
  const servers: { close(): Promise<void> }[] = [];
  if (config.roles.includes('menu')) {
    const menu = await createServer({ ...shared, address: 'menu' });
    servers.push(menu);
    urls.menuUrl = await listenAt(menu, 'MENU_PORT', config.menuPort);
  }
  if (config.roles.includes('api')) {
    // A port that the system picks is not known yet: the document then speaks of the address it came from.
    const shownUrls = {
      baseUrl: publicUrl ?? (config.port === 0 ? '/' : urls.baseUrl),
      menuUrl: urls.menuUrl,
    };
    const base = await createServer({
      ...shared,
      address: 'base',
      openApi: () => describeInterface(endpoints, shownUrls),
      staff: {
        endpoints: staffEndpoints,
        authenticate: sessions.authenticate,
        publicUrl,
        openApi: () => describeStaffInterface(staffEndpoints, shownUrls),
      },
      console: consolePages(join(projectFolder(), 'dist', 'console'), context.randomBytes),
    });
    servers.push(base);
    urls.baseUrl = await listenAt(base, 'PORT', config.port);
  }
  if (config.metricsPort !== undefined) {
    const metricsServer = createMetricsServer(metrics);
    servers.push(metricsServer);
    say(`Metrics: ${await listenAt(metricsServer, 'METRICS_PORT', config.metricsPort)}/metrics`);
  }
  const operator = new Database(database.owner, 1);
  const all = () => listOrganizations(operator);
  const retentions = config.roles.includes('worker')
    ? [startRetention(context, documentFiles, all, logger), startApiRequestRetention(context, all, logger)]
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
  if (demo !== null) writeDemoFile(config.dataDir, { ...demo, ...urls });

  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    say(`${signal}: finishing the requests under way …`);
    const deadline = setTimeout(() => {
      say('Some requests did not end in time.');
      process.exit(1);
    }, config.shutdownTimeoutMs);
    await Promise.all(servers.map((server) => server.close()));
    await Promise.all([jobs?.stop(), ...retentions.map((job) => job.stop())]);
    await Promise.all([writingKeyUses.stop(), writingApiRequests.stop()]);
    await Promise.all([context.database.close(), operator.close()]);
    await database.stop();
    clearTimeout(deadline);
    say('Stopped.');
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  await printWelcome({
    ...urls,
    config,
    demo,
    context,
    readyAfterMs: performance.now() - startedAtMs,
    say,
  });
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  process.exit(1);
});
