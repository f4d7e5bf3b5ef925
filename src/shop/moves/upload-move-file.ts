import { createHash } from 'node:crypto';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import {
  type Guess,
  guessMapping,
  type SourceFile,
  storable,
  UnreadableFile,
  uploadedFile,
} from '../imports/imports.ts';
import { importOfKind } from './file-kind.ts';
import { moveFileContent } from './move-file-content.ts';
import {
  deleteFormerMoveFiles,
  insertMoveFile,
  lockMove,
  type MoveFileRow,
  selectMoveFile,
} from './move-queries.ts';
import { fileNotFound } from './run-move-file.ts';
import { openMove } from './step-move.ts';
import type { MoveFileKind } from './sums-of-file.ts';

interface Upload {
  readonly staffId: number;
  readonly kind: MoveFileKind;
  readonly fileName: string;
  readonly content: Buffer;
}

/**
 * Takes a file of the move, and guesses what its columns mean; nothing of it comes in yet. Fails with INVALID_MENU_FILE,
 * MOVE_NOT_FOUND, and with MOVE_NOT_READY when the move is over.
 */
export async function uploadMoveFile(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  { staffId, kind, fileName, content }: Upload,
): Promise<MoveFileRow> {
  const { columns, mapping } = await guessOf(kind, uploadedFile(fileName, content));
  if (columns.length === 0) throw failure('INVALID_MENU_FILE', 'The file has no rows.');
  const stored = mapping === null ? null : storable(mapping);
  const { id: moveId } = await openMove(context, organization);
  const id = await context.ids.takeOne();
  await context.database.write(organization, async (tx) => {
    const [[move]] = await tx.run(lockMove({ id: moveId }));
    if (move!.status !== 'open' && move!.status !== 'frozen') {
      throw failure(
        'MOVE_NOT_READY',
        `The move from ${move!.till} is ${move!.status}: no file belongs to it.`,
      );
    }
    const nowMs = context.clock.now();
    const sha256 = createHash('sha256').update(content).digest('hex');
    tx.queue(
      deleteFormerMoveFiles({ kind, fileName }),
      insertMoveFile({
        ...{ id, moveId, kind, fileName, sha256, content, mapping: stored, createdBy: staffId },
        at: isoTimestamp(nowMs),
      }),
    );
    await announce(tx, context, origin, nowMs, {
      ...{ event: 'move.updated', subjectType: 'organization', subjectId: organization },
      payload: { moveId, status: move!.status },
      details: { moveId, till: move!.till, file: { kind, name: fileName } },
    });
  });
  const [[row]] = await context.database.read(organization, selectMoveFile({ id }));
  return row!;
}

/** What a file says by its first rows, and what is doubtful about it. Fails with MOVE_FILE_NOT_FOUND, MOVE_NOT_READY and INVALID_MENU_FILE. */
export async function lookIntoMoveFile(
  context: Context,
  organization: OrganizationId,
  id: number,
): Promise<{ readonly row: MoveFileRow; readonly guess: Guess }> {
  const [[row]] = await context.database.read(organization, selectMoveFile({ id }));
  if (row === undefined) throw fileNotFound();
  return { row, guess: await guessOf(row.kind, moveFileContent(context, organization, row)) };
}

/** By its first rows: a picture or a program is told at once. */
async function guessOf(kind: MoveFileKind, file: SourceFile): Promise<Guess> {
  try {
    return await guessMapping(file, importOfKind(kind), null);
  } catch (problem) {
    if (problem instanceof UnreadableFile) throw failure('INVALID_MENU_FILE', problem.message.slice(0, 1000));
    throw problem;
  }
}
