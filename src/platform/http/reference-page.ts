import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { lazily } from '../../kernel/lazily.ts';
import { projectFolder } from '../../kernel/project-folder.ts';
import { strongRandomBytes } from '../../kernel/random-bytes.ts';
import { type DocsPlace, docsBar, docsStylePath } from './docs-frame.ts';
import { pageHeaders } from './page-headers.ts';
import type { PublicFile, RequestContext } from './request-context.ts';

/**
 * The page connects to this service only and runs no script but its three files: injected text cannot act in the
 * console's session, which has the same origin. Styles that those scripts create carry the nonce of the page.
 */
function contentSecurityPolicy(nonce: string): readonly string[] {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "form-action 'none'",
  ];
}

const page = (nonce: string, bar: string): string => `<!doctype html>
<html lang="en">
  <head>
    <title>API reference</title>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta property="csp-nonce" nonce="${nonce}" />
    <link rel="stylesheet" href="${docsStylePath}" />
  </head>
  <body>
    ${bar}
    <div id="app"></div>
    <script src="js/styles.js"></script>
    <script src="js/scalar.js"></script>
    <script src="js/start.js"></script>
  </body>
</html>
`;

/** Adds the nonce of the page to every style element that its scripts create. Runs before them. */
const stylesScript = `'use strict';
(() => {
  const { nonce } = document.querySelector('meta[property="csp-nonce"]');
  const createElement = document.createElement.bind(document);
  document.createElement = (name, options) => {
    const element = createElement(name, options);
    if (String(name).toLowerCase() === 'style') element.nonce = nonce;
    return element;
  };
})();
`;

/**
 * Each disabled setting would fetch from, or link to, another host. What is tried goes to the address at which the page was
 * opened: the policy allows no other one.
 */
const startScript = `'use strict';
Scalar.createApiReference('#app', {
  url: './openapi.json',
  servers: [{ url: window.location.origin }],
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  hideClientButton: true,
  showDeveloperTools: 'never',
});
`;

/** The complete script of the page in one file. The package is a plug-in of a framework; only its file is used. */
const scalarScript = lazily(() => {
  // A release has the file without the package.
  const released = join(projectFolder(), 'dist', 'reference.js');
  if (existsSync(released)) return readFileSync(released);
  const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
  return readFileSync(join(dirname(entry), 'js', 'standalone.js'));
});

/**
 * A reference for people below `path`: the page and its files, by path. It needs no other host; its script is read at
 * the first request.
 */
export function referencePage(
  path: string,
  openApi: () => object,
  places: readonly DocsPlace[],
): Readonly<Record<string, (requestContext: RequestContext) => Promise<void>>> {
  const document = lazily(() => JSON.stringify(openApi()));
  const script = (text: string) => async (requestContext: RequestContext) =>
    requestContext.sendFile(file('text/javascript; charset=utf-8', Buffer.from(text)));
  return {
    [path]: async (requestContext) => {
      requestContext.headers.location = `${path}/`;
      requestContext.sendEmpty(301);
    },
    [`${path}/`]: async (requestContext) => {
      const nonce = Buffer.from(strongRandomBytes(16)).toString('base64');
      requestContext.sendFile({
        bytes: Buffer.from(page(nonce, docsBar(places, `${path}/`))),
        headers: pageHeaders({
          policy: contentSecurityPolicy(nonce),
          cacheControl: 'no-cache',
          referrerPolicy: 'same-origin',
        }),
      });
    },
    [`${path}/openapi.json`]: async (requestContext) => requestContext.sendJson(200, document()),
    [`${path}/js/styles.js`]: script(stylesScript),
    [`${path}/js/start.js`]: script(startScript),
    [`${path}/js/scalar.js`]: async (requestContext) =>
      requestContext.sendFile(file('text/javascript; charset=utf-8', scalarScript())),
  };
}

function file(type: string, bytes: Uint8Array): PublicFile {
  return { bytes, headers: { 'content-type': type, 'cache-control': 'max-age=600' } };
}
