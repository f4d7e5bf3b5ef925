import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where files live: by name, written once, never changed. */
export interface BlobStore {
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Null when there is none of that name. */
  get(name: string): Promise<Buffer | null>;
}

/** Names are made by us from content hashes; anything else is no name, so a path can never be walked. */
const namePattern = /^[a-z0-9][a-z0-9-]{0,100}(\.[a-z0-9]{1,10})?$/;

/** Keeps blobs as files of one folder. A file appears whole or not at all, whenever the machine stops. */
export class DiskBlobStore implements BlobStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    if (!namePattern.test(name)) throw new TypeError(`not a blob name: ${name}`);
    await mkdir(this.#folder, { recursive: true });
    const draft = join(this.#folder, `.${name}.${randomUUID()}`);
    await writeFile(draft, bytes, { flush: true });
    await rename(draft, join(this.#folder, name));
  }

  async get(name: string): Promise<Buffer | null> {
    if (!namePattern.test(name)) return null;
    try {
      return await readFile(join(this.#folder, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }
}
