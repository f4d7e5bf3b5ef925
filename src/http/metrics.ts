import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export interface Metrics {
  /** Other parts register their own counters here. */
  readonly registry: Registry;
  observeRequest(routeId: string, status: number, seconds: number): void;
}

/** Metrics of this process: the runtime's and those of requests. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the arrival of the headers to the end of the reply, by route and status.',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return {
    registry,
    observeRequest: (route, status, seconds) => durations.observe({ route, status }, seconds),
  };
}

export interface MetricsServer {
  listen(options: { readonly port: number; readonly host: string }): Promise<{ readonly port: number }>;
  close(): Promise<void>;
}

/** Serves GET /metrics on a listener of its own: never reachable through the public addresses (D59). */
export function createMetricsServer(metrics: Pick<Metrics, 'registry'>): MetricsServer {
  const { registry } = metrics;
  const server: Server = createServer(async (request, response) => {
    const isScrape = request.method === 'GET' && request.url === '/metrics';
    response.writeHead(isScrape ? 200 : 404, { 'content-type': registry.contentType });
    response.end(isScrape ? await registry.metrics() : '');
  });
  return {
    listen: ({ port, host }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => resolve({ port: (server.address() as AddressInfo).port }));
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
