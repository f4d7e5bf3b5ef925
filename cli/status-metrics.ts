import { largestOf, quantileOf, type Sample, sumOf } from './prometheus-text.ts';

const durations = 'http_request_duration_seconds';

/** Requests of some time, by what was answered. */
interface Requests {
  readonly count: number;
  /** Answered with 5xx. */
  readonly failed: number;
  /** Answered with 4xx, those over a rate limit among them. */
  readonly refused: number;
  readonly overRateLimit: number;
  /** Half, and 99 in a hundred, take no longer; null: there are none, or they take more than 10 s. */
  readonly medianSeconds: number | null;
  readonly p99Seconds: number | null;
}

/** The requests that samples count. */
export function requestsOf(samples: readonly Sample[]): Requests {
  const withStatus = (pattern: RegExp) =>
    sumOf(samples, `${durations}_count`, ({ status = '' }) => pattern.test(status));
  const quantile = (share: number) => {
    const seconds = quantileOf(samples, durations, share);
    return seconds === Number.POSITIVE_INFINITY ? null : seconds;
  };
  return {
    count: sumOf(samples, `${durations}_count`),
    failed: withStatus(/^5/),
    refused: withStatus(/^4/),
    overRateLimit: withStatus(/^429$/),
    medianSeconds: quantile(0.5),
    p99Seconds: quantile(0.99),
  };
}

/** What the metrics of a process tell of it; null: not told. */
export function processOf(url: string, samples: readonly Sample[]) {
  return {
    url,
    info: samples.find(({ name }) => name === 'service_info')?.labels ?? null,
    startedAtSeconds: largestOf(samples, 'process_start_time_seconds'),
    memoryBytes: largestOf(samples, 'process_resident_memory_bytes'),
    /** Whether it reads from its standby: 1 or 0; null: it has none. */
    standbyInUse: largestOf(samples, 'database_standby_in_use'),
    standbyLagBytes: largestOf(samples, 'database_standby_lag_bytes'),
    eventLoopSeconds: largestOf(samples, 'nodejs_eventloop_lag_p99_seconds'),
  };
}
