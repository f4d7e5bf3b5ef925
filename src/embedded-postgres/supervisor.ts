import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** Counters since the start, for metrics. */
export interface RestartStatistics {
  /** Successful restarts after an unexpected end. */
  done: number;
  /** Failed restarts. */
  failed: number;
}

/** The supervised server process. */
export interface Supervised {
  /**
   * Starts the process. `ready` resolves when it accepts connections, and rejects with the reason why it does not;
   * `said` returns its output so far.
   */
  launch(): { readonly child: ChildProcess; readonly ready: Promise<void>; said(): string };
  /** Clears leftovers of a killed process. */
  clear(): Promise<void>;
  /** Ends it and waits for the end; does nothing if it has ended. */
  shutDown(child: ChildProcess): Promise<void>;
  /** The same, blocking this process. */
  shutDownNow(child: ChildProcess): void;
}

interface Watch {
  /** Called at each unexpected end and each failed restart. */
  readonly onTrouble: (message: string) => void;
  /** Called when it runs again; default: `onTrouble`. */
  readonly onRecovered?: ((message: string) => void) | undefined;
  /** Called once, when restarts are given up. */
  readonly onLost: (reason: Error) => void;
  /** Monotonic; default: the clock of the process. */
  readonly nowMs?: () => number;
  /** Default: real time; the signal ends the pause early. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** PostgreSQL's messages while sessions of a killed server still hold its memory. */
const passingFailure = /pre-existing shared memory|lock file ".*" already exists/;

/** Retried without limit: everything continues once the operator frees space. */
const fullDiskFailure = /No space left on device|Disk quota exceeded|is the disk full\?/;

/** Some twenty seconds for a failure that may be permanent, such as a damaged directory. */
const triesMax = 10;
/** More than a minute: longer than a statement of a session that has not noticed the end may run. */
const passingTriesMax = 20;
/** A server that ran this long did not end for the reason of the time before. */
const steadyMs = 60_000;

/** The pause before a restart, by the number of tries: 0.1, 0.2, 0.4 … at most 5 seconds, 2 for a full disk. */
function pauseMs(tries: number, isDiskFull = false): number {
  return tries === 0 ? 0 : Math.min(100 * 2 ** (tries - 1), isDiskFull ? 2_000 : 5_000);
}

function mayTryAgain(error: unknown, tries: number): boolean {
  if (fullDiskFailure.test(String(error))) return true;
  return tries < (passingFailure.test(String(error)) ? passingTriesMax : triesMax);
}

/**
 * Keeps PostgreSQL running until told to stop. `ready` is the first start, which may fail for good. After an unexpected
 * end it is restarted with growing pauses. `onLost` is called when too many restarts have failed, or it ended as often
 * without running for a minute.
 */
export function supervise(server: Supervised, watch: Watch) {
  const { onTrouble, onRecovered = onTrouble, onLost, nowMs = () => performance.now() } = watch;
  const pause = watch.pause ?? ((ms, signal) => delay(ms, undefined, { signal }).catch(() => {}));
  const statistics: RestartStatistics = { done: 0, failed: 0 };
  const stopping = new AbortController();
  const { signal } = stopping;
  let child: ChildProcess | undefined;
  /** Output of the current or last process. */
  let said = () => '';
  let readySinceMs = 0;
  /** Restarts since it last ran for a minute. */
  let tries = 0;
  const stopOnExit = () => child?.kill('SIGINT');
  process.on('exit', stopOnExit);

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
      onLost(new Error(`PostgreSQL ended repeatedly: ${count}. ${said()}`));
      return;
    }
    onTrouble('PostgreSQL ended unexpectedly and is restarted. The reason is in its log.');
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
          onLost(new Error(`PostgreSQL could not be restarted in ${tries} tries. ${message}`));
          return;
        }
        onTrouble(`Restart ${tries} of PostgreSQL failed. ${message}`);
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
      process.off('exit', stopOnExit);
      if (child) await server.shutDown(child);
      // The process may still be starting.
      await starting.catch(() => {});
      if (child) await server.shutDown(child);
    },
    /** For a process that ends right after: stops it synchronously. */
    stopNow: (): void => {
      stopping.abort();
      process.off('exit', stopOnExit);
      if (child) server.shutDownNow(child);
    },
  };
}
