import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { type SourceFile, uploadedFile } from '../imports/imports.ts';
import { type MoveFileRow, selectMoveFilePiece } from './move-queries.ts';

/** What is in memory of a file while it is read, however large it is. */
export const moveFilePieceBytes = 262_144;

/**
 * The content of a file of a move, read from the database a piece at a time. Reading it fails with MOVE_NOT_READY when the move is
 * over, which forgets its files; also when that happens meanwhile.
 */
export function moveFileContent(
  context: Context,
  organization: OrganizationId,
  { id, file_name: name, byte_count: byteCount }: Pick<MoveFileRow, 'id' | 'file_name' | 'byte_count'>,
): SourceFile {
  return {
    name,
    size: async () => byteCount ?? 0,
    bytes: async function* () {
      for (let from = 0; from === 0 || from < byteCount!; from += moveFilePieceBytes) {
        const asked = { id, from: from + 1, bytes: moveFilePieceBytes };
        const [[read]] = await context.database.read(organization, selectMoveFilePiece(asked));
        if (read === undefined) throw failure('MOVE_NOT_READY', 'The move is over: its files are gone.');
        yield* uploadedFile(name, read.piece).bytes();
      }
    },
  };
}
