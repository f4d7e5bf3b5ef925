import type { PathClient } from '../client.ts';
import { type Checksum, ChecksumSum } from './checksum.ts';
import type { CollectionName } from './collections.ts';
import type { Copy } from './copy.ts';

export interface VerifiedCollection {
  readonly collection: CollectionName;
  readonly isExact: boolean;
  /** The checksums of the copy, and of the service at its cursor. */
  readonly copy: Checksum;
  readonly service: Checksum;
  /** The months in which orders differ. */
  readonly months: readonly string[];
}

export interface VerifyReport {
  readonly isExact: boolean;
  readonly collections: readonly VerifiedCollection[];
  /** What the key may not read, and the permission that it lacks. */
  readonly leftOut: readonly { readonly collection: CollectionName; readonly permission: string }[];
  /** The collections of which the copy has what the key's integrator placed, with the permission that the key lacks for the rest. */
  readonly ownOnly: readonly { readonly collection: CollectionName; readonly permission: string }[];
}

interface ServiceChecksum extends Checksum {
  readonly cursor: string;
  readonly months?: readonly (Checksum & { readonly month: string })[];
}

/** Comparisons of a collection that keeps changing while it is compared. */
const triesMax = 10;

/**
 * Compares each collection with the service. `catchUp` reads the changes: a record can then be newer than the cursor of the
 * checksum, so a difference counts only when nothing has happened in between, or after several tries.
 */
export async function verifyCopy(
  client: PathClient,
  copy: Copy,
  catchUp: () => Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<VerifyReport> {
  await catchUp();
  const verified: VerifiedCollection[] = [];
  for (const collection of copy.state.collections) {
    verified.push(await verifyCollection(client, copy, collection, catchUp, signal));
  }
  return {
    isExact: verified.every(({ isExact }) => isExact),
    collections: verified,
    leftOut: copy.state.leftOut,
    ownOnly: copy.state.ownOnly ?? [],
  };
}

async function verifyCollection(
  client: PathClient,
  copy: Copy,
  collection: CollectionName,
  catchUp: () => Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<VerifiedCollection> {
  // A month that was equal once is proven.
  const proven = new Set<string>();
  for (let tries = 1; ; tries += 1) {
    const { data: theirs } = await client.get<ServiceChecksum>(`/api/v1/checksums/${collection}`, {
      ...(signal && { signal }),
    });
    await catchUp();
    const ours = await checksumsOf(copy, collection);
    const isEqual = equal(ours.all, theirs);
    const months = isEqual ? [] : differing(ours.months, theirs.months ?? [], proven);
    const isExact = isEqual || (theirs.months !== undefined && months.length === 0);
    const isSettled = copy.state.cursor === theirs.cursor || tries === triesMax;
    if (isExact || isSettled) {
      const { count, digest } = theirs;
      return { collection, isExact, copy: ours.all, service: { count, digest }, months };
    }
  }
}

/** The months that differ and were not proven before; those that are equal now are proven from now on. */
function differing(
  ours: ReadonlyMap<string, Checksum>,
  theirs: NonNullable<ServiceChecksum['months']>,
  proven: Set<string>,
): string[] {
  const of = new Map(theirs.map((month) => [month.month, month]));
  const differ: string[] = [];
  for (const month of new Set([...ours.keys(), ...of.keys()])) {
    if (equal(ours.get(month) ?? nothing, of.get(month) ?? nothing)) proven.add(month);
    else if (!proven.has(month)) differ.push(month);
  }
  return differ.sort();
}

const nothing: Checksum = { count: 0, digest: '0'.repeat(32) };

function equal(a: Checksum, b: Checksum): boolean {
  return a.count === b.count && a.digest === b.digest;
}

/** The checksum of a collection of the copy, and of its months. */
async function checksumsOf(copy: Copy, collection: CollectionName) {
  const all = new ChecksumSum();
  const months = new Map<string, ChecksumSum>();
  for await (const page of copy.store.versions(collection)) {
    for (const { id, updatedAt, month } of page) {
      all.add(id, updatedAt);
      if (month === '') continue;
      const sum = months.get(month) ?? new ChecksumSum();
      months.set(month, sum);
      sum.add(id, updatedAt);
    }
  }
  return { all: all.checksum, months: new Map([...months].map(([month, sum]) => [month, sum.checksum])) };
}
