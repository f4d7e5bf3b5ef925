import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** Public keys of age (`age1…`), or a passphrase. */
export type EncryptionLock =
  | { readonly recipients: readonly string[] }
  | {
      readonly passphrase: string;
      /** How hard it is to stretch, as a power of two. */
      readonly workFactor?: number;
    };

/**
 * The content in the format of age (age-encryption.org/v1): every 64 KB are authenticated with their place and whether they are the
 * last, so a changed or cut-off file is found.
 */
export async function encryptedFor(
  content: AsyncIterable<Uint8Array>,
  lock: EncryptionLock,
): Promise<Readable> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  if ('passphrase' in lock) {
    encrypter.setPassphrase(lock.passphrase);
    if (lock.workFactor !== undefined) encrypter.setScryptWorkFactor(lock.workFactor);
  } else for (const recipient of lock.recipients) encrypter.addRecipient(recipient);
  const plain = Readable.toWeb(Readable.from(content)) as ReadableStream<Uint8Array>;
  return Readable.fromWeb((await encrypter.encrypt(plain as never)) as never);
}
