import { insertMany, statement } from '../../platform/statements/statement.ts';

/** SQL on comparisons with the state, and on what people answered to differences. */

export interface ComparisonRow {
  id: number;
  connection_id: number;
  state: 'waiting' | 'running' | 'done';
  asked_by_staff_id: number | null;
  reads_from: number;
  read_until: number;
  packages: number;
  receipts: number;
  calls: number;
  work_ms: number;
  differences: Readonly<Record<string, number>> | null;
  problem: string | null;
  created_at: number;
  finished_at: number | null;
}

const columns = `id, connection_id, state, asked_by_staff_id, reads_from, read_until, packages, receipts, calls, work_ms, differences,
          problem, created_at, finished_at`;

/** One at a time is under way for a connection: no row if there is one. */
export const insertComparison = statement<
  { id: number; connectionId: number; staffId: number | null; readsFrom: string; at: string },
  { id: number }
>(
  'insert_state_comparison',
  `insert into state_comparisons (organization_id, id, connection_id, state, asked_by_staff_id, reads_from, read_until, created_at)
   values (:organizationId, :id, :connectionId, 'waiting', :staffId, :readsFrom, :readsFrom, :at)
   on conflict (organization_id, connection_id) where state <> 'done' do nothing returning id`,
);

/** The last one of a connection: the one under way if there is one. */
export const selectLastComparison = statement<{ connectionId: number }, ComparisonRow>(
  'select_last_state_comparison',
  `select ${columns} from state_comparisons
    where organization_id = :organizationId and connection_id = :connectionId
    order by created_at desc, id desc limit 1`,
);

/** The latest first. */
export const selectComparisons = statement<{ limit: number }, ComparisonRow>(
  'select_state_comparisons',
  `select ${columns} from state_comparisons where organization_id = :organizationId
    order by created_at desc, id desc limit :limit`,
);

export const setComparisonRead = statement<{
  id: number;
  readUntil: string;
  receipts: number;
  calls: number;
  workMs: number;
  problem: string | null;
}>(
  'set_read_of_state_comparison',
  `update state_comparisons
      set state = 'running', read_until = :readUntil, receipts = receipts + :receipts, calls = calls + :calls,
          work_ms = work_ms + :workMs, problem = :problem
    where organization_id = :organizationId and id = :id and state <> 'done'`,
);

export const finishComparison = statement<{
  id: number;
  packages: number;
  calls: number;
  workMs: number;
  differences: string;
  at: string;
}>(
  'finish_state_comparison',
  `update state_comparisons
      set state = 'done', packages = :packages, calls = calls + :calls, work_ms = work_ms + :workMs,
          differences = :differences::jsonb, problem = null, finished_at = :at
    where organization_id = :organizationId and id = :id and state <> 'done'`,
);

/** Comparisons that ended before then, a part of them, except the last one of each connection. */
export const deleteComparisons = statement<{ before: string; limit: number }, { id: number }>(
  'delete_state_comparisons',
  `delete from state_comparisons where organization_id = :organizationId and id in (
     select c.id from state_comparisons c
      where c.organization_id = :organizationId and c.finished_at < :before
        and exists (select from state_comparisons n where n.organization_id = :organizationId
                      and n.connection_id = c.connection_id and n.created_at > c.created_at)
      order by c.id limit :limit)
   returning id`,
);

export interface AnswerRow {
  connection_id: number;
  kind: string;
  subject: string;
  ours: string | null;
  theirs: string | null;
  answer: 'state-is-right' | 'we-are-right';
}

/** The last answer to each receipt or trip of a connection that differed so. */
export const selectAnswers = statement<{ kinds: readonly string[] }, AnswerRow>(
  'select_state_answers',
  `select distinct on (connection_id, kind, subject) connection_id, kind, subject, ours, theirs, answer from state_answers
    where organization_id = :organizationId and kind = any(:kinds) order by connection_id, kind, subject, id desc`,
);

/** The last answer to what is about a package, a receipt or a trip. */
export const selectLastAnswer = statement<{ connectionId: number; subject: string }, { id: number }>(
  'select_last_state_answer',
  `select id from state_answers
    where organization_id = :organizationId and connection_id = :connectionId and subject = :subject
    order by id desc limit 1`,
);

export const insertAnswers = insertMany<{
  id: number;
  connectionId: number;
  kind: string;
  subject: string;
  ours: string | null;
  theirs: string | null;
  answer: string;
  note: string;
  staffId: number;
  createdAt: string;
}>('state_answers', {
  id: 'id',
  connectionId: 'connection_id',
  kind: 'kind',
  subject: 'subject',
  ours: 'ours',
  theirs: 'theirs',
  answer: 'answer',
  note: 'note',
  staffId: 'staff_id',
  createdAt: 'created_at',
});
