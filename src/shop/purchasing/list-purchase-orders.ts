import type { Static } from 'typebox';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { SortQuery } from '../../kernel/list-sort.ts';
import type { Context } from '../../platform/database/context.ts';
import type { SortOf } from '../../platform/lists/sorted-list.ts';
import { purchaseOrderList, selectPurchaseOrderCursor } from './purchase-order-queries.ts';
import type { PurchaseOrder } from './purchase-order-schemas.ts';
import { shownPurchaseOrders } from './purchase-order-view.ts';
import { purchaseOrderNotFound } from './update-purchase-order.ts';

/** A page of purchase orders, newest first unless sorted (D14, D51). Fails with INVALID_CURSOR. */
export async function purchaseOrderPage(
  { database }: Context,
  organization: OrganizationId,
  query: SortQuery<SortOf<typeof purchaseOrderList>> & { readonly startingAfter?: number | undefined },
): Promise<Static<typeof PurchaseOrder>[]> {
  const { startingAfter } = query;
  const [page, cursor] = await database.read(
    organization,
    purchaseOrderList.page(query),
    startingAfter === undefined ? null : selectPurchaseOrderCursor({ id: startingAfter }),
  );
  if (startingAfter !== undefined && cursor.length === 0) {
    throw failure('INVALID_CURSOR', 'startingAfter must be the id of a purchase order.');
  }
  return shownPurchaseOrders(
    (...statements) => database.read(organization, ...statements),
    page.map(({ id }) => id),
  );
}

/** One purchase order (D51). Fails with PURCHASE_ORDER_NOT_FOUND. */
export async function purchaseOrderById(
  { database }: Context,
  organization: OrganizationId,
  id: number,
): Promise<Static<typeof PurchaseOrder>> {
  const [found] = await database.read(organization, selectPurchaseOrderCursor({ id }));
  if (found.length === 0) throw purchaseOrderNotFound();
  const [shown] = await shownPurchaseOrders(
    (...statements) => database.read(organization, ...statements),
    [id],
  );
  return shown!;
}
