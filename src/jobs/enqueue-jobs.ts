import { type BoundStatement, statement } from '../database/statement.ts';

/** A piece of work for later, of the organization whose write asks for it. */
export interface Job {
  /** Tells it from others of its task in the organization: one of the same key that waits already is replaced. */
  readonly key: string | number;
  /** Ids and states, never personal data: it lies in the queue as it is. */
  readonly payload: Readonly<Record<string, string | number>>;
}

/** A job that fails without saying when to stop has had its last try after some three days. */
const attemptsMax = 25;

/** More than what one thing brings: an import, for which nobody waits as for the one thing that they just made. */
const fewMax = 20;

/**
 * The key is the queue's own, and of all organizations: so it names task and organization too. The queue runs jobs
 * of a lower number first, then in the order in which they came.
 */
const addJobs = statement<{ task: string; jobs: string; priority: number; attemptsMax: number }>(
  'add_jobs',
  `select count(*) from graphile_worker.add_jobs(array(
     select row(:task::text,
                jsonb_build_object('organizationId', :organizationId::bigint, 'job', j.payload)::json,
                null, null, :attemptsMax::integer,
                concat_ws(':', :task::text, :organizationId::bigint, j.key), :priority::integer, null
            )::graphile_worker.job_spec
       from jsonb_to_recordset(:jobs::jsonb) as j(key text, payload jsonb)))`,
);

/**
 * Has a task run in the background, once for each job, after the transaction that this is sent in has committed: none
 * of them if it does not. Many at once wait behind those that come one by one. Keys are different. No statement without
 * jobs.
 */
export function enqueueJobs(task: string, jobs: readonly Job[]): BoundStatement<unknown>[] {
  if (jobs.length === 0) return [];
  const priority = jobs.length > fewMax ? 1 : 0;
  return [addJobs({ task, jobs: JSON.stringify(jobs), priority, attemptsMax })];
}
