import type { LawBook } from '../../engines/jurisdictions/law-book.ts';
import type { Clock } from '../../kernel/clock.ts';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Database } from './database.ts';
import type { IdSource } from './id-source.ts';
import type { Sealing } from './sealing.ts';
import type { ServiceAddress } from './service-address.ts';

/**
 * Fails with STALE_EDIT when the row has changed since the caller read it. Call it with the row locked, so that one of
 * two concurrent edits is refused.
 */
export function refuseStaleEdit({ expectedUpdatedAtMs }: Origin, updatedAtMs: number): void {
  if (expectedUpdatedAtMs === undefined || expectedUpdatedAtMs === updatedAtMs) return;
  const updatedAt = isoTimestamp(updatedAtMs);
  throw failure('STALE_EDIT', `If-Match must be "${updatedAt}": another user has changed this meanwhile.`, {
    updatedAt,
  });
}

/** How many files an organization may keep, and how many bytes of them. */
export interface FileLimit {
  readonly filesMax: number;
  readonly bytesMax: number;
}

/** What a write works with. Time, ids and randomness come from here, so a test or a seed controls them. */
export interface Context {
  readonly database: Database;
  readonly ids: IdSource;
  /** The time for which a request decides: that of the deployment, or of the sandbox that it is for (D60). */
  readonly clock: Clock;
  /** The time of the deployment: of keys, sessions, leases and retention. No sandbox moves it. */
  readonly wallClock: Clock;
  /** The current edition of the law. A request reads `law.current` once. */
  readonly law: LawBook;
  /** How many files of a kind an organization may keep, unless it has limits of its own; the room of the files knows defaults. */
  readonly fileLimits: Readonly<Record<string, FileLimit>>;
  /** For texts that the database must not show. */
  readonly sealing: Sealing;
  /** For links in mails; absent: a process whose mails have none. */
  readonly serviceAddress?: ServiceAddress;
  /** Cryptographically strong in service, seeded in tests and demo data. */
  randomBytes(count: number): Uint8Array;
}

/** Who acts, for audit log and ledger: "key:<id>", "staff:<id>", "job:<name>", or a visitor who is not signed in. */
export type Actor = `key:${number}` | `staff:${number}` | `job:${string}` | 'visitor:not-signed-in';

/** A command of the operator that is running. */
interface RunningCommand {
  /** The user of the operating system, or the name that was typed at the operator's page. */
  readonly account: string;
  /** Its words, without options: these may be secrets or personal data. */
  readonly command: string;
  /** Why, in the words of who runs it. */
  readonly reason?: string;
}

/** The actor and the request of a write. */
export interface Origin {
  readonly actor: Actor;
  readonly requestId: string | null;
  /** Who approved it on the spot, for the audit log. */
  readonly approvedByStaffId?: number | undefined;
  /** Who runs a command of the operator, for the audit log. */
  readonly operator?: RunningCommand | undefined;
  /** Expected `updatedAt`; undefined skips the check. */
  readonly expectedUpdatedAtMs?: number | undefined;
}

/** The origin of a write by signed-in staff. Writes that call `refuseStaleEdit` pass `expectedUpdatedAtMs`. */
export function staffOrigin(
  { staffId, approvedByStaffId }: { readonly staffId: number; readonly approvedByStaffId?: number },
  requestId: string,
  expectedUpdatedAtMs?: number,
): Origin {
  return { actor: `staff:${staffId}`, requestId, expectedUpdatedAtMs, approvedByStaffId };
}
