import type { LabResult, StateBlock } from '../../engines/state-reports/state-package.ts';
import { statement } from '../../platform/statements/statement.ts';

/** SQL on packages of the state, as they were read. */

export interface StatePackageRow {
  connection_id: number;
  label: string;
  state_record_id: number | null;
  place: 'active' | 'ended' | 'coming' | 'absent';
  quantity: string;
  unit: string;
  item: string | null;
  lab_state: string | null;
  lab_results: readonly LabResult[] | null;
  block: StateBlock | null;
  manifest_number: string | null;
  adjustments: readonly {
    readonly date: string;
    readonly quantity: string;
    readonly reason: string;
    readonly note: string;
  }[];
  read_at: number;
  checked_at: number | null;
}

const columns = `connection_id, label, state_record_id, place, quantity, unit, item, lab_state, lab_results, block, manifest_number,
          adjustments, read_at, checked_at`;

/** Keeps packages as they were read. Lab results stay until the state of the tests changes. */
export const keepStatePackages = statement<{
  connectionId: number;
  rows: string;
  at: string;
  checkedAt: string | null;
}>(
  'keep_state_packages',
  `insert into state_packages (organization_id, connection_id, label, state_record_id, place, quantity, unit, item, category,
          lab_state, block, manifest_number, received_at, last_modified, read_at, checked_at)
   select :organizationId::bigint, :connectionId::bigint, r.label, r.state_record_id, r.place, r.quantity, r.unit, r.item, r.category,
          r.lab_state, r.block, r.manifest_number, r.received_at, r.last_modified, :at::timestamptz, :checkedAt::timestamptz
     from jsonb_to_recordset(:rows::jsonb) as r(label text, state_record_id bigint, place text, quantity numeric, unit text, item text,
            category text, lab_state text, block text, manifest_number text, received_at timestamptz, last_modified timestamptz)
    order by r.label
       on conflict (organization_id, connection_id, label) do update
      set state_record_id = coalesce(excluded.state_record_id, state_packages.state_record_id), place = excluded.place,
          quantity = excluded.quantity, unit = excluded.unit, item = coalesce(excluded.item, state_packages.item),
          category = coalesce(excluded.category, state_packages.category), lab_state = excluded.lab_state, block = excluded.block,
          manifest_number = coalesce(excluded.manifest_number, state_packages.manifest_number),
          received_at = coalesce(excluded.received_at, state_packages.received_at), last_modified = excluded.last_modified,
          read_at = excluded.read_at, checked_at = coalesce(excluded.checked_at, state_packages.checked_at),
          lab_results = case when state_packages.lab_state is not distinct from excluded.lab_state
                             then state_packages.lab_results end`,
);

/** Packages that the state does not let be sold. */
export const selectBlocks = statement<{ connectionId: number }, { label: string; block: StateBlock }>(
  'select_state_blocks',
  `select label, block from state_packages
    where organization_id = :organizationId and connection_id = :connectionId and block is not null order by label`,
);

/** Packages with goods, by the state, and those with some labels. */
export const selectStatePackages = statement<
  { connectionId: number; labels: readonly string[] },
  StatePackageRow
>(
  'select_state_packages',
  `select ${columns} from state_packages
    where organization_id = :organizationId and connection_id = :connectionId
      and ((place in ('active', 'ended') and quantity <> 0) or label = any(:labels)) order by label`,
);

/** Tested packages whose results are not read yet, those that were read last first. */
export const selectUnreadLabResults = statement<
  { connectionId: number; limit: number },
  { label: string; state_record_id: number; block: StateBlock | null }
>(
  'select_unread_lab_results',
  `select label, state_record_id, block from state_packages
    where organization_id = :organizationId and connection_id = :connectionId and place = 'active' and quantity > 0
      and lab_results is null and state_record_id is not null
      and lab_state in ('TestPassed', 'TestFailed', 'RetestPassed', 'RetestFailed')
    order by read_at desc, label limit :limit`,
);

export const setLabResults = statement<{ connectionId: number; label: string; results: string }>(
  'set_lab_results_of_state_package',
  `update state_packages set lab_results = :results::jsonb
    where organization_id = :organizationId and connection_id = :connectionId and label = :label`,
);

/** What people adjusted at the state, by label; packages that are not named have none. */
export const setAdjustments = statement<{ connectionId: number; rows: string }>(
  'set_adjustments_of_state_packages',
  `update state_packages p set adjustments = coalesce(r.adjustments, '[]')
     from (select s.label, a.adjustments from state_packages s
             left join jsonb_to_recordset(:rows::jsonb) as a(label text, adjustments jsonb) on a.label = s.label
            where s.organization_id = :organizationId and s.connection_id = :connectionId) as r
    where p.organization_id = :organizationId and p.connection_id = :connectionId and p.label = r.label
      and p.adjustments <> coalesce(r.adjustments, '[]')`,
);

/** How many packages were read since then. */
export const countReadPackages = statement<{ connectionId: number; since: string }, { count: number }>(
  'count_read_state_packages',
  `select count(*)::integer as count from state_packages
    where organization_id = :organizationId and connection_id = :connectionId and read_at >= :since`,
);
