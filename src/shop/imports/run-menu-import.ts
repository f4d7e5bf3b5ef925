import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue-jobs.ts';
import {
  deleteImportFile,
  deleteImportProblems,
  forgetSeenProducts,
  type ImportMode,
  type ImportStatus,
  isRunning,
  lockMenuImport,
  lockMenuImports,
  type MenuImportRow,
  selectMenuImport,
  selectRunningImport,
  selectSoldProducts,
} from './menu-import-queries.ts';
import { beginImportRun, cancelImport } from './menu-run-queries.ts';
import { importNotFound, isOpen, notReady, subject } from './upload-menu.ts';

/** The task that imports a menu. */
export const menuTask = 'import_menu';

/** The data of a job of that task. */
export interface MenuJob {
  readonly menuImportId: number;
  readonly run: number;
}

/**
 * Begins to import a menu, or to check it, which writes no product. The work is a job; one at a time in an organization.
 * Fails with MENU_IMPORT_NOT_FOUND and MENU_IMPORT_NOT_READY.
 */
export async function startMenuImport(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  staffId: number,
  id: number,
  { mode, dryRun }: { readonly mode: ImportMode; readonly dryRun: boolean },
): Promise<MenuImportRow> {
  return context.database.write(organization, async (tx) => {
    const row = await lockWhileIdle(tx, id);
    if (!isOpen(row)) throw notReady('only a menu with its file can be imported', row);
    return begin(tx, context, origin, row, { mode, staffId, status: dryRun ? 'checking' : 'importing' });
  });
}

/**
 * Begins to undo the last import: products that it made are deleted, or leave the menu while they have stock; changed ones
 * get back what was not edited since; retired ones return to the menu. Fails with MENU_IMPORT_NOT_FOUND,
 * MENU_IMPORT_NOT_READY, and MENU_IMPORT_SOLD when something that it made was sold.
 */
export async function undoMenuImport(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  staffId: number,
  id: number,
): Promise<MenuImportRow> {
  return context.database.write(organization, async (tx) => {
    const row = await lockWhileIdle(tx, id);
    if (!canBeUndone(row)) throw notReady('only the last import that was done can be undone', row);
    const [sold] = await tx.run(selectSoldProducts({ id }));
    if (sold.length > 0) {
      const names = sold.map(({ name }) => name).join(', ');
      throw failure('MENU_IMPORT_SOLD', `The import cannot be undone, because these were sold: ${names}.`, {
        products: sold.map((product) => ({ ...product })),
      });
    }
    return begin(tx, context, origin, row, { mode: row.mode, staffId, status: 'undoing' });
  });
}

/** Whether an import is the last one, and has written something. */
export function canBeUndone({ status, started_at: startedAt, is_last: isLast }: MenuImportRow): boolean {
  return isLast && startedAt !== null && ['done', 'failed', 'canceled'].includes(status);
}

/**
 * Cancels an import that is not finished: what is not done yet is not done. What an import has written until then stays, and can
 * be undone. Fails with MENU_IMPORT_NOT_FOUND and MENU_IMPORT_NOT_READY.
 */
export async function cancelMenuImport(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<MenuImportRow> {
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    const [[row]] = await tx.run(lockMenuImport({ id }));
    if (row === undefined) throw importNotFound();
    if (!isRunning(row) && row.status !== 'uploaded' && row.status !== 'checked') {
      throw notReady('only one that is not finished can be canceled', row);
    }
    await announce(tx, context, origin, nowMs, {
      event: 'menu_import.updated',
      ...subject(id),
      payload: { menuImportId: id, status: 'canceled' },
      details: { menuImportId: id, status: 'canceled', former: row.status, products: row.done_count },
    });
    const results = await tx.run(
      cancelImport({ id, at: isoTimestamp(nowMs) }),
      forgetSeenProducts({ id }),
      selectMenuImport({ id }),
    );
    return results[2][0]!;
  });
}

/** Fails while another import of the organization goes on. */
async function lockWhileIdle(tx: TenantTransaction, id: number): Promise<MenuImportRow> {
  await tx.run(lockMenuImports({}));
  const [[row], [running]] = await tx.run(lockMenuImport({ id }), selectRunningImport({}));
  if (row === undefined) throw importNotFound();
  if (running !== undefined) {
    throw failure(
      'MENU_IMPORT_NOT_READY',
      `Import ${running.id} goes on; wait until it is done, or cancel it.`,
    );
  }
  return row;
}

async function begin(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  { id }: MenuImportRow,
  {
    mode,
    status,
    staffId,
  }: { readonly mode: ImportMode; readonly status: ImportStatus; readonly staffId: number },
): Promise<MenuImportRow> {
  const nowMs = context.clock.now();
  const isUndo = status === 'undoing';
  const [[begun]] = await tx.run(
    beginImportRun({ id, status, mode, by: staffId, at: isoTimestamp(nowMs) }),
    isUndo ? null : deleteImportProblems({ id }),
    isUndo ? null : forgetSeenProducts({ id }),
    // What is undone is not imported again, also if the undoing is canceled.
    isUndo ? deleteImportFile({ id }) : null,
  );
  await announce(tx, context, origin, nowMs, {
    event: 'menu_import.updated',
    ...subject(id),
    payload: { menuImportId: id, status },
    details: { menuImportId: id, status, mode },
  });
  tx.queue(...menuJobs({ menuImportId: id, run: begun!.run_number }));
  const [[row]] = await tx.run(selectMenuImport({ id }));
  return row!;
}

/** Queues the job of a run. */
export function menuJobs(job: MenuJob) {
  return enqueueJobs(menuTask, [{ key: job.menuImportId, payload: { ...job } }]);
}
