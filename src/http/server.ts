import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import findMyWay, { type HTTPMethod, type HTTPVersion } from 'find-my-way';
import type { Logger } from 'pino';
import type { Clock } from '../kernel/clock.ts';
import { failure } from '../kernel/failure.ts';
import { lazily } from '../kernel/lazily.ts';
import type { Authenticate } from './admission.ts';
import { BoundsReached } from './bounds-reached.ts';
import { clientAddress, trustedProxy } from './client-address.ts';
import { consolePath } from './console-pages.ts';
import { Draining } from './draining.ts';
import type { Address, AnyEndpoint, Endpoint, FinishedRequest, StaffEndpoint } from './endpoint.ts';
import {
  type Answer,
  endpointPipeline,
  type Frame,
  staffPipeline,
  type UrlValues,
} from './endpoint-pipeline.ts';
import { errorReply, unavailableRetryAfterSeconds } from './error-replies.ts';
import { Exchange, newRequestId, type PublicFile, sendInstantReplies } from './exchange.ts';
import type { IdempotentRunner } from './idempotency-key.ts';
import type { Metrics } from './metrics.ts';
import { OpenConnections } from './open-connections.ts';
import { inFlightCountMax, Overload } from './overload.ts';
import { PendingBodies } from './pending-bodies.ts';
import { aliveBody, notReady, readyBody } from './probes.ts';
import { RateLimits } from './rate-limits.ts';
import { referencePage } from './reference-page.ts';
import { discardBody, hasBody } from './request-body.ts';
import type { QueryValues } from './request-validation.ts';
import { hostProblem, originForm, ServiceNames } from './sent-host.ts';
import { cookieName } from './session-cookie.ts';
import type { AuthenticateStaff } from './staff-admission.ts';
import { isExact, type KnownRoute, methodsOf, shadowedPaths, unknownRoute } from './unknown-routes.ts';

/** Limits for slow or hostile connections. */
const connectionBounds = {
  headersTimeoutMs: 10_000,
  /** For headers and body: 1 MB at 140 kbit/s. */
  requestTimeoutMs: 60_000,
  /** Longer than the 60 s after which load balancers usually close idle connections, so that they close first. */
  silenceTimeoutMs: 72_000,
  checkPeriodMs: 2_000,
  headerBytesMax: 16_384,
  countMax: 8_192,
  /** Enough for a chain's stores behind one address, and for the connection pools of an integrator's servers. */
  countOfAddressMax: 512,
  /** Each can hold a body of a megabyte. */
  pendingBodiesMax: 1_000,
  pendingBodiesOfAddressMax: 128,
  pendingBodyGraceMs: 1_000,
  openBodyTimeoutMs: 5_000,
  inFlightCountMax,
};

export interface ServerOptions {
  /** All endpoints: the server takes those of its address. */
  readonly endpoints: readonly Endpoint[];
  readonly address: Address;
  readonly authenticate: Authenticate;
  readonly runIdempotently: IdempotentRunner;
  /** Addresses and ranges whose X-Forwarded-For is trusted; none by default. */
  readonly trustedProxies?: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Called after the reply to every request with valid keys; must be quick. */
  readonly onFinished?: (request: FinishedRequest) => void;
  /** Other limits for connections, for tests that cannot wait for these. */
  readonly connectionBounds?: Partial<typeof connectionBounds>;
  /** Whether callers reach this address over TLS, through a proxy: browsers are then told to use only TLS. */
  readonly isByTls?: boolean;
  /** Whether requests are counted (D10). */
  readonly rateLimits: 'on' | 'off';
  /** Whether the service can do its work now. */
  readonly readiness: () => Promise<boolean>;
  /** Served with a reference page at the base address; built at the first request. */
  readonly openApi?: () => object;
  /** The staff operations, served at the base address, too. */
  readonly staff?: {
    readonly endpoints: readonly StaffEndpoint[];
    readonly authenticate: AuthenticateStaff;
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
  readonly publicPages?: Readonly<Record<string, (exchange: Exchange) => Promise<void>>>;
  /** The other listener; a request for one of its paths is refused with its address (D1). */
  readonly otherAddress?: {
    /** Undefined if this process does not know it. */
    readonly url: () => string | undefined;
    /** Its paths besides those of `endpoints`. */
    readonly paths?: readonly string[];
  };
  /** The web console, at the base address. */
  readonly console?: (exchange: Exchange) => Promise<void>;
}

export interface HttpServer {
  /** Starts listening; port 0 takes a free one. */
  listen(options: { readonly port: number; readonly host: string }): Promise<{ readonly port: number }>;
  /** Stops accepting, answers all requests that have arrived, and resolves when the last connection is closed. */
  close(): Promise<void>;
  /** The request handler; tests call it without a network. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
}

/**
 * Makes the listener of one address (D1). A library does the routing; everything from the request id to the reply is
 * our code.
 */
export function createServer(options: ServerOptions): HttpServer {
  const { address, logger } = options;
  const endpoints = options.endpoints.filter((endpoint) => endpoint.address === address);
  const bounds = { ...connectionBounds, ...options.connectionBounds };
  const draining = new Draining();
  const overload = new Overload(bounds.inFlightCountMax);
  const isProxy = trustedProxy(options.trustedProxies ?? []);
  const reached = new BoundsReached(logger, options.metrics.closedAtBound);
  const names = new ServiceNames(options.staff?.publicUrl);
  const ofExchange = {
    drain: draining,
    clientAddress: clientAddress(options.trustedProxies ?? []),
    inFlight: overload,
    keepAlive: `timeout=${Math.floor(bounds.silenceTimeoutMs / 1000)}`,
    isByTls: options.isByTls ?? false,
  };
  const frame: Frame = {
    authenticate: options.authenticate,
    runIdempotently: options.runIdempotently,
    rateLimits: options.rateLimits === 'on' ? new RateLimits(options.clock) : undefined,
    overload,
    pendingBodies: new PendingBodies(bounds, isProxy, reached),
    logger,
  };
  // The schemas limit the length of path values, in the order of D13.
  const router = findMyWay<HTTPVersion.V1>({ maxParamLength: bounds.headerBytesMax });

  /** Begins the exchange of a request. Its end is always logged and measured. */
  function open(request: IncomingMessage, response: ServerResponse, routeId: string): Exchange {
    const exchange = new Exchange(request, response, routeId, ofExchange);
    OpenConnections.noteRequest(request, exchange.startedAtMs);
    // Node discards an unread body in several ticks, even an empty one, so an empty body is read here.
    if (!hasBody(request)) request.read();
    // It closes once; `once` would allocate another function for every request.
    response.on('close', () => {
      exchange.leave();
      logRequest(exchange, options);
    });
    return exchange;
  }

  function answerWith(routeId: string, answer: Answer): Route {
    return (request, response, url) => {
      const exchange = open(request, response, routeId);
      const problem = hostProblem(request);
      if (problem !== null) {
        refuse(exchange, failure('INVALID_PARAMS', problem), logger);
        return;
      }
      const refuseFor = (thrown: unknown) => refuse(exchange, thrown, logger);
      try {
        answer(exchange, url)?.catch(refuseFor);
      } catch (thrown) {
        refuseFor(thrown);
      }
    };
  }

  /** The router only looks routes up; its store holds the handler. */
  function on(methods: HTTPMethod | HTTPMethod[], path: string, route: Route): void {
    router.on(methods, path, noop, route);
  }

  const known: KnownRoute[] = [];
  function route(method: AnyEndpoint['method'], path: string, routeId: string, answer: Answer): void {
    known.push({ method, path });
    const url = path.replace(/\{([^}]+)\}/g, ':$1');
    const answerIt = answerWith(routeId, answer);
    // The router matches /orders/ with an empty parameter. This path does not exist (D13).
    const answerPath: Route = (request, response, urlValues) => {
      const answering = hasEmptyValue(urlValues.params) ? notFound : answerIt;
      answering(request, response, urlValues);
    };
    on(methodsOf(method), url, path.includes('{') ? answerPath : answerIt);
  }

  for (const endpoint of endpoints) {
    route(endpoint.method, endpoint.path, endpoint.id, endpointPipeline(endpoint, frame));
  }
  if (address === 'base' && options.staff) {
    const { endpoints, authenticate, publicUrl } = options.staff;
    const staffGate = { authenticate, cookieName: (name: string) => cookieName(name, publicUrl), names };
    const staffFrame = { ...frame, staffGate };
    for (const endpoint of endpoints) {
      route(endpoint.method, endpoint.path, endpoint.id, staffPipeline(endpoint, staffFrame));
    }
  }
  const { publicFiles } = options;
  if (publicFiles) {
    route('GET', `${publicFiles.pathPrefix}{name}`, 'publicFile', async (exchange, { params }) => {
      const file = await publicFiles.read(String(params.name));
      if (file === null) throw failure('ROUTE_NOT_FOUND', 'There is no such file.');
      exchange.sendFile(file);
    });
  }
  if (address === 'base') {
    route('GET', '/healthz', 'healthz', async (exchange) => exchange.sendJson(200, aliveBody));
    route('GET', '/readyz', 'readyz', async (exchange) => {
      if (draining.isDraining || !(await options.readiness())) {
        throw notReady();
      }
      exchange.sendJson(200, readyBody);
    });
    if (options.console) {
      for (const path of [consolePath, `${consolePath}/*`]) route('GET', path, 'console', options.console);
    }
    for (const [path, answer] of Object.entries(options.publicPages ?? {})) {
      on(['GET', 'HEAD'], path, answerWith('docs', answer));
    }
    const documents = { '': options.openApi, '/staff': options.staff?.openApi };
    for (const [prefix, document] of Object.entries(documents)) {
      if (!document) continue;
      const text = lazily(() => JSON.stringify(document()));
      route('GET', `${prefix}/openapi.json`, 'openApi', async (exchange) => exchange.sendJson(200, text()));
      for (const [path, answer] of Object.entries(referencePage(`${prefix}/docs`, document))) {
        on(['GET', 'HEAD'], path, answerWith('docs', answer));
      }
    }
  }
  const elsewhere = options.endpoints.filter((endpoint) => endpoint.address !== address);
  const elsewherePaths = new Set(elsewhere.map(({ path }) => path).filter(isExact));
  const otherAddress = {
    name: address === 'base' ? ('menu' as const) : ('base' as const),
    paths: [...elsewhere.map(({ path }) => path), ...(options.otherAddress?.paths ?? [])],
    url: options.otherAddress?.url,
  };
  const notFound = answerWith('unknown', unknownRoute(known, elsewherePaths, otherAddress));
  for (const { method, path } of shadowedPaths(known, elsewherePaths)) {
    on(methodsOf(method), path, notFound);
  }
  const misdirected = answerWith('unknown', async () => {
    throw failure('INVALID_PARAMS', 'Host must be the host in the request line.');
  });
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (!request.url!.startsWith('/')) {
      const target = originForm(request.url!, request.headers.host);
      if (target === null) {
        misdirected(request, response, noValues);
        return;
      }
      request.url = target;
    }
    if (request.url!.includes('%')) request.url = decodableUrl(request.url!);
    const found = router.find(request.method as HTTPMethod, request.url!);
    if (found === null) {
      notFound(request, response, noValues);
      return;
    }
    const answerFound: Route = found.store;
    answerFound(request, response, { params: found.params as QueryValues, query: found.searchParams });
  };
  const server = createListener(handle, logger, bounds);
  const connections = new OpenConnections(bounds, isProxy, reached);
  connections.watch(server);

  return {
    listen: ({ port, host }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        names.boundHost = host;
        server.listen(port, host, () => resolve({ port: (server.address() as AddressInfo).port }));
      }),
    close: async () => {
      await draining.drain(server, connections);
      // Also resolves if it never listened.
      await new Promise<void>((resolve) => server.close(() => resolve()));
      connections.stop();
      overload.stop();
    },
    handle,
  };
}

function createListener(
  handle: HttpServer['handle'],
  logger: Logger,
  bounds: typeof connectionBounds,
): Server {
  const server = createHttpServer(
    {
      requestTimeout: bounds.requestTimeoutMs,
      // OpenConnections closes idle connections.
      keepAliveTimeout: 0,
      headersTimeout: bounds.headersTimeoutMs,
      connectionsCheckingInterval: bounds.checkPeriodMs,
      maxHeaderSize: bounds.headerBytesMax,
      // A request without it gets our error reply instead of Node's empty 400.
      requireHostHeader: false,
    },
    handle,
  );
  // OpenConnections makes room first; this limit applies when connections arrive faster than it closes others.
  server.maxConnections = bounds.countMax + 1_024;
  server.on('clientError', (error, socket) => answerMalformed(error, socket as Socket, logger));
  // The code that reads the body sends 100 Continue: after the keys, and only if the body is not too large.
  server.on('checkContinue', handle);
  // Other expectations are ignored, as RFC 9110 allows; Node's 417 has no body.
  server.on('checkExpectation', handle);
  return server;
}

/** A path that is not percent-encoded UTF-8 is used unchanged, so that its route still decides the reply. */
function decodableUrl(url: string): string {
  const [path = '', ...query] = url.split('?');
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

function hasEmptyValue(params: QueryValues): boolean {
  for (const name in params) if (params[name] === '') return true;
  return false;
}

type Route = (request: IncomingMessage, response: ServerResponse, url: UrlValues) => void;

const noValues: UrlValues = { params: {}, query: {} };

function noop(): void {}

/** Answers a thrown value, unless the caller has disconnected. */
function refuse(exchange: Exchange, thrown: unknown, logger: Logger): void {
  const { request, response, headers } = exchange;
  if (request.errored || response.destroyed) return;
  const reply = errorReply(thrown);
  if (reply.isFault) exchange.log(logger).error({ err: thrown, route: exchange.routeId }, 'request failed');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (reply.status === 503 || reply.status === 429) headers['retry-after'] ??= unavailableRetryAfterSeconds;
  headers['cache-control'] = 'no-store';
  exchange.errorCode = reply.code;
  discardBody(request);
  exchange.sendJson(reply.status, reply.text);
}

/** The log line of a request. It contains no text of the caller except a valid request id. */
function logRequest(
  exchange: Exchange,
  { logger, metrics, onFinished }: Pick<ServerOptions, 'logger' | 'metrics' | 'onFinished'>,
): void {
  const { request, response, routeId, requestId, caller, staff, errorCode } = exchange;
  const ms = (exchange.streamingSinceMs ?? performance.now()) - exchange.startedAtMs;
  // 499: the caller disconnected before the reply; used in logs and metrics, never sent.
  const status = response.headersSent ? response.statusCode : 499;
  metrics.requestDurations.observe(routeId, status, ms / 1000);
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
      },
      'request',
    );
  }
  if (caller && onFinished) {
    const { method = '', url = '' } = request;
    onFinished({
      caller,
      method,
      routeId,
      url,
      status,
      errorCode,
      ms,
      requestId,
    });
  }
}

/**
 * Handles invalid HTTP, headers that are too large, and requests that take too long: answers 400 or 408 and cuts the
 * connection. A connection that has sent nothing gets no reply: browsers connect ahead, and would take it for the
 * answer to their next request.
 */
function answerMalformed(error: Error & { code?: string }, socket: Socket, logger: Logger): void {
  // Earlier requests on the same connection are answered first.
  sendInstantReplies();
  // Node's internal field shows whether a reply has started on this connection.
  const { _httpMessage: reply } = socket as Socket & { _httpMessage?: ServerResponse | null };
  if (error.code === 'ECONNRESET' || socket.bytesRead === 0 || !socket.writable || reply?.headersSent) {
    socket.destroy();
    return;
  }
  const { text } = errorReply(
    failure(
      'INVALID_PARAMS',
      'The request must be well-formed HTTP, with headers of at most 16,384 bytes, sent in time.',
    ),
  );
  const requestId = newRequestId();
  logger.info({ status: 400, requestId, reason: error.code }, 'request unreadable');
  const head = [
    'HTTP/1.1 400 Bad Request',
    `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}
