import { InvariantError } from '../../kernel/assert.ts';
import type { BlobStore } from './blob-store.ts';
import { keyBytes, seal, unseal, unwrapKey, type WrappedKey, wrapKey } from './envelope.ts';
import type { MasterKeys } from './master-keys.ts';

type RandomBytes = (count: number) => Uint8Array;

/** Files that only this service can read, in any store (D40). The caller of `put` keeps the wrapped key. */
export class SealedFiles {
  readonly #blobs: BlobStore;
  readonly keys: MasterKeys;

  constructor(blobs: BlobStore, keys: MasterKeys) {
    this.#blobs = blobs;
    this.keys = keys;
  }

  /** Encrypts with a new key and stores. `label` identifies the owner; reading requires the same one. */
  async put(name: string, bytes: Uint8Array, label: string, randomBytes: RandomBytes): Promise<WrappedKey> {
    const [present] = await this.keys.load(randomBytes);
    const fileKey = randomBytes(keyBytes);
    await this.#blobs.put(name, seal(fileKey, bytes, label, randomBytes));
    const wrapped = wrapKey(present, fileKey, label, randomBytes);
    fileKey.fill(0);
    return wrapped;
  }

  /** Throws an InvariantError if the file is missing or changed, or its master key is unknown. */
  async get(name: string, key: WrappedKey, label: string, randomBytes: RandomBytes): Promise<Buffer> {
    const sealed = await this.#blobs.get(name);
    if (sealed === null) throw new InvariantError(`${label}: its file is missing`);
    const fileKey = unwrapKey(await this.keys.load(randomBytes), key, label);
    return unseal(fileKey, sealed, label);
  }

  /** Idempotent. */
  delete(name: string): Promise<void> {
    return this.#blobs.delete(name);
  }

  /** The key of the same file, wrapped by the current master key; the file itself is unchanged. */
  async rewrap(key: WrappedKey, label: string, randomBytes: RandomBytes): Promise<WrappedKey> {
    const masters = await this.keys.load(randomBytes);
    const fileKey = unwrapKey(masters, key, label);
    return wrapKey(masters[0], fileKey, label, randomBytes);
  }
}
