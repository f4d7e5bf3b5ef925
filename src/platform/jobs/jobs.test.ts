import { Registry } from 'prom-client';
import { afterAll, afterEach, expect, inject, test } from 'vitest';
import { execute } from '../../../test/harness/test-connection.ts';
import { createTestDatabase } from '../../../test/harness/test-database.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { createContext } from '../../app/app.ts';
import { createLogger } from '../http/logging.ts';
import { enqueueJobs } from './enqueue-jobs.ts';
import { registerJobMetrics } from './job-metrics.ts';
import { type JobRun, type RunningJobs, startJobs, type Task, TryLater } from './job-runner.ts';

const database = await createTestDatabase();
const context = createContext(database.serving);
const witness = await openWitness(database);
const [shop, other] = [await createTestShop(context), await createTestShop(context)];
const started: RunningJobs[] = [];

afterEach(async () => {
  for (const jobs of started.splice(0)) await jobs.stop();
});
afterAll(async () => {
  await witness.end();
  await context.database.close();
  await database.drop();
});

type Run = JobRun<{ readonly number: number }>;

function start(...tasks: Task<never>[]) {
  return startOn(context.database, ...tasks);
}

function startOn(serving: Parameters<typeof startJobs>[0]['database'], ...tasks: Task<never>[]) {
  const registry = new Registry();
  const lines: string[] = [];
  const jobs = startJobs({
    connection: database.serving,
    database: serving,
    tasks,
    logger: createLogger({ level: 'info', destination: { write: (line: string) => lines.push(line) } }),
    metrics: { registry },
    pollEveryMs: 20,
  });
  started.push(jobs);
  return { jobs, registry, lines };
}

function taskThat(name: string, run: (job: Run) => Promise<void>) {
  return { name, run } as Task<never>;
}

function enqueue(name: string, numbers: readonly number[], { organizationId } = shop) {
  return context.database.write(organizationId, async (tx) => {
    tx.queue(
      ...enqueueJobs(
        name,
        numbers.map((number) => ({ key: number, payload: { number } })),
      ),
    );
  });
}

const waiting = async () =>
  (await witness.query('select key, attempts, locked_at from graphile_worker.jobs'))!;

/** Resolves after the given number of calls; `calls` are their arguments. */
function counted<Argument>(count: number) {
  const calls: Argument[] = [];
  let reached: () => void;
  const all = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const call = (argument: Argument): void => {
    if (calls.push(argument) === count) reached();
  };
  return { calls, all, call };
}

test('a job runs once, in the organization of the write that enqueued it', async () => {
  const runs = counted<Run>(3);
  start(taskThat('count_once', async (job) => runs.call(job)));
  await enqueue('count_once', [1, 2]);
  await enqueue('count_once', [1], other);
  await runs.all;
  const seen = runs.calls.map(({ organization, payload }) => [organization, payload.number]);
  expect(seen.sort()).toEqual(
    [
      [shop.organizationId, 1],
      [shop.organizationId, 2],
      [other.organizationId, 1],
    ].sort(),
  );
  await started.pop()!.stop();
  expect(await waiting()).toEqual([]);
});

test('a write that does not commit leaves no job', async () => {
  const before = await waiting();
  const failing = context.database.write(shop.organizationId, async (tx) => {
    await tx.run(...enqueueJobs('count_once', [{ key: 9, payload: { number: 9 } }]));
    throw new Error('the rest of the write fails');
  });
  await expect(failing).rejects.toThrow('the rest of the write fails');
  expect(await waiting()).toEqual(before);
});

test('a job that is enqueued again before it ran, runs once, with the last payload', async () => {
  await enqueue('replace', [4]);
  await enqueue('replace', [4]);
  expect(await waiting()).toHaveLength(1);
  const runs = counted<Run>(1);
  start(taskThat('replace', async (job) => runs.call(job)));
  await runs.all;
  await started.pop()!.stop();
  expect(await waiting()).toEqual([]);
});

test('a failed job runs again later, and only an unexpected error is logged as a fault', async () => {
  const runs = counted<Run>(4);
  const { lines, registry } = start(
    taskThat('fail_first', async (job) => {
      runs.call(job);
      const earlier = runs.calls.filter(({ payload }) => payload.number === job.payload.number);
      if (earlier.length > 1) return;
      throw job.payload.number === 1 ? new TryLater('the other side is asleep') : new TypeError('a bug');
    }),
  );
  await enqueue('fail_first', [1, 2]);
  // The retries are seconds away: the queue's time is moved ahead.
  while (runs.calls.length < 4) {
    await witness.query(
      'update graphile_worker._private_jobs set run_at = now() where run_at > now() and locked_at is null',
    );
    await new Promise(setImmediate);
  }
  await started.pop()!.stop();
  expect(await waiting()).toEqual([]);
  const said = lines.map((line) => JSON.parse(line)).filter(({ task }) => task === 'fail_first');
  expect(said.map(({ level, msg }) => [level, msg]).sort()).toEqual([
    ['error', 'job failed'],
    ['info', 'job postponed'],
  ]);
  const metrics = await registry.metrics();
  for (const [outcome, count] of [
    ['done', 2],
    ['postponed', 1],
    ['failed', 1],
  ]) {
    expect(metrics).toContain(`jobs_total{task="fail_first",outcome="${outcome}"} ${count}`);
  }
});

test('only one of several processes runs a job', async () => {
  const numbers = Array.from({ length: 40 }, (_, number) => number);
  const runs = counted<Run>(numbers.length);
  for (let count = 0; count < 3; count++) start(taskThat('share', async (job) => runs.call(job)));
  await Promise.all(numbers.map((number) => enqueue('share', [number])));
  await runs.all;
  for (const jobs of started.splice(0)) await jobs.stop();
  expect(runs.calls.map(({ payload }) => payload.number).sort((a, b) => a - b)).toEqual(numbers);
  expect(await waiting()).toEqual([]);
});

test('a single job does not wait behind a batch of a hundred', async () => {
  const many = Array.from({ length: 100 }, (_, number) => number);
  await enqueue('take_turns', many);
  await enqueue('take_turns', [1000], other);
  const runs = counted<Run>(many.length + 1);
  start(taskThat('take_turns', async (job) => runs.call(job)));
  await runs.all;
  // Four start at once.
  const first = runs.calls.slice(0, 4).map(({ payload }) => payload.number);
  expect(first).toContain(1000);
});

test('stopping ends the current runs, and they run again', async () => {
  const begun = counted<Run>(1);
  const task = taskThat(
    'wait_for_the_end',
    (job) =>
      new Promise((_, reject) => {
        job.signal.addEventListener('abort', () => reject(job.signal.reason));
        begun.call(job);
      }),
  );
  start(task);
  await enqueue('wait_for_the_end', [1]);
  await begun.all;
  await started.pop()!.stop();
  expect(await waiting()).toEqual([expect.objectContaining({ attempts: 1, locked_at: null })]);
  await witness.query('delete from graphile_worker._private_jobs');
});

test('another process restarts the jobs of a killed one', async () => {
  await enqueue('left_behind', [1]);
  await witness.query(
    `update graphile_worker._private_jobs
        set locked_by = 'worker-of-the-dead', locked_at = now() - interval '11 minutes', attempts = 1`,
  );
  const runs = counted<Run>(1);
  start(taskThat('left_behind', async (job) => runs.call(job)));
  await runs.all;
});

test('jobs continue after the database has ended every connection', async () => {
  const runs = counted<Run>(2);
  start(taskThat('go_on', async (job) => runs.call(job)));
  await enqueue('go_on', [1]);
  while (runs.calls.length < 1) await new Promise(setImmediate);
  const [row] = await witness.query('select current_database() as name');
  await execute(
    inject('server').admin,
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${row.name}' and application_name = 'dispensary-commerce jobs'`,
  );
  await enqueue('go_on', [2]);
  await runs.all;
});

test('jobs run when the database was silent at the first look for one', async () => {
  const runs = counted<Run>(1);
  let connections = 0;
  const silentFirst = {
    global: context.database.global.bind(context.database),
    noteSilence: () => {},
    // The first ones check the schema of the queue, read the timetable and listen; the fourth one looks the tasks up.
    get refusesWrites() {
      connections += 1;
      return connections === 4;
    },
  };
  startOn(
    silentFirst,
    taskThat('begin_late', async (job) => runs.call(job)),
  );
  await enqueue('begin_late', [1]);
  await runs.all;
});

test.each([
  { what: 'large batches', task: 'share_batches', size: 30, most: 2 },
  { what: 'single jobs', task: 'share_singles', size: 1, most: 3 },
])(
  '$what of one organization leave workers to others, however early they came',
  async ({ task, size, most }) => {
    const begun: number[] = [];
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const numbers = Array.from({ length: 30 }, (_, at) => at);
    for (let from = 0; from < numbers.length; from += size)
      await enqueue(task, numbers.slice(from, from + size));
    await enqueue(task, numbers.slice(0, size), other);
    start(
      taskThat(task, async ({ organization }) => {
        begun.push(organization);
        await gate;
      }),
    );
    await expect.poll(() => begun.length).toBe(4);
    expect(begun.filter((organization) => organization === shop.organizationId)).toHaveLength(most);
    open();
    await expect.poll(() => begun.length, { timeout: 30_000 }).toBe(30 + size);
  },
);

test('what waits is measured: how many, and how long the oldest has', async () => {
  const registry = new Registry();
  registerJobMetrics(registry, context.database);
  await enqueue('without_runner', [1, 2]);
  const metrics = await registry.metrics();
  expect(metrics).toContain('jobs_waiting{task="without_runner"} 2');
  expect(metrics).toMatch(/jobs_oldest_waiting_seconds\{task="without_runner"\} \d/);
  const mine = `select id from graphile_worker._private_tasks where identifier = 'without_runner'`;
  await witness.query(`delete from graphile_worker._private_jobs where task_id = (${mine})`);
});
