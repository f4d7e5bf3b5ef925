import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../seed/seeded-random.ts';
import { startEmbeddedPostgres } from '../src/hosting/embedded-postgres/embedded-postgres.ts';
import { loadConfig } from '../src/hosting/startup/config.ts';
import { FolderArchive } from '../src/hosting/wal-archive/archive-store.ts';
import { readTimelines, shopsOf } from '../src/hosting/wal-archive/reachable.ts';
import { type ArchivedShop, openArchivedShop } from '../src/hosting/wal-archive/wal-archive.test-support.ts';
import type { WalArchiver } from '../src/hosting/wal-archive/wal-archiver.ts';
import { casesOf, isLongSuite } from '../test/harness/long-suite.ts';
import { execute, onDatabase } from '../test/harness/test-connection.ts';
import { archiveLines, archiveState } from './archive-state.ts';
import { runCommandLine } from './run-command-line.ts';

/** Restoring and verifying take seconds on a busy machine. */
const restoreMs = 120_000;

/** An order, and when its request began and was answered, by the clock that PostgreSQL has too. */
interface Placed {
  readonly id: string;
  readonly beganAtMs: number;
  readonly answeredAtMs: number;
}

let shop: ArchivedShop;
let archive: string;
let archiver: WalArchiver;
const placed: Placed[] = [];
/** Orders that were answered before it are archived; the disk is lost right after. */
let lastArchivedAtMs = 0;

beforeAll(async () => {
  shop = await openArchivedShop();
  archive = join(shop.folder, 'archive');
  archiver = shop.archiver(new FolderArchive(archive));
  await place();
  // The photo of the shop's products.
  await shop.service.photoBlobs.put('a.svg', Buffer.from('<svg/>'));
  await archiver.tick();
}, restoreMs);
afterAll(() => shop.close());

async function place(): Promise<void> {
  const beganAtMs = Date.now();
  const id = await shop.place();
  placed.push({ id, beganAtMs, answeredAtMs: Date.now() });
}

async function dispensary(...args: string[]) {
  const said = { out: '', err: '' };
  const code = await runCommandLine(args, {
    env: { DATA_DIR: join(shop.folder, 'elsewhere'), WAL_ARCHIVE: archive },
    folder: shop.folder,
    stdout: { write: (text) => (said.out += text) },
    stderr: { write: (text) => (said.err += text) },
  });
  return { code, ...said };
}

/** The ids of the orders in a restored folder, which is removed. */
async function ordersIn(folder: string): Promise<Set<string>> {
  const server = await startEmbeddedPostgres({
    ...{ dataDir: folder, onProgress: () => {}, settings: { fsync: 'off' } },
  });
  try {
    const rows = await execute(onDatabase(server.adminConnection, 'dispensary'), 'select id from orders');
    return new Set(rows.map(({ id }) => id as string));
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

const timeOf = (ms: number): string => new Date(ms).toISOString();

test(
  'restored to a moment under load, a shop has each order answered before it, none placed after it, and is whole',
  async () => {
    // Clients buy while the base backup is taken, and the WAL is archived behind them.
    const buy = (count: number) =>
      Promise.all(
        [1, 2].map(async () => {
          for (let order = 0; order < count; order++) await place();
        }),
      );
    await Promise.all([archiver.base(), buy(10)]);
    const rounds = casesOf({ everyRun: 3, long: 60 });
    for (let round = 0; round < rounds; round++) {
      await Promise.all([archiver.tick(), buy(5)]);
    }
    // Something to archive: an archive that has all says so only from time to time.
    await buy(1);
    await archiver.tick();
    lastArchivedAtMs = archiver.status.safeAtMs!;
    await buy(2);
    expect([archiver.status.reason, archiver.status.baseReason]).toEqual([null, null]);

    const [id] = await shopsOf(new FolderArchive(archive));
    const [timeline] = await readTimelines(new FolderArchive(archive), id!);
    const { fromMs, toMs } = timeline!.reach!;
    expect(toMs).toBe(lastArchivedAtMs);
    const random = seededRandom('moments');
    for (let count = 0; count < casesOf({ everyRun: 1, long: 50 }); count++) {
      const moment = random.integer(fromMs, toMs - 1);
      const into = join(shop.folder, 'restored');
      // Verifying takes most of the time; the drill below does it.
      const more = isLongSuite ? [] : ['--unverified'];
      const { code, out, err } = await dispensary('restore', '--to', timeOf(moment), '--into', into, ...more);
      expect({ code, err: code === 0 ? '' : err, out }).toEqual({
        ...{ code: 0, err: '' },
        out: expect.stringContaining(isLongSuite ? 'Verified: it is whole' : 'Not verified'),
      });
      expect(existsSync(join(into, 'photos', 'a.svg'))).toBe(true);
      const kept = await ordersIn(into);
      const missing = placed.filter((order) => order.answeredAtMs < moment && !kept.has(order.id));
      const early = placed.filter((order) => order.beganAtMs > moment && kept.has(order.id));
      expect({ moment: timeOf(moment), missing, early }).toEqual({
        moment: timeOf(moment),
        missing: [],
        early: [],
      });
    }
  },
  restoreMs * casesOf({ everyRun: 1, long: 20 }),
);

test(
  'a lost disk loses only what was not archived yet, and what is restored begins a timeline of its own',
  async () => {
    const into = join(shop.folder, 'new-disk');
    const { code, out } = await dispensary(
      'restore',
      '--to',
      'latest',
      '--into',
      into,
      '--unverified',
      '--json',
    );
    expect(code).toBe(0);
    const { shops } = JSON.parse(out);
    const kept = await (async () => {
      const server = await startEmbeddedPostgres({
        ...{ dataDir: into, onProgress: () => {}, settings: { fsync: 'off' } },
      });
      try {
        const rows = await execute(onDatabase(server.adminConnection, 'dispensary'), 'select id from orders');
        const store = new FolderArchive(archive);
        const [id] = await shopsOf(store);
        const before = await store.list(id!);
        const logOf = (names: typeof before) => names.filter(({ path }) => path.includes('/wal/'));
        const second = shop.archiver(store, { dataDir: into, admin: server.adminConnection });
        await second.tick();
        expect(second.status.reason).toBe(null);
        const after = await store.list(id!);
        // Nothing in the timeline of the lost disk has changed.
        const former = `${id}/timelines/${(await readTimelines(store, id!))[0]!.facts.timeline}/`;
        const inFormer = (names: typeof before) => names.filter(({ path }) => path.startsWith(former));
        expect(inFormer(after)).toEqual(inFormer(before));
        expect(logOf(after).length).toBeGreaterThan(logOf(before).length);
        expect(await readTimelines(store, id!)).toHaveLength(2);
        return new Set(rows.map(({ id }) => id as string));
      } finally {
        await server.stop();
      }
    })();
    expect(shops).toMatchObject([{ orders: kept.size }]);
    const missing = placed.filter((order) => !kept.has(order.id));
    expect(missing.filter((order) => order.answeredAtMs < lastArchivedAtMs)).toEqual([]);
    // Those after it were lost with the disk.
    expect(missing.length).toBeGreaterThan(0);
  },
  restoreMs,
);

test('a time without an offset, out of reach or in no calendar is refused, and so is a folder with files', async () => {
  const into = join(shop.folder, 'refused');
  const restore = async (to: string, folder = into) => {
    const { code, err } = await dispensary('restore', '--to', to, '--into', folder);
    return { code, message: err.split('\n\n')[0] };
  };
  for (const wrong of ['2026-11-22T18:04:00', 'yesterday', '2026-02-30T10:00:00Z', '2026-11-22T25:00:00Z']) {
    const { code, message } = await restore(wrong);
    expect([code, message]).toEqual([2, expect.stringContaining(`--to: ${wrong} must be latest, or a time`)]);
  }
  const reach = /: from .+ P[DS]T \(\d{4}-.+Z\) to .+ P[DS]T \(\d{4}-.+Z\)/;
  for (const wrong of ['2026-01-01T00:00:00-08:00', timeOf(Date.now() + 3_600_000)]) {
    const { code, message } = await restore(wrong);
    expect([code, message]).toEqual([2, expect.stringContaining(`--to: ${wrong} is not in the archive`)]);
    expect(message).toMatch(reach);
  }
  mkdirSync(into);
  writeFileSync(join(into, 'mine'), 'precious');
  const store = new FolderArchive(archive);
  const [id] = await shopsOf(store);
  const [timeline, another] = await readTimelines(store, id!);
  // As if both had been written at the same time.
  const base = { ...timeline!.bases[0]!, stoppedAtMs: timeline!.newestMs - 1 };
  await store.put(`${another!.folder}/bases/x/manifest.json`, Buffer.from(JSON.stringify(base)));
  expect(await restore('latest')).toMatchObject({ code: 2, message: expect.stringContaining('--timeline') });
  const named = await dispensary(
    'restore',
    '--to',
    'latest',
    '--into',
    into,
    '--timeline',
    timeline!.facts.timeline,
  );
  expect([named.code, named.err]).toEqual([2, expect.stringContaining('must be empty or not exist')]);
  expect(readdirSync(into)).toEqual(['mine']);
  const within = await dispensary(
    'restore',
    '--to',
    'latest',
    '--into',
    join(archive, 'x'),
    '--timeline',
    timeline!.facts.timeline,
  );
  expect([within.code, within.err]).toEqual([2, expect.stringContaining('is in the archive')]);
});

test(
  'a drill restores the newest, verifies and removes it, and records the outcome; it fails when the archive is damaged',
  async () => {
    const store = new FolderArchive(archive);
    const [id] = await shopsOf(store);
    const [timeline] = await readTimelines(store, id!);
    const scratch = join(shop.folder, 'scratch');
    // Another shop in the archive, such as the same one before its move to the next major version of PostgreSQL.
    await store.put('9999999999999999999/writable.json', Buffer.from('{}'));
    const unnamed = await dispensary('restore', '--list');
    expect([unnamed.code, unnamed.err]).toEqual([
      2,
      expect.stringMatching(
        new RegExp(`--shop: .* has ${id} \\(until .*Z\\)\\), 9999999999999999999; name one`),
      ),
    ]);
    const drill = () =>
      dispensary('backup', 'drill', '--timeline', timeline!.facts.timeline, '--scratch', scratch);
    const done = await drill();
    expect([done.code, done.out]).toEqual([0, expect.stringContaining('The drill succeeded')]);
    expect(readdirSync(scratch)).toEqual([]);
    const listed = await dispensary('restore', '--list', '--timeline', timeline!.facts.timeline);
    expect([listed.code, listed.out]).toEqual([0, expect.stringContaining('found whole by a drill')]);
    const state = await archiveState(loadConfig({ WAL_ARCHIVE: archive }, shop.folder));
    expect(archiveLines(state).join('\n')).toMatch(/complete to .*; last base backup .*\nLast drill .*whole/);

    const pieces = (await store.list(`${timeline!.folder}/wal`)).map(({ path }) => path);
    const [path] = pieces.slice(-2);
    const bytes = (await store.get(path!))!;
    bytes[bytes.length - 20]! ^= 1;
    await store.put(path!, bytes);
    const failed = await drill();
    expect([failed.code, failed.out]).toEqual([1, expect.stringMatching(/The drill failed: .*damaged/)]);
    const record = JSON.parse(String(await store.get(`${id}/drill.json`)));
    expect(record).toMatchObject({ isWhole: false, timeline: timeline!.facts.timeline });
    await archiver.tick();
  },
  restoreMs,
);
