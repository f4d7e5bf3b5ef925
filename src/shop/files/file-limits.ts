import type { FileLimit } from '../../platform/database/context.ts';

/** What has a quota of its own. */
export const fileKinds = ['photos', 'documents'] as const;
export type FileKind = (typeof fileKinds)[number];

/** For organizations without limits of their own. */
export type FileLimits = Readonly<Record<FileKind, FileLimit>>;

const megabyte = 1_000_000;

/** The defaults of the settings, in megabytes: far beyond a busy shop of ten years, far below a disk. */
export const defaultFileLimits = {
  photos: { filesMax: 50_000, megabytesMax: 20_000 },
  documents: { filesMax: 100_000, megabytesMax: 50_000 },
} as const;

/** A limit in the units of the settings. */
export function fileLimit(filesMax: number, megabytesMax: number): FileLimit {
  return { filesMax, bytesMax: megabytesMax * megabyte };
}

/** What holds without settings. */
export const usualFileLimits: FileLimits = {
  photos: fileLimit(defaultFileLimits.photos.filesMax, defaultFileLimits.photos.megabytesMax),
  documents: fileLimit(defaultFileLimits.documents.filesMax, defaultFileLimits.documents.megabytesMax),
};
