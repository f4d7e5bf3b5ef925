import { isoTimestamp } from '../../kernel/local-time.ts';
import { type BoundStatement, statement } from '../../platform/statements/statement.ts';
import { updateOrderHead } from './order-queries.ts';
import type { OrderRecord } from './order-record.ts';

/* Returns as their order counts and shows them; the rows of returns belong to returns/. */

/** The documents of an order's returns, oldest first. */
export const selectReturnDocuments = statement<{ orderId: string }, { document: string }>(
  'select_order_return_documents',
  `select document from order_returns
    where organization_id = :organizationId and order_id = :orderId order by created_at, id`,
);

/**
 * Adds to (or, negative, subtracts from) the returned units of lines; each line once. The table's check refuses
 * a sum above the quantity.
 */
const moveReturnedQuantities = statement<
  { orderId: string; ids: readonly number[]; quantities: readonly number[]; at: string },
  never
>(
  'move_returned_quantities',
  `update order_line_items l set returned_quantity = l.returned_quantity + moved.quantity, updated_at = :at
     from unnest(:ids::bigint[], :quantities::integer[]) as moved(id, quantity)
    where l.organization_id = :organizationId and l.order_id = :orderId and l.id = moved.id`,
);

/**
 * Stores an order with a return that was added or voided, and with the units of its lines that come or go with it. The
 * head has the time of the change.
 */
export function updateReturns(
  order: OrderRecord,
  moved: { readonly ids: readonly number[]; readonly quantities: readonly number[] },
): BoundStatement<unknown>[] {
  const { id: orderId, updatedAt } = order.head;
  return [
    moveReturnedQuantities({ orderId, at: isoTimestamp(updatedAt), ...moved }),
    ...updateOrderHead(order),
  ];
}
