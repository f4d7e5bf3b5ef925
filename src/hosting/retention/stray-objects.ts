import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { Database } from '../../platform/database/database.ts';
import { TextArray } from '../../platform/statements/statement.ts';
import { isBlobName } from '../../platform/storage/blob-store.ts';
import type { ListedStore } from '../../platform/storage/s3-blob-store.ts';
import { forgetStrayFiles, noteStrayFiles, selectFilesWithoutRows } from './retention-queries.ts';

export const keptMs = 30 * 86_400_000;
/** A file is written before its row: a younger one may be that of a write under way, and so may a draft. */
export const settledMs = 86_400_000;
/** What the name of an object begins with while it waits for its end. */
const aside = 'stray-';

interface Strays {
  readonly context: Pick<Context, 'clock'>;
  /** Connected as the owner. */
  readonly operator: Pick<Database, 'global'>;
  /** The time by the clock of the store. */
  readonly now: () => number;
}

/**
 * Deletes the objects of a bucket that no row of any organization has named for 30 days. A bucket has no rename, and its objects can be
 * written again meanwhile: so an object is copied aside, then deleted, and the copy ends a day later, unless a row names it by
 * then, which gets it back. Resolves to how many it deleted.
 */
export async function clearStrayObjects(
  strays: Strays,
  store: string,
  objects: ListedStore,
  isStopping: () => boolean = () => false,
): Promise<number> {
  let count = 0;
  let after: string | undefined;
  do {
    const page = await objects.page(after);
    after = page.next;
    const settled = page.files.filter(({ changedAtMs }) => strays.now() - changedAtMs >= settledMs);
    const names = settled.map(({ name }) => name).filter(isBlobName);
    const copies = names.filter((name) => name.startsWith(aside));
    count += await endCopies(strays, store, objects, copies);
    if (isStopping()) return count;
    await putAside(
      strays,
      store,
      objects,
      names.filter((name) => !name.startsWith(aside)),
    );
  } while (after !== undefined && !isStopping());
  return count;
}

async function putAside(
  { context, operator }: Strays,
  store: string,
  objects: ListedStore,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const nowMs = context.clock.now();
  const [at, before] = [isoTimestamp(nowMs), isoTimestamp(nowMs - keptMs)];
  const found = await operator.global(noteStrayFiles({ store, names: new TextArray(names), at, before }));
  for (const { name } of found) {
    const bytes = await objects.get(name);
    if (bytes === null) continue;
    await objects.put(aside + name, bytes);
    await objects.delete(name);
  }
  if (found.length === 0) return;
  const moved = new TextArray(found.map(({ name }) => name));
  await operator.global(forgetStrayFiles({ store, names: moved }));
}

async function endCopies(
  { operator }: Strays,
  store: string,
  objects: ListedStore,
  copies: readonly string[],
): Promise<number> {
  if (copies.length === 0) return 0;
  const names = copies.map((copy) => copy.slice(aside.length));
  const asked = { store, names: new TextArray(names) };
  const unnamed = new Set((await operator.global(selectFilesWithoutRows(asked))).map(({ name }) => name));
  let count = 0;
  for (const name of names) {
    if (unnamed.has(name)) count += 1;
    else if ((await objects.get(name)) === null) {
      const bytes = await objects.get(aside + name);
      if (bytes !== null) await objects.put(name, bytes);
    }
    await objects.delete(aside + name);
  }
  return count;
}
