import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import { errorReply } from './error-replies.ts';
import { aliveBody, notReady, readyBody } from './probes.ts';
import { RequestDurations } from './request-durations.ts';

export interface Metrics {
  /** Other parts register their counters here. */
  readonly registry: Registry;
  readonly requestDurations: RequestDurations;
  /** Connections and incomplete requests that were closed at a limit, by `Bound`. */
  readonly closedAtBound: Counter<'bound'>;
}

/** Metrics of this process: of the runtime and of requests. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const closedAtBound = new Counter({
    name: 'http_closed_at_bound_total',
    help: 'Connections and incomplete requests that were closed at a limit, by limit.',
    labelNames: ['bound'],
    registers: [registry],
  });
  return { registry, requestDurations: new RequestDurations(), closedAtBound };
}

interface MetricsServer {
  listen(options: { readonly port: number; readonly host: string }): Promise<{ readonly port: number }>;
  /** `/readyz` is 503 from now on. */
  announceEnd(): void;
  close(): Promise<void>;
}

/** The reply of a path. */
interface Page {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Answers a path and all below it, at the port of the metrics. It refuses by itself: its promise does not fail. */
export interface SideHandler {
  readonly path: string;
  /** The path below it whose body may take its time: the handler itself gives one up that does not arrive. */
  readonly slowPath?: string;
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** A request arrives in this time, with its body. */
const requestMsMax = 10_000;

/**
 * Serves /metrics, /healthz and /readyz on a separate listener: metrics are never reachable through the public
 * addresses (D59), and a process without the base address has health checks, too. `side` serves what must not be public either.
 */
export function createMetricsServer(
  { registry, requestDurations }: Metrics,
  readiness: () => Promise<boolean>,
  side: SideHandler | null = null,
): MetricsServer {
  const json = (status: number, text: string): Page => ({ status, type: 'application/json', text });
  let isEnding = false;
  const nothing: Page = { status: 404, type: 'text/plain', text: '' };
  const pages: Readonly<Record<string, () => Promise<Page>>> = {
    '/metrics': async () => ({
      status: 200,
      type: registry.contentType,
      text: `${await registry.metrics()}\n${requestDurations.toText()}`,
    }),
    '/healthz': async () => json(200, aliveBody()),
    '/readyz': async () => {
      if (!isEnding && (await readiness())) return json(200, readyBody());
      const { status, text } = errorReply(notReady());
      return json(status, text);
    },
  };
  const isBeside = (path: string) =>
    side !== null && (path === side.path || path.startsWith(`${side.path}/`));
  // Node's limit of a request has no exception, so each has its own.
  const limits = { requestTimeout: 0, headersTimeout: requestMsMax };
  const server: Server = createServer(limits, async (request, response) => {
    const [path] = request.url!.split('?', 1) as [string];
    if (path !== side?.slowPath) endIfLate(request);
    if (isBeside(path)) return side!.handle(request, response);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    let page = nothing;
    try {
      if (isRead && Object.hasOwn(pages, request.url!)) page = await pages[request.url!]!();
    } catch (error) {
      // What cannot be measured ends no process that serves.
      page = { status: 500, type: 'text/plain', text: (error as Error).message };
    }
    response.writeHead(page.status, { 'content-type': page.type });
    response.end(page.text);
  });
  return {
    listen: ({ port, host }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => resolve({ port: (server.address() as AddressInfo).port }));
      }),
    announceEnd: () => {
      isEnding = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function endIfLate(request: IncomingMessage): void {
  const timer = setTimeout(() => request.destroy(), requestMsMax).unref();
  for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer));
}
