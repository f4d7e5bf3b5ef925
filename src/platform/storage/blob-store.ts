import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Failure, failure } from '../../kernel/failure.ts';

/**
 * A store of files: by name, written once, never changed. A remote store fails with SERVICE_UNAVAILABLE while it cannot
 * be reached; the operation may then have happened or not. A full store fails with STORAGE_FULL, and keeps no part of
 * the file.
 */
export interface BlobStore {
  /** Atomic. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Null if no file has the name. */
  get(name: string): Promise<Buffer | null>;
  /** Idempotent, so that an interrupted caller can repeat it. */
  delete(name: string): Promise<void>;
}

/**
 * Names are made by the service from content hashes or ids; any other text is refused, which prevents path traversal.
 */
export function isBlobName(name: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,100}(\.[a-z0-9]{1,10})?$/.test(name);
}

/** Throws a TypeError unless the text is a name. */
export function assertBlobName(name: string): void {
  if (!isBlobName(name)) throw new TypeError(`not a blob name: ${name}`);
}

/** No blocks or inodes are left, or the quota of the account is used up. */
const fullDiskCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

function refusalOfFullDisk(error: unknown): Failure | undefined {
  if (!fullDiskCodes.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
  const refusal = failure('STORAGE_FULL', 'The disk of the file store is full; nothing was changed.');
  refusal.cause = error;
  return refusal;
}

/** Keeps blobs as files of one folder. Writes are atomic, also in a crash of the machine. */
export class DiskBlobStore implements BlobStore {
  readonly #folder: string;
  readonly #writeFile: typeof writeFile;
  readonly #mode: { readonly ofFolder: number; readonly ofFile: number };

  constructor(
    folder: string,
    {
      isPrivate = false,
      write = writeFile,
    }: {
      /** Other accounts of the machine cannot read them. */
      readonly isPrivate?: boolean;
      /** Writes a file; tests simulate a full disk with it. */
      readonly write?: typeof writeFile;
    } = {},
  ) {
    this.#folder = folder;
    this.#writeFile = write;
    this.#mode = isPrivate ? { ofFolder: 0o700, ofFile: 0o600 } : { ofFolder: 0o777, ofFile: 0o666 };
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    assertBlobName(name);
    try {
      await this.#put(name, bytes);
    } catch (error) {
      throw refusalOfFullDisk(error) ?? error;
    }
  }

  async #put(name: string, bytes: Uint8Array): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: this.#mode.ofFolder });
    const draft = join(this.#folder, `.${name}.${randomUUID()}`);
    try {
      await this.#writeFile(draft, bytes, { flush: true, mode: this.#mode.ofFile });
      await rename(draft, join(this.#folder, name));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async get(name: string): Promise<Buffer | null> {
    if (!isBlobName(name)) return null;
    try {
      return await readFile(join(this.#folder, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  async delete(name: string): Promise<void> {
    assertBlobName(name);
    await rm(join(this.#folder, name), { force: true });
  }
}
