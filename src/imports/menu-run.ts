import type { Context, Origin } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { type MenuImportRow, moveImportOn } from './menu-import-queries.ts';

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
