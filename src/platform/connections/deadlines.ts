/**
 * How long the database may take. After these times the connection is destroyed and the caller gets 503. The server's
 * own timeouts are shorter, so a live server reports first.
 */
export interface DatabaseDeadlines {
  /** Waiting for a free or a new connection. */
  readonly connectMs: number;
  /** One round trip, from sending to the complete answer. */
  readonly roundTripMs: number;
  /** A round trip whose statements have no bound on their rows: reports, imports, purges. */
  readonly longRoundTripMs: number;
}

/**
 * For processes that serve requests. A caller is answered within connectMs + roundTripMs after the database goes
 * silent; dead connections are replaced within 5 seconds.
 */
export const servingDeadlines: DatabaseDeadlines = {
  connectMs: 3_000,
  roundTripMs: 3_000,
  longRoundTripMs: 35_000,
};

/** For commands, seeds and exports: no customer waits for them. */
export const patientDeadlines: DatabaseDeadlines = {
  connectMs: 10_000,
  roundTripMs: 35_000,
  longRoundTripMs: 35_000,
};

/** The server's timeouts for a session with these deadlines, as startup options. */
export function serverTimeouts({ roundTripMs }: Pick<DatabaseDeadlines, 'roundTripMs'>): string {
  return [
    `-c statement_timeout=${statementTimeoutMs(roundTripMs)}`,
    `-c lock_timeout=${Math.min(10_000, Math.ceil(roundTripMs * 0.75))}`,
    // A dead connection must not hold its locks longer than its caller waits.
    `-c idle_in_transaction_session_timeout=${Math.min(30_000, roundTripMs)}`,
    // Ends the session when the client is gone while the server sends. Has no effect on Unix sockets.
    '-c tcp_keepalives_idle=60 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3 -c tcp_user_timeout=30000',
  ].join(' ');
}

/** Shorter than the deadline of the round trip: the server reports the timeout itself and keeps the connection. */
export function statementTimeoutMs(roundTripMs: number): number {
  return Math.ceil(roundTripMs * 0.86);
}

/** Detects a lost TCP connection while it is idle; the same for every connection. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** The database did not answer in time. */
export class DatabaseUnresponsive extends Error {
  override name = 'DatabaseUnresponsive';
}

/** A running deadline. */
export interface Deadline {
  readonly dueAtMs: number;
  readonly onPassed: () => void;
}

const sweepEveryMs = 100;
/** The most that one sweep counts: a process that was stopped or blocked for longer could not read an answer. */
const countedMsMax = 2 * sweepEveryMs;

/**
 * All deadlines of the process, checked by one timer; separate timers would be set and cleared by every round trip.
 * Only time in which the process could read answers counts. It is monotonic; a blocked event loop, a stopped process or
 * a sleeping machine adds almost nothing.
 */
class Deadlines {
  readonly #pending = new Set<Deadline>();
  #awakeMs = 0;
  #sweptAtMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Calls `onPassed` once, unless `end` is called first. */
  begin(limitMs: number, onPassed: () => void): Deadline {
    const nowMs = performance.now();
    if (this.#timer === undefined) {
      this.#sweptAtMs = nowMs;
      this.#timer = setInterval(() => this.#sweep(), sweepEveryMs);
      // The pending socket keeps the process alive.
      this.#timer.unref();
    }
    const sinceSweepMs = Math.min(nowMs - this.#sweptAtMs, countedMsMax);
    const deadline = { dueAtMs: this.#awakeMs + sinceSweepMs + limitMs, onPassed };
    this.#pending.add(deadline);
    return deadline;
  }

  end(deadline: Deadline): void {
    this.#pending.delete(deadline);
  }

  #sweep(): void {
    const nowMs = performance.now();
    this.#awakeMs += Math.min(nowMs - this.#sweptAtMs, countedMsMax);
    this.#sweptAtMs = nowMs;
    if (this.#pending.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const passed = [...this.#pending].filter(({ dueAtMs }) => dueAtMs <= this.#awakeMs);
    if (passed.length === 0) return;
    // Node reads sockets between timers and immediates: an answer that has arrived by now still counts.
    setImmediate(() => {
      for (const deadline of passed) if (this.#pending.delete(deadline)) deadline.onPassed();
    });
  }
}

/** Shared by all database connections. */
export const deadlines = new Deadlines();
