/** Serves the menu board: one page, its script and its style. The publishable key stands in the page; it is no secret. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const types = { '.html': 'text/html; charset=utf-8', '.mjs': 'text/javascript', '.css': 'text/css' };

/** `{ baseUrl, menuUrl, publishableKey }`, from the environment or from the file that the demo writes when it starts. */
function readSettings(
  { SHOP_BASE_URL, SHOP_MENU_URL, SHOP_PUBLISHABLE_KEY, SHOP = '0', DEMO_FILE } = process.env,
) {
  if (SHOP_BASE_URL && SHOP_PUBLISHABLE_KEY) {
    return {
      baseUrl: SHOP_BASE_URL,
      menuUrl: SHOP_MENU_URL ?? SHOP_BASE_URL,
      publishableKey: SHOP_PUBLISHABLE_KEY,
    };
  }
  const file = DEMO_FILE ?? join(import.meta.dirname, '..', '..', 'data', 'demo.json');
  if (!existsSync(file)) {
    throw new Error(
      `There is no ${file}. Start the demo first (npm start in the project's folder), or set SHOP_BASE_URL and SHOP_PUBLISHABLE_KEY.`,
    );
  }
  const { baseUrl, menuUrl, organizations } = JSON.parse(readFileSync(file, 'utf8'));
  return { baseUrl, menuUrl, publishableKey: organizations[Number(SHOP)].publishableKey };
}

/** The listener of an HTTP server that serves the board. */
export function serveMenuBoard({ baseUrl, menuUrl, publishableKey }) {
  const services = [...new Set([new URL(baseUrl).origin, new URL(menuUrl).origin])].join(' ');
  const policy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' ${services}; connect-src ${services}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'`;
  const settings = JSON.stringify({ menuUrl, publishableKey }).replaceAll('<', '\\u003c');
  const files = new Map(
    ['board.html', 'board.mjs', 'board.css'].map((name) => {
      const text = readFileSync(join(import.meta.dirname, 'public', name), 'utf8');
      return [
        `/${name}`,
        { type: types[extname(name)], text: text.replace('{"settings": "here"}', () => settings) },
      ];
    }),
  );
  return (request, response) => {
    // Not as a URL: `//` is none, and would end the program.
    const [path] = (request.url ?? '/').split('?', 1);
    const file = files.get(path === '/' ? '/board.html' : path);
    response.writeHead(file ? 200 : 404, {
      'content-type': file?.type ?? 'text/plain',
      'content-security-policy': policy,
      'cache-control': 'no-cache',
    });
    response.end(file?.text ?? 'Not found');
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const port = Number(process.env.PORT ?? 4173);
  process.on('uncaughtException', (error) => {
    const isTaken = 'code' in error && error.code === 'EADDRINUSE';
    console.error(isTaken ? `Another program uses port ${port}. Set PORT to a free one.` : error.message);
    process.exit(1);
  });
  createServer(serveMenuBoard(readSettings())).listen(port, '127.0.0.1', () => {
    console.log(`The menu board: http://127.0.0.1:${port}`);
  });
}
