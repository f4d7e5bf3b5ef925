import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { supervise } from './supervisor.ts';

const supervisors: ReturnType<typeof supervise>[] = [];
afterEach(async () => {
  for (const supervisor of supervisors.splice(0)) await supervisor.stop();
});

/** A server with scripted starts: `up`, or the error of the start. Further starts succeed. */
function supervised(...starts: string[]) {
  const children: ChildProcess[] = [];
  const said: string[] = [];
  const recovered: string[] = [];
  const lost: string[] = [];
  const pauses: number[] = [];
  let nowMs = 0;
  let onPause: () => void = () => {};
  const server = {
    clear: async () => {},
    launch: () => {
      const child = new EventEmitter() as ChildProcess;
      children.push(child);
      const outcome = starts.shift() ?? 'up';
      const ready = outcome === 'up' ? Promise.resolve() : Promise.reject(new Error(outcome));
      return { child, ready, said: () => `number ${children.length} said so` };
    },
    shutDown: async (child: ChildProcess) => void child.emit('exit'),
    shutDownNow: (child: ChildProcess) => void child.emit('exit'),
  };
  const supervisor = supervise(server, {
    onTrouble: (message) => said.push(message),
    onRecovered: (message) => recovered.push(message),
    onLost: ({ message }) => lost.push(message),
    nowMs: () => nowMs,
    pause: async (ms) => {
      pauses.push(ms);
      nowMs += ms;
      onPause();
    },
  });
  supervisors.push(supervisor);
  return {
    supervisor,
    said,
    recovered,
    lost,
    pauses,
    children,
    /** Simulates an unexpected end. */
    die: () => children.at(-1)!.emit('exit'),
    /** Resolves when nothing is pending. */
    settled: async () => {
      for (let turn = 0; turn < 500; turn++) await Promise.resolve();
    },
    pass: (ms: number) => {
      nowMs += ms;
    },
    whenPausing: (work: () => void) => {
      onPause = work;
    },
  };
}

test.each([
  ['full', 'could not write to file "pg_wal/xlogtemp.7": No space left on device'],
  ['read-only', 'could not create lock file "postmaster.pid": Read-only file system'],
  ['read-only for the program', "EROFS: read-only file system, open 'postgres.log'"],
])('a disk that is %s is retried without end, at most two seconds apart', async (_, full) => {
  const it = supervised('up', ...Array.from({ length: 40 }, () => full), 'up');
  await it.supervisor.ready;
  it.die();
  await it.settled();
  expect(it.supervisor.statistics).toEqual({ done: 1, failed: 40 });
  expect(Math.max(...it.pauses)).toBe(2_000);
  expect(it.lost).toEqual([]);
});

test('a server that ends unexpectedly is restarted at once, then with growing pauses, and reported', async () => {
  const it = supervised('up', 'no room', 'no room', 'no room', 'up');
  await it.supervisor.ready;
  it.die();
  await it.settled();
  expect(it.pauses).toEqual([0, 100, 200, 400]);
  expect(it.supervisor.statistics).toEqual({ done: 1, failed: 3 });
  expect(it.said).toEqual([
    'PostgreSQL ended unexpectedly and is restarted. The reason is in its log.',
    ...[1, 2, 3].map((at) => `Restart ${at} of PostgreSQL failed. no room`),
  ]);
  expect(it.recovered).toEqual(['PostgreSQL is running again, after 700 ms.']);
  expect(it.lost).toEqual([]);
});

test('a failing restart is given up after ten tries, with its last reason', async () => {
  const it = supervised('up', ...Array(30).fill('no room'));
  await it.supervisor.ready;
  it.die();
  await it.settled();
  expect(it.pauses).toEqual([0, 100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
  expect(it.lost).toEqual(['PostgreSQL could not be restarted in 10 tries. no room']);
  expect(it.supervisor.statistics).toEqual({ done: 0, failed: 10 });
});

test('lingering sessions of a killed server are waited for longer than a statement may run', async () => {
  const lingering = Array(19).fill('FATAL: pre-existing shared memory block is still in use');
  const it = supervised('up', ...lingering, 'up');
  await it.supervisor.ready;
  it.die();
  await it.settled();
  expect(it.pauses.reduce((sum, ms) => sum + ms)).toBeGreaterThan(30_000);
  expect(it.supervisor.statistics).toEqual({ done: 1, failed: 19 });
  expect(it.lost).toEqual([]);
});

test('a server that ends repeatedly is given up, one that ends rarely is not', async () => {
  const now = supervised();
  const often = supervised();
  for (const { supervisor } of [now, often]) await supervisor.ready;
  for (let count = 0; count < 11; count++) {
    often.die();
    await often.settled();
    now.pass(60_000);
    now.die();
    await now.settled();
  }
  // With the output of the last process: the reason why it ended.
  expect(often.lost).toEqual([
    'PostgreSQL ended repeatedly: 10 times since it last ran for a minute. number 11 said so',
  ]);
  expect(now.lost).toEqual([]);
  expect(now.pauses).toEqual(Array(11).fill(0));
});

test('a first start is retried after temporary failures only', async () => {
  const passing = supervised('lock file "postmaster.pid" already exists', 'up');
  await passing.supervisor.ready;
  expect(passing.children).toHaveLength(2);
  await expect(supervised('no room').supervisor.ready).rejects.toThrow('no room');
});

test('after stop during a restart, nothing is started or reported', async () => {
  const it = supervised('up', 'no room', 'no room');
  await it.supervisor.ready;
  let stopped: Promise<void> | undefined;
  it.whenPausing(() => {
    if (it.pauses.length === 3) stopped = it.supervisor.stop();
  });
  it.die();
  await it.settled();
  await stopped;
  expect(it.children).toHaveLength(3);
  expect(it.lost).toEqual([]);
});

test('after stop while it is up, it stays down', async () => {
  const it = supervised();
  await it.supervisor.ready;
  await it.supervisor.stop();
  await it.settled();
  expect([it.children.length, it.said]).toEqual([1, []]);
});
