import { failure } from '../../kernel/failure.ts';
import { lazily } from '../../kernel/lazily.ts';
import type { AnyEndpoint, Endpoint } from './endpoint.ts';
import type { Answer } from './endpoint-pipeline.ts';
import { noSuchPath } from './error-replies.ts';

/** Replies to paths and methods without a route. */

/** HEAD is GET without the body. */
export function methodsOf(method: AnyEndpoint['method']): (AnyEndpoint['method'] | 'HEAD')[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** A path and one of its methods. */
export type KnownRoute = Pick<Endpoint, 'method' | 'path'>;

/** Whether a path has no parameters. */
export function isExact(path: string): boolean {
  return !/[{*]/.test(path);
}

function patternOf(path: string): RegExp {
  return new RegExp(
    `^${path
      .replaceAll('.', '\\.')
      .replaceAll('*', '.*')
      .replace(/\{[^}]+\}/g, '[^/]+')}$`,
  );
}

/**
 * Exact paths, with the methods that they lack and a path with parameters would match: GET /orders/pricing is not an
 * order called pricing. An exact path takes precedence for every method, as in OpenAPI; also one that is not served here
 * (D1).
 */
export function shadowedPaths(
  known: readonly KnownRoute[],
  elsewherePaths: ReadonlySet<string>,
): KnownRoute[] {
  const exact = new Set([...known.map(({ path }) => path).filter(isExact), ...elsewherePaths]);
  // A path without parameters matches itself only.
  const others = known
    .filter(({ path }) => !isExact(path))
    .map(({ method, path }) => ({ method, pattern: patternOf(path) }));
  return [...exact].flatMap((path) => {
    const own = known.filter((route) => route.path === path).map(({ method }) => method);
    const taken = others.filter(({ pattern }) => pattern.test(path));
    return [...new Set(taken.map(({ method }) => method))]
      .filter((method) => !own.includes(method))
      .map((method) => ({ method, path }));
  });
}

/** The base address and the paths that it alone serves. */
interface BaseAddress {
  readonly paths: readonly string[];
  readonly url: (() => string | undefined) | undefined;
}

/** 405 with the methods of the path; otherwise 404, which names the base address if the path exists there. */
export function unknownRoute(
  known: readonly KnownRoute[],
  elsewherePaths: ReadonlySet<string>,
  base: BaseAddress,
): Answer {
  // Hundreds of patterns, made at the first such request: most processes see none for long.
  const patterns = lazily(() => ({
    ofBase: [...new Set(base.paths)].map(patternOf),
    routes: known.map(({ path, method }) => ({
      path,
      pattern: patternOf(path),
      methods: methodsOf(method),
    })),
  }));
  return async (requestContext) => {
    const { ofBase, routes } = patterns();
    const path = requestContext.request.url!.split('?', 1)[0]!;
    const exact = routes.filter((route) => route.path === path);
    const isElsewhere = exact.length === 0 && elsewherePaths.has(path);
    const byPattern = isElsewhere ? [] : routes.filter(({ pattern }) => pattern.test(path));
    const fitting = exact.length > 0 ? exact : byPattern;
    const methods = fitting.flatMap(({ methods }) => methods);
    if (methods.length === 0) {
      throw ofBase.some((pattern) => pattern.test(path)) ? pathElsewhere(base) : noSuchPath();
    }
    requestContext.headers.allow = methods.join(', ');
    const given = requestContext.request.method;
    throw failure('METHOD_NOT_ALLOWED', `This path takes ${orWords(methods)}, not ${given}.`);
  };
}

function pathElsewhere({ url }: BaseAddress) {
  const address = url?.();
  return failure(
    'ROUTE_NOT_FOUND',
    `There is no such path at this address. It is served at the base address${address === undefined ? '' : `, ${address}`}.`,
  );
}

/** `GET`, `GET or PUT`, `GET, PUT or DELETE`. */
function orWords(names: readonly string[]): string {
  const [last, ...before] = [...names].reverse();
  return before.length === 0 ? last! : `${before.reverse().join(', ')} or ${last}`;
}
