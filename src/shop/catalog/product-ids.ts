import { statement } from '../../platform/statements/statement.ts';

/** The products that are not deleted, a page of their ids in ascending order: for readers who keep a copy (D64). */
export const selectProductIdsAfter = statement<{ after: number; limit: number }, { id: number }>(
  'select_product_ids_after',
  `select id from products
    where organization_id = :organizationId and id > :after::bigint and deleted_at is null
    order by id limit :limit`,
);
