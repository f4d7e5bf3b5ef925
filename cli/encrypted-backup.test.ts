import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { pack } from 'tar-stream';
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '../src/hosting/startup/config.ts';
import { encryptBackup, encryptedBackupAt, openBackup } from './encrypted-backup.ts';
import { readEncrypted } from './encrypted-file.ts';
import { unpackInto } from './tar-file.ts';

/** Encrypted backups: what is opened is what was written, by the right key only, and whole or not at all. */

const folder = mkdtempSync(join(tmpdir(), 'dispensary-encrypted-'));
afterAll(() => rmSync(folder, { recursive: true }));

const dataDir = join(folder, 'data');
const longName = `${'0123456789abcdef'.repeat(7)}.jpg`;
const segment = Buffer.alloc(3_000_001, 'the shop, its orders and its customers ');

function makeFolder(at: string): void {
  mkdirSync(join(at, 'postgres', 'pg_notify'), { recursive: true, mode: 0o700 });
  mkdirSync(join(at, 'photos'), { mode: 0o700 });
  writeFileSync(join(at, 'postgres', 'segment'), segment, { mode: 0o600 });
  writeFileSync(join(at, 'postgres', 'empty'), '');
  writeFileSync(join(at, 'photos', longName), 'a photo');
  chmodSync(join(at, 'postgres', 'empty'), 0o640);
}

async function keyPair(name: string) {
  const identity = await generateX25519Identity();
  const file = join(folder, `${name}.key`);
  writeFileSync(file, `# created for a test\n${identity}\n`, { mode: 0o600 });
  return { file, recipient: await identityToRecipient(identity) };
}
const [owner, safe, stranger] = [await keyPair('owner'), await keyPair('safe'), await keyPair('stranger')];
const configOf = (env: Record<string, string>) => loadConfig({ DATA_DIR: dataDir, ...env }, folder);
const config = configOf({ BACKUP_RECIPIENTS: `${owner.recipient}, ${safe.recipient}` });

const backup = join(folder, 'monday.age');
await encryptBackup(config, backup, config.backupLock!, async (at) => makeFolder(at));

test('each recipient opens the backup, with all files, modes and empty folders', async () => {
  expect([encryptedBackupAt(backup), encryptedBackupAt(folder)]).toEqual([backup, null]);
  for (const { file: identity } of [owner, safe]) {
    const into = join(folder, 'opened');
    await openBackup(config, { file: backup, identity }, into);
    expect(readdirSync(into, { recursive: true }).sort()).toEqual(
      [
        'photos',
        `photos/${longName}`,
        'postgres',
        'postgres/empty',
        'postgres/pg_notify',
        'postgres/segment',
      ].sort(),
    );
    expect(readFileSync(join(into, 'postgres', 'segment')).equals(segment)).toBe(true);
    expect((statSync(join(into, 'postgres', 'empty')).mode & 0o777).toString(8)).toBe('640');
    rmSync(into, { recursive: true });
  }
  // Other tools read it as well: the archive is a tar.
  const tar = join(folder, 'plain.tar');
  const pieces: Uint8Array[] = [];
  for await (const piece of readEncrypted(backup, { identity: owner.file, passphrase: undefined }))
    pieces.push(piece);
  writeFileSync(tar, Buffer.concat(pieces));
  expect(execFileSync('tar', ['tf', tar], { encoding: 'utf8' })).toContain(`photos/${longName}\n`);
});

test('nothing of it is in plain, and the plain copy is gone', async () => {
  const bytes = readFileSync(backup);
  for (const word of ['customers', longName.slice(0, 40), 'segment'])
    expect(bytes.includes(word)).toBe(false);
  expect((statSync(backup).mode & 0o777).toString(8)).toBe('600');
  expect(readdirSync(dataDir)).toEqual([]);
  await expect(
    encryptBackup(config, backup, config.backupLock!, async (at) => makeFolder(at)),
  ).rejects.toThrow('must not exist');
  const failed = join(folder, 'failed.age');
  await expect(
    encryptBackup(config, failed, config.backupLock!, async () => {
      throw new Error('no room');
    }),
  ).rejects.toThrow('no room');
  expect([readdirSync(dataDir), encryptedBackupAt(failed)]).toEqual([[], null]);
});

test('another key, a changed and a cut-off file are refused in words, and leave nothing', async () => {
  const into = join(folder, 'refused');
  const open = (file: string, identity: string | undefined) => openBackup(config, { file, identity }, into);
  await expect(open(backup, stranger.file)).rejects.toThrow('is encrypted for another key');
  await expect(open(backup, undefined)).rejects.toThrow('--identity: name the file with the private key');
  await expect(open(backup, backup)).rejects.toThrow('has no private key');
  const mistaken = join(folder, 'mistaken.key');
  writeFileSync(mistaken, readFileSync(owner.file, 'utf8').replace(/(AGE-SECRET-KEY-.*).{5}$/m, '$1BBBBB'));
  await expect(open(backup, mistaken)).rejects.toThrow('the private key has a mistake');
  const bytes = readFileSync(backup);
  for (const [name, damaged] of [
    ['cut', bytes.subarray(0, -1)],
    ['cut far', bytes.subarray(0, 1_000_000)],
    ['cut in the header', bytes.subarray(0, 100)],
    ['longer', Buffer.concat([bytes, Buffer.from('x')])],
    ['changed', Buffer.from(bytes.map((byte, at) => (at === 2_000_000 ? byte ^ 1 : byte)))],
    ['changed header', Buffer.from(bytes.map((byte, at) => (at === 150 ? byte ^ 1 : byte)))],
    ['none', Buffer.from('no backup at all')],
  ] as const) {
    const file = join(folder, 'damaged.age');
    writeFileSync(file, damaged);
    await expect(open(file, owner.file), name).rejects.toThrow(/is (?:damaged|encrypted for another key)/);
  }
  expect(readdirSync(folder).filter((name) => name.startsWith('refused'))).toEqual([]);
});

test('a passphrase opens what it has encrypted, and no other one', async () => {
  const words = configOf({ BACKUP_PASSPHRASE: 'quiet harbor lantern 41' });
  const file = join(folder, 'tuesday.age');
  // The passphrase is stretched for seconds by default.
  const lock = { passphrase: 'quiet harbor lantern 41', workFactor: 8 };
  expect(words.backupLock).toMatchObject({ passphrase: lock.passphrase });
  await encryptBackup(words, file, lock, async (at) => makeFolder(at));
  const into = join(folder, 'by words');
  const other = configOf({ BACKUP_PASSPHRASE: 'lantern harbor quiet 14' });
  await expect(openBackup(other, { file, identity: undefined }, into)).rejects.toThrow('another key');
  await openBackup(words, { file, identity: undefined }, into);
  expect(readFileSync(join(into, 'postgres', 'segment')).equals(segment)).toBe(true);
});

test('an archive with a name that leads out of its folder is refused', async () => {
  const archive = pack();
  archive.entry({ name: '../outside' }, 'text');
  archive.finalize();
  const into = join(folder, 'inside');
  mkdirSync(into);
  await expect(unpackInto(into, archive)).rejects.toThrow('leads out of its folder');
});
