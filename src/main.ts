import type { Logger } from 'pino';
import { drill } from '../cli/restore-data.ts';
import { startDemoPayments } from '../seed/demo-payments.ts';
import { playForDemo } from '../seed/demo-state.ts';
import { ensureDemo } from '../seed/ensure-demo.ts';
import { PlayedState } from '../seed/played-state.ts';
import { type DemoFile, openDemoFile, writeDemoFile } from '../seed/seed-demo.ts';
import { listOrganizations } from './access/organizations/organizations.ts';
import { checksummedCollections, createContext } from './app/app.ts';
import { startBackground } from './app/background.ts';
import { maskedFields } from './app/fields-of-people.ts';
import { type Parts, serve, serveByProcesses, urlOf } from './app/serve.ts';
import { followLaw, takeUpLaw, takeUpRelease } from './hosting/law/law-editions.ts';
import { operatorDesk } from './hosting/operator/operator-desk.ts';
import { tablesLogin } from './hosting/organization-moves/organization-moves.ts';
import { type Config, loadConfig } from './hosting/startup/config.ts';
import { makeDataFolder, refuseLostDatabase } from './hosting/startup/data-folder.ts';
import { explainDatabaseFailure } from './hosting/startup/database-failure.ts';
import {
  registerConcernMetrics,
  registerDatabaseMetrics,
  registerRestartMetrics,
  registerServiceMetrics,
} from './hosting/startup/database-metrics.ts';
import { type PortSetting, probeListening } from './hosting/startup/listen-failure.ts';
import { type OpenDatabase, openDatabase } from './hosting/startup/open-database.ts';
import { tellIdentity } from './hosting/startup/service-identity.ts';
import { servingNumber, tellServing } from './hosting/startup/serving-processes.ts';
import { exposureWarnings, standInWarnings, startupWarnings } from './hosting/startup/startup-warnings.ts';
import { stopOnSignals } from './hosting/startup/stop-on-signals.ts';
import { startTelemetry } from './hosting/startup/telemetry.ts';
import { drilledTimeline, startArchiving } from './hosting/startup/wal-archiving.ts';
import { printWelcome } from './hosting/startup/welcome.ts';
import { reportLines, verifyAll } from './hosting/verification/verification.ts';
import { openArchive } from './hosting/wal-archive/wal-archive.ts';
import { systemClock } from './kernel/clock.ts';
import { exitMessage, reasonOfFileFailure } from './kernel/file-failure.ts';
import type { Context } from './platform/database/context.ts';
import { Database } from './platform/database/database.ts';
import { eventFeedOf } from './platform/events/event-feed.ts';
import { createLogger } from './platform/http/logging.ts';
import { createMetrics } from './platform/http/metrics.ts';
import { contractLater } from './platform/schema/contract-later.ts';
import { type Migrated, migrate } from './platform/schema/migrate.ts';
import type { SealedFiles } from './platform/storage/sealed-files.ts';
import { findMissingMasterKeys } from './shop/documents/documents.ts';
import { type BlobStores, openBlobStores } from './shop/files/blob-stores.ts';
import { keyInFileWarning, openDocumentFiles } from './shop/files/document-files.ts';
import { termsLease } from './shop/settings/terms-of-sale.ts';

const say = (message: string): void => console.log(message);

/** Starts everything: the database, the background work, and the listeners or the processes that have them. */
async function start(read: Config): Promise<void> {
  let config = read;
  const startedAtMs = performance.now();
  const logger = createLogger({ level: config.logLevel, maskedFields });
  /** For the terminal and for the collected log. */
  const warn = (message: string): void => {
    say(`Warning: ${message}`);
    logger.warn(message);
  };
  const blobs = await openFiles(config, logger, warn);
  const { database, migrated } = await openMigratedDatabase(config, logger);
  const context = createContext(database.serving, systemClock, termsLease, undefined, config.fileLimits);
  tellIdentity(config.dataDir, context.randomBytes);
  await explainDatabaseFailure(config, 'serving', context.database.assertServingRole());
  await tellOfRelease(database, context, logger);
  const lawNumber = await takeUpLaw(context);
  // Creating demo shops takes a minute, and the servers start after it; ports in use are reported before.
  for (const [setting, port] of portsOf(config)) await probeListening(setting, { host: config.host, port });
  const urls = { baseUrl: urlOf(config, config.port), menuUrl: urlOf(config, config.menuPort) };
  const madeDemo = config.demo && (await ensureDemo(config, database, urls, say));

  for (const warning of await startupWarnings(database.owner, context.law, systemClock)) {
    say(`Warning: ${warning}`);
    // In a field: a date in a message is masked, because it may be a birthday.
    logger.warn({ warning }, 'a warning about the law');
  }
  const metrics = createMetrics();
  registerDatabaseMetrics(metrics.registry, context.database.statistics);
  registerRestartMetrics(metrics.registry, database.restarts);
  registerConcernMetrics(metrics.registry);
  registerServiceMetrics(metrics.registry, config);
  const operator = new Database(database.owner, 1);
  eventFeedOf(context.database).findNewsBy(operator);
  const documentFiles = openDocumentFiles(config, blobs.documents);
  context.sealing.use(() => documentFiles.keys.sealer(context.randomBytes));
  await loadDocumentKeys(config, context, documentFiles, await listOrganizations(operator), warn);
  const demo = config.demo ? openDemoFile(config.dataDir, warn) : null;
  const demoOrganizations = organizationsOf(demo);
  const { playedState, ...playing } = await playState(config, context, demo, warn);
  const playedPayments = await playProviders(playing.config, context, {
    ...{ demoOrganizations, logger, listOrganizations: () => listOrganizations(operator) },
  });
  config = { ...playing.config, ...playedPayments?.access };
  const shared = { config, context, urls, blobs, documentFiles, logger, metrics };
  const parts = {
    ...{ ...shared, demoOrganizations, playedState },
    operatorDesk: openOperatorDesk(shared, database, operator),
  };
  const followingLaw = followLaw(context, lawNumber, logger);
  const contracting = contractLater(database.owner, migrated, logger);
  const archiving = await startArchiving({
    ...{ config, admin: database.admin, operator, registry: metrics.registry },
    ...{ env: process.env, logger },
  });
  const serving = config.workers > 1 ? await serveByProcesses(parts) : await serve(parts);
  Object.assign(urls, serving.urls);
  const background = startBackground(parts, { database, operator });
  const telemetry = await startTelemetry(config, parts);
  // Another process with other roles and ports may share the file.
  const ownUrls = {
    ...(config.roles.includes('api') && { baseUrl: urls.baseUrl }),
    ...(config.roles.includes('menu') && { menuUrl: urls.menuUrl }),
  };
  if (demo !== null) keepDemoUrls(config.dataDir, { ...demo, ...ownUrls }, warn);

  stopOnSignals(config, serving, say, async () => {
    await serving.close();
    await background.stop();
    await Promise.all([playedState?.close(), playedPayments?.close()]);
    await Promise.all([followingLaw.stop(), contracting.stop(), serving.finish()]);
    await telemetry.stop();
    // Last: it archives what the others wrote.
    await archiving.stop();
    await Promise.all([context.database.close(), operator.close()]);
    await database.stop();
  });
  database.leaveSignals();
  const readyAfterMs = performance.now() - startedAtMs;
  await printWelcome({ ...urls, config, demo, context, madeDemo, readyAfterMs, say });
}

/** One of several processes that accept requests on the same ports; the process that started it did everything else. */
async function startServing(config: Config, number: number): Promise<void> {
  const logger = createLogger({ level: config.logLevel, maskedFields });
  const blobs = openBlobStores(config, (problem) => logger.error(problem));
  const database = await openDatabase(config, () => {}, { share: true });
  const context = createContext(database.serving, systemClock, termsLease, undefined, config.fileLimits);
  tellIdentity(config.dataDir, context.randomBytes);
  const operator = new Database(database.owner, 1);
  eventFeedOf(context.database).findNewsBy(operator);
  const lawNumber = await takeUpLaw(context);
  const urls = { baseUrl: urlOf(config, config.port), menuUrl: urlOf(config, config.menuPort) };
  const metrics = createMetrics();
  registerDatabaseMetrics(metrics.registry, context.database.statistics);
  registerServiceMetrics(metrics.registry, config);
  const documentFiles = openDocumentFiles(config, blobs.documents);
  await documentFiles.keys.load(context.randomBytes);
  // Each process has metrics of its own.
  const metricsPort = config.metricsPort && config.metricsPort + number;
  const own = { ...config, metricsPort };
  const demoOrganizations = organizationsOf(config.demo ? openDemoFile(config.dataDir, () => {}) : null);
  const parts = {
    ...{ config: own, context, urls, blobs, documentFiles, demoOrganizations, logger, metrics },
    ...{ playedState: null, operatorDesk: null },
  };
  const followingLaw = followLaw(context, lawNumber, logger);
  const serving = await serve(parts);
  const telemetry = await startTelemetry(config, parts);
  stopOnSignals(
    config,
    serving,
    () => {},
    async () => {
      await serving.close();
      await Promise.all([followingLaw.stop(), serving.finish()]);
      await telemetry.stop();
      await Promise.all([context.database.close(), operator.close()]);
    },
  );
  tellServing(serving.urls);
}

const organizationsOf = (demo: DemoFile | null): readonly number[] =>
  demo?.organizations.map(({ id }) => id) ?? [];

/**
 * The state's system for the demo shop and for sandboxes, in the process that sends reports. The demo shop reports to it unless the operator
 * has named another; the processes that share the ports read where it is as they read every setting.
 */
async function playState(
  config: Config,
  context: Context,
  demo: DemoFile | null,
  warn: (message: string) => void,
) {
  const { stateSystem, roles } = config;
  const plays = (config.demo || config.sandboxes) && roles.includes('worker');
  const playedState = plays ? await PlayedState.start(context) : null;
  const [shop] = demo?.organizations ?? [];
  const isFree =
    stateSystem.url === undefined && stateSystem.vendorKey === undefined && roles.includes('api');
  const isNamed =
    playedState !== null &&
    shop !== undefined &&
    isFree &&
    (await playForDemo(context, playedState, shop.id));
  if (!isNamed) return { config, playedState };
  const { url, vendorKey } = playedState.access;
  Object.assign(process.env, { METRC_URL: url, METRC_VENDOR_KEY: vendorKey });
  const reporting = { ...config, stateSystem: playedState.access };
  for (const warning of standInWarnings(reporting)) warn(warning);
  return { config: reporting, playedState };
}

/** A terminal and a bank for the demo shops and for sandboxes, in the process that looks at payments; null: there are none of these shops. */
async function playProviders(
  config: Config,
  context: Context,
  shops: Parameters<typeof startDemoPayments>[1],
) {
  const { demo, sandboxes, roles } = config;
  if (!(demo || sandboxes) || !roles.includes('worker') || !roles.includes('api')) return null;
  const { host, close } = await startDemoPayments(context, shops);
  const paymentHostsAllowed = [...config.paymentHostsAllowed, host];
  Object.assign(process.env, { PAYMENT_HOSTS_ALLOWED: paymentHostsAllowed.join(',') });
  return { access: { paymentHostsAllowed }, close };
}

/** The operator's page, in the process that starts the others; null: no key is set. */
function openOperatorDesk(
  {
    config,
    context,
    blobs,
    documentFiles,
    logger,
  }: Omit<Parts, 'demoOrganizations' | 'playedState' | 'operatorDesk'>,
  database: OpenDatabase,
  operator: Database,
) {
  if (config.operatorKey === undefined) return null;
  return operatorDesk({
    ...{ key: config.operatorKey, host: config.host, lock: config.backupLock },
    ...{ context, operator, tables: tablesLogin(database), environment: config.environment, logger },
    ...{ documents: documentFiles, photos: blobs.photos },
    verify: async (id) => {
      const report = await verifyAll({
        ...{ context, serving: database.serving, admin: null, dataDir: null, organizations: [{ id }] },
        collections: checksummedCollections,
        files: { documents: documentFiles, photos: blobs.photos, documentNames: null },
      });
      return { isWhole: report.isWhole, lines: reportLines(report) };
    },
  });
}

/** The addresses in the file of the demo are a convenience: a folder that cannot be written does not stop the service. */
function keepDemoUrls(dataDir: string, demo: DemoFile, warn: (message: string) => void): void {
  try {
    writeDemoFile(dataDir, demo);
  } catch (error) {
    warn(`demo.json in ${dataDir} keeps its former addresses: ${reasonOfFileFailure(error)}.`);
  }
}

/** Checks the settings that need no database, creates the data folder, and opens the stores of files. */
async function openFiles(
  config: Config,
  logger: Logger,
  warn: (message: string) => void,
): Promise<BlobStores> {
  for (const warning of [...exposureWarnings(config), ...standInWarnings(config)]) warn(warning);
  makeDataFolder(config.dataDir, warn);
  refuseLostDatabase(config);
  const blobs = openBlobStores(config, (problem) => logger.error(problem));
  const warning = await blobs.check();
  if (warning !== null) warn(warning);
  return blobs;
}

/** Opens the database and migrates it. The process ends when the embedded database is lost for good. */
async function openMigratedDatabase(
  config: Config,
  logger: Logger,
): Promise<{ readonly database: OpenDatabase; readonly migrated: Migrated }> {
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
  const migrated = await explainDatabaseFailure(config, 'owner', migrate(database.owner));
  return { database, migrated };
}

/** Tells owners once what the facts about the law of this release change for them. */
async function tellOfRelease(database: OpenDatabase, context: Context, logger: Logger): Promise<void> {
  const operator = new Database(database.owner, 1);
  try {
    const taken = await takeUpRelease(database.owner, operator, context);
    if (taken === null || taken.organizations.length === 0) return;
    logger.info(
      { organizations: taken.organizations.length, inForce: taken.inForce },
      'this release changes facts about the law; owners are told',
    );
  } finally {
    await operator.close();
  }
}

/** Loads the master keys of documents. Fails, or warns, when the key of a stored document is missing. */
async function loadDocumentKeys(
  config: Config,
  context: Context,
  documentFiles: SealedFiles,
  organizations: Awaited<ReturnType<typeof listOrganizations>>,
  warn: (message: string) => void,
): Promise<void> {
  const missingKeys = await findMissingMasterKeys(context.database, documentFiles, organizations);
  if (missingKeys !== null && config.checksDocumentKeys) throw new Error(missingKeys);
  if (missingKeys !== null) warn(missingKeys);
  await documentFiles.keys.load(context.randomBytes);
  if (config.databaseUrl !== undefined && documentFiles.keys.isKeptInFile) warn(keyInFileWarning);
}

/** The process of a drill: it restores, verifies and records, and says on the error stream why it failed. */
async function startDrill(config: Config, timeline: string): Promise<void> {
  const { place } = config.walArchive!;
  const scratch = config.dataDir;
  const { record } = await drill(config, openArchive(place, config.backupLock), {
    timeline,
    scratch,
    screen: process.stderr,
  });
  if (record.isWhole) return;
  console.error(record.reason);
  process.exitCode = 1;
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
    const timeline = drilledTimeline(process.env);
    if (timeline !== null) return await startDrill(config, timeline);
    const number = servingNumber(process.env);
    await (number === null ? start(config) : startServing(config, number));
  } catch (error) {
    console.error(exitMessage(error));
    if (showsStack) console.error(error);
    process.exit(1);
  }
}

void main();
