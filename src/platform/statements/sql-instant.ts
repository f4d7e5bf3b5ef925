import { isoTimestamp } from '../../kernel/local-time.ts';

/** PostgreSQL prints years beyond 9999 in a form that is not ISO 8601. */
const lastIsoInstantMs = Date.parse('9999-12-31T23:59:59.999Z');

/** An instant as a parameter of a statement; Infinity, or any instant beyond the maximum, as `infinity`. */
export function sqlInstant(instantMs: number): string {
  return instantMs > lastIsoInstantMs ? 'infinity' : isoTimestamp(instantMs);
}

/**
 * A request's timestamp (RFC 3339) as a parameter, truncated to microseconds: PostgreSQL would round a seventh digit,
 * and a cursor that is rounded up skips rows. Timestamps that this service wrote are unchanged.
 */
export function sqlMicroseconds(timestamp: string): string {
  const fraction = /\.(\d+)/.exec(timestamp)?.[1] ?? '';
  const seconds = new Date(timestamp).toISOString().slice(0, 19);
  return `${seconds}.${fraction.padEnd(6, '0').slice(0, 6)}Z`;
}
