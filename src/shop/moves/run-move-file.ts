import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { type Context, type Origin, refuseStaleEdit } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue-jobs.ts';
import { checkMapping, type SentMapping, storable } from '../imports/imports.ts';
import { fieldsOfKind } from './file-kind.ts';
import {
  beginMoveFileRun,
  lockMove,
  lockMoveFile,
  type MoveFileRow,
  type MoveRun,
  selectLoadingFile,
  selectMoveFile,
  setMoveFileMapping,
} from './move-queries.ts';

/** The task that loads an uploaded file of a move. */
export const moveFileTask = 'load_move_file';

/** The data of a job of that task. */
export interface MoveFileJob {
  readonly moveFileId: number;
}

/** The job that loads a file, or goes on with it. */
export function moveFileJobs(job: MoveFileJob) {
  return enqueueJobs(moveFileTask, [{ key: job.moveFileId, payload: { ...job } }]);
}

/** A run of a file from its beginning. */
export function beginRun(id: number, run: MoveRun, at: string) {
  return [beginMoveFileRun({ id, run, at }), ...moveFileJobs({ moveFileId: id })];
}

/**
 * Checks a file of the move, or loads it into the shop, in the background. One file at a time. Fails with MOVE_FILE_NOT_FOUND, and with
 * MOVE_NOT_READY when the move is over or a file is loading.
 */
export function runMoveFile(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  run: 'check' | 'load',
): Promise<MoveFileRow> {
  return changeFile(context, origin, organization, id, { run }, async (tx, _row, at) => {
    const [[loading]] = await tx.run(selectLoadingFile({}));
    if (loading !== undefined) {
      throw failure('MOVE_NOT_READY', 'A file of the move is loading: wait until it is done.');
    }
    tx.queue(...beginRun(id, run, at));
  });
}

/**
 * Says what the columns of a file mean; null: they are those of this service. Fails with MOVE_FILE_NOT_FOUND, MOVE_NOT_READY and
 * INVALID_PARAMS.
 */
export function mapMoveFile(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  mapping: SentMapping | null,
): Promise<MoveFileRow> {
  const stored = mapping === null ? null : storable(mapping);
  return changeFile(context, origin, organization, id, { mapped: true }, async (tx, row, at) => {
    if (mapping !== null) checkMapping(mapping, fieldsOfKind(row.kind));
    refuseStaleEdit(origin, row.updated_at);
    if (row.status === 'loading') throw failure('MOVE_NOT_READY', `${row.file_name} is loading.`);
    tx.queue(setMoveFileMapping({ id, mapping: stored, at }));
  });
}

async function changeFile(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  what: Readonly<Record<string, unknown>>,
  write: (tx: TenantTransaction, row: MoveFileRow, at: string) => Promise<void>,
): Promise<MoveFileRow> {
  await context.database.write(
    organization,
    async (tx) => {
      const [[row]] = await tx.run(lockMoveFile({ id }));
      if (row === undefined) throw fileNotFound();
      const [[move]] = await tx.run(lockMove({ id: row.move_id }));
      if (row.byte_count === null || (move!.status !== 'open' && move!.status !== 'frozen')) {
        throw failure(
          'MOVE_NOT_READY',
          `The move from ${move!.till} is ${move!.status}: its files are gone.`,
        );
      }
      const nowMs = context.clock.now();
      await write(tx, row, isoTimestamp(nowMs));
      await announce(tx, context, origin, nowMs, {
        ...{ event: 'move.updated', subjectType: 'organization', subjectId: organization },
        payload: { moveId: row.move_id, status: move!.status },
        details: {
          moveId: row.move_id,
          till: move!.till,
          file: { kind: row.kind, name: row.file_name, ...what },
        },
      });
    },
    { retryOnConstraints: ['move_files_one_loading'] },
  );
  const [[row]] = await context.database.read(organization, selectMoveFile({ id }));
  return row!;
}

/** The failure of an unknown file. */
export function fileNotFound() {
  return failure('MOVE_FILE_NOT_FOUND', 'There is no such file of a move.');
}
