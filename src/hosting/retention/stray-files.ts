import { opendir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../kernel/clock.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { Database } from '../../platform/database/database.ts';
import type { RequestLog } from '../../platform/http/endpoint.ts';
import { TextArray } from '../../platform/statements/statement.ts';
import { isBlobName } from '../../platform/storage/blob-store.ts';
import type { ListedStore } from '../../platform/storage/s3-blob-store.ts';
import type { RunningJob } from '../../platform/upkeep/each-organization.ts';
import { forgetStrayFiles, noteStrayFiles, selectFilesWithoutRows } from './retention-queries.ts';
import { clearStrayObjects, keptMs, settledMs } from './stray-objects.ts';

const periodMs = 86_400_000;
const namesAtOnce = 2_000;
/** What the name of a file begins with while it is decided on. */
const aside = '.stray.';

interface StrayFiles {
  readonly context: Pick<Context, 'clock'>;
  /** Connected as the owner: a photo may be that of any organization. */
  readonly operator: Pick<Database, 'global'>;
  /** The folders of files on the disk, by their store. */
  readonly folders: Readonly<Partial<Record<'photos' | 'documents', string>>>;
  /** The stores of files in a bucket. */
  readonly objects: Readonly<Partial<Record<'photos' | 'documents', ListedStore>>>;
  readonly logger: RequestLog;
}

/**
 * Deletes files that no row of any organization has named for 30 days: pictures that products have lost, and uploads that a crash
 * cut off; also drafts that a crash left. Resolves to how many it deleted.
 */
export async function clearStrayFiles(
  strays: StrayFiles,
  isStopping: () => boolean = () => false,
): Promise<number> {
  let count = 0;
  for (const [store, folder] of Object.entries(strays.folders)) {
    let names: string[] = [];
    for await (const name of namesIn(folder)) {
      if (isStopping()) return count;
      if (name.startsWith(aside)) {
        // A pass that was killed left it: it is looked at again.
        await rename(join(folder, name), join(folder, name.slice(aside.length))).catch(ignoreMissing);
        continue;
      }
      const age = await ageOf(join(folder, name));
      if (age === null || age < settledMs) continue;
      if (isBlobName(name)) names.push(name);
      else if (name.startsWith('.')) await rm(join(folder, name), { force: true });
      if (names.length < namesAtOnce) continue;
      count += await clearSome(strays, store, folder, names);
      names = [];
    }
    if (names.length > 0) count += await clearSome(strays, store, folder, names);
  }
  const asked = { ...strays, now: () => systemClock.now() };
  for (const [store, objects] of Object.entries(strays.objects)) {
    if (isStopping()) return count;
    count += await clearStrayObjects(asked, store, objects, isStopping);
  }
  return count;
}

async function* namesIn(folder: string): AsyncGenerator<string> {
  try {
    for await (const entry of await opendir(folder)) if (entry.isFile()) yield entry.name;
  } catch (error) {
    // The folder is made with its first file.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Milliseconds since the file was written, by the clock of the disk; null: it is gone. */
async function ageOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  return found === null ? null : systemClock.now() - found.mtimeMs;
}

async function clearSome(
  { context, operator }: StrayFiles,
  store: string,
  folder: string,
  names: readonly string[],
): Promise<number> {
  const nowMs = context.clock.now();
  const found = await operator.global(
    noteStrayFiles({
      store,
      names: new TextArray(names),
      at: isoTimestamp(nowMs),
      before: isoTimestamp(nowMs - keptMs),
    }),
  );
  if (found.length === 0) return 0;
  const moved = found.map(({ name }) => name);
  // Out of the way first: an upload of the same picture that comes now writes its own file, and one that came just before is found
  // by its time or its row, and gets the file back.
  for (const name of moved) await rename(join(folder, name), asideOf(folder, name)).catch(ignoreMissing);
  const asked = { store, names: new TextArray(moved) };
  const unnamed = new Set((await operator.global(selectFilesWithoutRows(asked))).map(({ name }) => name));
  let count = 0;
  for (const name of moved) {
    const age = await ageOf(asideOf(folder, name));
    if (age === null) continue;
    if (unnamed.has(name) && age >= settledMs) {
      await rm(asideOf(folder, name), { force: true });
      count += 1;
    } else await rename(asideOf(folder, name), join(folder, name));
  }
  await operator.global(forgetStrayFiles(asked));
  return count;
}

function asideOf(folder: string, name: string): string {
  return join(folder, `${aside}${name}`);
}

function ignoreMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

/** Clears them now and every day. */
export function startClearingStrayFiles(strays: StrayFiles): RunningJob {
  let isStopping = false;
  let pass: Promise<void> | undefined;
  const begin = (): void => {
    pass ??= clearStrayFiles(strays, () => isStopping)
      .then((count) => {
        if (count > 0) strays.logger.info({ count }, 'files that no row names were deleted');
      })
      .catch((error: unknown) => strays.logger.error({ err: error }, 'files could not be cleared'))
      .finally(() => {
        pass = undefined;
      });
  };
  begin();
  const timer = setInterval(begin, periodMs);
  return {
    stop: async () => {
      isStopping = true;
      clearInterval(timer);
      await pass;
    },
  };
}
