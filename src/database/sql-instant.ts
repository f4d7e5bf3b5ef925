import { isoTimestamp } from '../kernel/local-time.ts';

/** The day after 9999-12-31 has a year that PostgreSQL does not read as ISO 8601; nothing is later anyway. */
const lastIsoInstantMs = Date.parse('9999-12-31T23:59:59.999Z');

/** An instant as a parameter of a statement; Infinity, or any that is beyond all, as `infinity`. */
export function sqlInstant(instantMs: number): string {
  return instantMs > lastIsoInstantMs ? 'infinity' : isoTimestamp(instantMs);
}
