import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { makeNamesDurable } from '../src/hosting/embedded-postgres/copy-folder.ts';
import type { BackupLock } from '../src/hosting/startup/key-settings.ts';
import { encryptedFor } from '../src/platform/storage/encrypted-stream.ts';
import { UsageError } from './usage-error.ts';

/*
 * Files in the format of age (age-encryption.org/v1): for public keys, whose private keys are elsewhere, or with a passphrase. Every
 * 64 KB are authenticated with their place and whether they are the last, so a changed or cut-off file is found.
 */

/** Writes the content to a new file, which appears complete or not at all, and is flushed to the disk. */
export async function writeEncrypted(
  path: string,
  content: AsyncIterable<Uint8Array>,
  lock: BackupLock,
): Promise<void> {
  const draft = `${path}.partial`;
  await rm(draft, { force: true });
  try {
    const target = createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true });
    await pipeline(await encryptedFor(content, lock), target);
    await rename(draft, path);
    await makeNamesDurable(dirname(path));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** How to open an encrypted file: the file with the private key, or the passphrase. */
interface Unlocking {
  readonly identity: string | undefined;
  readonly passphrase: string | undefined;
}

/** The content of an encrypted file. Fails in words if the key is another one, or the file is damaged. */
export async function* readEncrypted(path: string, unlocking: Unlocking): AsyncGenerator<Uint8Array> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  if (unlocking.identity !== undefined) {
    for (const key of await identitiesIn(unlocking.identity)) {
      try {
        decrypter.addIdentity(key);
      } catch {
        // Its message quotes what is wrong in the key.
        throw new UsageError(`--identity: ${unlocking.identity} has a private key with a mistake`);
      }
    }
  } else if (unlocking.passphrase !== undefined) decrypter.addPassphrase(unlocking.passphrase);
  else throw new UsageError('--identity: name the file with the private key, or set BACKUP_PASSPHRASE');
  const sealed = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
  let content: ReadableStream<Uint8Array>;
  try {
    content = (await decrypter.decrypt(sealed as never)) as never;
  } catch (error) {
    const isOtherKey = /no identity|passphrase|decrypt/i.test((error as Error).message);
    throw new Error(
      isOtherKey
        ? `${path} is encrypted for another key: use the private key of one of its recipients`
        : `${path} is damaged, or no encrypted backup`,
    );
  }
  try {
    for await (const piece of content) yield piece;
  } catch {
    throw new Error(`${path} is damaged or cut off: it was changed since it was written`);
  }
}

/** The private keys of an identity file, one a line, with comments. */
export async function identitiesIn(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`--identity: ${path} cannot be read`);
  });
  const keys = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (keys.length === 0 || !keys.every((key) => key.trim().startsWith('AGE-SECRET-KEY-'))) {
    throw new UsageError(`--identity: ${path} has no private key (AGE-SECRET-KEY-…)`);
  }
  return keys.map((key) => key.trim());
}
