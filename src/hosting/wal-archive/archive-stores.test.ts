import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { refuseWith, startTestBucket, type TestBucket } from '../../../test/harness/test-bucket.ts';
import { execute, onDatabase } from '../../../test/harness/test-connection.ts';
import { concerns } from '../../kernel/concerns.ts';
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import { ArchiveRefusal, FolderArchive } from './archive-store.ts';
import { layRestored } from './lay-restored.ts';
import { readTimelines, shopsOf } from './reachable.ts';
import { type ArchivedShop, openArchivedShop } from './wal-archive.test-support.ts';
import { openArchive } from './wal-archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'dispensary-stores-'));
let bucket: TestBucket;
beforeAll(async () => {
  bucket = await startTestBucket();
});
afterEach(() => {
  bucket.interfere = undefined;
});
afterAll(async () => {
  await bucket.close();
  rmSync(folder, { recursive: true });
});

describe.each([
  ['a folder', () => openArchive({ folder: join(folder, 'archive') })],
  ['a bucket', () => openArchive({ bucket: { ...bucket.settings, prefix: 'archive' } })],
])('in %s', (_, open) => {
  test('a file is what was put last; a new one is never put over another', async () => {
    const store = open();
    expect(await store.get('7/a/one')).toBeNull();
    await store.put('7/a/one', Buffer.from('first'));
    await store.put('7/a/one', Buffer.from('second'));
    expect(await store.putNew('7/a/one', Buffer.from('third'))).toBe(false);
    expect(String(await store.get('7/a/one'))).toBe('second');
    expect(await store.putNew('7/a/two', Buffer.from('new'))).toBe(true);
    expect(String(await store.get('7/a/two'))).toBe('new');
  });

  test('files are listed by path, also after one, and folders by name; what is deleted is gone', async () => {
    const store = open();
    for (const path of ['8/b/2', '8/a/3', '8/b/1', '8/c']) await store.put(path, Buffer.from(path));
    const paths = async (...args: [string, string?]) => (await store.list(...args)).map(({ path }) => path);
    expect(await paths('8')).toEqual(['8/a/3', '8/b/1', '8/b/2', '8/c']);
    expect(await paths('8/b', '8/b/1')).toEqual(['8/b/2']);
    expect(await store.folders('8')).toEqual(['a', 'b']);
    expect(await store.folders('9')).toEqual([]);
    await store.delete('8/a/3');
    await store.delete('8/a/3');
    expect(await paths('8')).toEqual(['8/b/1', '8/b/2', '8/c']);
    expect(await store.folders('8')).toEqual(['b']);
    const listed = (await store.list('8/b'))[0]!;
    expect([listed.bytes, Math.abs(Date.now() - listed.modifiedAtMs) < 3_600_000]).toEqual([5, true]);
  });
});

test('a folder of an archive is readable by its owner only, and a write that fails leaves nothing', async () => {
  const place = join(folder, 'private');
  await new FolderArchive(place).put('a/b', Buffer.from('x'));
  expect(['a', 'a/b'].map((path) => statSync(join(place, path)).mode & 0o777)).toEqual([0o700, 0o600]);
  const full = new FolderArchive(place, async (file) => {
    await file.writeFile('par');
    throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
  });
  await expect(full.put('a/b', Buffer.from('partial'))).rejects.toThrow(ArchiveRefusal);
  await expect(full.putNew('a/c', Buffer.from('partial'))).rejects.toThrow(
    `${place} cannot be used: the disk is full`,
  );
  const store = new FolderArchive(place);
  expect([String(await store.get('a/b')), (await store.list('')).length]).toEqual(['x', 1]);
});

describe('a shop whose archive is a bucket', () => {
  let shop: ArchivedShop;
  beforeAll(async () => {
    shop = await openArchivedShop();
  }, 60_000);
  afterAll(() => shop.close());

  test('sells on while the bucket refuses, catches up without a gap, and is restored from it; the key of documents stays out', async () => {
    const store = openArchive({ bucket: { ...bucket.settings, prefix: 'shop-archive' } });
    let nowMs = Date.now();
    const archiver = shop.archiver(store, { includesMasterKey: false, now: () => nowMs });
    const ids = [await shop.place()];
    await shop.service.photoBlobs.put('0a1b.svg', Buffer.from('<svg/>'));
    await archiver.tick();
    await archiver.base();
    expect([archiver.status.reason, archiver.status.baseReason]).toEqual([null, null]);
    bucket.interfere = refuseWith(403, 'AccessDenied');
    ids.push(await shop.place());
    nowMs = Date.now() + 70_000;
    await archiver.tick();
    expect(archiver.status.reason).toContain('s3://files/shop-archive cannot be used: AccessDenied (403)');
    expect(concerns.words).toEqual([
      expect.stringContaining('behind: the bucket answers AccessDenied (403).'),
    ]);
    bucket.interfere = undefined;
    ids.push(await shop.place());
    nowMs = Date.now();
    await archiver.tick();
    expect([archiver.status.reason, concerns.words]).toEqual([null, []]);

    const [id] = await shopsOf(store);
    expect((await store.list(id!)).filter(({ path }) => path.includes('/keys/'))).toEqual([]);
    const [timeline] = await readTimelines(store, id!);
    const into = join(shop.folder, 'restored');
    await mkdir(into);
    await layRestored({
      ...{
        store,
        timeline: timeline!,
        base: timeline!.bases[0]!,
        toMs: null,
        folder: into,
        onProgress: () => {},
      },
    });
    expect(String(await new FolderArchive(into).get('photos/0a1b.svg'))).toBe('<svg/>');
    expect(await new FolderArchive(into).get('document-master-key')).toBeNull();
    const restored = await startEmbeddedPostgres({
      ...{ dataDir: into, onProgress: () => {}, settings: { fsync: 'off' } },
    });
    const rows = await execute(onDatabase(restored.adminConnection, 'dispensary'), 'select id from orders');
    await restored.stop();
    expect(rows.map((row) => row.id).sort()).toEqual(ids.sort());
  }, 120_000);
});
