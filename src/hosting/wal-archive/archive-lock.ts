import { createHash } from 'node:crypto';
import { setImmediate as otherWork } from 'node:timers/promises';
import { systemClock } from '../../kernel/clock.ts';
import type { ArchiveLock, ArchiveStore } from './archive-store.ts';

/*
 * What is encrypted in an archive, in the format of age: the WAL, the volumes of base backups and the master key of documents. Each file
 * is encrypted by itself, for the same public keys as backups. With a passphrase, which takes seconds to stretch, a pair of keys is made
 * once for the shop; its private key lies beside the timelines, encrypted with the passphrase. Files that were written without a lock are plain, and stay so.
 */

/** The first bytes of each encrypted file. */
const mark = Buffer.from('age-encryption.org/v1\n');
const pieceBytes = 131_072;

/** An encrypted file of the archive that cannot be opened with what is there. */
class LockedArchive extends Error {}

/** Whether what the lock encrypts can be opened by it, too. */
export function opensItself({ passphrase, identities }: ArchiveLock): boolean {
  return passphrase !== undefined || identities !== undefined;
}

/** The content of a file as the archive gets it: encrypted, if it has a lock. */
export async function sealed(
  store: ArchiveStore,
  path: string,
  bytes: Buffer<ArrayBuffer>,
): Promise<Buffer<ArrayBuffer>> {
  const { lock } = store;
  if (lock === undefined || (lock.recipients === undefined && lock.passphrase === undefined)) return bytes;
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  for (const recipient of lock.recipients ?? [await recipientOf(store, lock, path)]) {
    encrypter.addRecipient(recipient);
  }
  return collected(await encrypter.encrypt(inPieces(bytes) as never));
}

/** The content of a file of the archive, whether it is encrypted or not. Throws a {@link LockedArchive} without its key. */
export async function opened(store: ArchiveStore, path: string, bytes: Buffer): Promise<Buffer> {
  if (!bytes.subarray(0, mark.length).equals(mark)) return bytes;
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  const keys = await privateKeys(store, path);
  if (keys.length === 0) {
    throw new LockedArchive(
      `${path} in the archive is encrypted: name the file with the private key by --identity, or set BACKUP_PASSPHRASE`,
    );
  }
  for (const key of keys) decrypter.addIdentity(key);
  let content: ReadableStream<Uint8Array>;
  try {
    content = (await decrypter.decrypt(inPieces(bytes) as never)) as never;
  } catch (error) {
    const isOtherKey = /no identity|decrypt/i.test((error as Error).message);
    throw new LockedArchive(
      `${path} in the archive is ${isOtherKey ? 'encrypted for another key' : 'damaged: its head is another one'}`,
    );
  }
  try {
    return await collected(content);
  } catch {
    throw new LockedArchive(
      `${path} in the archive is damaged or cut off: it was changed since it was written`,
    );
  }
}

const shopOf = (path: string): string => path.split('/')[0]!;
const lockFolder = (shop: string): string => `${shop}/locks`;

/** By shop: a passphrase is stretched once for each of its pairs of keys. */
const pairsByLock = new WeakMap<ArchiveLock, Map<string, Promise<readonly string[]>>>();

/** The private keys that this passphrase opens, the latest first. */
function pairsOf(store: ArchiveStore, lock: ArchiveLock, shop: string): Promise<readonly string[]> {
  const byShop = pairsByLock.get(lock) ?? new Map<string, Promise<readonly string[]>>();
  pairsByLock.set(lock, byShop);
  const known = byShop.get(shop);
  if (known !== undefined) return known;
  const reading = readPairs(store, lock, shop);
  byShop.set(shop, reading);
  // A store that was away is asked again.
  reading.catch(() => byShop.delete(shop));
  return reading;
}

async function readPairs(store: ArchiveStore, lock: ArchiveLock, shop: string): Promise<readonly string[]> {
  if (lock.passphrase === undefined) return [];
  const { Decrypter } = await import('age-encryption');
  const keys: string[] = [];
  for (const { path } of (await store.list(lockFolder(shop))).toReversed()) {
    const bytes = await store.get(path);
    if (bytes === null) continue;
    const decrypter = new Decrypter();
    decrypter.addPassphrase(lock.passphrase);
    // Another passphrase's, from before it was changed.
    const text = await decrypter.decrypt(bytes, 'text').catch(() => null);
    if (text !== null) keys.push(text.trim());
  }
  return keys;
}

/** The public key of the shop's pair, which is made with the first file. */
async function recipientOf(store: ArchiveStore, lock: ArchiveLock, path: string): Promise<string> {
  const { Encrypter, generateX25519Identity, identityToRecipient } = await import('age-encryption');
  const shop = shopOf(path);
  const [known] = await pairsOf(store, lock, shop);
  if (known !== undefined) return identityToRecipient(known);
  const identity = await generateX25519Identity();
  const encrypter = new Encrypter();
  encrypter.setPassphrase(lock.passphrase!);
  if (lock.workFactor !== undefined) encrypter.setScryptWorkFactor(lock.workFactor);
  const recipient = await identityToRecipient(identity);
  const digest = createHash('sha256').update(recipient).digest('hex').slice(0, 8);
  const name = `${String(systemClock.now()).padStart(14, '0')}-${digest}`;
  await store.put(`${lockFolder(shop)}/${name}`, Buffer.from(await encrypter.encrypt(`${identity}\n`)));
  pairsByLock.get(lock)!.set(shop, Promise.resolve([identity]));
  return recipient;
}

async function privateKeys(store: ArchiveStore, path: string): Promise<readonly string[]> {
  const { lock } = store;
  if (lock === undefined) return [];
  const own = (await lock.identities?.()) ?? [];
  return [...own, ...(await pairsOf(store, lock, shopOf(path)))];
}

/** Encrypting is work for the processor: requests come in between. */
function inPieces(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull: async (controller) => {
      await otherWork();
      const piece = bytes.subarray(at, at + pieceBytes);
      at += piece.length;
      if (piece.length > 0) controller.enqueue(piece);
      if (at >= bytes.length) controller.close();
    },
  });
}

async function collected(stream: unknown): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  for await (const part of stream as AsyncIterable<Uint8Array>) parts.push(part);
  return Buffer.concat(parts);
}
