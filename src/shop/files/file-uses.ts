import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { type FileKind, usualFileLimits } from './file-limits.ts';
import { type FileUseRow, selectFileUses } from './quota-queries.ts';

export { selectFileUses } from './quota-queries.ts';

/** What an organization keeps of one kind of files, and what it may. Bytes of photos are those of all their sizes. */
export interface FileUse {
  readonly files: number;
  readonly filesMax: number;
  readonly bytes: number;
  readonly bytesMax: number;
}

/** A row with the limits that hold: the organization's own, or those of the settings. */
export function useOfRow(row: FileUseRow, limits: Context['fileLimits']): FileUse {
  const { filesMax, bytesMax } = limits[row.kind] ?? usualFileLimits[row.kind];
  return {
    files: row.files,
    filesMax: row.files_max ?? filesMax,
    bytes: row.bytes,
    bytesMax: row.bytes_max ?? bytesMax,
  };
}

/** The rows of `selectFileUses`, by kind. */
export function shownUses(
  rows: readonly FileUseRow[],
  limits: Context['fileLimits'],
): Readonly<Record<FileKind, FileUse>> {
  const of = (kind: FileKind) => useOfRow(rows.find((row) => row.kind === kind)!, limits);
  return { photos: of('photos'), documents: of('documents') };
}

/** What an organization keeps and may keep. */
export async function readFileUses(
  { database, fileLimits }: Pick<Context, 'database' | 'fileLimits'>,
  organization: OrganizationId,
): Promise<Readonly<Record<FileKind, FileUse>>> {
  const [rows] = await database.read(organization, selectFileUses({}));
  return shownUses(rows, fileLimits);
}
