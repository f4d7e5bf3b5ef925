import type { IncomingMessage, ServerResponse } from 'node:http';
import findMyWay, { type HTTPMethod, type HTTPVersion } from 'find-my-way';
import { failure } from '../../kernel/failure.ts';
import { answerPreflight, isPreflight } from './cross-origin.ts';
import type { AnyEndpoint } from './endpoint.ts';
import type { Answer, UrlValues } from './endpoint-pipeline.ts';
import type { QueryValues } from './request-validation.ts';
import { originForm } from './sent-host.ts';
import { type KnownRoute, methodsOf, shadowedPaths, unknownRoute } from './unknown-routes.ts';

/** Handles a request of a route. */
type Route = (request: IncomingMessage, response: ServerResponse, url: UrlValues) => void;

/** Makes the handler of a route. */
export type RouteMaker = (routeId: string, answer: Answer) => Route;

const noValues: UrlValues = { params: {}, query: {} };

function noop(): void {}

/** The routes of a listener. A library looks them up; everything else is our code. */
export class RouteTable {
  readonly #makeRoute: RouteMaker;
  /** It only looks routes up; its store holds the handler. */
  readonly #router: findMyWay.Instance<HTTPVersion.V1>;
  readonly #known: KnownRoute[] = [];
  #notFound: Route = noop;
  readonly #wrongHost: Route;

  constructor(makeRoute: RouteMaker, paramLengthMax: number) {
    this.#makeRoute = makeRoute;
    this.#router = findMyWay<HTTPVersion.V1>({ maxParamLength: paramLengthMax });
    this.#wrongHost = makeRoute('unknown', async () => {
      throw failure('INVALID_PARAMS', 'Host must be the host in the request line.');
    });
  }

  /** Adds a route. `path` has its parameters in braces. */
  add(method: AnyEndpoint['method'], path: string, routeId: string, answer: Answer): void {
    this.#known.push({ method, path });
    const url = path.replace(/\{([^}]+)\}/g, ':$1');
    const answerIt = this.#makeRoute(routeId, answer);
    // The router matches /orders/ with an empty parameter. This path does not exist (D13).
    const answerPath: Route = (request, response, urlValues) => {
      const answering = hasEmptyValue(urlValues.params) ? this.#notFound : answerIt;
      answering(request, response, urlValues);
    };
    this.#on(methodsOf(method), url, path.includes('{') ? answerPath : answerIt);
  }

  /** Lets web pages ask in advance for these methods and headers (CORS); another OPTIONS is not allowed, as before. */
  addPreflight(path: string, methods: readonly string[], headers: readonly string[]): void {
    const answerIt = this.#makeRoute('preflight', async (requestContext) =>
      answerPreflight(requestContext, methods, headers),
    );
    this.#on('OPTIONS', path.replace(/\{([^}]+)\}/g, ':$1'), (request, response, url) => {
      const answering = isPreflight(request, methods) ? answerIt : this.#notFound;
      answering(request, response, url);
    });
  }

  /** Adds a page: it is not part of the interface, so other methods are unknown instead of not allowed. */
  addPage(path: string, answer: Answer): void {
    this.#on(['GET', 'HEAD'], path, this.#makeRoute('docs', answer));
  }

  /** Adds the replies to all other requests. Call it after all routes are added. */
  addUnknown(elsewherePaths: ReadonlySet<string>, baseAddress: Parameters<typeof unknownRoute>[2]): void {
    this.#notFound = this.#makeRoute('unknown', unknownRoute(this.#known, elsewherePaths, baseAddress));
    for (const { method, path } of shadowedPaths(this.#known, elsewherePaths)) {
      this.#on(methodsOf(method), path, this.#notFound);
    }
  }

  /** Looks up the route of a request and calls it. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (!request.url!.startsWith('/')) {
      const target = originForm(request.url!, request.headers.host);
      if (target === null) {
        this.#wrongHost(request, response, noValues);
        return;
      }
      request.url = target;
    }
    if (request.url!.includes('%')) request.url = decodableUrl(request.url!);
    const found = this.#router.find(request.method as HTTPMethod, request.url!);
    if (found === null) {
      this.#notFound(request, response, noValues);
      return;
    }
    const answerFound: Route = found.store;
    answerFound(request, response, { params: found.params as QueryValues, query: found.searchParams });
  };

  #on(methods: HTTPMethod | HTTPMethod[], path: string, route: Route): void {
    this.#router.on(methods, path, noop, route);
  }
}

/** A path that is not percent-encoded UTF-8 is used unchanged, so that its route still decides the reply. */
function decodableUrl(url: string): string {
  const [path = '', ...query] = url.split('?');
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

function hasEmptyValue(params: QueryValues): boolean {
  for (const name in params) if (params[name] === '') return true;
  return false;
}
