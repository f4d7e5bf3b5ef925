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
interface Supervised {
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

/** Retried without limit: everything continues once the operator frees space, or has mended a disk that turned read-only. */
const fullDiskFailure =
  /No space left on device|Disk quota exceeded|is the disk full\?|read-only file system/i;

/** Some twenty seconds for a failure that may be permanent, such as a damaged directory. */
const triesMax = 10;
/** More than a minute: longer than a statement of a session that has not noticed the end may run. */
const passingTriesMax = 20;
/** A server that ran this long did not end for the reason of the time before. */
const steadyMs = 60_000;

/** The pause before a restart, by the number of tries: 0.1, 0.2, 0.4 … at most 5 seconds, 2 for a disk that takes nothing. */
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
export function supervise(server: Supervised, watch: Watch): Supervisor {
  return new Supervisor(server, watch);
}

class Supervisor {
  readonly ready: Promise<void>;
  readonly statistics: RestartStatistics = { done: 0, failed: 0 };
  readonly #server: Supervised;
  readonly #watch: Watch;
  readonly #nowMs: () => number;
  readonly #stopping = new AbortController();
  #starting: Promise<void>;
  #child: ChildProcess | undefined;
  /** Output of the current or last process. */
  #said = () => '';
  #readySinceMs = 0;
  /** Restarts since it last ran for a minute. */
  #tries = 0;

  constructor(server: Supervised, watch: Watch) {
    this.#server = server;
    this.#watch = watch;
    this.#nowMs = watch.nowMs ?? (() => performance.now());
    process.on('exit', this.#stopOnExit);
    this.ready = this.#startFirst();
    this.#starting = this.ready;
  }

  async stop(): Promise<void> {
    this.#endWatch();
    if (this.#child) await this.#server.shutDown(this.#child);
    // The process may still be starting.
    await this.#starting.catch(() => {});
    if (this.#child) await this.#server.shutDown(this.#child);
  }

  /** For a process that ends right after: stops it synchronously. */
  stopNow(): void {
    this.#endWatch();
    if (this.#child) this.#server.shutDownNow(this.#child);
  }

  #stopOnExit = () => this.#child?.kill('SIGINT');

  #endWatch(): void {
    this.#stopping.abort();
    process.off('exit', this.#stopOnExit);
  }

  #pause(ms: number): Promise<unknown> {
    const { signal } = this.#stopping;
    return this.#watch.pause
      ? this.#watch.pause(ms, signal)
      : delay(ms, undefined, { signal }).catch(() => {});
  }

  async #startOnce(): Promise<void> {
    await this.#server.clear();
    this.#stopping.signal.throwIfAborted();
    const { child, said, ready } = this.#server.launch();
    this.#child = child;
    this.#said = said;
    await ready;
    this.#readySinceMs = this.#nowMs();
    child.once('exit', () => {
      if (!this.#stopping.signal.aborted) this.#starting = this.#startAgain();
    });
  }

  async #startFirst(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#startOnce();
        return;
      } catch (error) {
        const isPassing = passingFailure.test(String(error));
        if (this.#stopping.signal.aborted || !isPassing || !mayTryAgain(error, attempt)) throw error;
        await this.#pause(pauseMs(attempt));
      }
    }
  }

  async #startAgain(): Promise<void> {
    const { onTrouble, onRecovered = onTrouble, onLost } = this.#watch;
    const { signal } = this.#stopping;
    const endedAtMs = this.#nowMs();
    let isDiskFull = fullDiskFailure.test(this.#said());
    if (endedAtMs - this.#readySinceMs >= steadyMs) this.#tries = 0;
    if (this.#tries >= triesMax && !isDiskFull) {
      const count = `${this.#tries} times since it last ran for a minute`;
      onLost(new Error(`PostgreSQL ended repeatedly: ${count}. ${this.#said()}`));
      return;
    }
    onTrouble('PostgreSQL ended unexpectedly and is restarted. The reason is in its log.');
    while (!signal.aborted) {
      await this.#pause(pauseMs(this.#tries, isDiskFull));
      try {
        signal.throwIfAborted();
        this.#tries += 1;
        await this.#startOnce();
        this.statistics.done += 1;
        onRecovered(`PostgreSQL is running again, after ${Math.round(this.#nowMs() - endedAtMs)} ms.`);
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.statistics.failed += 1;
        const { message } = error as Error;
        isDiskFull = fullDiskFailure.test(message);
        if (!mayTryAgain(error, this.#tries)) {
          onLost(new Error(`PostgreSQL could not be restarted in ${this.#tries} tries. ${message}`));
          return;
        }
        onTrouble(`Restart ${this.#tries} of PostgreSQL failed. ${message}`);
      }
    }
  }
}
