import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { execute } from '../../../test/harness/test-connection.ts';
import { concerns } from '../../kernel/concerns.ts';
import { readyBody } from '../../platform/http/probes.ts';
import { decodePiece, encodePiece, positionName, positionOfName } from './archive-layout.ts';
import { type ArchiveStore, FolderArchive } from './archive-store.ts';
import { type KeptBase, readTimelines, shopsOf } from './reachable.ts';
import { type ArchivedShop, openArchivedShop } from './wal-archive.test-support.ts';

let shop: ArchivedShop;
let isRefused = false;
let store: ArchiveStore;
let number = 0;

/** A full disk while it is refused. */
function newStore(): ArchiveStore {
  number += 1;
  return new FolderArchive(join(shop.folder, `archive-${number}`), async (file, bytes) => {
    if (!isRefused) return file.writeFile(bytes);
    throw Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC' });
  });
}

beforeAll(async () => {
  shop = await openArchivedShop({
    max_slot_wal_keep_size: '96MB',
    max_wal_size: '64MB',
    min_wal_size: '32MB',
  });
}, 60_000);
afterAll(() => shop.close());
afterEach(() => {
  isRefused = false;
  for (const name of ['wal-archive', 'base-backup', 'backup-drill']) concerns.set(name, null);
});

async function onlyTimelines() {
  const [id] = await shopsOf(store);
  return readTimelines(store, id!);
}

/** The pieces of a timeline, and that there is no gap between them. */
async function expectGapless(folder: string): Promise<readonly string[]> {
  const pieces = (await store.list(`${folder}/wal`)).map(({ path }) => path);
  let expected: bigint | null = null;
  for (const path of pieces) {
    const from = positionOfName(path.split('/').at(-1)!);
    if (expected !== null) expect(positionName(from)).toBe(positionName(expected));
    const { bytes } = await decodePiece(store, path, (await store.get(path))!);
    expected = from + BigInt(bytes.length);
  }
  return pieces;
}

/** A later base backup with the files of one that is there: taking it takes seconds. */
async function anotherBase(first: KeptBase, count: number): Promise<string> {
  const base = `${first.base}-${count}`;
  const folder = first.folder.replace(first.base, base);
  const [{ lsn }] = (await execute(
    shop.server.adminConnection,
    'select pg_current_wal_flush_lsn()::text as lsn',
  )) as [{ lsn: string }];
  await store.put(`${folder}/files.gz`, (await store.get(`${first.folder}/files.gz`))!);
  await store.put(`${folder}/000000.gz`, Buffer.from('volume'));
  const manifest = { ...first, base, startPosition: lsn, startedAtMs: first.startedAtMs + count };
  await store.put(`${folder}/manifest.json`, Buffer.from(JSON.stringify(manifest)));
  return base;
}

test('a full archive stops no sale: it is counted, logged once and told to owners; then it catches up without a gap', async () => {
  store = newStore();
  let nowMs = Date.now();
  const archiver = shop.archiver(store, { now: () => nowMs });
  await archiver.tick();
  expect(archiver.status).toMatchObject({ failures: 0, reason: null, waitingBytes: 0 });
  isRefused = true;
  for (let count = 1; count <= 3; count++) {
    await shop.place();
    nowMs = Date.now() + 40_000 * count;
    await archiver.tick();
  }
  expect(archiver.status).toMatchObject({
    ...{ failures: 3, reason: `${store.place} cannot be used: the disk is full` },
  });
  expect(archiver.status.waitingBytes).toBeGreaterThan(1_000);
  expect(shop.said.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
    'the WAL is not archived; sales go on',
  ]);
  expect(readyBody()).toContain('The WAL archive is behind');
  expect(readyBody()).toContain('the disk is full. Sales since');
  // Where the archive is stays in the log of the service.
  expect(readyBody()).not.toContain(store.place);
  expect(JSON.parse(readyBody()).data.status).toBe('ready');
  const owner = await shop.service.staff(shop.shop);
  const { data } = await owner.call('GET', '/staff/v1/organization');
  expect(data.warnings[0]).toContain('The WAL archive is behind');
  isRefused = false;
  nowMs = Date.now();
  await archiver.tick();
  expect(archiver.status).toMatchObject({ failures: 3, reason: null, waitingBytes: 0 });
  expect(concerns.names).toEqual([]);
  expect(shop.said.at(-1)).toEqual({ level: 'warn', message: 'the WAL is archived again' });
  const [timeline] = await onlyTimelines();
  expect((await expectGapless(timeline!.folder)).length).toBeGreaterThan(1);
  // A clock that is put back does not stop the telling of where the archive ends.
  const told = async () => String(await store.get(`${timeline!.folder}/tip.json`));
  const before = await told();
  await shop.place();
  nowMs -= 3_600_000;
  await archiver.tick();
  expect(await told()).not.toBe(before);
});

test('a restart goes on with the timeline; a piece whose reply was lost is taken as its own', async () => {
  const [before] = await onlyTimelines();
  const restarted = shop.archiver(store);
  await shop.place();
  await restarted.tick();
  let isLost = true;
  const forgetful: ArchiveStore = Object.assign(Object.create(store) as ArchiveStore, {
    putNew: async (path: string, bytes: Uint8Array) => {
      const isNew = await store.putNew(path, bytes);
      if (isLost) throw new Error('the reply was lost');
      return isNew;
    },
    ...{ place: store.place, put: store.put.bind(store), get: store.get.bind(store) },
    ...{ list: store.list.bind(store), folders: store.folders.bind(store) },
  });
  const unlucky = shop.archiver(forgetful);
  await shop.place();
  await unlucky.tick();
  expect(unlucky.status.reason).toBe('the reply was lost');
  isLost = false;
  await shop.place();
  await unlucky.tick();
  expect(unlucky.status).toMatchObject({ reason: null, brokenTimelines: 0 });
  const timelines = await onlyTimelines();
  expect(timelines.map(({ facts }) => facts)).toEqual([before!.facts]);
  await expectGapless(before!.folder);
});

test('a piece of another database is never replaced: the timeline ends, and another begins', async () => {
  const archiver = shop.archiver(store);
  await archiver.tick();
  const [timeline] = await onlyTimelines();
  const pieces = await expectGapless(timeline!.folder);
  const last = await decodePiece(store, pieces.at(-1)!, (await store.get(pieces.at(-1)!))!);
  const next = positionOfName(pieces.at(-1)!.split('/').at(-1)!) + BigInt(last.bytes.length);
  const path = `${timeline!.folder}/wal/${positionName(next)}`;
  const foreign = await encodePiece(store, path, { bytes: Buffer.alloc(64, 7), atMs: 1 });
  await store.put(path, foreign);
  await shop.place();
  await archiver.tick();
  expect(archiver.status.brokenTimelines).toBe(1);
  await archiver.tick();
  expect(archiver.status.reason).toBe(null);
  expect(await store.get(path)).toEqual(foreign);
  const timelines = await onlyTimelines();
  expect(timelines).toHaveLength(2);
  await expectGapless(timelines[1]!.folder);
});

test('a WAL that waits too long is given up, so that it never fills the disk: the next timeline begins with a base backup', async () => {
  store = newStore();
  const archiver = shop.archiver(store);
  await archiver.tick();
  isRefused = true;
  await archiver.tick();
  for (let segment = 0; segment < 9; segment++) {
    await shop.place();
    await execute(shop.server.adminConnection, 'select pg_switch_wal()');
  }
  await execute(shop.server.adminConnection, 'checkpoint');
  const slots = 'select wal_status from pg_replication_slots';
  expect(await execute(shop.server.adminConnection, slots)).toEqual([{ wal_status: 'lost' }]);
  await archiver.tick();
  expect(archiver.status).toMatchObject({ brokenTimelines: 1, baseAtMs: null });
  await shop.place();
  isRefused = false;
  await archiver.tick();
  expect(archiver.status).toMatchObject({ reason: null, baseAtMs: null });
  const timelines = await onlyTimelines();
  expect(timelines).toHaveLength(2);
  // Both may be of the same millisecond.
  expect(timelines[0]!.newestMs).toBeLessThanOrEqual(archiver.status.safeAtMs!);
  for (const { folder } of timelines) await expectGapless(folder);
});

test('a WAL that waits while the disk is nearly full is given up at once', async () => {
  store = newStore();
  let freeBytes = 2e9;
  const archiver = shop.archiver(store, { freeBytes: async () => freeBytes });
  await archiver.tick();
  isRefused = true;
  // More than 64 MB wait, in less than the bound of PostgreSQL's next checkpoint.
  for (let segment = 0; segment < 5; segment++) {
    await shop.place();
    await execute(shop.server.adminConnection, 'select pg_switch_wal()');
  }
  await archiver.tick();
  expect(archiver.status.brokenTimelines).toBe(0);
  freeBytes = 5e8;
  await archiver.tick();
  expect(archiver.status.brokenTimelines).toBe(1);
  expect(await execute(shop.server.adminConnection, 'select 1 from pg_replication_slots')).toEqual([]);
});

test('retention keeps the newest base backups, the last one known to be whole, the WAL since, and files that they need', async () => {
  store = newStore();
  const archiver = shop.archiver(store, { keepBases: 1 });
  const [photo, gone] = ['0a1b.svg', '0a1c.svg'];
  for (const name of [photo, gone]) await shop.service.photoBlobs.put(name, Buffer.from('<svg/>'));
  await archiver.tick();
  await archiver.base();
  const [begun] = await onlyTimelines();
  const first = begun!.bases[0]!;
  // Only the first one was found whole.
  await store.put(`${first.folder}/verified.json`, Buffer.from('{}'));
  const made = [first.base];
  for (let count = 1; count < 3; count++) {
    await execute(shop.server.adminConnection, 'select pg_switch_wal()');
    await shop.place();
    await archiver.tick();
    made.push(await anotherBase(first, count));
  }
  await archiver.prune();
  let [timeline] = await onlyTimelines();
  expect(timeline!.bases.map(({ base }) => base)).toEqual([made[0], made[2]]);
  const piecesBefore = await expectGapless(timeline!.folder);
  await store.put(`${timeline!.bases[1]!.folder}/verified.json`, Buffer.from('{}'));
  await shop.service.photoBlobs.delete(gone);
  await archiver.prune();
  [timeline] = await onlyTimelines();
  expect(timeline!.bases.map(({ base }) => base)).toEqual([made[2]]);
  const pieces = await expectGapless(timeline!.folder);
  expect(pieces.length).toBeLessThan(piecesBefore.length);
  expect(piecesBefore.slice(-pieces.length)).toEqual(pieces);
  // It was there at the time of the base backup that stays.
  const names = (await store.list(timeline!.facts.shop)).map(({ path }) => path.split('/').at(-1));
  expect(names).toEqual(expect.arrayContaining([photo, gone]));
  expect(
    (await store.list(`${timeline!.folder}/bases`)).every(({ path }) => path.includes(`/${made[2]}/`)),
  ).toBe(true);
});
