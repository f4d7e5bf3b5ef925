import { statement } from '../../platform/statements/statement.ts';

/** Where the ranges of orders end, that are checked one after the other. */

export const firstId = '00000000-0000-0000-0000-000000000000';
export const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The last order of the next range; no row: no more than a range is left. */
export const selectRangeEnd = statement<{ after: string; orders: number }, { id: string }>(
  'verify_select_range_end',
  `select id::text as id from orders
    where organization_id = :organizationId and id > :after::uuid order by id offset :orders - 1 limit 1`,
);

/** The order before the latest ones: ids are made in the order of time. No row: there are not as many. */
export const selectLatestRange = statement<{ orders: number }, { id: string }>(
  'verify_select_latest_range',
  `select id::text as id from orders
    where organization_id = :organizationId order by id desc offset :orders limit 1`,
);
