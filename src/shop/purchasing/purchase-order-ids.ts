import { statement } from '../../platform/statements/statement.ts';

/** All purchase orders, a page of their ids in ascending order: for readers who keep a copy (D64). */
export const selectPurchaseOrderIdsAfter = statement<{ after: number; limit: number }, { id: number }>(
  'select_purchase_order_ids_after',
  `select id from purchase_orders
    where organization_id = :organizationId and id > :after::bigint
    order by id limit :limit`,
);
