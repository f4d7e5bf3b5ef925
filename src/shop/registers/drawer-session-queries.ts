import { countOfRows } from '../../platform/lists/counted-rows.ts';
import { sortedList } from '../../platform/lists/sorted-list.ts';
import { statement } from '../../platform/statements/statement.ts';

/** SQL on the list of drawer sessions. */

export interface ShownSessionRow {
  id: number;
  register_id: number;
  register_name: string;
  float_cents: number;
  opened_at: number;
  opened_by_staff_id: number;
  opener_first_name: string;
  opener_last_name: string;
  closed_at: number | null;
  closed_by_staff_id: number | null;
  closer_first_name: string | null;
  closer_last_name: string | null;
  note: string | null;
}

/** D14. */
export const sessionsPerPage = 50;

const shown = `select s.id, s.register_id, r.name as register_name, s.float_cents, s.opened_at, s.opened_by_staff_id,
          o.first_name as opener_first_name, o.last_name as opener_last_name, s.closed_at, s.closed_by_staff_id,
          c.first_name as closer_first_name, c.last_name as closer_last_name, s.note`;
const beside = `join registers r on r.organization_id = :organizationId and r.id = s.register_id
     join staff_members o on o.organization_id = :organizationId and o.id = s.opened_by_staff_id
     left join staff_members c on c.organization_id = :organizationId and c.id = s.closed_by_staff_id`;

export const selectDrawerSession = statement<{ id: number }, ShownSessionRow>(
  'select_drawer_session',
  `${shown} from drawer_sessions s ${beside} where s.organization_id = :organizationId and s.id = :id`,
);

/** A register, and the moments between which a drawer was opened. */
export type DrawerFilter = 'register' | 'from' | 'until';

/** The sessions of the shop or of a register. */
export const sessionList = sortedList<ShownSessionRow, 'openedAt' | 'closedAt' | 'float', DrawerFilter>({
  name: 'list_drawer_sessions',
  rows: 'from drawer_sessions s where s.organization_id = :organizationId',
  ids: ['s.id'],
  sorts: {
    openedAt: { key: 's.opened_at', own: 'descending' },
    closedAt: { key: 's.closed_at', own: 'descending', isNullable: true },
    float: { key: 's.float_cents', own: 'descending' },
  },
  filters: {
    register: 'and s.register_id = :registerId',
    from: 'and s.opened_at >= :from::timestamptz',
    until: 'and s.opened_at < :until::timestamptz',
  },
  rowsPerPage: sessionsPerPage,
  show: (page) => `${shown} from ${page}
     join drawer_sessions s on s.organization_id = :organizationId and s.id = page.id0
     ${beside}`,
});

/** D14: how many sessions there are, in the shop or of a register. */
export const countSessions = statement<Record<never, never>, { count: number }>(
  'count_drawer_sessions',
  countOfRows('select from drawer_sessions where organization_id = :organizationId'),
);
export const countSessionsOfRegister = statement<{ registerId: number }, { count: number }>(
  'count_drawer_sessions_of_register',
  countOfRows(
    'select from drawer_sessions where organization_id = :organizationId and register_id = :registerId',
  ),
);
export const countSessionsWithin = statement<
  { registerId: number | null; from: string; until: string },
  { count: number }
>(
  'count_drawer_sessions_within',
  countOfRows(
    `select from drawer_sessions
      where organization_id = :organizationId and opened_at >= :from::timestamptz and opened_at < :until::timestamptz
        and (:registerId::bigint is null or register_id = :registerId)`,
  ),
);

/** Drawers that were opened before a moment and are still open. */
export const selectForgottenDrawers = statement<
  { before: string },
  { count: number; oldest_at: number | null }
>(
  'select_forgotten_drawers',
  `select count(*)::integer as count, min(s.opened_at) as oldest_at from drawer_sessions s
    where s.organization_id = :organizationId and s.closed_at is null and s.opened_at < :before::timestamptz`,
);

/** Drawers that were closed since a moment with more or less than expected. Those opened long before it are left out, by the index. */
export const selectDrawerDifferences = statement<
  { since: string },
  { count: number; oldest_at: number | null }
>(
  'select_drawer_differences',
  `select count(*)::integer as count, min(s.closed_at) as oldest_at from drawer_sessions s
    where s.organization_id = :organizationId and s.closed_at >= :since::timestamptz
      and s.opened_at >= :since::timestamptz - interval '30 days'
      and exists (select from drawer_counts c
                   where c.organization_id = :organizationId and c.session_id = s.id
                     and c.counted_cents <> c.expected_cents)`,
);
