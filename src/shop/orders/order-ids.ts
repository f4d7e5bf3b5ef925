import { statement } from '../../platform/database/statement.ts';

/** All orders, a page of their ids in ascending order: for readers who keep a copy (D64). */
export const selectOrderIdsAfter = statement<{ after: string; limit: number }, { id: string }>(
  'select_order_ids_after',
  `select id from orders
    where organization_id = :organizationId and id > :after::uuid
    order by id limit :limit`,
);

/** The same of the orders that an integrator placed: all of these are few, and are sorted. */
export const selectOwnOrderIdsAfter = statement<
  { integratorId: number; after: string; limit: number },
  { id: string }
>(
  'select_own_order_ids_after',
  `select id from orders
    where organization_id = :organizationId and integrator_id = :integratorId and id > :after::uuid
    order by id limit :limit`,
);
