import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { plainAddress } from '../../kernel/address-ranges.ts';
import type { Clock } from '../../kernel/clock.ts';
import { failure } from '../../kernel/failure.ts';
import { groupBy } from '../../kernel/group-by.ts';
import { lazily } from '../../kernel/lazily.ts';
import type { Address } from '../../kernel/permission-catalog.ts';
import { currentTracer, type Tracer } from '../../kernel/tracing.ts';
import type { Authenticate } from './admission.ts';
import { BoundsReached } from './bounds-reached.ts';
import { withCodeSamples } from './code-samples.ts';
import { consolePath } from './console-pages.ts';
import { sentHeaders } from './cross-origin.ts';
import type { DocsPlace } from './docs-frame.ts';
import { Draining } from './draining.ts';
import type { Endpoint, FinishedRequest, StaffEndpoint } from './endpoint.ts';
import { endpointPipeline, type Frame, type SandboxRunner, staffPipeline } from './endpoint-pipeline.ts';
import { errorReply, unavailableRetryAfterSeconds } from './error-replies.ts';
import type { IdempotentRunner } from './idempotency-key.ts';
import { type ConnectionLimits, connectionBounds, createListener } from './listener.ts';
import type { Metrics } from './metrics.ts';
import { OpenConnections } from './open-connections.ts';
import { toOpenApi30 } from './openapi-three-zero.ts';
import { Overload } from './overload.ts';
import { aliveBody, notReady, readyBody } from './probes.ts';
import type { RateLimiter } from './rate-limits.ts';
import { referencePage } from './reference-page.ts';
import { discardBody, hasBody, PendingBodies } from './request-body.ts';
import { type PublicFile, RequestContext } from './request-context.ts';
import { type RouteMaker, RouteTable } from './route-table.ts';
import { clientAddress, hostProblem, ServiceNames, trustedProxy } from './sent-host.ts';
import { cookieName } from './session-cookie.ts';
import type { Approve, AuthenticateStaff } from './staff-admission.ts';
import { isExact, methodsOf } from './unknown-routes.ts';

/** The log line of a request. It contains no text of the caller except a valid request id. */
export function logRequest(
  requestContext: RequestContext,
  {
    logger,
    metrics,
    onFinished,
  }: {
    readonly logger: Logger;
    readonly metrics: Pick<Metrics, 'requestDurations'>;
    readonly onFinished?: (request: FinishedRequest) => void;
  },
): void {
  const { request, response, routeId, requestId, caller, staff, errorCode, errorMessage, refusedKey } =
    requestContext;
  const ms =
    (requestContext.streamingSinceMs ?? performance.now()) -
    requestContext.startedAtMs -
    requestContext.pausedMs;
  // 499: the caller disconnected before the reply; used in logs and metrics, never sent.
  const status = response.headersSent ? response.statusCode : 499;
  metrics.requestDurations.observe(routeId, status, ms / 1000);
  requestContext.span?.set({
    'http.response.status_code': status,
    'dispensary.organization_id': (caller ?? staff)?.organizationId,
  });
  requestContext.span?.end(status >= 500 ? (errorCode ?? String(status)) : undefined);
  if (logger.isLevelEnabled('info')) {
    logger.info(
      {
        method: request.method,
        route: routeId,
        status,
        ms: Math.round(ms * 10) / 10,
        requestId,
        organizationId: (caller ?? staff)?.organizationId,
        clientKeyId: caller?.clientKeyId,
        staffId: staff?.staffId,
        traceId: requestContext.span?.traceparent?.split('-')[1],
        ...((refusedKey || errorCode === 'INVALID_API_CREDENTIALS') && refusedKeyOf(requestContext)),
      },
      'request',
    );
  }
  const key = caller ?? refusedKey;
  if (key && onFinished) {
    const { method = '', url = '' } = request;
    onFinished({
      caller: key,
      method,
      routeId,
      url,
      status,
      errorCode,
      ms,
      requestId,
      message: errorMessage,
      keyProblem: caller ? undefined : refusedKey?.problem,
    });
  }
}

const keyStart = /^dc[kp]_(?:live|test)_\w{4}/;

/** What the operator sees of a client key that was refused: its start, and why if the key exists. Never its text. */
function refusedKeyOf({ request: { headers }, refusedKey }: RequestContext): object {
  const [keyPrefix] = keyStart.exec(String(headers['x-client-key'] ?? '')) ?? [];
  return {
    ...(keyPrefix !== undefined && { keyPrefix }),
    ...(refusedKey && { keyProblem: refusedKey.problem }),
  };
}

export interface ServerOptions {
  /** All endpoints: the menu address takes those of the menu, the base address all of them. */
  readonly endpoints: readonly Endpoint[];
  readonly address: Address;
  readonly authenticate: Authenticate;
  readonly runIdempotently: IdempotentRunner;
  /** By default no organization is a sandbox. */
  readonly sandboxRunner?: SandboxRunner;
  /** Addresses and ranges whose X-Forwarded-For is trusted; none by default. */
  readonly trustedProxies?: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Called after the reply to every request with valid keys; must be quick. */
  readonly onFinished?: (request: FinishedRequest) => void;
  /** Other limits for connections, for tests that cannot wait for these. */
  readonly connectionBounds?: Partial<ConnectionLimits>;
  /** Whether callers reach this address over TLS, through a proxy: browsers are then told to use only TLS. */
  readonly isByTls?: boolean;
  /**
   * Counts requests (D10), for both addresses together: the operations of the menu are served at both. Undefined: nothing is
   * counted.
   */
  readonly rateLimits: RateLimiter | undefined;
  /** Whether the service can do its work now. */
  readonly readiness: () => Promise<boolean>;
  /** Served with a reference page at the base address; built at the first request. */
  readonly openApi?: () => object;
  /** The staff operations, served at the base address, too. */
  readonly staff?: {
    readonly endpoints: readonly StaffEndpoint[];
    readonly authenticate: AuthenticateStaff;
    readonly approve?: Approve;
    /** PUBLIC_URL, if it is set: pages of this origin are trusted, too. */
    readonly publicUrl: string | undefined;
    /** Served with its own reference page. */
    readonly openApi?: () => object;
  };
  /** Files without keys: `pathPrefix` ("/photos/") and a name; null if the file does not exist. */
  readonly publicFiles?: {
    readonly pathPrefix: string;
    read(name: string): Promise<PublicFile | null>;
  };
  /** Pages without keys at the base address, by path. */
  /** What the bar on top of the references leads to. */
  readonly docsPlaces?: readonly DocsPlace[];
  readonly publicPages?: Readonly<Record<string, (requestContext: RequestContext) => Promise<void>>>;
  /** The base address, for the menu address: a request for one of its other paths is refused with it (D1). */
  readonly baseAddress?: {
    /** Undefined if this process does not know it. */
    readonly url: () => string | undefined;
    /** Its paths besides those of `endpoints`. */
    readonly paths?: readonly string[];
  };
  /** The web console, at the base address. */
  readonly console?: (requestContext: RequestContext) => Promise<void>;
}

export interface HttpServer {
  /** Starts listening; port 0 takes a free one. */
  listen(options: { readonly port: number; readonly host: string }): Promise<{ readonly port: number }>;
  /** Goes on serving until `close`, but asks callers to go elsewhere; see `Draining.announce`. */
  announceEnd(): void;
  /** Stops accepting, answers all requests that have arrived, and resolves when the last connection is closed. */
  close(): Promise<void>;
  /** The request handler; tests call it without a network. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
}

/** Makes the listener of one address (D1). */
export function createServer(options: ServerOptions): HttpServer {
  const bounds = { ...connectionBounds, ...options.connectionBounds };
  const draining = new Draining();
  const overload = new Overload(bounds.inFlightCountMax);
  const isProxy = trustedProxy(options.trustedProxies ?? []);
  const reached = new BoundsReached(options.logger, options.metrics.closedAtBound);
  const names = new ServiceNames(options.staff?.publicUrl);
  const frame: Frame = {
    authenticate: options.authenticate,
    runIdempotently: options.runIdempotently,
    rateLimits: options.rateLimits,
    overload,
    pendingBodies: new PendingBodies(bounds, isProxy, reached),
    logger: options.logger,
    sandboxRunner: options.sandboxRunner,
  };
  const makeRoute = routeMaker(options, {
    drain: draining,
    clientAddress: clientAddress(options.trustedProxies ?? []),
    inFlight: overload,
    keepAlive: `timeout=${Math.floor(bounds.silenceTimeoutMs / 1000)}`,
    isByTls: options.isByTls ?? false,
  });
  // The schemas limit the length of path values, in the order of D13.
  const routes = new RouteTable(makeRoute, bounds.headerBytesMax);
  addEndpoints(routes, options, frame, names);
  addPublicFiles(routes, options);
  addProbes(routes, options, draining);
  if (options.address === 'base') addBasePages(routes, options);
  addUnknown(routes, options);
  const server = createListener(routes.handle, options.logger, bounds);
  const connections = new OpenConnections(bounds, isProxy, reached);
  connections.watch(server);

  return {
    listen: ({ port, host }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        names.boundHost = host;
        server.listen(port, host, () => resolve({ port: (server.address() as AddressInfo).port }));
      }),
    announceEnd: () => draining.announce(),
    close: async () => {
      await draining.drain(server, connections);
      // Also resolves if it never listened.
      await new Promise<void>((resolve) => server.close(() => resolve()));
      connections.stop();
      overload.stop();
    },
    handle: routes.handle,
  };
}

/** Makes handlers that open a request context, check Host and answer errors. */
function routeMaker(
  options: ServerOptions,
  contextFrame: ConstructorParameters<typeof RequestContext>[3],
): RouteMaker {
  const { logger } = options;

  /** Begins the context of a request. Its end is always logged and measured. */
  function open(request: IncomingMessage, response: ServerResponse, routeId: string): RequestContext {
    const requestContext = new RequestContext(request, response, routeId, contextFrame);
    OpenConnections.noteRequest(request, requestContext.startedAtMs);
    // Node discards an unread body in several ticks, even an empty one, so an empty body is read here.
    if (!hasBody(request)) request.read();
    // It closes once; `once` would allocate another function for every request.
    response.on('close', () => {
      requestContext.leave();
      logRequest(requestContext, options);
    });
    return requestContext;
  }

  const isTrusted = trustedProxy(options.trustedProxies ?? []);
  return (routeId, answer) => (request, response, url) => {
    const requestContext = open(request, response, routeId);
    const tracer = currentTracer();
    const problem = hostProblem(request);
    if (problem !== null) {
      refuse(requestContext, failure('INVALID_PARAMS', problem), logger);
      return;
    }
    const refuseFor = (thrown: unknown) => refuse(requestContext, thrown, logger);
    try {
      if (tracer === null) answer(requestContext, url)?.catch(refuseFor);
      else
        answerTraced(tracer, requestContext, isTrusted, () => answer(requestContext, url))?.catch(refuseFor);
    } catch (thrown) {
      refuseFor(thrown);
    }
  };
}

/** Any caller could make us record its requests: only a proxy of ours continues its trace. */
function answerTraced<Result>(
  tracer: Tracer,
  requestContext: RequestContext,
  isTrusted: (address: string) => boolean,
  answer: () => Result,
): Result {
  const { request, routeId } = requestContext;
  const isContinued = isTrusted(plainAddress(request.socket.remoteAddress ?? ''));
  const parent = isContinued ? request.headers.traceparent : undefined;
  const attributes = { 'http.request.method': request.method, 'http.route': routeId };
  requestContext.span = tracer.start(routeId, 'server', attributes, parent as string | undefined);
  return tracer.within(requestContext.span, answer);
}

/** Whether an address serves an operation. The base address serves all: a client then needs one address only (D1). */
function isServedAt(address: Address, endpoint: Endpoint): boolean {
  return address === 'base' || endpoint.address === address;
}

/** The endpoints of this address, with those of staff at the base address. */
function addEndpoints(
  routes: RouteTable,
  { endpoints, address, staff, clock }: ServerOptions,
  frame: Frame,
  names: ServiceNames,
): void {
  const here = endpoints.filter((endpoint) => isServedAt(address, endpoint));
  for (const endpoint of here) {
    routes.add(endpoint.method, endpoint.path, endpoint.id, endpointPipeline(endpoint, frame));
  }
  const ofPages = here.filter((one) => one.publishableKey === 'allowed');
  const headersOfPages = sentHeaders(endpoints);
  for (const [path, operations] of groupBy(ofPages, (one) => one.path)) {
    routes.addPreflight(
      path,
      [...new Set(operations.flatMap(({ method }) => methodsOf(method)))],
      headersOfPages,
    );
  }
  if (address !== 'base' || staff === undefined) return;
  const { authenticate, approve, publicUrl } = staff;
  const staffGate = {
    ...{ authenticate, names, clock, ...(approve && { approve }) },
    cookieName: (name: string) => cookieName(name, publicUrl),
  };
  const staffFrame = { ...frame, staffGate };
  for (const endpoint of staff.endpoints) {
    routes.add(endpoint.method, endpoint.path, endpoint.id, staffPipeline(endpoint, staffFrame));
  }
}

function addPublicFiles(routes: RouteTable, { publicFiles }: ServerOptions): void {
  if (publicFiles === undefined) return;
  routes.add('GET', `${publicFiles.pathPrefix}{name}`, 'publicFile', async (requestContext, { params }) => {
    const file = await publicFiles.read(String(params.name));
    if (file === null) throw failure('ROUTE_NOT_FOUND', 'There is no such file.');
    requestContext.sendFile(file);
  });
}

/** Health checks, at both addresses: a balancer checks the address that it sends requests to. */
function addProbes(routes: RouteTable, { readiness }: ServerOptions, draining: Draining): void {
  routes.add('GET', '/healthz', 'healthz', async (requestContext) =>
    requestContext.sendJson(200, aliveBody()),
  );
  routes.add('GET', '/readyz', 'readyz', async (requestContext) => {
    if (draining.isDraining || !(await readiness())) throw notReady();
    requestContext.sendJson(200, readyBody());
  });
}

/** Console, public pages and references. */
function addBasePages(routes: RouteTable, options: ServerOptions): void {
  if (options.console) {
    for (const path of [consolePath, `${consolePath}/*`]) routes.add('GET', path, 'console', options.console);
  }
  for (const [path, answer] of Object.entries(options.publicPages ?? {})) routes.addPage(path, answer);
  const documents = { '': options.openApi, '/staff': options.staff?.openApi };
  for (const [prefix, document] of Object.entries(documents)) {
    if (!document) continue;
    const text = lazily(() => JSON.stringify(document()));
    routes.add('GET', `${prefix}/openapi.json`, 'openApi', async (requestContext) =>
      requestContext.sendJson(200, text()),
    );
    const olderText = lazily(() => JSON.stringify(toOpenApi30(document())));
    routes.add('GET', `${prefix}/openapi-3.0.json`, 'openApi', async (requestContext) =>
      requestContext.sendJson(200, olderText()),
    );
    for (const [path, answer] of Object.entries(
      referencePage(
        `${prefix}/docs`,
        prefix === '' ? () => withCodeSamples(document()) : document,
        options.docsPlaces ?? [],
      ),
    )) {
      routes.addPage(path, answer);
    }
  }
}

/** Replies to unknown paths; at the menu address they name the base address for its paths (D1). */
function addUnknown(routes: RouteTable, { address, endpoints, baseAddress }: ServerOptions): void {
  const elsewhere = endpoints.filter((one) => !isServedAt(address, one)).map(({ path }) => path);
  routes.addUnknown(new Set(elsewhere.filter(isExact)), {
    paths: [...elsewhere, ...(baseAddress?.paths ?? [])],
    url: baseAddress?.url,
  });
}

/** Answers a thrown value, unless the caller has disconnected. */
function refuse(requestContext: RequestContext, thrown: unknown, logger: Logger): void {
  const { request, response, headers } = requestContext;
  if (request.errored || response.destroyed) return;
  const reply = errorReply(thrown);
  if (reply.isFault)
    requestContext.log(logger).error({ err: thrown, route: requestContext.routeId }, 'request failed');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (reply.status === 503 || reply.status === 429) headers['retry-after'] ??= unavailableRetryAfterSeconds;
  headers['cache-control'] = 'no-store';
  requestContext.errorCode = reply.code;
  requestContext.errorMessage = reply.message;
  discardBody(request);
  requestContext.sendJson(reply.status, reply.text);
}
