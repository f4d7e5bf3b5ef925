import type { CollectionName, LinkKind, RecordLink } from './collections.ts';

/** What a mirror asks of a database. `SqliteStore` and `PostgresStore` keep it; another database can too. */
export interface MirrorStore {
  /** Creates the tables that are missing. */
  prepare(): Promise<void>;
  /** Where the mirror stands; null in a new database. */
  readState(): Promise<MirrorState | null>;
  /**
   * Writes everything in one transaction, or nothing. Fails with `MirrorTaken` when the state of the database is not
   * `write.after`: another mirror writes to it. Resolves to what was different before.
   */
  commit(write: StoreWrite): Promise<{ readonly changed: number; readonly removed: number }>;
  /** The JSON of records that are there, by id. */
  read(collection: CollectionName, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Ids behind `after` up to `upTo`, both null for open ends, ascending. */
  idsBetween(
    collection: CollectionName,
    after: string | null,
    upTo: string | null,
  ): Promise<readonly string[]>;
  /** Ids of orders of a month. */
  idsOfMonth(month: string): Promise<readonly string[]>;
  /** Ids of records of a collection with one of these links. */
  linked(collection: CollectionName, kind: LinkKind, refs: readonly string[]): Promise<readonly string[]>;
  /** Records that have to be read again, of one collection. */
  stale(
    limit: number,
  ): Promise<{ readonly collection: CollectionName; readonly ids: readonly string[] } | null>;
  /** What came to an end, in the order in which it did. */
  ended(): Promise<readonly EndedRecord[]>;
  /** Id, version and month of all records, by ascending id, in pages. */
  versions(collection: CollectionName): AsyncIterable<readonly RecordVersion[]>;
  close(): Promise<void>;
}

export interface RecordVersion {
  readonly id: string;
  readonly updatedAt: string;
  /** The month of an order, `YYYY-MM`; empty for other records. */
  readonly month: string;
}

/** A record to keep. */
export interface StoredRecord extends RecordVersion {
  readonly collection: CollectionName;
  /** JSON, as the service shows it. */
  readonly data: string;
  readonly links: readonly RecordLink[];
}

export interface RecordName {
  readonly collection: CollectionName;
  readonly id: string;
}

/** A record that came to an end. An erased customer stays, without personal data. */
export interface EndedRecord {
  readonly collection: CollectionName | 'options';
  readonly id: string;
  readonly reason: 'merged' | 'erased' | 'deleted' | 'missing';
  /** The customer who now has the data of a merged one. */
  readonly intoId: string | null;
  readonly at: string;
}

/** A collection, or a month of orders, that is read from its beginning. */
export type Sweep =
  | { readonly collection: CollectionName; readonly after: string | null }
  | { readonly collection: 'orders'; readonly month: string };

/** Where a mirror stands; it changes only together with the records. */
export interface MirrorState {
  readonly format: 1;
  /** Counts the transactions. */
  readonly revision: number;
  readonly organizationId: number;
  readonly organizationName: string;
  readonly timeZone: string;
  /** What is copied. */
  readonly collections: readonly CollectionName[];
  /** What the key may not read, and the permission that it lacks. */
  readonly leftOut: readonly { readonly collection: CollectionName; readonly permission: string }[];
  /** The collections of which the key reads what its integrator placed, with the permission that it lacks for the rest; absent: none. */
  readonly ownOnly?: readonly { readonly collection: CollectionName; readonly permission: string }[];
  /** Everything up to here is in the copy, once `sweeps` and stale records are done. */
  readonly cursor: string;
  readonly sweeps: readonly Sweep[];
  /** The local day whose expired packages are known. */
  readonly day: string;
}

export interface StoreWrite {
  /** The revision that the database must have; null: no state yet. */
  readonly after: number | null;
  readonly state: MirrorState;
  readonly upserts: readonly StoredRecord[];
  readonly deletes: readonly RecordName[];
  readonly ended: readonly EndedRecord[];
  /** Records to read again. */
  readonly stale: readonly RecordName[];
  /** And all that have these links; `ref` null: any link of the kind. After the upserts. */
  readonly staleLinked: readonly { readonly kind: LinkKind; readonly ref: string | null }[];
  /** Stale records that were read again. */
  readonly fresh: readonly RecordName[];
}

/** Another mirror writes to the same database. */
export class MirrorTaken extends Error {
  override name = 'MirrorTaken';

  constructor() {
    super('Another mirror writes to this copy. Stop one of the two.');
  }
}

/** The copy is of another organization, or of another kind. */
export class MirrorMismatch extends Error {
  override name = 'MirrorMismatch';
}
