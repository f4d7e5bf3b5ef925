import { statement } from '../../platform/statements/statement.ts';

/** All packages, a page of their ids in ascending order: for readers who keep a copy (D64). */
export const selectPackageIdsAfter = statement<{ after: number; limit: number }, { id: number }>(
  'select_package_ids_to_copy',
  `select id from packages
    where organization_id = :organizationId and id > :after::bigint
    order by id limit :limit`,
);
