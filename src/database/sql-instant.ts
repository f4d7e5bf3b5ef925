import { isoTimestamp } from '../kernel/local-time.ts';

/** The day after 9999-12-31 has a year that PostgreSQL does not read as ISO 8601; nothing is later anyway. */
const lastIsoInstantMs = Date.parse('9999-12-31T23:59:59.999Z');

/** An instant as a parameter of a statement; Infinity, or any that is beyond all, as `infinity`. */
export function sqlInstant(instantMs: number): string {
  return instantMs > lastIsoInstantMs ? 'infinity' : isoTimestamp(instantMs);
}

/**
 * A timestamp of a request (RFC 3339) as a parameter, to the microsecond and no further: PostgreSQL would round a seventh
 * digit, and a cursor that is rounded up skips rows. What we write ourselves comes out as it was.
 */
export function sqlMicroseconds(timestamp: string): string {
  const fraction = /\.(\d+)/.exec(timestamp)?.[1] ?? '';
  const seconds = new Date(timestamp).toISOString().slice(0, 19);
  return `${seconds}.${fraction.padEnd(6, '0').slice(0, 6)}Z`;
}
