import { createHash } from 'node:crypto';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue-jobs.ts';
import { guessMapping, type SourceFile, UnreadableFile, uploadedFile } from '../imports/imports.ts';
import { runOfKind } from './file-kind.ts';
import {
  deleteFormerMoveFiles,
  insertMoveFile,
  lockMove,
  type MoveFileRow,
  selectLoadingFile,
  selectMoveFile,
} from './move-queries.ts';
import { openMove } from './step-move.ts';
import { type MoveFileKind, SumsOfFile } from './sums-of-file.ts';

/** The task that loads an uploaded file of a move. */
export const moveFileTask = 'load_move_file';

/** The data of a job of that task. */
export interface MoveFileJob {
  readonly moveFileId: number;
}

interface Upload {
  readonly staffId: number;
  readonly kind: MoveFileKind;
  readonly fileName: string;
  readonly content: Buffer;
  /** Nothing comes in; the counts and the refused rows say what would. */
  readonly isTrial: boolean;
}

/**
 * Takes a file of the move and begins to load it, in the background. One file at a time. Fails with INVALID_MENU_FILE,
 * MOVE_NOT_FOUND, and with MOVE_NOT_READY when the move is over or a file is loading.
 */
export async function uploadMoveFile(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  { staffId, kind, fileName, content, isTrial }: Upload,
): Promise<MoveFileRow> {
  await refuseUnreadable(kind, uploadedFile(fileName, content));
  const { id: moveId } = await openMove(context, organization);
  const id = await context.ids.takeOne();
  await context.database.write(
    organization,
    async (tx) => {
      const [[move], [loading]] = await tx.run(lockMove({ id: moveId }), selectLoadingFile({}));
      if (move!.status !== 'open' && move!.status !== 'frozen') {
        throw failure(
          'MOVE_NOT_READY',
          `The move from ${move!.till} is ${move!.status}: no file belongs to it.`,
        );
      }
      if (loading !== undefined) {
        throw failure('MOVE_NOT_READY', 'Another file of the move is loading: wait until it is done.');
      }
      const nowMs = context.clock.now();
      const sha256 = createHash('sha256').update(content).digest('hex');
      tx.queue(
        deleteFormerMoveFiles({ kind, fileName }),
        insertMoveFile({
          ...{ id, moveId, kind, fileName, sha256, content, isTrial, createdBy: staffId },
          at: isoTimestamp(nowMs),
        }),
        ...moveFileJobs({ moveFileId: id }),
      );
      await announce(tx, context, origin, nowMs, {
        ...{ event: 'move.updated', subjectType: 'organization', subjectId: organization },
        payload: { moveId, status: move!.status },
        details: { moveId, till: move!.till, file: { kind, name: fileName, isTrial } },
      });
    },
    { retryOnConstraints: ['move_files_one_loading'] },
  );
  const [[row]] = await context.database.read(organization, selectMoveFile({ id }));
  return row!;
}

/** By its first rows: a picture or a program is told at once. */
async function refuseUnreadable(kind: MoveFileKind, file: SourceFile): Promise<void> {
  const of = { till: '', tz: 'UTC', sums: new SumsOfFile() };
  try {
    const { columns } = await runOfKind(kind, of, (rules) => guessMapping(file, rules, null));
    if (columns.length === 0) throw new UnreadableFile('The file has no rows.');
  } catch (problem) {
    if (problem instanceof UnreadableFile) throw failure('INVALID_MENU_FILE', problem.message.slice(0, 1000));
    throw problem;
  }
}

/** The job that loads a file, or goes on with it. */
export function moveFileJobs(job: MoveFileJob) {
  return enqueueJobs(moveFileTask, [{ key: job.moveFileId, payload: { ...job } }]);
}
