import { defaultFileLimits, type FileLimits, fileLimit } from '../../shop/files/file-limits.ts';

interface NumberReader {
  wholeNumber(name: string, otherwise: number, max: number): number;
}

/** `PHOTOS_MAX`, `PHOTOS_MB_MAX`, `DOCUMENTS_MAX` and `DOCUMENTS_MB_MAX`: of each organization. */
export function readFileLimits(read: NumberReader): FileLimits {
  const limitOf = (name: string, { filesMax, megabytesMax }: { filesMax: number; megabytesMax: number }) =>
    fileLimit(
      read.wholeNumber(`${name}_MAX`, filesMax, 1_000_000_000),
      read.wholeNumber(`${name}_MB_MAX`, megabytesMax, 1_000_000_000),
    );
  return {
    photos: limitOf('PHOTOS', defaultFileLimits.photos),
    documents: limitOf('DOCUMENTS', defaultFileLimits.documents),
  };
}
