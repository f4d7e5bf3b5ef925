import { statement } from '../../platform/statements/statement.ts';

const selectAll = statement<{ after: string; limit: number }, { id: string }>(
  'select_order_ids_after',
  `select id from orders
    where organization_id = :organizationId and id > :after::uuid
    order by id limit :limit`,
);

/** All of these are few, and are sorted. */
const selectOwn = statement<{ integratorId: number; after: string; limit: number }, { id: string }>(
  'select_own_order_ids_after',
  `select id from orders
    where organization_id = :organizationId and integrator_id = :integratorId and id > :after::uuid
    order by id limit :limit`,
);

/**
 * A page of the ids of orders in ascending order, for readers who keep a copy (D64): of all, or of those that an integrator
 * placed. From the beginning: after null.
 */
export function selectOrderIdsAfter(after: string | null, limit: number, integratorId: number | null = null) {
  const page = { after: after ?? '00000000-0000-0000-0000-000000000000', limit };
  return integratorId === null ? selectAll(page) : selectOwn({ ...page, integratorId });
}
