import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../kernel/clock.ts';
import { isBlobName } from '../../platform/storage/blob-store.ts';
import { blobFolder, keyFolder, shortDigestOf } from './archive-layout.ts';
import { sealed } from './archive-lock.ts';
import type { ArchiveStore } from './archive-store.ts';

/** The folders of files that are written once and never changed. */
export const blobKinds = ['photos', 'documents'] as const;
export const keyFileName = 'document-master-key';

/** A folder that changed less than this ago may change again without a new time. */
const coarseMs = 2_000;

/** Archives the files beside the database before the WAL that has their rows. */
export class ArchivedFiles {
  readonly #store: ArchiveStore;
  readonly #dataDir: string;
  readonly #kinds: readonly string[];
  readonly #includesKey: boolean;
  /** What the archive has, by kind; empty until the shop is known. */
  readonly #archived = new Map<string, Set<string>>();
  readonly #unchangedSince = new Map<string, number>();
  #shop = '';
  #keyDigest = '';

  /** Without `hasBlobs` they are in a bucket of their own. */
  constructor(
    store: ArchiveStore,
    dataDir: string,
    { hasBlobs, includesKey }: { readonly hasBlobs: boolean; readonly includesKey: boolean },
  ) {
    this.#store = store;
    this.#dataDir = dataDir;
    this.#kinds = hasBlobs ? blobKinds : [];
    this.#includesKey = includesKey;
  }

  /** Archives files that are new. Resolves to their number. */
  async copyNew(shop: string): Promise<number> {
    await this.#know(shop);
    let copied = 0;
    for (const kind of this.#kinds) {
      const folder = join(this.#dataDir, kind);
      const changedAtMs = (await stat(folder).catch(() => null))?.mtimeMs ?? 0;
      if (this.#unchangedSince.get(kind) === changedAtMs) continue;
      const readAtMs = systemClock.now();
      const archived = this.#archived.get(kind)!;
      for (const name of await namesIn(folder)) {
        if (archived.has(name)) continue;
        const bytes = await readFile(join(folder, name)).catch(ifGone);
        // Deleted since: so was its row.
        if (bytes === null) continue;
        await this.#store.putNew(`${blobFolder(shop, kind)}/${name}`, bytes);
        archived.add(name);
        copied += 1;
      }
      if (readAtMs - changedAtMs > coarseMs) this.#unchangedSince.set(kind, changedAtMs);
    }
    if (this.#includesKey) await this.#copyKey(shop);
    return copied;
  }

  /** The names that are there now, by kind. */
  async present(): Promise<Record<string, readonly string[]>> {
    const byKind: Record<string, readonly string[]> = {};
    for (const kind of this.#kinds) byKind[kind] = await namesIn(join(this.#dataDir, kind));
    return byKind;
  }

  /** The archive no longer has this file. */
  forget(kind: string, name: string): void {
    this.#archived.get(kind)?.delete(name);
  }

  async #know(shop: string): Promise<void> {
    if (this.#shop === shop) return;
    for (const kind of this.#kinds) {
      const stored = await this.#store.list(blobFolder(shop, kind));
      this.#archived.set(kind, new Set(stored.map(({ path }) => path.split('/').at(-1)!)));
      this.#unchangedSince.delete(kind);
    }
    this.#keyDigest = '';
    this.#shop = shop;
  }

  /** Each content once, as a rotation leaves it: a moment before the rotation needs the former key. */
  async #copyKey(shop: string): Promise<void> {
    const bytes = await readFile(join(this.#dataDir, keyFileName)).catch(ifGone);
    if (bytes === null) return;
    const digest = shortDigestOf(bytes);
    if (digest === this.#keyDigest) return;
    const known = await this.#store.list(keyFolder(shop));
    if (!known.some(({ path }) => path.endsWith(`-${digest}`))) {
      const path = `${keyFolder(shop)}/${String(systemClock.now()).padStart(14, '0')}-${digest}`;
      await this.#store.put(path, await sealed(this.#store, path, bytes));
    }
    this.#keyDigest = digest;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(ifGone);
  return (names ?? []).filter(isBlobName);
}

function ifGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
