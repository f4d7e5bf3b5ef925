import { statement } from '../../platform/statements/statement.ts';

/** All customers, a page of their ids in ascending order: for readers who keep a copy (D64). */
export const selectCustomerIdsAfter = statement<{ after: number; limit: number }, { id: number }>(
  'select_customer_ids_after',
  `select id from customers
    where organization_id = :organizationId and id > :after::bigint
    order by id limit :limit`,
);
