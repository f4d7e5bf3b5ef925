/**
 * A local copy of a shop, in SQLite or PostgreSQL, which stays exact and proves it. For Node. A mirror reads the change feed
 * (D64), writes records and its own place in one transaction, and compares checksums (D65).
 */
export { type Checksum, checksumOf } from './checksum.ts';
export { type CollectionName, collectionNames } from './collections.ts';
export { Mirror, type MirrorOptions, mirror, type RepairReport } from './mirror.ts';
export type { MirrorProgress, SyncReport } from './mirror-run.ts';
export { openPostgresStore, type PostgresConnection, PostgresStore } from './postgres-store.ts';
export { openSqliteStore, type SqliteDatabase, SqliteStore } from './sqlite-store.ts';
export {
  type EndedRecord,
  MirrorMismatch,
  type MirrorState,
  type MirrorStore,
  MirrorTaken,
  type StoreWrite,
} from './store.ts';
export type { VerifiedCollection, VerifyReport } from './verify-copy.ts';
