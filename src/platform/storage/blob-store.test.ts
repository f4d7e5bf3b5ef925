import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { refuseWith, startTestBucket } from '../../../test/harness/test-bucket.ts';
import { openBlobStores } from '../../shop/files/blob-stores.ts';
import { DiskBlobStore } from './blob-store.ts';
import { type BucketSettings, S3BlobStore, type S3Options } from './s3-blob-store.ts';

const bucket = await startTestBucket();
const folder = mkdtempSync(join(tmpdir(), 'dispensary-blobs-'));
afterEach(() => {
  bucket.interfere = undefined;
});
afterAll(async () => {
  await bucket.close();
  rmSync(folder, { recursive: true });
});

const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
const everyByte = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
const ofBucket = { dataDir: folder, bucket: bucket.settings };

describe.each([
  ['a folder', () => openBlobStores({ dataDir: folder }, () => {})],
  ['a bucket', () => openBlobStores(ofBucket, () => {})],
])('in %s', (_, open) => {
  const { photos, documents, check } = open();

  test('a blob is read unchanged until it is deleted', async () => {
    for (const bytes of [everyByte, Buffer.alloc(0), Buffer.alloc(3_000_000, 'words')]) {
      await photos.put('0a1b2c.webp', bytes);
      expect((await photos.get('0a1b2c.webp'))?.equals(bytes)).toBe(true);
    }
    await photos.delete('0a1b2c.webp');
    expect(await photos.get('0a1b2c.webp')).toBeNull();
  });

  test('a missing blob is null, and can be deleted', async () => {
    expect(await documents.get('7-7-nothing')).toBeNull();
    await documents.delete('7-7-nothing');
  });

  test('a photo and a document with the same name are independent', async () => {
    await photos.put('same', Buffer.from('photo'));
    await documents.put('same', Buffer.from('document'));
    await photos.delete('same');
    expect(String(await documents.get('same'))).toBe('document');
  });

  test('a name that could be a path is refused', async () => {
    for (const name of ['../out.svg', 'a/b', '.hidden', '', 'A', `${'a'.repeat(102)}`, 'a\0', 'a?x', 'ä']) {
      await expect(photos.put(name, drawing)).rejects.toThrow('not a blob name');
      await expect(photos.delete(name)).rejects.toThrow('not a blob name');
      expect(await photos.get(name)).toBeNull();
    }
  });

  test('the startup check passes, and leaves nothing behind', async () => {
    expect(await check()).toBeNull();
  });
});

test.each(['ENOSPC', 'EDQUOT'])(
  'a full folder (%s) fails with STORAGE_FULL, keeps no part of a file, and accepts it later',
  async (code) => {
    let isFull = true;
    const write = (async (path: string, bytes: Uint8Array, options: object) => {
      await writeFile(path, isFull ? bytes.subarray(0, 7) : bytes, options);
      if (isFull) throw Object.assign(new Error(`${code}: write`), { code });
    }) as typeof writeFile;
    const full = join(folder, code.toLowerCase());
    const store = new DiskBlobStore(full, { write });
    await expect(store.put('a.svg', drawing)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect([await store.get('a.svg'), readdirSync(full)]).toEqual([null, []]);
    isFull = false;
    await store.put('a.svg', drawing);
    expect(await store.get('a.svg')).toEqual(drawing);
  },
);

describe('a bucket', () => {
  function openBucket(changes: Partial<BucketSettings> = {}, bounds?: S3Options['bounds']) {
    const problems: string[] = [];
    const options = { report: (problem: string) => problems.push(problem), ...(bounds && { bounds }) };
    return { store: new S3BlobStore({ ...bucket.settings, ...changes }, 'photos', options), problems };
  }
  const hasty = { attempts: 2, connectMs: 200, silenceMs: 100, totalMs: 2_000 };
  const unavailable = {
    code: 'SERVICE_UNAVAILABLE',
    message: 'The file store cannot be reached; try again.',
  };

  test('stores each blob below its prefix, or without one', async () => {
    const before = bucket.requests.length;
    await openBucket().store.put('one.svg', drawing);
    await openBucket({ prefix: '' }).store.put('one.svg', drawing);
    expect(bucket.requests.slice(before)).toEqual([
      'PUT /files/shop/photos/one.svg',
      'PUT /files/photos/one.svg',
    ]);
  });

  test('that fails temporarily is retried a few times', async () => {
    const { store, problems } = openBucket();
    const before = bucket.requests.length;
    bucket.interfere = (request, response) => {
      bucket.interfere = undefined;
      refuseWith(500, 'InternalError')(request, response);
    };
    await store.put('again.svg', drawing);
    expect(await store.get('again.svg')).toEqual(drawing);
    expect(bucket.requests.length - before).toBe(3);
    bucket.interfere = refuseWith(500, 'InternalError');
    await expect(store.get('again.svg')).rejects.toMatchObject(unavailable);
    expect(bucket.requests.length - before).toBe(6);
    expect(problems).toEqual(['files/shop/photos/ get: InternalError (500): InternalError it is']);
  });

  test.each<[string, RequestListener]>([
    ['does not answer', () => {}],
    [
      'stops in the middle of its answer',
      (_, response) => {
        response.writeHead(200, { 'content-length': 1_000 }).write('part');
      },
    ],
  ])('that %s is given up on in time', async (_, interfere) => {
    const { store, problems } = openBucket({}, hasty);
    bucket.interfere = interfere;
    await expect(store.get('slow.svg')).rejects.toMatchObject(unavailable);
    expect(problems.length).toBe(1);
  });

  test('that is full fails with STORAGE_FULL', async () => {
    const { store } = openBucket({}, { ...hasty, attempts: 1 });
    bucket.interfere = refuseWith(507, 'StorageFull');
    await expect(store.put('a.svg', drawing)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  });

  test('that cuts the connection is unavailable', async () => {
    const { store } = openBucket({}, hasty);
    await store.put('cut.svg', drawing);
    bucket.interfere = (request) => request.socket.destroy();
    for (const ask of [() => store.get('cut.svg'), () => store.put('cut.svg', drawing)]) {
      await expect(ask()).rejects.toMatchObject(unavailable);
    }
    await expect(store.delete('cut.svg')).rejects.toMatchObject(unavailable);
    bucket.interfere = undefined;
    expect(await store.get('cut.svg')).toEqual(drawing);
  });

  test('that does not exist is not a missing file', async () => {
    const { store } = openBucket({ bucket: 'elsewhere' });
    await expect(store.get('one.svg')).rejects.toMatchObject(unavailable);
  });

  test.each<[string, Partial<BucketSettings>, string, string]>([
    [
      'a bucket that does not exist',
      { bucket: 'elsewhere' },
      '',
      'BLOB_STORE: the bucket elsewhere does not',
    ],
    [
      'an unknown access key',
      { credentials: { accessKeyId: 'nobody', secretAccessKey: 'hush' } },
      '',
      'S3_ACCESS_KEY_ID: the bucket files does not',
    ],
    ['a wrong secret', {}, 'SignatureDoesNotMatch', 'S3_SECRET_ACCESS_KEY: the bucket files does not'],
    ['another region', {}, 'AuthorizationHeaderMalformed', 'S3_REGION: the bucket files does not'],
    ['no right to write', {}, 'AccessDenied', 'BLOB_STORE: the bucket files does not'],
  ])('stops the start for %s, naming the setting', async (_, changes, code, message) => {
    const problems: string[] = [];
    const stores = openBlobStores(
      { dataDir: folder, bucket: { ...bucket.settings, ...changes } },
      (problem) => problems.push(problem),
    );
    if (code !== '') bucket.interfere = refuseWith(403, code);
    const refused = await stores.check().catch((error: Error) => error.message);
    expect(refused).toContain(message);
    expect(`${refused}${problems}`).not.toContain('hush');
  });

  test('that forbids reading missing files stops the start, too', async () => {
    bucket.interfere = (request, response) => {
      if (request.method === 'GET') refuseWith(403, 'AccessDenied')(request, response);
      else response.writeHead(204).end();
    };
    await expect(openBlobStores(ofBucket, () => {}).check()).rejects.toThrow(
      'BLOB_STORE: the bucket files does not report a missing file: AccessDenied (403)',
    );
  });

  test('that cannot be reached causes a warning at the start', async () => {
    bucket.interfere = refuseWith(503, 'ServiceUnavailable');
    expect(await openBlobStores(ofBucket, () => {}).check()).toMatch(
      /^the bucket files does not keep a file: .* Photos and documents fail until it does\.$/,
    );
    bucket.interfere = undefined;
    const unreachable = { ...bucket.settings, endpoint: 'http://127.0.0.1:1' };
    expect(await openBlobStores({ dataDir: folder, bucket: unreachable }, () => {}).check()).toMatch(
      /ECONNREFUSED/,
    );
  });

  test('logs its failures without keys and secrets', async () => {
    const { store, problems } = openBucket({ credentials: { accessKeyId: 'AKID', secretAccessKey: 'hush' } });
    await expect(store.put('one.svg', drawing)).rejects.toMatchObject(unavailable);
    expect(problems).toEqual([
      expect.stringMatching(/^files\/shop\/photos\/ put: InvalidAccessKeyId \(403\): /),
    ]);
    expect(problems.join('')).not.toMatch(/hush|AKID|one\.svg/);
  });
});
