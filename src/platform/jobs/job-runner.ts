import { EventEmitter } from 'node:events';
import type { LogFunctionFactory, Runner, TaskList, WorkerEvents } from 'graphile-worker';
import type { BaseLogger } from 'pino';
import type { Counter, Registry } from 'prom-client';
import { type OrganizationId, organizationId } from '../../kernel/ids.ts';
import { traced } from '../../kernel/tracing.ts';
import { type DatabaseDeadlines, servingDeadlines } from '../connections/deadlines.ts';
import type { ConnectionConfig, Database } from '../database/database.ts';
import { registerJobMetrics } from './job-metrics.ts';
import { OrphanedJobs } from './orphaned-jobs.ts';
import { QueueConnections } from './queue-connections.ts';

/** One run of a job. */
export interface JobRun<Payload> {
  /** All reads and writes of the run use transactions of this organization. */
  readonly organization: OrganizationId;
  readonly payload: Payload;
  /** Aborted when the process stops or the run takes far too long: end soon, with its reason. */
  readonly signal: AbortSignal;
}

/**
 * A background task. `run` may be called again after it succeeded (the process can die in between), so its writes must
 * check whether there is still work to do. After an error it runs again, with growing pauses.
 */
export interface Task<Payload = unknown> {
  /** In snake_case; stored with the jobs in the queue, so it must never change. */
  readonly name: string;
  run(job: JobRun<Payload>): Promise<void>;
}

/** Thrown by a task that expects to succeed later; not logged as an error. */
export class TryLater extends Error {
  override name = 'TryLater';
}

export interface RunningJobs {
  /** Ends the current runs and waits for them. They run again later. */
  stop(): Promise<void>;
}

interface Options {
  /** The serving login, or a role of it. */
  readonly connection: ConnectionConfig;
  readonly database: Pick<Database, 'global' | 'refusesWrites' | 'noteSilence'>;
  readonly tasks: readonly Task<never>[];
  readonly logger: Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>;
  readonly metrics: { readonly registry: Registry };
  /** How often it checks for due jobs; the database announces new ones. Default: 3 seconds. */
  readonly pollEveryMs?: number;
  /** Default: those of a serving process. */
  readonly deadlines?: DatabaseDeadlines;
}

/** Concurrent runs per process: they mostly wait for other systems. */
const concurrency = 4;
/** One connection listens, each run needs one to begin and end; twice while one runner replaces another. */
const poolSizeMax = concurrency + 2;
const runMsMax = 4 * 60_000;
const restartAfterMs = 2_000;
const pollEveryMs = 3_000;

/**
 * Runs the jobs of all organizations until it is stopped. Does not wait for the database: errors are logged, and the
 * start is repeated.
 */
export function startJobs(options: Options): RunningJobs {
  const { logger, database } = options;
  const stopping = new AbortController();
  const outcomes = registerJobMetrics(options.metrics.registry, database);
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
    onTrouble: (error) => logger.warn({ err: error }, 'jobs of ended processes could not be unlocked'),
  });
  /** The last runner takes jobs; earlier ones only finish their runs. */
  const runners = new Set<Runner>();

  async function keepRunning(): Promise<void> {
    const { Logger, run } = await import('graphile-worker');
    let isReported = false;
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
          // Prevents the look-up of a crontab file.
          parsedCronItems: [],
          noHandleSignals: true,
          logger: new Logger(warningsTo(logger)),
        });
        isReported = false;
        runners.add(runner);
        const ended = runner.promise.finally(() => runners.delete(runner));
        if (stopping.signal.aborted) await runner.stop();
        await Promise.race([ended, workerLost(events), neverAsked(events)]);
        // Its other workers finish their runs; the next runner does not wait for them.
        runner.stop().catch(() => {});
        ended.catch(() => {});
      } catch (error) {
        if (!isReported) logger.error({ err: error }, 'jobs cannot run; retrying');
        isReported = true;
      }
      await pause(restartAfterMs, stopping.signal);
    }
  }

  const running = keepRunning();
  return {
    stop: async () => {
      orphaned.stop();
      stopping.abort(new TryLater('the process is stopping'));
      // A runner that has ended cannot be stopped again.
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

/** Passes on the runner's own warnings. `runOf` logs the outcome of runs, because it knows what may be logged. */
function warningsTo(logger: Options['logger']): LogFunctionFactory {
  return () => (level, message, meta) => {
    if (meta?.job === undefined && (level === 'error' || level === 'warning')) logger.warn({}, message);
  };
}

/** A worker that cannot report the end of its job ends itself and is not replaced. */
function workerLost(events: WorkerEvents): Promise<void> {
  return new Promise((resolve) => events.once('worker:fatalError', () => resolve()));
}

/**
 * The first question for a job also looks the tasks up, and a runner repeats that look-up only as it went the first time: if
 * it failed, the runner never takes a job.
 */
function neverAsked(events: WorkerEvents): Promise<void> {
  return new Promise((resolve) => {
    const failed = () => resolve();
    const hasAsked = () => events.off('worker:getJob:error', failed);
    events.once('worker:getJob:error', failed);
    events.once('worker:getJob:empty', hasAsked).once('job:start', hasAsked);
  });
}

/** What the queue keeps of a job. */
interface GivenJob {
  readonly organizationId: number;
  readonly job: never;
  /** The trace of the write that asked for it. */
  readonly traceparent: string | null;
}

/** The function that the queue calls for a task. */
function runOf(
  task: Task<never>,
  logger: Options['logger'],
  outcomes: Counter<'task' | 'outcome'>,
  stopping: AbortSignal,
): (given: unknown) => Promise<void> {
  return async (given) => {
    const { organizationId: id, job, traceparent } = given as GivenJob;
    const organization = organizationId(id);
    const about = { task: task.name, organizationId: organization };
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(runMsMax)]);
    try {
      const about = { 'dispensary.organization_id': id };
      const span = {
        name: `job ${task.name}`,
        kind: 'consumer',
        attributes: about,
        parent: traceparent,
      } as const;
      await traced(span, () => task.run({ organization, payload: job, signal }));
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
