import { type BoundStatement, statement } from '../statements/statement.ts';

/** A background job of the organization whose write enqueues it. */
interface Job {
  /** Identifies it among the jobs of its task in the organization: a waiting job with the same key is replaced. */
  readonly key: string | number;
  /** Ids and states, never personal data: the queue stores it in plain text. */
  readonly payload: Readonly<Record<string, string | number>>;
}

/** A job that keeps failing gets its last try after some three days. */
const attemptsMax = 25;

/** A batch larger than this gets a lower priority, such as the jobs of an import. */
const fewMax = 20;
/**
 * So many jobs of an organization run at once, in all processes: those of large batches, and the others. However many it has,
 * a worker of each process is left to other organizations, once it has done what it does.
 */
const lanesOfBatches = 2;
const lanesOfOthers = 3;

/**
 * The key is unique in the queue over all organizations, so it contains task and organization. The queue runs jobs with
 * a lower number first, then in the order of arrival.
 */
const addJobs = statement<{
  task: string;
  jobs: string;
  priority: number;
  lanes: number;
  attemptsMax: number;
}>(
  'add_jobs',
  `select count(*) from graphile_worker.add_jobs(array(
     select row(:task::text,
                jsonb_build_object('organizationId', :organizationId::bigint, 'job', j.payload,
                  'traceparent', nullif(current_setting('app.traceparent', true), ''))::json,
                concat('organization ', :organizationId::bigint, ' ', :priority::integer, ' ',
                       abs(hashtext(j.key)) % :lanes::integer),
                null, :attemptsMax::integer,
                concat_ws(':', :task::text, :organizationId::bigint, j.key), :priority::integer, null
            )::graphile_worker.job_spec
       from jsonb_to_recordset(:jobs::jsonb) as j(key text, payload jsonb)))`,
);

/**
 * Runs a task in the background, once per job, after the enclosing transaction has committed. A large batch waits
 * behind single jobs. Keys must be distinct. Returns no statement without jobs.
 */
export function enqueueJobs(task: string, jobs: readonly Job[]): BoundStatement<unknown>[] {
  if (jobs.length === 0) return [];
  const isBatch = jobs.length > fewMax;
  const lanes = isBatch ? lanesOfBatches : lanesOfOthers;
  return [addJobs({ task, jobs: JSON.stringify(jobs), priority: isBatch ? 1 : 0, lanes, attemptsMax })];
}
