import type { ListRequest } from './list-requests.ts';
import type { PagePlans } from './page-plans.ts';

/** The first requests prepare the statement and its generic plan. */
const warmUps = { one: 6, several: 3 };
const timesMeasured = { one: 15, several: 5 };
/** A slow page is measured as often as this time allows. */
const measuringMsMax = 3_000;

/** The least of the times, because other load on the machine only adds to one; and the blocks of the database. */
export interface PageCost {
  readonly ms: number;
  readonly blocks: number;
}
/** Requests pages, and measures what each costs. */
export class PageTimes {
  readonly #plans: PagePlans;
  readonly #fetch: (request: ListRequest) => Promise<Response>;

  constructor(plans: PagePlans, fetchPage: (request: ListRequest) => Promise<Response>) {
    this.#plans = plans;
    this.#fetch = fetchPage;
  }

  /** Null for filters that contradict each other. */
  async costs(requests: readonly ListRequest[]): Promise<[ListRequest, PageCost | null][]> {
    const times: [ListRequest, number | null][] = [];
    for (const request of requests) times.push([request, await this.leastMs(request)]);
    await this.#plans.logging(true);
    // The program's connections read the setting before their next statement.
    while (requests.length > 0 && (await this.#blocksOf(requests[0]!)) === 0);
    const costs: [ListRequest, PageCost | null][] = [];
    for (const [request, ms] of times) {
      costs.push([request, ms === null ? null : { ms, blocks: await this.#blocksOf(request) }]);
    }
    await this.#plans.logging(false);
    return costs;
  }

  async leastMs(request: ListRequest): Promise<number | null> {
    const kind = request.hasSeveral ? 'several' : 'one';
    const untilMs = performance.now() + measuringMsMax;
    for (let at = 0; at < warmUps[kind] && performance.now() < untilMs; at++) {
      if ((await this.#took(request)) === null) return null;
    }
    const times: number[] = [];
    while (times.length < timesMeasured[kind] && (times.length === 0 || performance.now() < untilMs)) {
      times.push((await this.#took(request))!);
    }
    return Math.min(...times);
  }

  #blocksOf(request: ListRequest): Promise<number> {
    return this.#plans.blocksOf(() => this.#took(request));
  }

  async #took(request: ListRequest): Promise<number | null> {
    const startedAtMs = performance.now();
    const response = await this.#fetch(request);
    const text = await response.text();
    if (response.status === 400 && request.hasSeveral) return null;
    // Longer than the service lets a request take: a slow page, not a broken one.
    if (response.status === 503) return performance.now() - startedAtMs;
    if (response.status !== 200) throw new Error(`GET ${request.path} answers ${response.status}: ${text}`);
    return performance.now() - startedAtMs;
  }
}
