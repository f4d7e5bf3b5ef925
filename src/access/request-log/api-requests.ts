import { groupBy } from '../../kernel/group-by.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import type { FinishedRequest, RequestLog } from '../../platform/http/endpoint.ts';
import type { KnownKey } from '../../platform/http/endpoint-requests.ts';
import { IntegerArray } from '../../platform/statements/statement.ts';
import { type Batch, type Columns, isFull, noColumns, pushRepeating } from './api-request-batch.ts';
import { marksOf } from './api-request-marks.ts';
import {
  commitWithoutWaiting,
  insertApiRequestBatch,
  insertApiRequestKinds,
  type RequestKind,
  requestsPerBatchMax,
} from './api-request-queries.ts';
import { loggedMessage } from './logged-message.ts';
import { loggedPath } from './logged-path.ts';

const writeEveryMs = 500;
/** Two seconds of 10,000 requests each: the queue during a short slowdown of the database. */
const waitingMax = 20_000;
/**
 * A queue this long is written at once, before the interval ends: five rows in a transaction cost the server a third
 * less per row than one, and the database a fifth.
 */
const waitingCountToWrite = 5 * requestsPerBatchMax;

type LoggedKind = RequestKind & { readonly integratorId: number; readonly lastAtMs: number };

function columnsOfKinds(kinds: readonly LoggedKind[]) {
  const numbers = (numberOf: (kind: LoggedKind) => number) => new IntegerArray('bigint', kinds.map(numberOf));
  return {
    lastAtMs: numbers(({ lastAtMs }) => lastAtMs),
    integratorIds: numbers(({ integratorId }) => integratorId),
    clientKeyIds: numbers(({ clientKeyId }) => clientKeyId),
    pathTemplates: kinds.map(({ pathTemplate }) => pathTemplate),
    statuses: kinds.map(({ status }) => status),
    codes: kinds.map(({ code }) => code),
  };
}

/** Counters since the start, for metrics. */
export interface ApiRequestStatistics {
  written: number;
  /** Not logged: the queue was full, or writing failed. */
  dropped: number;
}

/**
 * The log of integrators' requests. Requests are queued in memory; batches are written in the background, a row each: a
 * row per request took a third of the time of a request answered from memory. The queue is lost when the process dies,
 * and failed writes are counted and not repeated: no request waits for the log or fails because of it.
 */
export class ApiRequests {
  readonly statistics: ApiRequestStatistics = { written: 0, dropped: 0 };
  readonly #context: Pick<Context, 'database' | 'ids' | 'clock'>;
  readonly #pathTemplates: ReadonlyMap<string, string>;
  /** Batches that accept requests, and full ones. */
  #open = new Map<number, Batch>();
  #closed: Batch[] = [];
  #waitingCount = 0;
  /** Set while it is started. */
  #writeNow: (() => unknown) | undefined;

  constructor(
    context: Pick<Context, 'database' | 'ids' | 'clock'>,
    endpoints: readonly { readonly id: string; readonly path: string }[],
  ) {
    this.#context = context;
    this.#pathTemplates = new Map(endpoints.map(({ id, path }) => [id, path]));
  }

  /** Called for every request of a known caller; takes a microsecond. */
  readonly note = ({
    caller,
    method,
    routeId,
    url,
    status,
    errorCode,
    ms,
    requestId,
    message,
    keyProblem,
  }: FinishedRequest): void => {
    if (this.#waitingCount >= waitingMax) {
      this.statistics.dropped += 1;
      return;
    }
    this.#waitingCount += 1;
    const columns = this.#columnsFor(caller, status >= 400);
    const template = this.#pathTemplates.get(routeId) ?? routeId;
    const earlierCount = columns.microseconds.length;
    pushRepeating(columns.methods, method, earlierCount);
    pushRepeating(columns.pathTemplates, template, earlierCount);
    pushRepeating(columns.paths, template.includes('{') ? loggedPath(url, template) : '', earlierCount);
    pushRepeating(columns.statuses, status, earlierCount);
    pushRepeating(columns.codes, errorCode ?? '', earlierCount);
    columns.microseconds.push(Math.min(2_147_483_647, Math.round(ms * 1000)));
    columns.requestIds.push(requestId);
    pushRepeating(columns.messages, message === undefined ? '' : loggedMessage(message), earlierCount);
    pushRepeating(columns.keyProblems, keyProblem ?? '', earlierCount);
    if (this.#waitingCount >= waitingCountToWrite) this.#writeNow?.();
  };

  /** The columns of the batch that a request joins. */
  #columnsFor(caller: KnownKey, isRefused: boolean): Columns {
    const nowMs = this.#context.clock.now();
    const key = caller.clientKeyId * 2 + Number(isRefused);
    let batch = this.#open.get(key);
    if (batch === undefined || isFull(batch, nowMs)) {
      if (batch !== undefined) this.#closed.push(batch);
      batch = { caller, isRefused, columns: noColumns() };
      this.#open.set(key, batch);
    }
    batch.columns.timesMs.push(nowMs);
    return batch.columns;
  }

  /** Writes the queue, one organization at a time. Resolves when all entries are written or counted as dropped. */
  async write(logger?: RequestLog): Promise<void> {
    const batches = [...this.#closed, ...this.#open.values()];
    this.#closed = [];
    this.#open = new Map();
    this.#waitingCount = 0;
    for (const [organization, ofOne] of groupBy(batches, ({ caller }) => caller.organizationId)) {
      const count = ofOne.reduce((sum, { columns }) => sum + columns.timesMs.length, 0);
      try {
        await this.#writeOf(organization, ofOne);
        this.statistics.written += count;
      } catch (error) {
        this.statistics.dropped += count;
        logger?.warn({ err: error, count }, 'requests could not be logged');
      }
    }
  }

  async #writeOf(organization: OrganizationId, batches: readonly Batch[]): Promise<void> {
    const ids = await this.#context.ids.take(batches.length);
    await this.#context.database.write(
      organization,
      async (tx) => {
        tx.queue(commitWithoutWaiting({}));
        const kinds: LoggedKind[] = [];
        for (const [index, batch] of batches.entries()) {
          const { caller, isRefused, columns } = batch;
          const { integratorId, clientKeyId } = caller;
          const { kinds: ofBatch, marks } = marksOf(batch);
          const lastAtMs = columns.timesMs.at(-1)!;
          for (const kind of ofBatch) kinds.push({ ...kind, integratorId, lastAtMs });
          const { timesMs, microseconds, ...columnsOfTexts } = columns;
          tx.queue(
            insertApiRequestBatch({
              ...columnsOfTexts,
              timesMs: new IntegerArray('bigint', timesMs),
              microseconds: new IntegerArray('integer', microseconds),
              id: ids[index]!,
              integratorId,
              clientKeyId,
              isRefused,
              firstAtMs: timesMs[0]!,
              lastAtMs,
              count: timesMs.length,
              marks: marks.map(({ text }) => text),
              markCounts: new IntegerArray(
                'integer',
                marks.map((mark) => mark.count),
              ),
              markFilters: marks.map(({ filter }) => filter),
            }),
          );
        }
        tx.queue(insertApiRequestKinds(columnsOfKinds(kinds)));
      },
      // Does not invalidate caches.
      { countsAsChange: false },
    );
  }

  /** Writes twice a second, or when the queue is long, until it is stopped; then writes the rest. */
  start(logger: RequestLog): { stop(): Promise<void> } {
    let writing: Promise<void> | undefined;
    let reportedDropped = 0;
    const begin = (): Promise<void> => {
      writing ??= this.write(logger).finally(() => {
        writing = undefined;
        const { dropped } = this.statistics;
        if (dropped > reportedDropped)
          logger.warn({ count: dropped - reportedDropped }, 'requests were not logged');
        reportedDropped = dropped;
      });
      return writing;
    };
    const timer = setInterval(() => {
      if (this.#waitingCount > 0) void begin();
    }, writeEveryMs);
    timer.unref();
    this.#writeNow = begin;
    return {
      stop: async () => {
        clearInterval(timer);
        this.#writeNow = undefined;
        await writing;
        await begin();
      },
    };
  }
}
