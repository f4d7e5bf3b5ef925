/**
 * How long the database may take. Past these times the connection is destroyed and the caller gets 503: the server's own
 * timeouts come first where the server is alive, so they are shorter.
 */
export interface DatabaseDeadlines {
  /** Waiting for a connection: for a free one of the pool, or for a new one. */
  readonly connectMs: number;
  /** One round trip, from sending it to its whole answer. */
  readonly roundTripMs: number;
  /** The same with statements that read or write as much as there is: reports, imports, purges. */
  readonly longRoundTripMs: number;
}

/**
 * Of a process that serves requests. A caller is answered within connectMs + roundTripMs of the moment the database
 * goes silent, and connections that lead nowhere are replaced within 5 seconds.
 */
export const servingDeadlines: DatabaseDeadlines = {
  connectMs: 3_000,
  roundTripMs: 3_000,
  longRoundTripMs: 35_000,
};

/** Of commands, seeds and exports: no customer waits for them. */
export const patientDeadlines: DatabaseDeadlines = {
  connectMs: 10_000,
  roundTripMs: 35_000,
  longRoundTripMs: 35_000,
};

/** The server's timeouts for a session with these deadlines, as the options of its start. */
export function serverTimeouts({ roundTripMs }: Pick<DatabaseDeadlines, 'roundTripMs'>): string {
  return [
    `-c statement_timeout=${statementTimeoutMs(roundTripMs)}`,
    `-c lock_timeout=${Math.min(10_000, Math.ceil(roundTripMs * 0.75))}`,
    // A connection that leads nowhere must not keep its locks for longer than its caller waits.
    `-c idle_in_transaction_session_timeout=${Math.min(30_000, roundTripMs)}`,
    // What the server sends to a client that is gone ends the session too. Has no effect on sockets that are files.
    '-c tcp_keepalives_idle=60 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3 -c tcp_user_timeout=30000',
  ].join(' ');
}

/** Shorter than the deadline of the round trip: the server says itself that it gives up, and keeps the connection. */
export function statementTimeoutMs(roundTripMs: number): number {
  return Math.ceil(roundTripMs * 0.86);
}

/** So a lost TCP connection is noticed while nothing is sent; the same for every connection. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** The database has not answered in time. */
export class DatabaseSilence extends Error {
  override name = 'DatabaseSilence';
}

/** Something that is waited for. */
export interface Deadline {
  readonly dueAtMs: number;
  readonly onPassed: () => void;
}

const sweepEveryMs = 100;
/** What one sweep counts at most: a process that was stopped or blocked for longer could not have read an answer. */
const countedMsMax = 2 * sweepEveryMs;

/**
 * All deadlines of the process, looked at by one timer: a timer of each would be set and cleared by every round trip.
 * Time is that during which this process could read answers. It is monotonic, and a blocked event loop, a stopped
 * process or a machine that sleeps adds next to nothing to it.
 */
class Deadlines {
  readonly #pending = new Set<Deadline>();
  #awakeMs = 0;
  #sweptAtMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `onPassed` is called once, unless `end` comes before. */
  begin(limitMs: number, onPassed: () => void): Deadline {
    const nowMs = performance.now();
    if (this.#timer === undefined) {
      this.#sweptAtMs = nowMs;
      this.#timer = setInterval(() => this.#sweep(), sweepEveryMs);
      // What is waited for keeps the process alive by its socket.
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
    // Sockets are read between timers and immediates: an answer that has arrived by now still counts.
    setImmediate(() => {
      for (const deadline of passed) if (this.#pending.delete(deadline)) deadline.onPassed();
    });
  }
}

/** Shared by all that speak to a database. */
export const deadlines = new Deadlines();
