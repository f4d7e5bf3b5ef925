import { countOfRows } from '../database/counted-rows.ts';
import { type SqlParameters, type Statement, statement } from '../database/statement.ts';

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
          c.first_name as closer_first_name, c.last_name as closer_last_name, s.note
     from drawer_sessions s
     join registers r on r.organization_id = :organizationId and r.id = s.register_id
     join staff_members o on o.organization_id = :organizationId and o.id = s.opened_by_staff_id
     left join staff_members c on c.organization_id = :organizationId and c.id = s.closed_by_staff_id
    where s.organization_id = :organizationId`;

export const selectDrawerSession = statement<{ id: number }, ShownSessionRow>(
  'select_drawer_session',
  `${shown} and s.id = :id`,
);

/** An unknown cursor gives no rows. */
const after = `and (s.opened_at, s.id) < ((select b.opened_at from drawer_sessions b
      where b.organization_id = :organizationId and b.id = :startingAfter), :startingAfter::bigint)`;

function page<Parameters extends SqlParameters>(
  name: string,
  condition: string,
): Statement<Parameters, ShownSessionRow> {
  return statement(
    name,
    `${shown} ${condition} order by s.opened_at desc, s.id desc limit ${sessionsPerPage}`,
  );
}

/** Newest first. */
export const selectSessionPage = page<Record<never, never>>('select_drawer_session_page', '');
export const selectSessionPageAfter = page<{ startingAfter: number }>(
  'select_drawer_session_page_after',
  after,
);
export const selectSessionPageOfRegister = page<{ registerId: number }>(
  'select_drawer_session_page_of_register',
  'and s.register_id = :registerId',
);
export const selectSessionPageOfRegisterAfter = page<{ registerId: number; startingAfter: number }>(
  'select_drawer_session_page_of_register_after',
  `and s.register_id = :registerId ${after}`,
);

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
