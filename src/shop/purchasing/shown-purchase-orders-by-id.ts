import type { Static } from 'typebox';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import type { PurchaseOrder } from './purchase-order-schemas.ts';
import { shownPurchaseOrders } from './purchase-order-view.ts';

/** Purchase orders in the shape of the list. */
export function shownPurchaseOrdersById(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
  ids: readonly number[],
): Promise<Static<typeof PurchaseOrder>[]> {
  return shownPurchaseOrders((...statements) => database.read(organization, ...statements), ids);
}
