import { randomBytes, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import inject from 'light-my-request';
import { inject as provided, vi } from 'vitest';
import { createAuthenticate, KeyUses } from '../../src/access/keys/keys.ts';
import { ApiRequests } from '../../src/access/request-log/api-request-log.ts';
import { StaffSessions } from '../../src/access/sessions/sessions.ts';
import { approveBy } from '../../src/access/sign-in/staff-sign-in.ts';
import {
  allEndpoints,
  allStaffEndpoints,
  createContext,
  describeInterface,
  describeStaffInterface,
} from '../../src/app/app.ts';
import { idsOfPeople, maskedFields } from '../../src/app/fields-of-people.ts';
import { docsPlaces, publicPages } from '../../src/app/public-pages.ts';
import type { Environment } from '../../src/kernel/api-keys.ts';
import { type Clock, ManualClock } from '../../src/kernel/clock.ts';
import type { OrganizationId } from '../../src/kernel/ids.ts';
import type { StaffRole } from '../../src/kernel/staff-roles.ts';
import type { DatabaseDeadlines } from '../../src/platform/connections/deadlines.ts';
import type { Context } from '../../src/platform/database/context.ts';
import type { ReadLease } from '../../src/platform/database/read-lease.ts';
import { consolePages } from '../../src/platform/http/console-pages.ts';
import type { Endpoint, StaffEndpoint } from '../../src/platform/http/endpoint.ts';
import { createLogger } from '../../src/platform/http/logging.ts';
import { createMetrics, type Metrics } from '../../src/platform/http/metrics.ts';
import { RateLimits } from '../../src/platform/http/rate-limits.ts';
import { createServer } from '../../src/platform/http/server.ts';
import { isByTls } from '../../src/platform/http/session-cookie.ts';
import { createIdempotentRunner } from '../../src/platform/idempotency/kept-replies.ts';
import type { BlobStore } from '../../src/platform/storage/blob-store.ts';
import type { BucketSettings } from '../../src/platform/storage/s3-blob-store.ts';
import type { SealedFiles } from '../../src/platform/storage/sealed-files.ts';
import { drawnPhotoSizes } from '../../src/shop/catalog/products.ts';
import { openBlobStores } from '../../src/shop/files/blob-stores.ts';
import { openDocumentFiles } from '../../src/shop/files/document-files.ts';
import { servePhotos } from '../../src/shop/files/photo-files.ts';
import { createSandboxRunner } from '../../src/shop/sandbox/sandbox.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import type { TestReply, TestRequest } from './test-request.ts';
import type { TestKeys } from './test-shop.ts';
import { createTestStaff, type TestStaff } from './test-staff.ts';

/** The default time of a test service's clock. */
export const testNowMs = Date.parse('2026-03-10T18:00:00.000Z');

interface TestServiceOptions<ServiceClock extends Clock> {
  readonly clock?: ServiceClock;
  /** By default a new one, dropped by `close`. */
  readonly database?: TestDatabase;
  readonly environment?: Environment;
  /** By default off. */
  readonly rateLimits?: 'on' | 'off';
  /** By default none: tests also write in other ways, and read at once. */
  readonly lease?: ReadLease;
  /** By default those of the program. */
  readonly deadlines?: DatabaseDeadlines;
  /** By default those of the program. */
  readonly endpoints?: (context: Context, documentFiles: SealedFiles) => readonly Endpoint[];
  /** By default none. */
  readonly publicUrl?: string;
  /** By default a new one; none: the service makes one, in a file. */
  readonly documentMasterKeys?: readonly Uint8Array[];
  /** Hosts that may be endpoints of webhooks; by default the loopback. */
  readonly webhookHostsAllowed?: readonly string[];
  /** By default none: no shop of a test is of the demo. */
  readonly demoOrganizations?: readonly number[];
  /** Hosts of the loopback that may be identity providers; by default none. */
  readonly signInHostsAllowed?: readonly string[];
  /** By default none. */
  readonly trustedProxies?: readonly string[];
  /** The store of files; by default a folder. */
  readonly bucket?: BucketSettings;
  /** The data folder; by default a new one, removed by `close`. */
  readonly dataFolder?: string;
  /** Also gets every line of the log, down to traces; by default only errors are noted, as `faults`. */
  readonly onLogged?: (line: string) => void;
  /** The folder of a built console; by default none. */
  readonly consoleFolder?: string;
  /** What becomes of drawings that a browser asks for; by default each is drawn. */
  readonly drawPhotos?: typeof drawnPhotoSizes;
}

/** Longer deadlines for locks and answers: a machine that runs tests is busy. */
const deadlinesOfTests = (): DatabaseDeadlines => ({
  connectMs: 10_000,
  // Several servers on that machine, which plan each statement anew, take longer.
  roundTripMs: provided('server').isDistributed ? 30_000 : 10_000,
  longRoundTripMs: 35_000,
});

export type { TestReply, TestRequest };

export interface TestService<ServiceClock extends Clock = ManualClock> {
  readonly context: Context;
  readonly clock: ServiceClock;
  readonly database: TestDatabase;
  /** The folder of documents, unless they are in a bucket. */
  readonly documentFolder: string;
  readonly documentFiles: SealedFiles;
  readonly photoBlobs: BlobStore;
  readonly endpoints: readonly Endpoint[];
  readonly staffEndpoints: readonly StaffEndpoint[];
  /** The times of last use of keys that are not written yet. */
  readonly keyUses: KeyUses;
  /** The log of integrators' requests; writing it puts it into the database. */
  readonly apiRequests: ApiRequests;
  /** What the service counts. */
  readonly metrics: Metrics;
  /** Logged faults; empty without a fault. */
  readonly faults: readonly string[];
  /** Sends a request without a network. */
  call(method: string, path: string, request?: TestRequest): Promise<TestReply>;
  /** A new member of the shop's staff, signed in; by default an owner. */
  staff(
    shop: { readonly organizationId: OrganizationId },
    role?: StaffRole,
    proof?: 'lasting' | 'of signing in',
  ): Promise<TestStaff>;
  /** Opens real sockets on the loopback. */
  listen(): Promise<{ readonly baseUrl: string; readonly menuUrl: string }>;
  close(): Promise<void>;
}

function loggerOf(faults: string[], onLogged: ((line: string) => void) | undefined) {
  const write = (line: string) => {
    onLogged?.(line);
    if (onLogged === undefined || ['error', 'fatal'].includes(JSON.parse(line).level)) faults.push(line);
  };
  return createLogger({
    level: onLogged === undefined ? 'error' : 'trace',
    destination: { write },
    maskedFields,
  });
}

function lazilyServing(options: Parameters<typeof createServer>[0]) {
  let server: ReturnType<typeof createServer> | undefined;
  return {
    made: () => (server ??= createServer(options)),
    close: async () => server?.close(),
  };
}

let ofThisWorker: Promise<TestService> | undefined;

/**
 * The service of this worker: a test file makes shops of its own in it, and counts and reads only what is theirs. Its sessions
 * and their plans are warm, which saves a test file up to half of its time. Its clock shows `testNowMs` at first.
 */
export async function startTestService(): Promise<TestService> {
  ofThisWorker ??= startOnSharedDatabase();
  // A file that fakes timers, between two that use the service, can make its database look silent for ever.
  if (!(await (await ofThisWorker).context.database.isReady())) ofThisWorker = startOnSharedDatabase();
  const service = await ofThisWorker;
  service.clock.set(testNowMs);
  return { ...service, close: async () => takeBack(service) };
}

async function startOnSharedDatabase(): Promise<TestService> {
  return startOwnTestService({ database: { ...(await createTestDatabase()), isShared: true } });
}

/** Ends what a test file has changed in the service of its worker, so that the next one finds it as it was. */
function takeBack({ faults }: TestService): void {
  vi.restoreAllMocks();
  (faults as string[]).length = 0;
}

/**
 * A service with a database of its own, for a test file that reads or changes what belongs to no shop: roles, law, jobs of the
 * whole deployment, settings of the service. Starts both listeners of the program on the serving connection.
 */
export async function startOwnTestService<ServiceClock extends Clock = ManualClock>(
  options: TestServiceOptions<ServiceClock> = {},
): Promise<TestService<ServiceClock>> {
  const clock = options.clock ?? (new ManualClock(testNowMs) as Clock as ServiceClock);
  const database = options.database ?? (await createTestDatabase());
  const context = createContext(
    database.serving,
    clock,
    options.lease,
    options.deadlines ?? deadlinesOfTests(),
  );
  // Made with the first document.
  const documentFolder = options.dataFolder ?? join(tmpdir(), `dispensary-documents-${randomUUID()}`);
  const faults: string[] = [];
  const webhookHostsAllowed = options.webhookHostsAllowed ?? ['127.0.0.1', 'localhost'];
  const storage = {
    dataDir: documentFolder,
    bucket: options.bucket,
    documentMasterKeys: options.documentMasterKeys ?? [randomBytes(32)],
  };
  const blobs = openBlobStores(storage, (problem) => faults.push(problem));
  const documentFiles = openDocumentFiles(storage, blobs.documents);
  const endpoints =
    options.endpoints?.(context, documentFiles) ??
    allEndpoints(context, (location) => location, documentFiles, webhookHostsAllowed);
  const environment = options.environment ?? 'production';
  const sessions = new StaffSessions(context, environment);
  const { publicUrl } = options;
  const access = {
    ...{ sessions, environment, publicUrl, signInHostsAllowed: options.signInHostsAllowed ?? [] },
    demoOrganizations: options.demoOrganizations ?? [],
    webhookHostsAllowed,
    paymentHostsAllowed: ['127.0.0.1'],
    pageUrl: (path: string) => (publicUrl ?? 'http://shop.example.com') + path,
  };
  const staffEndpoints = allStaffEndpoints(
    context,
    access,
    (location) => location,
    documentFiles,
    blobs.photos,
  );
  const keyUses = new KeyUses(context);
  const apiRequests = new ApiRequests(context, endpoints);
  const shared = {
    endpoints,
    authenticate: createAuthenticate(context, environment, keyUses, { allowsSandboxes: true }),
    runIdempotently: createIdempotentRunner(context, idsOfPeople),
    sandboxRunner: createSandboxRunner(context),
    trustedProxies: options.trustedProxies ?? [],
    clock,
    logger: loggerOf(faults, options.onLogged),
    metrics: createMetrics(),
    onFinished: apiRequests.note,
    publicFiles: servePhotos(blobs.photos, (options.drawPhotos ?? drawnPhotoSizes)(blobs.photos)),
    rateLimits: options.rateLimits === 'on' ? new RateLimits(clock) : undefined,
    readiness: () => context.database.isReady(),
  };
  /** Made when they are used: their tables of routes take half of the time of a start, and few files call the menu address. */
  const servers = {
    base: lazilyServing({
      ...shared,
      address: 'base',
      isByTls: isByTls(options.publicUrl),
      openApi: () => describeInterface(endpoints),
      staff: {
        endpoints: staffEndpoints,
        authenticate: sessions.authenticate,
        approve: approveBy({ ...context, clock: context.wallClock }),
        publicUrl: options.publicUrl,
        openApi: () => describeStaffInterface(staffEndpoints),
      },
      docsPlaces,
      publicPages: publicPages(context, {
        openApi: () => describeInterface(endpoints),
        securityContact: undefined,
      }),
      ...(options.consoleFolder !== undefined && {
        console: consolePages(options.consoleFolder, context.randomBytes),
      }),
    }),
    menu: lazilyServing({
      ...shared,
      address: 'menu',
      baseAddress: { url: () => 'https://shop.example.com', paths: staffEndpoints.map(({ path }) => path) },
    }),
  };
  const menuPaths = new Set(endpoints.filter(({ address }) => address === 'menu').map(({ path }) => path));

  const call: TestService['call'] = async (method, path, request = {}) => {
    const address = request.address ?? (menuPaths.has(path.split('?', 1)[0]!) ? 'menu' : 'base');
    const query = queryOf(request.query);
    const reply = await inject(servers[address].made().handle, {
      method: method as 'GET',
      url: query === '' ? path : `${path}?${query}`,
      headers: {
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
        ...keyHeaders(request.keys),
        ...request.headers,
      },
      ...(request.body !== undefined && { payload: payloadOf(request.body) }),
    });
    const isJson = String(reply.headers['content-type']).startsWith('application/json');
    const json = isJson && reply.payload !== '' ? JSON.parse(reply.payload) : {};
    return {
      status: reply.statusCode,
      headers: reply.headers as Record<string, string | undefined>,
      text: reply.payload,
      bytes: reply.rawPayload,
      data: json.data,
      meta: json.meta,
      error: json.error,
    };
  };

  const listen = async () => {
    const [base, menu] = await Promise.all(
      [servers.base, servers.menu].map((server) => server.made().listen({ port: 0, host: '127.0.0.1' })),
    );
    return { baseUrl: `http://127.0.0.1:${base!.port}`, menuUrl: `http://127.0.0.1:${menu!.port}` };
  };
  let listening: ReturnType<typeof listen> | undefined;

  return {
    context,
    clock,
    database,
    documentFolder,
    documentFiles,
    photoBlobs: blobs.photos,
    endpoints,
    staffEndpoints,
    keyUses,
    apiRequests,
    metrics: shared.metrics,
    faults,
    call,
    staff: ({ organizationId }, role = 'owner', proof = 'lasting') =>
      createTestStaff(context, environment, organizationId, role, call, proof),
    listen: () => (listening ??= listen()),
    close: async () => {
      await Promise.all([servers.base.close(), servers.menu.close()]);
      await context.database.close();
      if (options.dataFolder === undefined) rmSync(documentFolder, { recursive: true, force: true });
      if (options.database === undefined) await database.drop();
    },
  };
}

/** The headers that carry keys. */
export function keyHeaders({ consumerKey, clientKey }: TestKeys = {}): Record<string, string> {
  return {
    ...(consumerKey !== undefined && { 'x-consumer-key': consumerKey }),
    ...(clientKey !== undefined && { 'x-client-key': clientKey }),
  };
}

function queryOf(query: TestRequest['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  return new URLSearchParams(
    given.map(([name, value]) => [name, String(value)] as [string, string]),
  ).toString();
}

function payloadOf(body: unknown): string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}
