/**
 * Serves the web shop: the files of `public/`, its pages with head and content for search engines (shop-pages.mjs), sitemap, robots and product
 * feeds (product-feeds.mjs). The publishable key stands in the page and works on pages of its origins only. Secret keys stay here, and only ask
 * for payments (pay-order.mjs); without them, orders are paid when they are handed over.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { orderPayer } from './pay-order.mjs';
import { productFeeds } from './product-feeds.mjs';
import { menuReader, pageOf, robots, sitemap } from './shop-pages.mjs';

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
 * What the page needs to know: `{ baseUrl, menuUrl, publishableKey }`, and the secret `keys` of this server, from the environment or from the
 * file that the demo writes when it starts.
 */
export function readSettings(environment = process.env) {
  const { SHOP_BASE_URL, SHOP_MENU_URL, SHOP_PUBLISHABLE_KEY, SHOP_URL, SHOP = '0' } = environment;
  const { SHOP_CONSUMER_KEY: consumerKey, SHOP_CLIENT_KEY: clientKey } = environment;
  // Where visitors see the shop; without it, the host of their request.
  const origin = SHOP_URL ? new URL(SHOP_URL).origin : undefined;
  if (SHOP_BASE_URL && SHOP_PUBLISHABLE_KEY) {
    return {
      baseUrl: SHOP_BASE_URL,
      menuUrl: SHOP_MENU_URL ?? SHOP_BASE_URL,
      publishableKey: SHOP_PUBLISHABLE_KEY,
      origin,
      ...(consumerKey && clientKey && { keys: { consumerKey, clientKey } }),
    };
  }
  const file = environment.DEMO_FILE ?? join(folder, '..', '..', 'data', 'demo.json');
  if (!existsSync(file)) {
    throw new Error(
      `There is no ${file}. Start the demo first (npm start in the project's folder), or set SHOP_BASE_URL and SHOP_PUBLISHABLE_KEY.`,
    );
  }
  const { baseUrl, menuUrl, organizations } = JSON.parse(readFileSync(file, 'utf8'));
  const shop = organizations[Number(SHOP)];
  const keys = { consumerKey: shop.consumerKey, clientKey: shop.clientKey };
  return { baseUrl, menuUrl, publishableKey: shop.publishableKey, origin, keys };
}

/** The listener of an HTTP server that serves the shop. */
export function serveStorefront(settings) {
  const headers = securityHeaders(settings);
  const files = readFiles();
  const page = readPage(settings);
  const readMenu = menuReader(settings);
  const pay = settings.keys ? orderPayer(settings) : undefined;
  return async (request, response) => {
    // Not as a URL: `//` is none, and would end the program.
    const [path] = (request.url ?? '/').split('?', 1);
    const origin = settings.origin ?? `http://${request.headers.host}`;
    const answer = (status, type, bytes, caching) => {
      const sent = {
        ...headers,
        'content-type': type,
        'content-length': bytes.length,
        'cache-control': caching,
      };
      response.writeHead(status, sent).end(request.method === 'HEAD' ? undefined : bytes);
    };
    const payingId = request.method === 'POST' && /^\/pay\/([\w-]+)$/.exec(path)?.[1];
    if (payingId && pay !== undefined) {
      const { 'x-order-token': orderToken, 'x-customer-token': customerToken } = request.headers;
      const payment = await pay(payingId, { origin, orderToken, customerToken }).catch(() => undefined);
      const status = payment === undefined ? 503 : payment === null ? 404 : 200;
      answer(status, 'application/json', Buffer.from(JSON.stringify(payment ?? null)), 'no-store');
      return;
    }
    if (!['GET', 'HEAD'].includes(request.method ?? '')) {
      answer(405, 'text/plain', Buffer.from('Only GET and HEAD'), 'no-store');
      return;
    }
    const file = files.get(path);
    if (file !== undefined) {
      sendFile(request, response, file, headers);
      return;
    }
    if (path === '/robots.txt') {
      answer(200, types['.txt'], Buffer.from(robots(origin)), 'public, max-age=3600');
      return;
    }
    const feed = productFeeds[path];
    const isMade = path === '/sitemap.xml' || feed !== undefined || extname(path) === '';
    if (!isMade) {
      answer(404, 'text/plain', Buffer.from('Not found'), 'no-store');
      return;
    }
    try {
      const menu = await readMenu(origin);
      if (path === '/sitemap.xml') {
        answer(
          200,
          'application/xml; charset=utf-8',
          Buffer.from(sitemap(origin, menu)),
          'public, max-age=600',
        );
      } else if (feed !== undefined) {
        answer(200, feed.type, Buffer.from(feed.write(menu, origin)), 'public, max-age=600');
      } else {
        const { status, head, content } = pageOf(path, origin, menu);
        sendFile(request, response, compressed(page(head, content), types['.html']), headers, status);
      }
    } catch (error) {
      console.error(error.message);
      // The page itself can still try: it asks from the browser.
      if (extname(path) === '') {
        sendFile(
          request,
          response,
          compressed(page('<title>Shop</title>', ''), types['.html']),
          headers,
          503,
        );
      } else answer(503, 'text/plain', Buffer.from('The shop does not answer'), 'no-store');
    }
  };
}

function sendFile(request, response, file, headers, status = 200) {
  const sent = { ...headers, 'content-type': file.type, etag: file.etag, 'cache-control': file.caching };
  if (status === 200 && request.headers['if-none-match'] === file.etag) {
    response.writeHead(304, sent).end();
    return;
  }
  const isSmaller = /\bgzip\b/.test(String(request.headers['accept-encoding'])) && file.gzip;
  const body = isSmaller ? file.gzip : file.bytes;
  if (isSmaller) sent['content-encoding'] = 'gzip';
  response.writeHead(status, { ...sent, 'content-length': body.length, vary: 'Accept-Encoding' });
  response.end(request.method === 'HEAD' ? undefined : body);
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
      `connect-src 'self' ${services}`,
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

/** The files of `public/` in memory, with their gzip: there are few, and they are small. */
function readFiles() {
  const root = join(folder, 'public');
  return new Map(
    readdirSync(root)
      .filter((name) => name !== 'index.html')
      .map((name) => [`/${name}`, compressed(readFileSync(join(root, name)), types[extname(name)])]),
  );
}

function compressed(bytes, type) {
  const isText = type.startsWith('text/') || type.includes('svg');
  return {
    type,
    bytes,
    gzip: isText ? gzipSync(bytes, { level: 6 }) : null,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    // The typeface never changes under its name; everything else is asked for again, mostly answered by 304.
    caching: type === 'font/woff2' ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
}

/** Makes a page of lines for its head and of content that stands until the scripts have drawn. */
function readPage(settings) {
  const page = withSettings(readFileSync(join(folder, 'public', 'index.html'), 'utf8'), settings);
  return (head, content) =>
    Buffer.from(page.replace('<!-- head -->', () => head).replace('<!-- content -->', () => content));
}

/** `<` would end the script element that carries the settings. */
function withSettings(page, settings) {
  const { baseUrl, menuUrl, publishableKey, keys } = settings;
  const takesPayments = keys !== undefined;
  const json = JSON.stringify({ baseUrl, menuUrl, publishableKey, takesPayments }).replaceAll('<', '\\u003c');
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
