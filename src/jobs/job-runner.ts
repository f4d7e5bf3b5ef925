import { EventEmitter } from 'node:events';
import type { Runner, TaskList, WorkerEvents } from 'graphile-worker';
import type { BaseLogger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { ConnectionConfig, Database } from '../database/database.ts';
import { type DatabaseDeadlines, servingDeadlines } from '../database/deadlines.ts';
import { type OrganizationId, organizationId } from '../kernel/ids.ts';
import { OrphanedJobs } from './orphaned-jobs.ts';
import { QueueConnections } from './queue-connections.ts';

/** One run of a job. */
export interface JobRun<Payload> {
  /** Whose data it is about: all that it reads and writes goes through transactions of this organization. */
  readonly organization: OrganizationId;
  readonly payload: Payload;
  /** Aborted when the process stops, or when the run takes far too long: end soon, with its reason. */
  readonly signal: AbortSignal;
}

/**
 * Work that is done in the background. `run` may be called again after it succeeded (a process can die in between),
 * so its writes say whether there is still something to do. What it throws has it run again, later and later.
 */
export interface Task<Payload = unknown> {
  /** In snake_case; jobs in the queue carry it, so it is never changed. */
  readonly name: string;
  run(job: JobRun<Payload>): Promise<void>;
}

/** Thrown by a task that expects to succeed later: no fault, and nothing to look into. */
export class TryLater extends Error {
  override name = 'TryLater';
}

export interface RunningJobs {
  /** Ends the runs under way and waits for them. They come again. */
  stop(): Promise<void>;
}

interface Options {
  /** The login that serves, or a role of one. */
  readonly connection: ConnectionConfig;
  readonly database: Pick<Database, 'global' | 'refusesWrites' | 'noteSilence'>;
  readonly tasks: readonly Task<never>[];
  readonly logger: Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>;
  readonly metrics: { readonly registry: Registry };
  /** How often it looks for jobs whose time has come; new ones are announced by the database. By default 3 seconds. */
  readonly pollEveryMs?: number;
  /** By default those of a process that serves. */
  readonly deadlines?: DatabaseDeadlines;
}

/** Runs at once in a process: most of their time they wait for others. */
const concurrency = 4;
/** One connection listens, each run needs one to begin and end; twice, while a runner takes the place of another. */
const poolSizeMax = concurrency + 2;
const runMsMax = 4 * 60_000;
const restartAfterMs = 2_000;
const pollEveryMs = 3_000;

/**
 * Runs the jobs of all organizations until it is stopped. Does not wait for the database: what goes wrong is logged,
 * and tried again.
 */
export function startJobs(options: Options): RunningJobs {
  const { logger, database } = options;
  const stopping = new AbortController();
  const outcomes = new Counter({
    name: 'jobs_total',
    help: 'Runs of background jobs, by task and outcome.',
    labelNames: ['task', 'outcome'],
    registers: [options.metrics.registry],
  });
  const connections = new QueueConnections(
    options.connection,
    options.deadlines ?? servingDeadlines,
    poolSizeMax,
    database,
  );
  const tasks: TaskList = Object.fromEntries(
    options.tasks.map((task) => [task.name, runOf(task, logger, outcomes, stopping.signal)]),
  );
  const orphaned = new OrphanedJobs({
    database,
    onTrouble: (error) => logger.warn({ err: error }, 'jobs of ended processes could not be freed'),
  });
  /** The last one works; those before it only end their runs. */
  const runners = new Set<Runner>();

  async function keepRunning(): Promise<void> {
    const { Logger, run } = await import('graphile-worker');
    let isTold = false;
    while (!stopping.signal.aborted) {
      try {
        const events: WorkerEvents = new EventEmitter();
        connections.watch(events);
        orphaned.watch(events);
        const runner = await run({
          pgPool: connections.pool,
          taskList: tasks,
          events,
          concurrency,
          pollInterval: options.pollEveryMs ?? pollEveryMs,
          // A crontab file is looked for otherwise.
          parsedCronItems: [],
          noHandleSignals: true,
          logger: new Logger(() => (level, message, meta) => {
            // How runs end is logged by `runOf`, which knows what may be said.
            if (meta?.job === undefined && (level === 'error' || level === 'warning'))
              logger.warn({}, message);
          }),
        });
        isTold = false;
        runners.add(runner);
        const ended = runner.promise.finally(() => runners.delete(runner));
        if (stopping.signal.aborted) await runner.stop();
        await Promise.race([ended, losesWorker(events)]);
        // Its other workers end what they run; the next runner does not wait for them.
        runner.stop().catch(() => {});
        ended.catch(() => {});
      } catch (error) {
        if (!isTold) logger.error({ err: error }, 'jobs are not run, and will be tried again');
        isTold = true;
      }
      await pause(restartAfterMs, stopping.signal);
    }
  }

  const running = keepRunning();
  return {
    stop: async () => {
      orphaned.stop();
      stopping.abort(new TryLater('the process stops'));
      // One that has ended by itself refuses to be stopped.
      await Promise.all(
        [...runners].map(async (runner) => {
          await runner.stop().catch(() => {});
          await runner.promise.catch(() => {});
        }),
      );
      await running;
      await connections.pool.end();
    },
  };
}

/** A worker that cannot say how its job has ended ends itself, and is not replaced. */
function losesWorker(events: WorkerEvents): Promise<void> {
  return new Promise((resolve) => events.once('worker:fatalError', () => resolve()));
}

/** What the queue calls. */
function runOf(
  task: Task<never>,
  logger: Options['logger'],
  outcomes: Counter<'task' | 'outcome'>,
  stopping: AbortSignal,
): (given: unknown) => Promise<void> {
  return async (given) => {
    const { organizationId: id, job } = given as { readonly organizationId: number; readonly job: never };
    const organization = organizationId(id);
    const about = { task: task.name, organizationId: organization };
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(runMsMax)]);
    try {
      await task.run({ organization, payload: job, signal });
      outcomes.inc({ task: task.name, outcome: 'done' });
      logger.debug(about, 'job done');
    } catch (error) {
      const isExpected = error instanceof TryLater;
      outcomes.inc({ task: task.name, outcome: isExpected ? 'postponed' : 'failed' });
      if (isExpected) logger.info({ ...about, reason: error.message }, 'job postponed');
      else logger.error({ ...about, err: error }, 'job failed');
      throw error;
    }
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
