import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { type MoveRow, selectFilesToTry, selectLoadingFile } from './move-queries.ts';
import { beginRun } from './run-move-file.ts';
import { noteTrial, openMove } from './step-move.ts';
import type { MoveFileKind } from './sums-of-file.ts';
import { endTrialShop, openTrialShop } from './trial-shop.ts';

/** Packages need products, and old sales need their customers. */
const order: readonly MoveFileKind[] = [
  ...(['products', 'vendors', 'staff', 'packages', 'customers'] as const),
  ...(['sales', 'discounts', 'closings', 'state'] as const satisfies readonly MoveFileKind[]),
];

/**
 * Loads the uploaded files of the move into a new sandbox of the shop, one after the other in the background, and makes the checks there.
 * Nothing of the shop changes. Fails with MOVE_NOT_FOUND, and with MOVE_NOT_READY when the move is over, has no file, or a file is loading.
 */
export async function tryMove(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
): Promise<MoveRow> {
  const { id: moveId } = await openMove(context, organization);
  // The job makes the sandbox: a request writes in one organization.
  const { row } = await noteTrial(context, origin, organization, moveId, null, async (tx) => {
    const [files, [loading]] = await tx.run(selectFilesToTry({ moveId }), selectLoadingFile({}));
    const [first] = inOrder(files);
    if (loading !== undefined) {
      throw failure('MOVE_NOT_READY', 'A file of the move is loading: wait until it is done.');
    }
    if (first === undefined) throw failure('MOVE_NOT_READY', 'The move has no file to try: upload one.');
    tx.queue(...beginRun(first.id, 'trial', isoTimestamp(context.clock.now())));
  });
  return row;
}

/** Begins a trial with an empty sandbox; the former one is deleted. Fails as `tryMove` does. */
export async function openTrial(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
): Promise<MoveRow> {
  const { id } = await openMove(context, organization);
  const sandbox = await openTrialShop(context, organization);
  try {
    const { row, former } = await noteTrial(context, origin, organization, id, sandbox);
    await endTrialShop(context, former);
    return row;
  } catch (problem) {
    await endTrialShop(context, sandbox);
    throw problem;
  }
}

/** The file that is tried after this one; null: it is the last. */
export function fileAfter(
  files: readonly { readonly id: number; readonly kind: MoveFileKind }[],
  id: number,
): number | null {
  const ids = inOrder(files).map((file) => file.id);
  return ids[ids.indexOf(id) + 1] ?? null;
}

function inOrder<File extends { readonly kind: MoveFileKind }>(files: readonly File[]): readonly File[] {
  return files.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
}
