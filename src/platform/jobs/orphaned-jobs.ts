import type { Worker, WorkerEvents } from 'graphile-worker';
import type { Database } from '../database/database.ts';
import { statement } from '../statements/statement.ts';

/** A killed process leaves its jobs locked. No run takes half this long. */
const unlockJobsOfDeadProcesses = statement<Record<never, never>>(
  'free_jobs_of_the_dead',
  `select graphile_worker.force_unlock_workers(array(
     select distinct locked_by from graphile_worker.jobs
      where locked_at < now() - interval '10 minutes' and locked_by is not null))`,
);

/** Jobs of workers that run nothing; the age excludes jobs that are being assigned. */
const unlockJobsOfIdleWorkers = statement<{ workerIds: readonly string[] }>(
  'free_jobs_of_idle',
  `select graphile_worker.force_unlock_workers(array(
     select distinct locked_by from graphile_worker.jobs
      where locked_by = any(:workerIds::text[]) and locked_at < now() - interval '2 seconds'))`,
);

const freeIdleEveryMs = 2_000;
const freeDeadEveryMs = 60_000;
/** A statement sent to a silent server may run later, and lock a job that no worker gets. */
const suspectMs = 15_000;

interface Options {
  readonly database: Pick<Database, 'global'>;
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Unlocks jobs that no worker runs: of processes that have died, and of workers of this process that lost the database
 * while they took or returned a job.
 */
export class OrphanedJobs {
  readonly #options: Options;
  /** Workers that may have left a job locked, with the end of the suspicion. */
  readonly #suspects = new Map<Worker, number>();
  readonly #timers: readonly NodeJS.Timeout[];

  constructor(options: Options) {
    this.#options = options;
    this.#timers = [
      setInterval(() => void this.#freeDead(), freeDeadEveryMs),
      setInterval(() => void this.#freeIdle(), freeIdleEveryMs),
    ];
    void this.#freeDead();
  }

  /** Call before the workers of a runner start. */
  watch(events: WorkerEvents): void {
    const suspect = ({ worker }: { readonly worker: Worker }) => {
      this.#suspects.set(worker, performance.now() + suspectMs);
    };
    events.on('worker:getJob:error', suspect);
    events.on('worker:fatalError', suspect);
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  async #freeDead(): Promise<void> {
    try {
      await this.#options.database.global(unlockJobsOfDeadProcesses({}));
    } catch (error) {
      this.#options.onTrouble(error);
    }
  }

  async #freeIdle(): Promise<void> {
    const suspects = [...this.#suspects].filter(([worker]) => worker.getActiveJob() === null);
    if (suspects.length === 0) return;
    const nowMs = performance.now();
    try {
      await this.#options.database.global(
        unlockJobsOfIdleWorkers({ workerIds: suspects.map(([{ workerId }]) => workerId) }),
      );
    } catch {
      // They stay suspects until the database answers.
      for (const [worker] of suspects) this.#suspects.set(worker, nowMs + suspectMs);
      return;
    }
    for (const [worker, untilMs] of suspects) if (untilMs <= nowMs) this.#suspects.delete(worker);
  }
}
