import { Counter, type Registry } from 'prom-client';
import type { ApiRequestStatistics } from './api-requests.ts';

/** Metrics of the request log: entries written and lost. */
export function registerApiRequestMetrics(registry: Registry, statistics: ApiRequestStatistics): void {
  const counted: Readonly<Record<keyof ApiRequestStatistics, readonly [name: string, help: string]>> = {
    written: ['api_request_log_written_total', "Integrators' requests written to the log."],
    dropped: ['api_request_log_dropped_total', "Integrators' requests that were not logged."],
  };
  for (const [key, [name, help]] of Object.entries(counted)) {
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(statistics[key as keyof ApiRequestStatistics]);
      },
    });
  }
}
