import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommandLine } from '../../cli/run-command-line.ts';
import { startEmbeddedPostgres } from '../../src/hosting/embedded-postgres/embedded-postgres.ts';
import { FolderArchive } from '../../src/hosting/wal-archive/archive-store.ts';
import { readTimelines, shopsOf } from '../../src/hosting/wal-archive/reachable.ts';
import { Database } from '../../src/platform/database/database.ts';
import { DiskBlobStore } from '../../src/platform/storage/blob-store.ts';
import { isLongSuite } from '../harness/long-suite.ts';
import { type BuiltProgram, buildProgram, Deployment } from './built-program.ts';
import { clientPause } from './client-pause.ts';

/** D77. */
const lostMsMax = 60_000;
/** In the long suite so long that orders are older than what may be lost. */
const tradingMs = isLongSuite ? 150_000 : 1_000;

let built: BuiltProgram;
beforeAll(async () => {
  built = await buildProgram();
});
afterAll(() => built.remove());

/** The drill after the base backup has a PostgreSQL of its own. */
function killDrilled(dataDir: string): void {
  for (const name of readdirSync(dataDir).filter((name) => name.startsWith('drill.'))) {
    const path = join(dataDir, name, 'postgres', 'postmaster.pid');
    if (existsSync(path)) process.kill(-Number.parseInt(readFileSync(path, 'utf8'), 10), 'SIGKILL');
  }
}

test('a disk that is lost under load, with the process killed, takes at most a minute of answered orders with it', async () => {
  const deployment = await Deployment.make(built, 'lost disk');
  const archive = join(built.folder, 'archive');
  // The photo of the shop's products.
  await new DiskBlobStore(join(deployment.dataDir, 'photos')).put('a.svg', Buffer.from('<svg/>'));
  deployment.settings = { WAL_ARCHIVE: archive };
  await deployment.start();
  const answeredAtMs = new Map<string, number>();
  let isOpen = true;
  const clients = [1, 2, 3].map(async () => {
    while (isOpen) {
      const id = await deployment.place().catch(() => null);
      if (id !== null) answeredAtMs.set(id, Date.now());
      await clientPause();
    }
  });
  const store = new FolderArchive(archive);
  const lineOf = async () => (await readTimelines(store, (await shopsOf(store))[0] ?? 'none'))[0];
  await expect.poll(lineOf, { timeout: 120_000, interval: 200 }).toMatchObject({ bases: [{ format: 1 }] });
  const tradesUntilMs = Date.now() + tradingMs;
  await expect.poll(() => Date.now(), { timeout: 2 * tradingMs }).toBeGreaterThan(tradesUntilMs);
  await deployment.kill(true);
  const lostAtMs = Date.now();
  isOpen = false;
  await Promise.all(clients);
  killDrilled(deployment.dataDir);
  rmSync(deployment.dataDir, { recursive: true });

  const into = join(built.folder, 'new disk');
  const said = { out: '', err: '' };
  const more = isLongSuite ? [] : ['--unverified'];
  const code = await runCommandLine(['restore', '--to', 'latest', '--into', into, ...more], {
    ...{ env: { WAL_ARCHIVE: archive }, folder: built.folder },
    stdout: { write: (text) => (said.out += text) },
    stderr: { write: (text) => (said.err += text) },
  });
  expect([code, said.out]).toEqual([
    0,
    expect.stringContaining(isLongSuite ? 'it is whole' : 'Not verified'),
  ]);
  const server = await startEmbeddedPostgres({ dataDir: into, onProgress: () => {} });
  const database = new Database(server.servingConnection, 1);
  const orders = Object.values(await deployment.orders(database)) as { id: string }[];
  await database.close();
  await server.stop();
  const kept = new Set(orders.map(({ id }) => id));
  const lost = [...answeredAtMs].filter(([id]) => !kept.has(id)).map(([, atMs]) => atMs);
  const lostMs = lost.length === 0 ? 0 : lostAtMs - Math.min(...lost);
  console.log(
    `${answeredAtMs.size} orders answered, ${lost.length} lost with the disk: the last ${lostMs} ms of sales`,
  );
  expect(answeredAtMs.size).toBeGreaterThan(10);
  expect(lostMs).toBeLessThan(lostMsMax);
}, 400_000);
