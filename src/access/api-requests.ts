import type { Context } from '../database/context.ts';
import type { FinishedRequest, RequestLog } from '../http/endpoint.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { type ApiRequestColumns, commitWithoutWaiting, insertApiRequests } from './api-request-queries.ts';

const writeEveryMs = 500;
/** Two seconds of 10,000 requests each: what a database that is slow for a moment makes wait. */
const waitingMax = 20_000;
/** So many are written at once, without waiting for the time: a statement, and not more that waits in memory. */
const rowsPerStatementMax = 1000;
const pathLengthMax = 200;

/** Counted since the start; for metrics. */
export interface ApiRequestStatistics {
  written: number;
  /** Not in the log: more came than could be written, or writing failed. */
  dropped: number;
}

/**
 * What waits of an organization, a column each as the statement takes them: an object for each request would outlive
 * collections of garbage, which cost 1 to 3 µs a request (measured at 30,000 requests a second).
 */
type Columns = { [Name in keyof ApiRequestColumns]: ApiRequestColumns[Name][number][] };

/**
 * The log of what integrators asked. Requests only note themselves; rows are written beside them, in batches. What
 * was not written yet is lost when the process dies, and what cannot be written is counted, not tried again: no
 * request waits for its line in the log, or fails for it.
 */
export class ApiRequests {
  readonly statistics: ApiRequestStatistics = { written: 0, dropped: 0 };
  readonly #context: Pick<Context, 'database' | 'ids' | 'clock'>;
  readonly #pathTemplates: ReadonlyMap<string, string>;
  #waiting = new Map<OrganizationId, Columns>();
  #waitingCount = 0;
  /** While it is started. */
  #writeNow: (() => unknown) | undefined;

  constructor(
    context: Pick<Context, 'database' | 'ids' | 'clock'>,
    endpoints: readonly { readonly id: string; readonly path: string }[],
  ) {
    this.#context = context;
    this.#pathTemplates = new Map(endpoints.map(({ id, path }) => [id, path]));
  }

  /** For the server's every request of a known caller: takes a microsecond. */
  readonly note = ({
    caller,
    method,
    routeId,
    url,
    status,
    errorCode,
    ms,
    requestId,
  }: FinishedRequest): void => {
    if (this.#waitingCount >= waitingMax) {
      this.statistics.dropped += 1;
      return;
    }
    this.#waitingCount += 1;
    let columns = this.#waiting.get(caller.organizationId);
    if (columns === undefined) {
      columns = noColumns();
      this.#waiting.set(caller.organizationId, columns);
    }
    const template = this.#pathTemplates.get(routeId) ?? routeId;
    columns.times.push(isoTimestamp(this.#context.clock.now()));
    columns.integratorIds.push(caller.integratorId);
    columns.clientKeyIds.push(caller.clientKeyId);
    columns.methods.push(method);
    columns.pathTemplates.push(template);
    columns.paths.push(loggedPath(url, template));
    columns.statuses.push(status);
    columns.codes.push(errorCode ?? '');
    columns.microseconds.push(Math.min(2_147_483_647, Math.round(ms * 1000)));
    columns.requestIds.push(requestId);
    if (this.#waitingCount >= rowsPerStatementMax) this.#writeNow?.();
  };

  /** Writes what was noted, an organization at a time. Resolves when all of it is written or counted as dropped. */
  async write(logger?: RequestLog): Promise<void> {
    const noted = this.#waiting;
    this.#waiting = new Map();
    this.#waitingCount = 0;
    for (const [organization, columns] of noted) {
      const count = columns.requestIds.length;
      try {
        await this.#writeOf(organization, columns);
        this.statistics.written += count;
      } catch (error) {
        this.statistics.dropped += count;
        logger?.warn({ err: error, count }, 'requests could not be logged');
      }
    }
  }

  async #writeOf(organization: OrganizationId, columns: Columns): Promise<void> {
    const count = columns.requestIds.length;
    const ids = await this.#context.ids.take(count);
    await this.#context.database.write(
      organization,
      async (tx) => {
        tx.queue(commitWithoutWaiting({}));
        for (let start = 0; start < count; start += rowsPerStatementMax) {
          const end = start + rowsPerStatementMax;
          const chunk = Object.entries(columns).map(([name, values]) => [name, values.slice(start, end)]);
          tx.queue(
            insertApiRequests({ ...(Object.fromEntries(chunk) as Columns), ids: ids.slice(start, end) }),
          );
        }
      },
      // Nobody keeps anything that is made of the log: prices and menus stay as they are kept.
      { countsAsChange: false },
    );
  }

  /** Writes twice a second, or whenever a statement is full, until it is stopped; and then what is left. */
  start(logger: RequestLog): { stop(): Promise<void> } {
    let writing: Promise<void> | undefined;
    let toldDropped = 0;
    const begin = (): Promise<void> => {
      writing ??= this.write(logger).finally(() => {
        writing = undefined;
        const { dropped } = this.statistics;
        if (dropped > toldDropped) logger.warn({ count: dropped - toldDropped }, 'requests were not logged');
        toldDropped = dropped;
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

function noColumns(): Columns {
  return {
    times: [],
    integratorIds: [],
    clientKeyIds: [],
    methods: [],
    pathTemplates: [],
    paths: [],
    statuses: [],
    codes: [],
    microseconds: [],
    requestIds: [],
  };
}

/** Ids of ours, and labels; anything else that somebody writes into a path may be a name or an address. */
const sanePart = /^[A-Za-z0-9_-]{1,64}$/;

/** The path without query; a part in the place of a parameter that is no id is shown as its parameter. */
function loggedPath(url: string, template: string): string {
  if (!template.includes('{')) return template;
  const [path = ''] = url.split('?', 1);
  const sent = path.split('/');
  return template
    .split('/')
    .map((part, index) => (part.startsWith('{') && sanePart.test(sent[index] ?? '') ? sent[index] : part))
    .join('/')
    .slice(0, pathLengthMax);
}
