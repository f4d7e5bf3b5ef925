import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { eventFeedOf } from '../../platform/events/event-feed.ts';
import type { FeedCursor } from '../../platform/events/feed-cursor.ts';
import { type DigestRow, joinDigests } from '../../platform/statements/record-digest.ts';
import type { BoundStatement } from '../../platform/statements/statement.ts';
import type { ChecksummedCollection, SumPart } from './checksummed-collection.ts';
import {
  addToSum,
  deleteSums,
  insertSumState,
  lockSums,
  type SumStateRow,
  selectSumState,
  selectSums,
  selectUnsummedChanges,
  setSumTimeZone,
  takeUnsummedChanges,
} from './record-sum-queries.ts';

/**
 * The sums that checksums are made of (D65): by month, count and digest of all records. A change of a record adds a row
 * to `record_changes` in its own transaction; a reader adds these rows to the sums, on one snapshot. So a checksum is
 * exact at every moment, and no writer waits for another.
 */

/** A reader that finds more changes takes them into the sums. */
const unsummedMax = 500;
/** A recount begins again when the sums have changed meanwhile. */
const recountsMax = 20;

type SumContext = Pick<Context, 'database'>;

/** The digest of a month, or of a collection without months. */
interface MonthSum {
  readonly month: string;
  readonly count: number;
  /** 32 hexadecimal digits. */
  readonly digest: string;
}

/** The sums of a collection at a cursor, by month, oldest first; months without records are left out. */
export async function sumsAtCursor(
  { database }: SumContext,
  collection: ChecksummedCollection,
  organization: OrganizationId,
): Promise<{ readonly months: readonly MonthSum[]; readonly cursor: FeedCursor }> {
  const timeZone = await timeZoneOf(collection, organization);
  for (let tries = 0; tries < recountsMax; tries += 1) {
    const { rows, cursor } = await eventFeedOf(database).readAtCursor(
      organization,
      selectSumState({ collection: collection.collection }),
      selectSums({ collection: collection.collection }),
      unsummed(collection, timeZone),
    );
    const [[state], sums, changes] = rows;
    // Never counted yet, or by months of another place.
    if (!isOf(timeZone, state)) {
      await recountSums({ database }, collection, organization);
      continue;
    }
    if (changes.reduce((sum, part) => sum + part.changes, 0) > unsummedMax) {
      await takeChangesIntoSums({ database }, collection, organization);
    }
    return { months: joinByMonth([...sums, ...changes]), cursor };
  }
  throw failure('TRANSACTION_RETRY_EXCEEDED', 'The organization kept changing; try again.');
}

/** The same of what an integrator placed, from the records themselves: for readers who see no more (D64a). */
export async function ownSumsAtCursor(
  { database }: SumContext,
  collection: ChecksummedCollection,
  organization: OrganizationId,
  integratorId: number,
): Promise<{ readonly months: readonly MonthSum[]; readonly cursor: FeedCursor }> {
  const { own } = collection;
  assert(own !== undefined, 'only collections with records of integrators are read so');
  const zone = await timeZoneOf(collection, organization);
  const { rows, cursor } = await eventFeedOf(database).readAtCursor(
    organization,
    own.all(integratorId, zone),
  );
  return { months: joinByMonth(rows[0]), cursor };
}

/** A collection whose sums are not what its records make. */
export interface SumDrift {
  readonly collection: string;
  /** Empty in a collection without months. */
  readonly month: string;
  readonly kept: { readonly count: number; readonly digest: string };
  readonly counted: { readonly count: number; readonly digest: string };
}

/** Counts all records again, and compares with the sums as they were at the same moment. Changes nothing. */
export async function findSumDrift(
  { database }: SumContext,
  collection: ChecksummedCollection,
  organization: OrganizationId,
): Promise<readonly SumDrift[]> {
  const timeZone = await timeZoneOf(collection, organization);
  const [[state], sums, changes, all] = await database.read(
    organization,
    selectSumState({ collection: collection.collection }),
    selectSums({ collection: collection.collection }),
    unsummed(collection, timeZone),
    collection.all(timeZone),
  );
  if (!isOf(timeZone, state)) return [];
  const kept = new Map(joinByMonth([...sums, ...changes]).map((sum) => [sum.month, sum]));
  const counted = new Map(joinByMonth(all).map((sum) => [sum.month, sum]));
  return [...new Set([...kept.keys(), ...counted.keys()])].sort().flatMap((month) => {
    const nothing = joinDigests([]);
    const { count, digest } = kept.get(month) ?? nothing;
    const truth = counted.get(month) ?? nothing;
    if (truth.count === count && truth.digest === digest) return [];
    return [
      {
        collection: collection.collection,
        month,
        kept: { count, digest },
        counted: { count: truth.count, digest: truth.digest },
      },
    ];
  });
}

/**
 * Makes the sums again from all records: of a collection that has none yet, of another time zone, or that drifted. Takes
 * seconds for a million records; writes continue meanwhile.
 */
export async function recountSums(
  { database }: SumContext,
  collection: ChecksummedCollection,
  organization: OrganizationId,
): Promise<void> {
  const timeZone = await timeZoneOf(collection, organization);
  for (let tries = 0; tries < recountsMax; tries += 1) {
    const [[state], changes, all] = await database.read(
      organization,
      selectSumState({ collection: collection.collection }),
      unsummed(collection, timeZone),
      collection.all(timeZone),
    );
    // What the changes say is in the records already, and is added to the sums later: the sums are without it.
    const parts = changes.map((part) => ({ ...part, count: -part.count }));
    const sums = joinByMonth([...all, ...parts]);
    const isWritten = await replaceSums({ database }, collection, organization, {
      version: state?.version,
      timeZone,
      sums,
    });
    if (isWritten) return;
  }
  throw failure('TRANSACTION_RETRY_EXCEEDED', 'The sums kept changing; try again.');
}

/** False if the sums are no longer those of that version. */
function replaceSums(
  { database }: SumContext,
  { collection, timeZone: hasMonths }: ChecksummedCollection,
  organization: OrganizationId,
  { version, timeZone, sums }: { version: number | undefined; timeZone: string; sums: readonly MonthSum[] },
): Promise<boolean> {
  const kept = { collection, timeZone: hasMonths ? timeZone : null };
  return database.write(
    organization,
    async (tx) => {
      if (version === undefined) {
        if ((await tx.run(insertSumState(kept)))[0].length === 0) return false;
      } else {
        const [[state]] = await tx.run(lockSums({ collection }));
        if (state?.version !== version + 1) return false;
      }
      tx.queue(setSumTimeZone(kept), deleteSums({ collection }));
      for (const { month, count, digest } of sums) {
        tx.queue(addToSum({ collection, month, count, digest: bitsOf(digest) }));
      }
      return true;
    },
    { countsAsChange: false },
  );
}

/** Takes the changes so far into the sums. Resolves to how many. */
export async function takeChangesIntoSums(
  { database }: SumContext,
  collection: ChecksummedCollection,
  organization: OrganizationId,
): Promise<number> {
  const timeZone = await timeZoneOf(collection, organization);
  return database.write(
    organization,
    async (tx) => {
      const [[state]] = await tx.run(lockSums({ collection: collection.collection }));
      if (!isOf(timeZone, state)) return 0;
      const [parts] = await tx.run(
        collection.ownChanges?.take() ?? takeUnsummedChanges({ collection: collection.collection, timeZone }),
      );
      for (const { month, count, digest, changes } of parts) {
        if (changes > 0)
          tx.queue(addToSum({ collection: collection.collection, month, count, digest: digest! }));
      }
      return parts.reduce((sum, { changes }) => sum + changes, 0);
    },
    { countsAsChange: false, isLong: true },
  );
}

/** The sums of several parts of it, by month; without months that have nothing. */
function joinByMonth(parts: readonly Required<DigestRow>[]): MonthSum[] {
  const nothing = joinDigests([]).digest;
  return [...groupBy(parts, ({ month }) => month)]
    .map(([month, ofOne]) => ({ month, ...joinDigests(ofOne) }))
    .filter(({ count, digest }) => count !== 0 || digest !== nothing)
    .sort((a, b) => (a.month < b.month ? -1 : 1));
}

/** Count and digest of several months together. */
export function joinSums(months: readonly MonthSum[]): { count: number; digest: string } {
  return joinDigests(months.map(({ count, digest }) => ({ count, digest: bitsOf(digest) })));
}

/** As PostgreSQL reads bits. */
function bitsOf(digest: string): string {
  return BigInt(`0x${digest}`).toString(2).padStart(128, '0');
}

const noTimeZone = 'UTC';

/** Whether the sums were counted, and by months of that time zone. */
function isOf(timeZone: string, state: SumStateRow | undefined): state is SumStateRow {
  return state !== undefined && (state.time_zone ?? noTimeZone) === timeZone;
}

async function timeZoneOf(
  { timeZone }: ChecksummedCollection,
  organization: OrganizationId,
): Promise<string> {
  return (await timeZone?.(organization)) ?? noTimeZone;
}

function unsummed(
  { collection, ownChanges }: ChecksummedCollection,
  timeZone: string,
): BoundStatement<SumPart> {
  return ownChanges?.select() ?? selectUnsummedChanges({ collection, timeZone });
}
