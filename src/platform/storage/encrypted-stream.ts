import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Failure } from '../../kernel/failure.ts';

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

/** What opens an encrypted stream: private keys of age, or the passphrase. */
export type EncryptionKey = { readonly identities: readonly string[] } | { readonly passphrase: string };

/** What is encrypted cannot be read; says why, in words that follow the name of what is read. */
export class UnreadableStream extends Error {}

/** The content of what `encryptedFor` wrote. Fails with an UnreadableStream if the key is another one, or something was changed. */
export async function* decryptedBy(
  sealed: AsyncIterable<Uint8Array>,
  key: EncryptionKey,
): AsyncGenerator<Uint8Array> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  if ('passphrase' in key) decrypter.addPassphrase(key.passphrase);
  else {
    for (const identity of key.identities) {
      try {
        decrypter.addIdentity(identity);
      } catch {
        // Its message quotes what is wrong in the key.
        throw new UnreadableStream('cannot be read: the private key has a mistake');
      }
    }
  }
  let content: ReadableStream<Uint8Array>;
  try {
    content = (await decrypter.decrypt(Readable.toWeb(Readable.from(sealed)) as never)) as never;
  } catch (error) {
    if (error instanceof Failure) throw error;
    const isOtherKey = /no identity|passphrase|decrypt/i.test((error as Error).message);
    throw new UnreadableStream(
      isOtherKey
        ? 'is encrypted for another key: use the private key of one of its recipients'
        : 'is damaged, or not encrypted',
    );
  }
  try {
    for await (const piece of content) yield piece;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new UnreadableStream('is damaged or cut off: it was changed since it was written', {
      cause: error,
    });
  }
}

/** Whether a stream begins as one that `encryptedFor` wrote; and the stream again, from its beginning. */
export async function lookAtBeginning(
  stream: AsyncIterable<Uint8Array>,
): Promise<{ readonly isEncrypted: boolean; readonly whole: AsyncIterable<Uint8Array> }> {
  const pieces = stream[Symbol.asyncIterator]();
  let beginning: Uint8Array = Buffer.alloc(0);
  let isDone = false;
  while (!isDone && beginning.length < ageMark.length) {
    const next = await pieces.next();
    isDone = next.done === true;
    if (!isDone) beginning = Buffer.concat([beginning, next.value as Uint8Array]);
  }
  return {
    isEncrypted: Buffer.from(beginning).subarray(0, ageMark.length).equals(ageMark),
    whole: (async function* () {
      try {
        yield beginning;
        for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value;
      } finally {
        await pieces.return?.();
      }
    })(),
  };
}

const ageMark = Buffer.from('age-encryption.org/');
