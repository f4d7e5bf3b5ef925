import { type DigestRow, digestSql, versionSql } from '../../platform/statements/record-digest.ts';
import { statement } from '../../platform/statements/statement.ts';
import { noMonth, type SumPart } from './checksummed-collection.ts';

/** SQL of the sums that checksums are made of (D65). */

export interface SumStateRow {
  version: number;
  time_zone: string | null;
}

/** The state of every collection that was counted. */
export const selectSumStates = statement<Record<never, never>, { collection: string }>(
  'select_record_sum_states',
  'select collection from record_sum_states where organization_id = :organizationId',
);

/** For the owner: which organizations have a collection without sums, or changes that its sums lack. */
export const selectOrganizationsWithUnsummed = statement<{ collections: readonly string[] }, { id: number }>(
  'select_organizations_with_unsummed',
  'select id from organizations_with_unsummed(:collections::text[])',
);

export const selectSumState = statement<{ collection: string }, SumStateRow>(
  'select_record_sum_state',
  `select version, time_zone from record_sum_states
    where organization_id = :organizationId and collection = :collection`,
);

/** Locks the sums of a collection, and moves their version. */
export const lockSums = statement<{ collection: string }, SumStateRow>(
  'lock_record_sums',
  `update record_sum_states set version = version + 1
    where organization_id = :organizationId and collection = :collection
   returning version, time_zone`,
);

/** No row: another process was faster. */
export const insertSumState = statement<{ collection: string; timeZone: string | null }, { version: number }>(
  'insert_record_sum_state',
  `insert into record_sum_states (organization_id, collection, version, time_zone)
   values (:organizationId, :collection, 1, :timeZone)
   on conflict do nothing returning version`,
);

export const setSumTimeZone = statement<{ collection: string; timeZone: string | null }, never>(
  'set_record_sum_time_zone',
  `update record_sum_states set time_zone = :timeZone
    where organization_id = :organizationId and collection = :collection`,
);

export const selectSums = statement<{ collection: string }, Required<DigestRow>>(
  'select_record_sums',
  `select month, count, digest::text as digest from record_sums
    where organization_id = :organizationId and collection = :collection order by month`,
);

const changeDigests = `case when c.placed_at is null then '${noMonth}'
            else to_char(c.placed_at at time zone :timeZone, 'YYYY-MM') end as month,
          sum(v.number)::int as count, ${digestSql('c.record_id', versionSql('v.at'))} as digest,
          count(*)::int as changes`;
const versions = `cross join lateral (values (c.before, -1), (c.after, 1)) v(at, number)
    where v.at is not null`;

type ChangesOf = { collection: string; timeZone: string };

/** What the changes make of the sums. */
export const selectUnsummedChanges = statement<ChangesOf, SumPart>(
  'select_unsummed_changes',
  `select ${changeDigests}
     from (select record_id, placed_at, before, after from record_changes
            where organization_id = :organizationId and collection = :collection) c
     ${versions} group by 1`,
  { isLong: true },
);

/** The same, and takes the changes away. */
export const takeUnsummedChanges = statement<ChangesOf, SumPart>(
  'take_unsummed_changes',
  `with c as (
     delete from record_changes where organization_id = :organizationId and collection = :collection
     returning record_id, placed_at, before, after)
   select ${changeDigests} from c ${versions} group by 1`,
  { isLong: true },
);

/** Collections with changes that are not in the sums, most changes first. */
export const countUnsummedChanges = statement<Record<never, never>, { collection: string; changes: number }>(
  'count_unsummed_changes',
  `select collection, count(*)::int as changes from record_changes
    where organization_id = :organizationId group by collection order by changes desc`,
);

type Part = { collection: string; month: string; count: number; digest: string };

export const addToSum = statement<Part, never>(
  'add_to_record_sum',
  `insert into record_sums (organization_id, collection, month, count, digest)
   values (:organizationId, :collection, :month, :count, :digest::bit(128))
   on conflict (organization_id, collection, month) do update
     set count = record_sums.count + excluded.count, digest = record_sums.digest # excluded.digest`,
);

export const deleteSums = statement<{ collection: string }, never>(
  'delete_record_sums',
  'delete from record_sums where organization_id = :organizationId and collection = :collection',
);
