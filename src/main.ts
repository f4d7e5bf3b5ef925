import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  isDemoUnfinished,
  markDemoUnfinished,
  readDemoFile,
  seedDemo,
  writeDemoFile,
} from '../seed/seed-demo.ts';
import { createAuthenticate } from './access/organizations.ts';
import { allEndpoints, createContext, describeInterface } from './app.ts';
import { type Config, loadConfig } from './config.ts';
import type { ConnectionConfig } from './database/database.ts';
import { startEmbeddedPostgres } from './database/embedded-postgres.ts';
import { migrate } from './database/migrate.ts';
import { createLogger } from './http/logging.ts';
import { createMetrics, createMetricsServer } from './http/metrics.ts';
import { createServer } from './http/server.ts';
import { systemClock } from './kernel/clock.ts';
import { printWelcome } from './welcome.ts';
import { servePhotos } from './storage/photo-files.ts';
import { DiskBlobStore } from './storage/blob-store.ts';

const say = (message: string): void => console.log(message);

interface OpenDatabase {
  readonly owner: ConnectionConfig;
  readonly serving: ConnectionConfig;
  stop(): Promise<void>;
}

/** The embedded database, or the one of DATABASE_URL, with a login that serves without rights of its own. */
async function openDatabase(config: Config): Promise<OpenDatabase> {
  if (config.databaseUrl === undefined) {
    const server = await startEmbeddedPostgres({ dataDir: config.dataDir, onProgress: say });
    return { owner: server.ownerConnection, serving: server.servingConnection, stop: () => server.stop() };
  }
  const owner = { connectionString: config.databaseUrl };
  const serving =
    config.databaseAppUrl === undefined
      ? { ...owner, options: '-c role=dispensary_app' }
      : { connectionString: config.databaseAppUrl };
  return { owner, serving, stop: async () => {} };
}

/** Makes the demo shops once, in a database that has no organization; an interrupted attempt starts over. */
async function ensureDemo(config: Config, database: OpenDatabase, blobs: DiskBlobStore): Promise<void> {
  const owner = new Client(database.owner);
  await owner.connect();
  try {
    if (isDemoUnfinished(config.dataDir) && config.databaseUrl === undefined) {
      say('The demo shops were not finished: starting over.');
      await owner.query('drop schema public cascade; create schema public');
      await migrate(database.owner);
    }
    const { rows } = await owner.query('select 1 from organizations limit 1');
    if (rows.length > 0) return;
  } finally {
    await owner.end();
  }
  markDemoUnfinished(config.dataDir);
  // Nothing else is written yet, and an interrupted attempt starts over: commits need not reach the disk
  // one by one.
  const context = createContext({
    ...database.serving,
    options: `${database.serving.options ?? ''} -c synchronous_commit=off`,
  });
  try {
    const organizations = await seedDemo(context, config.environment, blobs, say);
    writeDemoFile(config.dataDir, { baseUrl: '', menuUrl: '', organizations });
  } finally {
    await context.database.close();
  }
}

async function main(): Promise<void> {
  const startedAtMs = performance.now();
  const config = loadConfig(process.env, process.cwd());
  mkdirSync(config.dataDir, { recursive: true });
  const database = await openDatabase(config);
  const blobs = new DiskBlobStore(join(config.dataDir, 'photos'));
  await migrate(database.owner);
  if (config.demo) await ensureDemo(config, database, blobs);

  const context = createContext(database.serving);
  await context.database.assertServingRole();
  const logger = createLogger({ level: config.logLevel });
  const metrics = createMetrics();
  let baseUrl = '';
  const endpoints = allEndpoints(context, (location) =>
    location.startsWith('/') ? baseUrl + location : location,
  );
  const authenticate = createAuthenticate(context, config.environment);
  const shared = {
    endpoints,
    authenticate,
    clock: systemClock,
    logger,
    metrics,
    rateLimits: config.rateLimits ? ('on' as const) : ('off' as const),
    readiness: () =>
      context.database.ping().then(
        () => true,
        () => false,
      ),
  };
  const shownHost = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host;
  const urlOf = (port: number): string => `http://${shownHost}:${port}`;
  const servers: { close(): Promise<void> }[] = [];
  const urls = { baseUrl: urlOf(config.port), menuUrl: urlOf(config.menuPort) };
  if (config.roles.includes('menu')) {
    const menu = await createServer({ ...shared, address: 'menu' });
    servers.push(menu);
    urls.menuUrl = urlOf((await menu.listen({ port: config.menuPort, host: config.host })).port);
  }
  if (config.roles.includes('api')) {
    const base = await createServer({
      ...shared,
      address: 'base',
      openApi: describeInterface(endpoints),
      publicFiles: servePhotos(blobs),
    });
    servers.push(base);
    urls.baseUrl = urlOf((await base.listen({ port: config.port, host: config.host })).port);
  }
  if (config.metricsPort !== undefined) {
    const metricsServer = createMetricsServer(metrics);
    servers.push(metricsServer);
    const { port } = await metricsServer.listen({ port: config.metricsPort, host: config.host });
    say(`Metrics: ${urlOf(port)}/metrics`);
  }
  baseUrl = urls.baseUrl;
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
    await context.database.close();
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
