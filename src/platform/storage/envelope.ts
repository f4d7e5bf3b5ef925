import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { assert, InvariantError } from '../../kernel/assert.ts';

/*
 * Envelope encryption with AES-256-GCM: each file has its own key, which is wrapped by a master key. A label (owner and
 * id of the file) is authenticated with both, so that neither is valid in place of another.
 */

export const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** A key that wraps others. A wrapped key refers to it by its id, which reveals nothing about the key. */
export interface MasterKey {
  readonly id: string;
  readonly key: Uint8Array;
}

/** The stored form of a file's key: useless without the master key. */
export interface WrappedKey {
  readonly masterKeyId: string;
  readonly wrapped: Uint8Array;
}

type RandomBytes = (count: number) => Uint8Array;

/** The master key of 32 bytes, with its id. */
export function masterKey(key: Uint8Array): MasterKey {
  assert(key.length === keyBytes, 'a master key has 32 bytes');
  return { id: createHash('sha256').update('master key id').update(key).digest('hex').slice(0, 16), key };
}

/** Encrypts and authenticates: nonce, ciphertext, tag. */
export function seal(key: Uint8Array, plain: Uint8Array, label: string, randomBytes: RandomBytes): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(label));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts; throws an InvariantError if a bit of the text, the label or the key differs. */
export function unseal(key: Uint8Array, sealed: Uint8Array, label: string): Buffer {
  const end = sealed.length - tagBytes;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes))
      .setAAD(Buffer.from(label))
      .setAuthTag(sealed.subarray(end));
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, end)), decipher.final()]);
  } catch {
    throw new InvariantError(`${label}: damaged, or sealed with another key`);
  }
}

/** Wraps a file's key. */
export function wrapKey(
  master: MasterKey,
  fileKey: Uint8Array,
  label: string,
  randomBytes: RandomBytes,
): WrappedKey {
  return { masterKeyId: master.id, wrapped: seal(master.key, fileKey, `key of ${label}`, randomBytes) };
}

/** Unwraps the key of a file with the master key that wrapped it. */
export function unwrapKey(masters: readonly MasterKey[], key: WrappedKey, label: string): Buffer {
  const master = masters.find(({ id }) => id === key.masterKeyId);
  if (master === undefined) {
    throw new InvariantError(
      `${label}: DOCUMENT_MASTER_KEY lacks the key ${key.masterKeyId} that it was wrapped with`,
    );
  }
  return unseal(master.key, key.wrapped, `key of ${label}`);
}
