import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import inject from 'light-my-request';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refuseWith, startTestBucket } from '../../../test/harness/test-bucket.ts';
import { systemClock } from '../../kernel/clock.ts';
import { createLogger } from '../../platform/http/logging.ts';
import { createMetrics } from '../../platform/http/metrics.ts';
import { createServer, type HttpServer } from '../../platform/http/server.ts';
import { type BlobStore, DiskBlobStore } from '../../platform/storage/blob-store.ts';
import { openBlobStores } from './blob-stores.ts';
import { servePhotos } from './photo-files.ts';

const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
let folder: string;
let server: HttpServer;

function serverOf(blobs: BlobStore): HttpServer {
  return createServer({
    endpoints: [],
    address: 'base',
    authenticate: async () => null,
    runIdempotently: async (_, work) => ({ reply: await work(), isReplay: false }),
    clock: systemClock,
    logger: createLogger({ level: 'silent' }),
    metrics: createMetrics(),
    rateLimits: undefined,
    readiness: async () => true,
    publicFiles: servePhotos(blobs),
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dispensary-photos-'));
  const blobs = new DiskBlobStore(join(folder, 'photos'));
  await blobs.put('0a1b2c.svg', drawing);
  writeFileSync(join(folder, 'secret.svg'), 'not for you');
  server = await serverOf(blobs);
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

test('a photo is public and cached forever, and cannot run scripts', async () => {
  const { statusCode, headers, rawPayload } = await inject(server.handle, { url: '/photos/0a1b2c.svg' });
  expect(statusCode).toBe(200);
  expect(rawPayload).toEqual(drawing);
  expect(headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-length': String(drawing.length),
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'x-content-type-options': 'nosniff',
  });
});

test('a photo in a bucket is served from there, and fails while the bucket cannot be reached', async () => {
  const bucket = await startTestBucket();
  const { photos } = openBlobStores({ dataDir: folder, bucket: bucket.settings }, () => {});
  const behind = await serverOf(photos);
  const ask = async (name: string) => {
    const { statusCode, headers, rawPayload } = await inject(behind.handle, { url: `/photos/${name}` });
    return { status: statusCode, type: headers['content-type'], bytes: rawPayload };
  };
  await photos.put('0a1b2c.svg', drawing);
  expect(await ask('0a1b2c.svg')).toEqual({ status: 200, type: 'image/svg+xml', bytes: drawing });
  expect((await ask('nothing.svg')).status).toBe(404);
  bucket.interfere = refuseWith(403, 'AccessDenied');
  const away = await ask('0a1b2c.svg');
  expect([away.status, JSON.parse(String(away.bytes)).error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  await behind.close();
  await bucket.close();
});

test('no name reaches outside the folder, a hidden file or another kind of file', async () => {
  const names = [
    ['..%2Fsecret.svg', '..%5Csecret.svg', '.svg', '%00.svg', '0a1b2c.svg%00', '0a1b2c'],
    ['0A1B2C.SVG', 'nothing.svg', '%F0%9F%8C%BF.svg', `${'a'.repeat(5_000)}.svg`, '....%2F%2Fsecret.svg'],
  ].flat();
  for (const name of names) {
    const { statusCode, json } = await inject(server.handle, { url: `/photos/${name}` });
    expect({ name, statusCode, code: json().error.code }).toEqual({
      name,
      statusCode: 404,
      code: 'ROUTE_NOT_FOUND',
    });
  }
});

test('a blob is written atomically, and no draft is left behind', async () => {
  const blobs = new DiskBlobStore(join(folder, 'more'));
  await Promise.all(Array.from({ length: 20 }, () => blobs.put('same.webp', drawing)));
  expect(readdirSync(join(folder, 'more'))).toEqual(['same.webp']);
  expect(await blobs.get('other.webp')).toBeNull();
  await expect(blobs.put('../out.svg', drawing)).rejects.toThrow('not a blob name');
});
