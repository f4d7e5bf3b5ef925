import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { lazily } from '../kernel/lazily.ts';
import type { Answer } from './endpoint-pipeline.ts';
import { errorReply, noSuchPath } from './error-replies.ts';

/** The browser itself is told that the page may talk to nobody but us. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Answers a path, and what lies below it, with a reference for people and all its assets: it works without any other host.
 * The page comes as a plugin of Fastify, which is loaded when somebody asks for it.
 */
export function referencePage(path: string, openApi: () => object, logger: Logger): Answer {
  const pages = lazily(() => createPages(path, openApi, logger));
  return async ({ request, response, headers }) => {
    const { routing } = await pages();
    const all = {
      ...headers,
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'max-age=600',
    };
    for (const [name, value] of Object.entries(all)) response.setHeader(name, value);
    // The page reads its own path out of a URL that it builds with the host: any host but a broken one.
    request.headers.host = 'localhost';
    routing(request, response);
  };
}

async function createPages(path: string, openApi: () => object, logger: Logger): Promise<FastifyInstance> {
  const { default: Fastify } = await import('fastify');
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const app = Fastify({ logger: false });
  app.setNotFoundHandler(() => {
    throw noSuchPath();
  });
  app.setErrorHandler((thrown, request, reply) => {
    const { status, text, isFault } = errorReply(thrown);
    if (isFault) logger.error({ err: thrown, route: request.routeOptions.url }, 'page failed');
    return reply
      .code(status)
      .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
      .send(text);
  });
  await app.register(scalar, {
    routePrefix: path as `/${string}`,
    configuration: {
      content: openApi as () => Record<string, unknown>,
      pageTitle: 'API reference',
      // Each of these would fetch from, or lead to, another host.
      withDefaultFonts: false,
      telemetry: false,
      proxyUrl: '',
      hideClientButton: true,
      showDeveloperTools: 'never',
    },
  });
  await app.ready();
  return app;
}
