import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** Counted since the start; for metrics. */
export interface RestartStatistics {
  /** Times that PostgreSQL was started again after it ended by itself. */
  done: number;
  /** Tries of that which failed. */
  failed: number;
}

/** The server process that is supervised. */
export interface Supervised {
  /** Starts the process. `ready` tells when it takes connections, or why it does not; `said`, what it has said so far. */
  launch(): { readonly child: ChildProcess; readonly ready: Promise<void>; said(): string };
  /** Clears what one that was killed has left behind. */
  clear(): Promise<void>;
  /** Ends it and waits for the end; does nothing with one that has ended. */
  shutDown(child: ChildProcess): Promise<void>;
  /** The same, and this process does nothing else meanwhile. */
  shutDownNow(child: ChildProcess): void;
}

interface Watch {
  /** Told of each end and each try. */
  readonly onTrouble: (message: string) => void;
  /** Told when that is over; by default `onTrouble`. */
  readonly onRecovered?: ((message: string) => void) | undefined;
  /** Told once, when it is not tried any more. */
  readonly onLost: (reason: Error) => void;
  /** Monotonic; by default the process's own. */
  readonly nowMs?: () => number;
  /** By default real time, ended early by the signal. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** What PostgreSQL says while sessions of a killed server still hold its memory, until they notice. */
const passingFailure = /pre-existing shared memory|lock file ".*" already exists/;

/** The operator frees space when he can, and then everything goes on: it is tried for as long as that takes. */
const fullDiskFailure = /No space left on device|Disk quota exceeded|is the disk full\?/;

/** Some twenty seconds of a failure that nobody may ever mend: a damaged directory. */
const triesMax = 10;
/** More than a minute: longer than any statement of a session may run that has not noticed yet. */
const passingTriesMax = 20;
/** Who has stayed up this long did not end for the reason of the time before. */
const steadyMs = 60_000;

/** How long to wait before a try, by how many there were: 0.1, 0.2, 0.4 … at most 5 seconds, of a full disk 2. */
function pauseMs(tries: number, isDiskFull = false): number {
  return tries === 0 ? 0 : Math.min(100 * 2 ** (tries - 1), isDiskFull ? 2_000 : 5_000);
}

function mayTryAgain(error: unknown, tries: number): boolean {
  if (fullDiskFailure.test(String(error))) return true;
  return tries < (passingFailure.test(String(error)) ? passingTriesMax : triesMax);
}

/**
 * Keeps one PostgreSQL running until told to stop. `ready` is the first start, which may fail for good. Should it end by
 * itself later on, it is started again, later and later; `onLost` is called when that has failed too often, or when
 * it has ended as often without staying up for a minute.
 */
export function supervise(server: Supervised, watch: Watch) {
  const { onTrouble, onRecovered = onTrouble, onLost, nowMs = () => performance.now() } = watch;
  const pause = watch.pause ?? ((ms, signal) => delay(ms, undefined, { signal }).catch(() => {}));
  const statistics: RestartStatistics = { done: 0, failed: 0 };
  const stopping = new AbortController();
  const { signal } = stopping;
  let child: ChildProcess | undefined;
  /** Of the one that runs, or ran last. */
  let said = () => '';
  let readySinceMs = 0;
  /** Of starting it again since it last was steady. */
  let tries = 0;
  const endWithUs = () => child?.kill('SIGINT');
  process.on('exit', endWithUs);

  const startOnce = async (): Promise<void> => {
    await server.clear();
    signal.throwIfAborted();
    const launched = server.launch();
    child = launched.child;
    said = launched.said;
    await launched.ready;
    readySinceMs = nowMs();
    child.once('exit', onExit);
  };
  const startFirst = async (): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      try {
        await startOnce();
        return;
      } catch (error) {
        const isPassing = passingFailure.test(String(error));
        if (signal.aborted || !isPassing || !mayTryAgain(error, attempt)) throw error;
        await pause(pauseMs(attempt), signal);
      }
    }
  };
  const startAgain = async (): Promise<void> => {
    const endedAtMs = nowMs();
    let isDiskFull = fullDiskFailure.test(said());
    if (endedAtMs - readySinceMs >= steadyMs) tries = 0;
    if (tries >= triesMax && !isDiskFull) {
      const count = `${tries} times since it last ran for a minute`;
      onLost(new Error(`PostgreSQL ended again and again: ${count}. ${said()}`));
      return;
    }
    onTrouble('PostgreSQL ended unexpectedly; starting it again. Its log says why.');
    while (!signal.aborted) {
      await pause(pauseMs(tries, isDiskFull), signal);
      try {
        signal.throwIfAborted();
        tries += 1;
        await startOnce();
        statistics.done += 1;
        onRecovered(`PostgreSQL is running again, after ${Math.round(nowMs() - endedAtMs)} ms.`);
        return;
      } catch (error) {
        if (signal.aborted) return;
        statistics.failed += 1;
        const { message } = error as Error;
        isDiskFull = fullDiskFailure.test(message);
        if (!mayTryAgain(error, tries)) {
          onLost(new Error(`PostgreSQL cannot be started again, after ${tries} tries. ${message}`));
          return;
        }
        onTrouble(`Try ${tries} of starting PostgreSQL again failed. ${message}`);
      }
    }
  };
  const onExit = (): void => {
    if (!signal.aborted) starting = startAgain();
  };

  const ready = startFirst();
  let starting = ready;
  return {
    ready,
    statistics,
    stop: async (): Promise<void> => {
      stopping.abort();
      process.off('exit', endWithUs);
      if (child) await server.shutDown(child);
      // One that was just being started.
      await starting.catch(() => {});
      if (child) await server.shutDown(child);
    },
    /** For a process that ends right after: stops it in one piece. */
    stopNow: (): void => {
      stopping.abort();
      process.off('exit', endWithUs);
      if (child) server.shutDownNow(child);
    },
  };
}
