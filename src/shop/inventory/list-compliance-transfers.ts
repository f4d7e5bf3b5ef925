import Type, { type Static } from 'typebox';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { SortQuery } from '../../kernel/list-sort.ts';
import type { Context } from '../../platform/database/context.ts';
import { Id, withErrorCode } from '../../platform/http/schemas.ts';
import type { SortOf } from '../../platform/lists/sorted-list.ts';
import { selectTransferCursor, transferList } from './compliance-transfer-queries.ts';
import { type ComplianceTransfer, shownTransfers } from './compliance-transfer-view.ts';

/** The query of a page of transfers. */
export const transferCursor = {
  startingAfter: Type.Optional(
    withErrorCode(Id({ description: 'The last id of the previous page' }), 'INVALID_CURSOR'),
  ),
};

/** A page of incoming transfers with their packages, newest first unless sorted (D14, D54). Fails with INVALID_CURSOR. */
export async function transferPage(
  { database }: Context,
  organization: OrganizationId,
  query: SortQuery<SortOf<typeof transferList>> & { readonly startingAfter?: number | undefined },
): Promise<Static<typeof ComplianceTransfer>[]> {
  const { startingAfter } = query;
  const [rows, cursor] = await database.read(
    organization,
    transferList.page(query),
    startingAfter === undefined ? null : selectTransferCursor({ id: startingAfter }),
  );
  if (startingAfter !== undefined && cursor.length === 0) {
    throw failure('INVALID_CURSOR', 'startingAfter must be the id of a transfer.');
  }
  return shownTransfers((...statements) => database.read(organization, ...statements), rows);
}
