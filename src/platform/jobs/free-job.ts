import type { OrganizationId } from '../../kernel/ids.ts';
import type { Database } from '../database/database.ts';
import { statement } from '../statements/statement.ts';

const unlockJob = statement<{ job: string }>(
  'free_job_of_the_dead',
  `select graphile_worker.force_unlock_workers(array(
     select distinct locked_by from graphile_worker.jobs where key = :job and locked_by is not null))`,
);

/** Frees a job whose process is known to be dead, and its lane; otherwise both wait until the queue notices. */
export async function freeJob(
  database: Pick<Database, 'global'>,
  task: string,
  organization: OrganizationId,
  key: string | number,
): Promise<void> {
  await database.global(unlockJob({ job: `${task}:${organization}:${key}` }));
}
