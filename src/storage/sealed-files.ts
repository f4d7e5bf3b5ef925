import { InvariantError } from '../kernel/assert.ts';
import type { BlobStore } from './blob-store.ts';
import { keyBytes, seal, unseal, unwrapKey, type WrappedKey, wrapKey } from './envelope.ts';
import type { MasterKeys } from './master-keys.ts';

type RandomBytes = (count: number) => Uint8Array;

/** Files that only this service can read, wherever they lie (D40). Whoever puts one keeps its wrapped key. */
export class SealedFiles {
  readonly #blobs: BlobStore;
  readonly keys: MasterKeys;

  constructor(blobs: BlobStore, keys: MasterKeys) {
    this.#blobs = blobs;
    this.keys = keys;
  }

  /** Encrypts with a new key and stores. `label` says whose file it is; reading asks for the same one. */
  async put(name: string, bytes: Uint8Array, label: string, randomBytes: RandomBytes): Promise<WrappedKey> {
    const [present] = await this.keys.load(randomBytes);
    const fileKey = randomBytes(keyBytes);
    await this.#blobs.put(name, seal(fileKey, bytes, label, randomBytes));
    const wrapped = wrapKey(present, fileKey, label, randomBytes);
    fileKey.fill(0);
    return wrapped;
  }

  /** Throws an InvariantError when the file is gone, was changed, or its master key is not known. */
  async get(name: string, key: WrappedKey, label: string, randomBytes: RandomBytes): Promise<Buffer> {
    const sealed = await this.#blobs.get(name);
    if (sealed === null) throw new InvariantError(`${label}: its file is gone`);
    const fileKey = unwrapKey(await this.keys.load(randomBytes), key, label);
    return unseal(fileKey, sealed, label);
  }

  /** Of what is not there, too. */
  delete(name: string): Promise<void> {
    return this.#blobs.delete(name);
  }

  /** The key of the same file, wrapped by the present master key; the file itself is not touched. */
  async rewrap(key: WrappedKey, label: string, randomBytes: RandomBytes): Promise<WrappedKey> {
    const masters = await this.keys.load(randomBytes);
    const fileKey = unwrapKey(masters, key, label);
    return wrapKey(masters[0], fileKey, label, randomBytes);
  }
}
