import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failure } from '../../kernel/failure.ts';
import { acceptedEncoding } from './compression.ts';
import { pageHeaders } from './page-headers.ts';
import type { PublicFile, RequestContext } from './request-context.ts';

/** The path of the console; screens are below it. */
export const consolePath = '/console';

/** Keeps the counter's files in browsers that sell offline (D75). Its place lets it see all pages of the console. */
const workerName = 'offline-worker.js';

/** The build contains this placeholder; each reply replaces it with a fresh nonce. */
const noncePlaceholder = '__CSP_NONCE__';

const typeOf: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
};

/** The endings of the files that the build has compressed. */
const endingOf = { br: '.br', gzip: '.gz' } as const;

/** Allows connections to this service only, and only scripts of the build. `blob:` shows downloaded files. */
function contentSecurityPolicy(nonce: string): readonly string[] {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "frame-src 'none'",
    "object-src 'none'",
    "form-action 'self'",
  ];
}

/**
 * Serves the built console from `folder`: hashed files under `/console/assets/`, cached by browsers forever, and one
 * page for every other path. ROUTE_NOT_FOUND if it is not built.
 */
export function consolePages(folder: string, randomBytes: (count: number) => Uint8Array) {
  const assets = new Map<string, PublicFile>();

  async function asset(name: string, accepted: string | undefined): Promise<PublicFile | null> {
    const type = typeOf[name.split('.').at(-1) ?? ''];
    // File systems refuse longer names with an error other than "not found".
    if (type === undefined || !/^[\w.-]{1,200}$/.test(name)) return null;
    const encoding = acceptedEncoding(accepted);
    const ending = encoding && endingOf[encoding];
    const key = name + (ending ?? '');
    const kept = assets.get(key);
    if (kept) return kept;
    const headers = {
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    };
    const path = join(folder, 'assets', name);
    const packed = ending && (await bytesOf(path + ending));
    const bytes = packed ?? (await bytesOf(path));
    if (bytes === null) return null;
    const file = { bytes, headers: { ...headers, ...(packed && { 'content-encoding': encoding }) } };
    assets.set(key, file);
    return file;
  }

  async function page(): Promise<PublicFile> {
    const built = await bytesOf(join(folder, 'index.html'));
    if (built === null) throw failure('ROUTE_NOT_FOUND', 'The console is not built: npm run build.');
    const nonce = Buffer.from(randomBytes(16)).toString('base64');
    return {
      bytes: Buffer.from(built.toString('utf8').replaceAll(noncePlaceholder, nonce)),
      headers: pageHeaders({
        policy: contentSecurityPolicy(nonce),
        cacheControl: 'no-cache',
        referrerPolicy: 'same-origin',
      }),
    };
  }

  async function worker(): Promise<PublicFile> {
    const bytes = await bytesOf(join(folder, workerName));
    if (bytes === null) throw failure('ROUTE_NOT_FOUND', 'There is no such file.');
    return {
      bytes,
      headers: {
        'content-type': typeOf.js!,
        'cache-control': 'no-cache',
        'content-security-policy': "default-src 'self'",
      },
    };
  }

  return async (requestContext: RequestContext): Promise<void> => {
    const path = requestContext.request.url!.split('?', 1)[0]!;
    if (path === `${consolePath}/${workerName}`) return requestContext.sendFile(await worker());
    const assetFolder = `${consolePath}/assets/`;
    if (!path.startsWith(assetFolder)) return requestContext.sendFile(await page());
    const accepted = requestContext.request.headers['accept-encoding'] as string | undefined;
    const file = await asset(path.slice(assetFolder.length), accepted);
    if (file === null) throw failure('ROUTE_NOT_FOUND', 'There is no such file.');
    requestContext.sendFile(file);
  };
}

/** Null if the file does not exist. */
async function bytesOf(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
