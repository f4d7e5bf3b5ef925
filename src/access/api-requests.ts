import type { Context } from '../database/context.ts';
import type { FinishedRequest, RequestLog } from '../http/endpoint.ts';
import { groupBy } from '../kernel/group-by.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { commitWithoutWaiting, insertApiRequests } from './api-request-queries.ts';

const writeEveryMs = 500;
/** Two seconds of 10,000 requests each: what a database that is slow for a moment makes wait. */
const waitingMax = 20_000;
const rowsPerStatementMax = 1000;
const pathLengthMax = 200;

/** Counted since the start; for metrics. */
export interface ApiRequestStatistics {
  written: number;
  /** Not in the log: more came than could be written, or writing failed. */
  dropped: number;
}

interface NotedRequest extends FinishedRequest {
  readonly atMs: number;
}

/**
 * The log of what integrators asked. Requests only note themselves; rows are written beside them, in batches. What
 * was not written yet is lost when the process dies, and what cannot be written is counted, not tried again: no
 * request waits for its line in the log, or fails for it.
 */
export class ApiRequests {
  readonly statistics: ApiRequestStatistics = { written: 0, dropped: 0 };
  readonly #context: Pick<Context, 'database' | 'ids' | 'clock'>;
  readonly #pathTemplates: ReadonlyMap<string, string>;
  #waiting: NotedRequest[] = [];

  constructor(
    context: Pick<Context, 'database' | 'ids' | 'clock'>,
    endpoints: readonly { readonly id: string; readonly path: string }[],
  ) {
    this.#context = context;
    this.#pathTemplates = new Map(endpoints.map(({ id, path }) => [id, path]));
  }

  /** For the server's every request of a known caller: takes a microsecond. */
  readonly note = (request: FinishedRequest): void => {
    if (this.#waiting.length >= waitingMax) this.statistics.dropped += 1;
    else this.#waiting.push({ ...request, atMs: this.#context.clock.now() });
  };

  /** Writes what was noted, an organization at a time. Resolves when all of it is written or counted as dropped. */
  async write(logger?: RequestLog): Promise<void> {
    const noted = this.#waiting;
    this.#waiting = [];
    for (const [organization, requests] of groupBy(noted, ({ caller }) => caller.organizationId)) {
      try {
        await this.#writeOf(organization, requests);
        this.statistics.written += requests.length;
      } catch (error) {
        this.statistics.dropped += requests.length;
        logger?.warn({ err: error, count: requests.length }, 'requests could not be logged');
      }
    }
  }

  async #writeOf(organization: OrganizationId, requests: readonly NotedRequest[]): Promise<void> {
    const ids = await this.#context.ids.take(requests.length);
    await this.#context.database.write(
      organization,
      async (tx) => {
        tx.queue(commitWithoutWaiting({}));
        for (let start = 0; start < requests.length; start += rowsPerStatementMax) {
          const end = start + rowsPerStatementMax;
          tx.queue(this.#insertOf(requests.slice(start, end), ids.slice(start, end)));
        }
      },
      // Nobody keeps anything that is made of the log: prices and menus stay as they are kept.
      { countsAsChange: false },
    );
  }

  #insertOf(requests: readonly NotedRequest[], ids: readonly number[]) {
    const templateOf = ({ routeId }: FinishedRequest) => this.#pathTemplates.get(routeId) ?? routeId;
    return insertApiRequests({
      ids,
      times: requests.map(({ atMs }) => isoTimestamp(atMs)),
      integratorIds: requests.map(({ caller }) => caller.integratorId),
      clientKeyIds: requests.map(({ caller }) => caller.clientKeyId),
      methods: requests.map(({ method }) => method),
      pathTemplates: requests.map(templateOf),
      paths: requests.map((request) => loggedPath(request.url, templateOf(request))),
      statuses: requests.map(({ status }) => status),
      codes: requests.map(({ errorCode }) => errorCode ?? ''),
      microseconds: requests.map(({ ms }) => Math.min(2_147_483_647, Math.round(ms * 1000))),
      requestIds: requests.map(({ requestId }) => requestId),
    });
  }

  /** Writes twice a second until it is stopped, and then what is left. */
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
      if (this.#waiting.length > 0) void begin();
    }, writeEveryMs);
    timer.unref();
    return {
      stop: async () => {
        clearInterval(timer);
        await writing;
        await begin();
      },
    };
  }
}

/** Ids of ours, and labels; anything else that somebody writes into a path may be a name or an address. */
const sanePart = /^[A-Za-z0-9_-]{1,64}$/;

/** The path without query; a part in the place of a parameter that is no id is shown as its parameter. */
function loggedPath(url: string, template: string): string {
  const [path = ''] = url.split('?', 1);
  if (!template.includes('{')) return template;
  const sent = path.split('/');
  return template
    .split('/')
    .map((part, index) => (part.startsWith('{') && sanePart.test(sent[index] ?? '') ? sent[index] : part))
    .join('/')
    .slice(0, pathLengthMax);
}
