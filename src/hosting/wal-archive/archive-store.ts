import { randomUUID } from 'node:crypto';
import {
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
} from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { reasonOfFileFailure } from '../../kernel/file-failure.ts';
import { makeNamesDurable } from '../embedded-postgres/copy-folder.ts';

export interface StoredName {
  /** Relative to the store, with slashes. */
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAtMs: number;
}

/** For whom an archive is encrypted, and what opens it. */
export interface ArchiveLock {
  /** Public keys; with them the writer cannot open what it wrote. */
  readonly recipients?: readonly string[] | undefined;
  readonly passphrase?: string | undefined;
  /** The private keys of the reader, asked for when one is needed. */
  readonly identities?: (() => Promise<readonly string[]>) | undefined;
  /** How hard a passphrase is to stretch, as a power of two; tests take less. */
  readonly workFactor?: number;
}

/** The store of an archive: files by path. Nothing in it is half written. Every call fails with a {@link ArchiveRefusal}. */
export interface ArchiveStore {
  /** In words for people. */
  readonly place: string;
  /** With what files are encrypted and opened; undefined: they are plain. */
  readonly lock?: ArchiveLock | undefined;
  /** Writes a file, or replaces it, atomically. It is durable when this resolves. */
  put(path: string, bytes: Uint8Array): Promise<void>;
  /** As `put`, but never replaces: false if the path is taken. */
  putNew(path: string, bytes: Uint8Array): Promise<boolean>;
  /** Null if there is none. */
  get(path: string): Promise<Buffer | null>;
  /** Everything below a folder, by path; with `after`, only later paths. */
  list(folder: string, after?: string): Promise<readonly StoredName[]>;
  /** The names of the folders directly in a folder, sorted. */
  folders(folder: string): Promise<readonly string[]>;
  /** Idempotent. */
  delete(path: string): Promise<void>;
}

/** An archive that cannot be read or written now, with the reason in words. */
export class ArchiveRefusal extends Error {
  /** The reason without the place: health checks and owners may see it. */
  readonly shownReason: string;

  constructor(message: string, shownReason: string, options?: ErrorOptions) {
    super(message, options);
    this.shownReason = shownReason;
  }
}

/** Why something with the archive failed, without places and addresses. */
export function shownReasonOf(error: unknown): string {
  return error instanceof ArchiveRefusal ? error.shownReason : 'the log of the service says why';
}

/** An archive in a folder. Only its owner may read what is written. */
export class FolderArchive implements ArchiveStore {
  readonly place: string;
  readonly lock: ArchiveLock | undefined;

  readonly #write: (file: FileHandle, bytes: Uint8Array) => Promise<void>;

  /** `write` writes a file; tests simulate a full disk with it. */
  constructor(
    folder: string,
    write = (file: FileHandle, bytes: Uint8Array) => file.writeFile(bytes),
    lock?: ArchiveLock,
  ) {
    this.place = folder;
    this.#write = write;
    this.lock = lock;
  }

  async put(path: string, bytes: Uint8Array): Promise<void> {
    await this.#store(path, bytes, (draft, target) => rename(draft, target));
  }

  async putNew(path: string, bytes: Uint8Array): Promise<boolean> {
    // A link fails where the name is taken.
    return this.#store(path, bytes, async (draft, target) => {
      await link(draft, target);
      await rm(draft);
    });
  }

  /** False if `finish` finds the name taken. */
  async #store(
    path: string,
    bytes: Uint8Array,
    finish: (draft: string, target: string) => Promise<void>,
  ): Promise<boolean> {
    const target = join(this.place, path);
    const draft = join(dirname(target), `.${randomUUID()}`);
    try {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      const file = await open(draft, 'wx', 0o600);
      try {
        await this.#write(file, bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await finish(draft, target);
      await makeNamesDurable(dirname(target));
      return true;
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {});
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw refusalOf(this.place, error);
    }
  }

  async get(path: string): Promise<Buffer | null> {
    return this.#reading(readFile(join(this.place, path)), null);
  }

  async list(folder: string, after = ''): Promise<readonly StoredName[]> {
    const found = await this.#reading(
      readdir(join(this.place, folder), { recursive: true, withFileTypes: true }),
      [],
    );
    const paths = found
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(this.place.length + 1)
          .split(sep)
          .join('/'),
      )
      .filter((path) => path > after)
      .sort();
    const names: StoredName[] = [];
    for (const path of paths) {
      const entry = await this.#reading(stat(join(this.place, path)), null);
      if (entry !== null) names.push({ path, bytes: entry.size, modifiedAtMs: entry.mtimeMs });
    }
    return names;
  }

  async folders(folder: string): Promise<readonly string[]> {
    const found = await this.#reading(readdir(join(this.place, folder), { withFileTypes: true }), []);
    return found
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  }

  async delete(path: string): Promise<void> {
    const target = join(this.place, path);
    try {
      await rm(target, { force: true });
      // An empty folder would look like a timeline or a base backup.
      await rmdir(dirname(target));
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EBUSY'].includes(code)) throw refusalOf(this.place, error);
    }
  }

  async #reading<Value, Missing>(read: Promise<Value>, missing: Missing): Promise<Value | Missing> {
    try {
      return await read;
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return missing;
      throw refusalOf(this.place, error);
    }
  }
}

function refusalOf(place: string, error: unknown): ArchiveRefusal {
  const reason = reasonOfFileFailure(error);
  // A reason without words of its own has the path.
  const shownReason = reason.includes(place) ? 'it cannot be used' : reason;
  return new ArchiveRefusal(`${place} cannot be used: ${reason}`, shownReason, { cause: error });
}
