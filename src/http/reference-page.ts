import type { ServerResponse } from 'node:http';
import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Exchange } from './exchange.ts';

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

/** Serves a reference for people at a path, with all its assets: it works without any other host. */
export async function serveReferencePage(
  app: FastifyInstance,
  path: string,
  openApi: () => object,
  open: (request: FastifyRequest, response: ServerResponse, routeId: string) => Exchange,
): Promise<void> {
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
    hooks: {
      onRequest: (request, reply, done) => {
        const exchange = open(request, reply.raw, 'docs');
        // The page reads its own path out of a URL that it builds with the host: any host but a broken one.
        request.raw.headers.host = 'localhost';
        reply.headers({
          ...exchange.headers,
          'content-security-policy': contentSecurityPolicy,
          'cache-control': 'max-age=600',
        });
        done();
      },
    },
  });
}
