import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../src/hosting/embedded-postgres/embedded-postgres.ts';
import { type ArchiveLock, FolderArchive } from '../src/hosting/wal-archive/archive-store.ts';
import { readTimelines, shopsOf } from '../src/hosting/wal-archive/reachable.ts';
import { type ArchivedShop, openArchivedShop } from '../src/hosting/wal-archive/wal-archive.test-support.ts';
import { execute, onDatabase } from '../test/harness/test-connection.ts';
import { runCommandLine } from './run-command-line.ts';

/* An WAL archive that is encrypted for the keys of backups (docs/ENCRYPTION.md). */

const restoreMs = 120_000;
const passphrase = 'a passphrase of the shop';
let shop: ArchivedShop;
let archive: string;
let identity: string;
const placed: string[] = [];
beforeAll(async () => {
  shop = await openArchivedShop();
  archive = join(shop.folder, 'archive');
  writeFileSync(join(shop.dataDir, 'document-master-key'), `${'k'.repeat(43)}=\n`);
  identity = join(shop.folder, 'identity.txt');
  // The photo of the shop's products.
  await shop.service.photoBlobs.put('a.svg', Buffer.from('<svg/>'));
}, restoreMs);
afterAll(() => shop.close());

const archiverWith = (lock?: ArchiveLock) =>
  shop.archiver(new FolderArchive(archive, undefined, lock), { drill: null });
const place = async () => void placed.push(await shop.place());

async function dispensary(env: Readonly<Record<string, string>>, ...args: string[]) {
  const said = { out: '', err: '' };
  const code = await runCommandLine(args, {
    env: { DATA_DIR: join(shop.folder, 'elsewhere'), WAL_ARCHIVE: archive, ...env },
    folder: shop.folder,
    stdout: { write: (text) => (said.out += text) },
    stderr: { write: (text) => (said.err += text) },
  });
  return { code, ...said };
}

async function ordersIn(folder: string): Promise<string[]> {
  const server = await startEmbeddedPostgres({
    ...{ dataDir: folder, onProgress: () => {}, settings: { fsync: 'off' } },
  });
  try {
    const rows = await execute(onDatabase(server.adminConnection, 'dispensary'), 'select id from orders');
    return rows.map(({ id }) => String(id));
  } finally {
    await server.stop();
  }
}

/** Paths of the archive whose content is not encrypted. */
function plainOnes(): string[] {
  return readdirSync(archive, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !readFileSync(path).includes('age-encryption.org/v1\n'))
    .map((path) => path.slice(archive.length + 1).replace(/^\d+\//, ''));
}

test(
  'an archive that was plain goes on encrypted, first for a key that is elsewhere, then with a passphrase, and all of it is restored',
  async () => {
    const key = await generateX25519Identity();
    const recipient = await identityToRecipient(key);
    writeFileSync(identity, `# of the safe\n${key}\n`);
    const other = join(shop.folder, 'other.txt');
    writeFileSync(other, `${await generateX25519Identity()}\n`);
    await place();
    const former = archiverWith();
    await former.tick();
    await former.base();
    const plainBefore = new Set(plainOnes());

    const writer = archiverWith({ recipients: [recipient] });
    await place();
    await writer.tick();
    await place();
    await writer.base();
    expect([writer.status.reason, writer.status.baseReason]).toEqual([null, null]);
    // It goes on with the line whose last piece it cannot open.
    const again = archiverWith({ recipients: [recipient] });
    await place();
    await again.tick();
    const sealing = archiverWith({ passphrase, workFactor: 8 });
    await place();
    await sealing.tick();
    const [id] = await shopsOf(new FolderArchive(archive));
    const lines = await readTimelines(new FolderArchive(archive), id!);
    expect([lines.length, lines[0]!.bases.length]).toEqual([1, 2]);
    // What came since is encrypted, but for what says where it belongs.
    const added = plainOnes().filter((path) => !plainBefore.has(path));
    expect(added.filter((path) => !/(?:\.json|\/files\.gz)$|^files\//.test(path))).toEqual([]);
    expect(readdirSync(join(archive, id!, 'locks'))).toHaveLength(1);

    const into = join(shop.folder, 'restored');
    const restore = (env: Readonly<Record<string, string>>, ...more: string[]) =>
      dispensary(env, 'restore', '--to', 'latest', '--into', into, '--unverified', ...more);
    const locked = await restore({});
    expect([locked.code, locked.err]).toEqual([
      1,
      expect.stringContaining('name the file with the private key'),
    ]);
    const wrong = await restore({ BACKUP_PASSPHRASE: passphrase }, '--identity', other);
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('is encrypted for another key')]);
    expect(existsSync(into)).toBe(false);
    const done = await restore({ BACKUP_PASSPHRASE: passphrase }, '--identity', identity);
    expect([done.code, done.code === 0 ? '' : done.err]).toEqual([0, '']);
    expect(readFileSync(join(into, 'document-master-key'), 'utf8')).toContain('k'.repeat(43));
    expect((await ordersIn(into)).sort()).toEqual(placed.toSorted());
    rmSync(into, { recursive: true });
    // Which moments there are is told without a key.
    const listed = await dispensary({}, 'restore', '--list');
    expect([listed.code, listed.out.match(/base backup/g)?.length]).toEqual([0, 2]);
  },
  restoreMs,
);

test(
  'a drill of an encrypted archive verifies it with the key, and records why it failed without one',
  async () => {
    const opened = await dispensary(
      { BACKUP_PASSPHRASE: passphrase },
      ...['backup', 'drill', '--identity', identity, '--scratch', shop.folder],
    );
    expect([opened.code, opened.code === 0 ? '' : opened.err + opened.out]).toEqual([0, '']);
    const locked = await dispensary({}, 'backup', 'drill', '--scratch', shop.folder);
    expect([locked.code, locked.out]).toEqual([1, expect.stringContaining('The drill failed:')]);
    expect(locked.out).toContain('is encrypted: name the file with the private key');
  },
  restoreMs,
);
