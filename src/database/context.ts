import type { LawBook } from '../jurisdictions/law-book.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Database } from './database.ts';
import type { IdSource } from './id-source.ts';

/** What a write works with. Time, ids and randomness come from here, so a test or a seed decides them. */
export interface Context {
  readonly database: Database;
  readonly ids: IdSource;
  readonly clock: Clock;
  /** The edition of the law that this process goes by. A request takes `law.current` once. */
  readonly law: LawBook;
  /** Cryptographically strong in service, seeded in tests and demo data. */
  randomBytes(count: number): Uint8Array;
}

/**
 * Who does something, for the audit and the ledger: "key:<id>", "staff:<id>", "job:<name>", or a visitor who has not
 * proven who they are.
 */
export type Actor = `key:${number}` | `staff:${number}` | `job:${string}` | 'visitor:not-signed-in';

/** On whose behalf a write runs, and under which request. */
export interface Origin {
  readonly actor: Actor;
  readonly requestId: string | null;
  /** When what it changes was last changed, as far as its sender knows; undefined: however it is. */
  readonly expectedUpdatedAtMs?: number | undefined;
}

/** A write on behalf of signed-in staff; with `expectedUpdatedAtMs`, for writes that call `refuseStaleEdit`. */
export function staffOrigin(
  { staffId }: { readonly staffId: number },
  requestId: string,
  expectedUpdatedAtMs?: number,
): Origin {
  return { actor: `staff:${staffId}`, requestId, expectedUpdatedAtMs };
}
