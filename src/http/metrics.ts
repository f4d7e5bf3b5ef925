import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { RequestDurations } from './request-durations.ts';

export interface Metrics {
  /** Other parts register their own counters here. */
  readonly registry: Registry;
  readonly requestDurations: RequestDurations;
}

/** Metrics of this process: the runtime's and those of requests. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { registry, requestDurations: new RequestDurations() };
}

export interface MetricsServer {
  listen(options: { readonly port: number; readonly host: string }): Promise<{ readonly port: number }>;
  close(): Promise<void>;
}

/** Serves GET /metrics on a listener of its own: never reachable through the public addresses (D59). */
export function createMetricsServer({ registry, requestDurations }: Metrics): MetricsServer {
  const server: Server = createServer(async (request, response) => {
    const isScrape = request.method === 'GET' && request.url === '/metrics';
    response.writeHead(isScrape ? 200 : 404, { 'content-type': registry.contentType });
    response.end(isScrape ? `${await registry.metrics()}\n${requestDurations.toText()}` : '');
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
