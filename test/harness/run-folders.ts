import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { holderOf, lockDataDirectory } from '../../src/hosting/embedded-postgres/lock.ts';

/** No data folder of a deployment is called so. */
const prefix = 'dispensary-testrun-';

/** The beginning of a run's folder in `parent`; `mkdtemp` adds the rest. */
export function folderStart(parent: string): string {
  return join(parent, prefix);
}

/** Marks the folder as one of this process. Returns the function that ends it. */
export function holdFolder(folder: string): () => void {
  return lockDataDirectory(folder);
}

/**
 * Removes the folders that killed runs have left: those whose process is gone. Their PostgreSQL ends by itself when its files
 * are gone. A folder without a mark is left alone: another program's, or one of a run that is just starting.
 */
export function sweepFolders(parent: string): void {
  for (const name of readdirSync(parent)) {
    const folder = join(parent, name);
    if (!name.startsWith(prefix) || !existsSync(join(folder, 'lock'))) continue;
    try {
      if (holderOf(folder) === undefined) rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another account's, or another run sweeps it.
    }
  }
}
