import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import {
  deleteImportFile,
  forgetSeenProducts,
  type ImportStatus,
  type MenuImportRow,
  selectMenuImport,
} from './menu-import-queries.ts';
import { endImportRun, moveImportOn } from './menu-run-queries.ts';
import { subject } from './upload-menu.ts';

/** What all steps of a run need. */
export interface MenuRun {
  readonly context: Context;
  readonly organization: OrganizationId;
  /** The person who asked for it. */
  readonly origin: Origin;
  readonly row: MenuImportRow;
  /** Aborted when the process stops: another one goes on. */
  readonly signal: AbortSignal;
}

/** The run was ended, or another process goes on with it. */
export class TakenOver extends Error {
  override name = 'TakenOver';
}

/** Notes progress, with more in the same transaction. Fails with TakenOver. */
export async function moveOn(
  { context, organization, row }: MenuRun,
  moved: {
    readonly from: number;
    readonly done: number;
    readonly share: number;
    readonly created?: number;
    readonly changed?: number;
    readonly retired?: number;
    readonly refused?: number;
  },
  alsoWrite: (tx: TenantTransaction) => void,
): Promise<void> {
  const at = isoTimestamp(context.clock.now());
  await context.database.write(organization, async (tx) => {
    const [moves] = await tx.run(
      moveImportOn({
        id: row.id,
        run: row.run_number,
        ...{ created: 0, changed: 0, retired: 0, refused: 0, ...moved },
        at,
      }),
    );
    if (moves.length === 0) throw new TakenOver();
    alsoWrite(tx);
  });
}

/** Ends a run, with the reason if it failed. Fails with TakenOver. */
export async function endImport(
  { context, organization, origin, row }: Omit<MenuRun, 'signal'>,
  status: ImportStatus,
  problem: string | null,
): Promise<void> {
  const { id } = row;
  const nowMs = context.clock.now();
  await context.database.write(organization, async (tx) => {
    const [ended] = await tx.run(
      endImportRun({ id, run: row.run_number, status, failure: problem, at: isoTimestamp(nowMs) }),
      forgetSeenProducts({ id }),
      status === 'done' ? deleteImportFile({ id }) : null,
    );
    if (ended.length === 0) throw new TakenOver();
    const [[now]] = await tx.run(selectMenuImport({ id }));
    await announce(tx, context, origin, nowMs, {
      event: 'menu_import.updated',
      ...subject(id),
      payload: { menuImportId: id, status },
      details: {
        menuImportId: id,
        status,
        products: now!.done_count,
        created: now!.created_count,
        changed: now!.changed_count,
        retired: now!.retired_count,
        refused: now!.refused_count,
      },
    });
  });
}
