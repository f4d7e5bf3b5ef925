import type { Outcome } from './attempt-delivery.ts';
import type { Message } from './delivery-message.ts';

/** Attempts of an endpoint at the same time, each of another resource. */
const attemptsAtOnce = 8;
/**
 * When no attempt has ended for that long, what is left is recorded as waiting, so that what has ended is recorded, too. In
 * any case after the longer time.
 */
const patienceMs = 1_000;
const patienceMsMax = 10_000;

/** A message with what is known of its attempts. */
export interface Due extends Message {
  /** The id of its delivery, if this is the first record of it. */
  readonly id: number;
  readonly attempts: number;
}

/** The result of a message within the time: its outcome, or that it waits; `isNext`: for nothing but its attempt. */
export type Result = { readonly due: Due } & (
  | { readonly outcome: Outcome }
  | { readonly outcome: null; readonly isNext: boolean }
);

type Attempt = (due: Due) => Promise<Outcome | null>;

/** The attempts at one endpoint: at most eight at the same time, and those of one resource one after the other. */
export class EndpointSlots {
  /** Ids of events that are being sent. */
  readonly underWay = new Set<number>();
  readonly #record: (due: Due, outcome: Outcome) => Promise<void>;
  readonly #ended: () => void;
  readonly #stopping: AbortSignal;

  /**
   * @param record records the result of an attempt that had been recorded as waiting; does not throw
   * @param ended told that such an attempt has left its place
   */
  constructor(
    record: (due: Due, outcome: Outcome) => Promise<void>,
    ended: () => void,
    stopping: AbortSignal,
  ) {
    this.#record = record;
    this.#ended = ended;
    this.#stopping = stopping;
  }

  get free(): number {
    return attemptsAtOnce - this.underWay.size;
  }

  /** Sends messages, in order for each resource; resolves when all have ended, or none for a second. */
  async send(messages: readonly Due[], attempt: Attempt): Promise<Result[]> {
    const results = new Map<Due, Result>();
    const lines = linesOf(messages);
    let isOver = false;
    let next = 0;
    const patience = new Patience(this.#stopping);
    const runLines = async () => {
      while (!isOver && next < lines.length) {
        const line = lines[next]!;
        next += 1;
        for (const due of line) {
          if (isOver || this.#stopping.aborted) break;
          this.underWay.add(due.eventId);
          const outcome = await attempt(due);
          if (!isOver) {
            patience.refresh();
            this.underWay.delete(due.eventId);
            if (outcome !== null) results.set(due, { due, outcome });
          } else {
            // Until it is recorded, its delivery seems to be due.
            if (outcome !== null) await this.#record(due, outcome);
            this.underWay.delete(due.eventId);
            this.#ended();
          }
          if (outcome === null || outcome.nextAttemptAt !== null) break;
        }
      }
    };
    const all = Promise.all(Array.from({ length: Math.min(this.free, lines.length) }, runLines));
    await Promise.race([all, patience.over]);
    isOver = true;
    patience.end();
    return lines.flatMap((line) =>
      line.map((due, index) => results.get(due) ?? waiting(due, line[index - 1], results)),
    );
  }
}

/** The first of its resource that has not ended waits for its attempt only. */
function waiting(due: Due, former: Due | undefined, results: ReadonlyMap<Due, Result>): Result {
  const isNext = former === undefined || results.get(former)?.outcome?.nextAttemptAt === null;
  return { due, outcome: null, isNext };
}

function linesOf(messages: readonly Due[]): Due[][] {
  const lines = new Map<string, Due[]>();
  for (const due of messages) {
    const line = lines.get(due.resource);
    if (line === undefined) lines.set(due.resource, [due]);
    else line.push(due);
  }
  return [...lines.values()];
}

/** Is over when nothing has happened for a while, or when the process is stopping. */
class Patience {
  readonly over: Promise<void>;
  readonly #timers: readonly NodeJS.Timeout[];
  #end!: () => void;

  constructor(stopping: AbortSignal) {
    this.over = new Promise((resolve) => {
      this.#end = () => {
        stopping.removeEventListener('abort', this.#end);
        resolve();
      };
    });
    this.#timers = [patienceMs, patienceMsMax].map((ms) => setTimeout(this.#end, ms));
    if (stopping.aborted) this.#end();
    else stopping.addEventListener('abort', this.#end, { once: true });
  }

  refresh(): void {
    this.#timers[0]!.refresh();
  }

  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#end();
  }
}
