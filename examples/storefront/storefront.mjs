/**
 * Serves the web shop: the files of `public/`, and one page for every address. Any web server can take its place, if it
 * sends the same headers. It holds no secret: the publishable key stands in the page and works on pages of its origins only.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const folder = import.meta.dirname;
const types = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/**
 * What the page needs to know: `{ baseUrl, menuUrl, publishableKey }`, from the environment or from the file that the demo
 * writes when it starts.
 */
export function readSettings(environment = process.env) {
  const { SHOP_BASE_URL, SHOP_MENU_URL, SHOP_PUBLISHABLE_KEY, SHOP = '0' } = environment;
  if (SHOP_BASE_URL && SHOP_PUBLISHABLE_KEY) {
    return {
      baseUrl: SHOP_BASE_URL,
      menuUrl: SHOP_MENU_URL ?? SHOP_BASE_URL,
      publishableKey: SHOP_PUBLISHABLE_KEY,
    };
  }
  const file = environment.DEMO_FILE ?? join(folder, '..', '..', 'data', 'demo.json');
  if (!existsSync(file)) {
    throw new Error(
      `There is no ${file}. Start the demo first (npm start in the project's folder), or set SHOP_BASE_URL and SHOP_PUBLISHABLE_KEY.`,
    );
  }
  const { baseUrl, menuUrl, organizations } = JSON.parse(readFileSync(file, 'utf8'));
  return { baseUrl, menuUrl, publishableKey: organizations[Number(SHOP)].publishableKey };
}

/** The listener of an HTTP server that serves the shop. */
export function serveStorefront(settings) {
  const headers = securityHeaders(settings);
  const files = readFiles(settings);
  return (request, response) => {
    const path = new URL(request.url ?? '/', 'http://shop').pathname;
    // Addresses of products, cart and orders are made by the page itself.
    const file = files.get(path) ?? (extname(path) === '' ? files.get('/index.html') : undefined);
    if (file === undefined || !['GET', 'HEAD'].includes(request.method ?? '')) {
      response.writeHead(404, { ...headers, 'content-type': 'text/plain' }).end('Not found');
      return;
    }
    const sent = { ...headers, 'content-type': file.type, etag: file.etag, 'cache-control': file.caching };
    if (request.headers['if-none-match'] === file.etag) {
      response.writeHead(304, sent).end();
      return;
    }
    const isSmaller = /\bgzip\b/.test(String(request.headers['accept-encoding'])) && file.gzip;
    const body = isSmaller ? file.gzip : file.bytes;
    if (isSmaller) sent['content-encoding'] = 'gzip';
    response.writeHead(200, { ...sent, 'content-length': body.length, vary: 'Accept-Encoding' });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}

/**
 * A page may run our scripts only, write HTML by one function only (`html.mjs`), and speak to the service only. An injected
 * script could read the customer's session, so this is the second wall behind escaping.
 */
function securityHeaders({ baseUrl, menuUrl }) {
  const services = [...new Set([new URL(baseUrl).origin, new URL(menuUrl).origin])].join(' ');
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "font-src 'self'",
      `img-src 'self' ${services}`,
      `connect-src ${services}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types storefront',
    ].join('; '),
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  };
}

/** All files in memory, with their gzip: there are few, and they are small. */
function readFiles(settings) {
  const root = join(folder, 'public');
  return new Map(
    readdirSync(root).map((name) => {
      const type = types[extname(name)];
      let bytes = readFileSync(join(root, name));
      if (name === 'index.html') bytes = Buffer.from(withSettings(String(bytes), settings));
      const isText = type.startsWith('text/') || type.includes('svg');
      return [
        `/${name}`,
        {
          type,
          bytes,
          gzip: isText ? gzipSync(bytes, { level: 9 }) : null,
          etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
          // The typeface never changes under its name; everything else is asked for again, mostly answered by 304.
          caching: type === 'font/woff2' ? 'public, max-age=31536000, immutable' : 'no-cache',
        },
      ];
    }),
  );
}

/** `<` would end the script element that carries the settings. */
function withSettings(page, settings) {
  const json = JSON.stringify(settings).replaceAll('<', '\\u003c');
  const origins = [...new Set([settings.baseUrl, settings.menuUrl])]
    .map((url) => `<link rel="preconnect" href="${new URL(url).origin}" crossorigin>`)
    .join('');
  return page.replace('<!-- services -->', () => origins).replace('{"settings": "here"}', () => json);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const port = Number(process.env.PORT ?? 5173);
  process.on('uncaughtException', (error) => {
    const isTaken = 'code' in error && error.code === 'EADDRINUSE';
    console.error(isTaken ? `Another program uses port ${port}. Set PORT to a free one.` : error.message);
    process.exit(1);
  });
  createServer(serveStorefront(readSettings())).listen(port, '127.0.0.1', () => {
    console.log(`The shop is open: http://127.0.0.1:${port}`);
  });
}
