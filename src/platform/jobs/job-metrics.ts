import { Counter, Gauge, type Registry } from 'prom-client';
import type { Database } from '../database/database.ts';
import { statement } from '../statements/statement.ts';

/** Jobs that could run now and are not running, of all organizations. */
export const selectWaitingJobs = statement<
  Record<never, never>,
  { task: string; waiting: number; seconds: number }
>(
  'select_waiting_jobs',
  `select task_identifier as task, count(*)::int as waiting,
          extract(epoch from now() - min(run_at))::float8 as seconds
     from graphile_worker.jobs
    where run_at <= now() and locked_at is null and attempts < max_attempts
    group by task_identifier order by task_identifier`,
);

type RowsOfWaiting = readonly { readonly task: string; readonly waiting: number; readonly seconds: number }[];

/** Metrics of background jobs: runs, and what waits. Resolves the waiting ones when they are asked for. */
export function registerJobMetrics(
  registry: Registry,
  database: Pick<Database, 'global'>,
): Counter<'task' | 'outcome'> {
  // One look for both, by the one that is asked first. While the database is away, the other metrics are still told.
  let looked: Promise<RowsOfWaiting> = Promise.resolve([]);
  new Gauge({
    name: 'jobs_oldest_waiting_seconds',
    help: 'How long the oldest job that could run has waited, by task.',
    labelNames: ['task'],
    registers: [registry],
    async collect() {
      looked = database.global(selectWaitingJobs({})).catch(() => []);
      const rows = await looked;
      this.reset();
      for (const { task, seconds } of rows) this.set({ task }, seconds);
    },
  });
  new Gauge({
    name: 'jobs_waiting',
    help: 'Background jobs that could run and wait, by task.',
    labelNames: ['task'],
    registers: [registry],
    async collect() {
      const rows = await looked;
      this.reset();
      for (const { task, waiting } of rows) this.set({ task }, waiting);
    },
  });
  return new Counter({
    name: 'jobs_total',
    help: 'Runs of background jobs, by task and outcome.',
    labelNames: ['task', 'outcome'],
    registers: [registry],
  });
}
