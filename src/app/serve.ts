import { join } from 'node:path';
import type { Logger } from 'pino';
import type { PlayedState } from '../../seed/played-state.ts';
import { createAuthenticate, KeyUses } from '../access/keys/keys.ts';
import { SharedRateLimitTokens } from '../access/rate-limits/shared-rate-limit-tokens.ts';
import { ApiRequests, registerApiRequestMetrics } from '../access/request-log/api-request-log.ts';
import { StaffSessions } from '../access/sessions/sessions.ts';
import { approveBy } from '../access/sign-in/staff-sign-in.ts';
import type { Config } from '../hosting/startup/config.ts';
import { listenFailure, type PortSetting } from '../hosting/startup/listen-failure.ts';
import { type ServedUrls, startServingProcesses } from '../hosting/startup/serving-processes.ts';
import { shownUrl } from '../hosting/startup/shown-url.ts';
import { useStandby } from '../hosting/startup/use-standby.ts';
import { tellOfServers } from '../hosting/startup/watch-servers.ts';
import { systemClock } from '../kernel/clock.ts';
import { projectFolder } from '../kernel/project-folder.ts';
import { consolePages } from '../platform/http/console-pages.ts';
import { createMetricsServer, type Metrics, type SideHandler } from '../platform/http/metrics.ts';
import { RateLimits } from '../platform/http/rate-limits.ts';
import { createServer, type HttpServer } from '../platform/http/server.ts';
import { isByTls } from '../platform/http/session-cookie.ts';
import { SharedRateLimits } from '../platform/http/shared-rate-limits.ts';
import { createIdempotentRunner } from '../platform/idempotency/kept-replies.ts';
import type { SealedFiles } from '../platform/storage/sealed-files.ts';
import { drawnPhotoSizes } from '../shop/catalog/products.ts';
import type { BlobStores } from '../shop/files/blob-stores.ts';
import { servePhotos } from '../shop/files/photo-files.ts';
import { paymentDeskOf } from '../shop/payments/payments.ts';
import { createSandboxRunner } from '../shop/sandbox/sandbox.ts';
import {
  allEndpoints,
  allStaffEndpoints,
  describeInterface,
  describeStaffInterface,
  type ServiceContext,
} from './app.ts';
import { idsOfPeople } from './fields-of-people.ts';
import { docsPlaces, publicPages } from './public-pages.ts';

const say = (message: string): void => console.log(message);

/** What the listeners of a process are made of. */
export interface Parts {
  readonly config: Config;
  readonly context: ServiceContext;
  readonly urls: { baseUrl: string; menuUrl: string };
  readonly blobs: BlobStores;
  readonly documentFiles: SealedFiles;
  /** Those of the demo, if there is one. */
  readonly demoOrganizations: readonly number[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Plays the state for sandboxes and the demo shop; null: this process does not. */
  readonly playedState: PlayedState | null;
  /** The operator's page at the port of the metrics; null: this process has none. */
  readonly operatorDesk: SideHandler | null;
}

interface Serving {
  readonly urls: ServedUrls;
  /** Goes on serving until `close`, but asks callers to go elsewhere. */
  announceEnd(): void;
  /** Stops accepting requests; resolves when those under way have their replies. */
  close(): Promise<void>;
  /** Writes what requests have left to be written. */
  finish(): Promise<void>;
}

/** Serves the roles in this process. */
export async function serve(parts: Parts): Promise<Serving> {
  await useStandby(parts);
  tellOfServers(parts);
  const serviceInterface = createInterface(parts);
  const servers = await startServers(parts, serviceInterface);
  return {
    urls: parts.urls,
    announceEnd: () => {
      for (const server of servers) server.announceEnd();
    },
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
    finish: async () => void (await Promise.all(serviceInterface.writers.map((writer) => writer.stop()))),
  };
}

/** Serves the roles in processes of their own; this one keeps the metrics of the background work. */
export async function serveByProcesses(parts: Parts): Promise<Serving> {
  const { config, context, logger, metrics, operatorDesk } = parts;
  const { workers: count, metricsPort } = config;
  const metricsServer =
    metricsPort === undefined
      ? null
      : createMetricsServer(metrics, () => context.database.isReady(), operatorDesk);
  if (metricsServer)
    say(`Metrics: ${await listenAt(config, metricsServer, 'METRICS_PORT', metricsPort!)}/metrics`);
  const { urls, announceEnd, close } = await startServingProcesses({ count, logger });
  return {
    urls,
    announceEnd: () => {
      metricsServer?.announceEnd();
      announceEnd();
    },
    close: async () => void (await Promise.all([close(), metricsServer?.close()])),
    finish: async () => {},
  };
}

/** Creates what both listeners share, and starts the writers of the logs that requests feed. */
function createInterface(parts: Parts) {
  const { config, context, urls, blobs, documentFiles, demoOrganizations, logger, metrics } = parts;
  const { environment, publicUrl } = config;
  context.serviceAddress.use(() => publicUrl ?? urls.baseUrl);
  const photoUrl = (location: string): string =>
    location.startsWith('/') ? (publicUrl ?? urls.baseUrl) + location : location;
  const endpoints = allEndpoints(context, photoUrl, documentFiles, config.webhookHostsAllowed);
  paymentDeskOf(context).reportTo(logger);
  const keyUses = new KeyUses(context);
  const apiRequests = new ApiRequests(context, endpoints);
  registerApiRequestMetrics(metrics.registry, apiRequests.statistics);
  const sessions = new StaffSessions(context, environment);
  const ownLimits = new RateLimits(systemClock);
  // Other processes may use the same external database.
  const isAlone = config.workers === 1 && config.databaseUrl === undefined;
  const rateLimits = isAlone
    ? ownLimits
    : new SharedRateLimits(ownLimits, new SharedRateLimitTokens(context), systemClock);
  const access = {
    ...{ sessions, environment, publicUrl, hasMailServer: config.mail !== undefined, demoOrganizations },
    signInHostsAllowed: config.signInHostsAllowed,
    paymentHostsAllowed: config.paymentHostsAllowed,
    webhookHostsAllowed: config.webhookHostsAllowed,
    stateSystem: config.stateSystem,
    pageUrl: (path: string) => (publicUrl ?? urls.baseUrl) + path,
  };
  return {
    sessions,
    staffEndpoints: allStaffEndpoints(context, access, photoUrl, documentFiles, blobs.photos),
    writers: [keyUses.start(logger), apiRequests.start(logger)],
    shared: {
      endpoints,
      authenticate: createAuthenticate(context, environment, keyUses, {
        allowsSandboxes: config.sandboxes,
      }),
      runIdempotently: createIdempotentRunner(context, idsOfPeople),
      sandboxRunner: createSandboxRunner(context),
      trustedProxies: config.trustedProxies,
      clock: systemClock,
      logger,
      metrics,
      onFinished: apiRequests.note,
      publicFiles: servePhotos(blobs.photos, drawnPhotoSizes(blobs.photos)),
      rateLimits: config.rateLimits ? rateLimits : undefined,
      readiness: () => context.database.isReady(),
    },
  };
}

type EndingServer = Pick<HttpServer, 'announceEnd' | 'close'>;

/** Starts the listeners of the roles of this process, and sets their addresses in `urls`. */
async function startServers(
  { config, context, urls, metrics, operatorDesk }: Parts,
  { shared, sessions, staffEndpoints }: ReturnType<typeof createInterface>,
): Promise<EndingServer[]> {
  const { publicUrl, publicMenuUrl, roles } = config;
  const { endpoints } = shared;
  const servers: EndingServer[] = [];
  if (roles.includes('menu')) {
    const menu = createServer({
      ...shared,
      address: 'menu',
      isByTls: isByTls(publicMenuUrl),
      baseAddress: {
        url: () => publicUrl ?? (roles.includes('api') ? urls.baseUrl : undefined),
        paths: staffEndpoints.map(({ path }) => path),
      },
    });
    servers.push(menu);
    urls.menuUrl = await listenAt(config, menu, 'MENU_PORT', config.menuPort);
  }
  if (roles.includes('api')) {
    // A port that the system picks is unknown yet: the document then has the address of its request.
    const shownUrls = {
      baseUrl: publicUrl ?? (config.port === 0 ? '/' : urls.baseUrl),
      menuUrl: publicMenuUrl ?? urls.menuUrl,
    };
    const openApi = () => describeInterface(endpoints, shownUrls);
    const base = createServer({
      ...shared,
      address: 'base',
      isByTls: isByTls(publicUrl),
      openApi,
      staff: {
        endpoints: staffEndpoints,
        authenticate: sessions.authenticate,
        approve: approveBy({ ...context, clock: context.wallClock }),
        publicUrl,
        openApi: () => describeStaffInterface(staffEndpoints, shownUrls),
      },
      docsPlaces,
      publicPages: publicPages(context, { openApi, securityContact: config.securityContact }),
      console: consolePages(join(projectFolder(), 'dist', 'console'), context.randomBytes),
    });
    servers.push(base);
    urls.baseUrl = await listenAt(config, base, 'PORT', config.port);
  }
  if (config.metricsPort !== undefined) {
    const metricsServer = createMetricsServer(metrics, shared.readiness, operatorDesk);
    servers.push(metricsServer);
    say(`Metrics: ${await listenAt(config, metricsServer, 'METRICS_PORT', config.metricsPort)}/metrics`);
  }
  return servers;
}

/** Starts a listener; resolves to its URL. */
async function listenAt(
  config: Config,
  server: { listen(at: { host: string; port: number }): Promise<{ readonly port: number }> },
  setting: PortSetting,
  port: number,
): Promise<string> {
  const at = { host: config.host, port };
  try {
    return urlOf(config, (await server.listen(at)).port);
  } catch (error) {
    throw listenFailure(error, setting, at);
  }
}

/** The URL of a port of this machine, as people type it. */
export function urlOf({ host }: Config, port: number): string {
  return shownUrl(host, port);
}
