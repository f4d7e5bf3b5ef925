/**
 * Front door of the WAL archive (D77): all WAL of the embedded database, base backups and the files beside it, in a folder or a
 * bucket, and a data folder made of them as of a moment. No sale waits for it. What cannot be archived is kept by PostgreSQL up
 * to a bound; beyond it the timeline ends, and another one begins. A timeline has one writer, and nothing in it is ever replaced.
 * Owns no table. Does not archive an external server.
 */

import type { BucketSettings } from '../../platform/storage/s3-blob-store.ts';
import { type ArchiveLock, type ArchiveStore, FolderArchive } from './archive-store.ts';
import { BucketArchive } from './bucket-archive.ts';

export { type DrillRecord, drillPath, readJson, writeJson } from './archive-layout.ts';
export { opensItself } from './archive-lock.ts';
export { type ArchiveStatus, newStatus, registerArchiveMetrics } from './archive-status.ts';
export { type ArchiveLock, ArchiveRefusal, type ArchiveStore } from './archive-store.ts';
export { layRestored, type RestorePlan } from './lay-restored.ts';
export { type KeptBase, type KeptTimeline, readTimelines, shopsOf } from './reachable.ts';
export { WalArchiver } from './wal-archiver.ts';
export { dropArchiveSlots } from './wal-timeline.ts';

/** The archive at a place, encrypted or opened by the lock. Nothing is asked of it yet. */
export function openArchive(
  place: { readonly folder: string } | { readonly bucket: BucketSettings },
  lock?: ArchiveLock,
): ArchiveStore {
  return 'folder' in place
    ? new FolderArchive(place.folder, undefined, lock)
    : new BucketArchive(place.bucket, lock);
}
