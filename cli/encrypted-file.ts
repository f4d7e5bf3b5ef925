import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeNamesDurable } from '../src/hosting/embedded-postgres/copy-folder.ts';
import type { BackupLock } from '../src/hosting/startup/key-settings.ts';
import {
  decryptedBy,
  type EncryptionKey,
  encryptedFor,
  UnreadableStream,
} from '../src/platform/storage/encrypted-stream.ts';
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
  const sealed = createReadStream(path);
  try {
    yield* decryptedBy(sealed, await keyOf(unlocking));
  } catch (error) {
    throw error instanceof UnreadableStream ? new Error(`${path} ${error.message}`) : error;
  }
}

/** The key that was named. Fails with a UsageError if there is none. */
export async function keyOf({ identity, passphrase }: Unlocking): Promise<EncryptionKey> {
  if (identity !== undefined) return { identities: await identitiesIn(identity) };
  if (passphrase !== undefined) return { passphrase };
  throw new UsageError('--identity: name the file with the private key, or set BACKUP_PASSPHRASE');
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
