import { chmod, chown, type FileHandle, mkdir, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

interface CopyOptions {
  /** Whether to skip a file or folder, by its path below the folder, with slashes. */
  readonly isLeftOut?: (path: string) => boolean;
  readonly onCopied?: (bytes: number) => void;
}

/** Most of the time of a small file is waiting for the system. */
const filesAtOnce = 8;
const chunkBytes = 1_048_576;

/**
 * Copies the files below a folder during writes, with their modes and, as root, their owners. Files that disappear
 * before they are read are skipped, and so are sockets and other special files; files that are already copied are not
 * copied again. The copy is durable only after `makeFolderDurable`.
 */
export async function copyFolder(
  from: string,
  to: string,
  options: CopyOptions = {},
  below = '',
): Promise<void> {
  const found = await ignoringGone(stat(from));
  if (found === undefined) return;
  await mkdir(to, { recursive: true, mode: 0o700 });
  // While it is empty: private files are never exposed.
  await takeOwner(to, found);
  await chmod(to, found.mode & 0o777);
  const names = (await ignoringGone(readdir(from))) ?? [];
  await forEachAtOnce(names, async (name) => {
    const path = below === '' ? name : `${below}/${name}`;
    if (options.isLeftOut?.(path)) return;
    const [source, target] = [join(from, name), join(to, name)];
    // Follows links: a copy must be self-contained.
    const entry = await ignoringGone(stat(source));
    if (entry?.isDirectory()) await copyFolder(source, target, options, path);
    if (!entry?.isFile()) return;
    const bytes = await copyFile(source, target);
    options.onCopied?.(bytes ?? 0);
  });
}

/**
 * Copies a file that may grow, shrink or disappear meanwhile, with its mode and, as root, its owner, unless the target
 * exists. Resolves to the number of bytes; null if the file disappeared.
 */
export async function copyFile(from: string, to: string): Promise<number | null> {
  const source = await ignoringGone(open(from, 'r'));
  if (source === undefined) return null;
  try {
    return await copyOpened(source, to);
  } finally {
    await source.close();
  }
}

/** Reads to the end: the system's own file copy never ends for a file that shrinks (libuv). */
async function copyOpened(source: FileHandle, to: string): Promise<number> {
  let target: FileHandle;
  try {
    target = await open(to, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 0;
    throw error;
  }
  try {
    const { mode, size, uid, gid } = await source.stat();
    const buffer = Buffer.allocUnsafe(Math.min(size + 1, chunkBytes));
    let bytes = 0;
    for (;;) {
      const { bytesRead } = await source.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) break;
      await target.writeFile(buffer.subarray(0, bytesRead));
      bytes += bytesRead;
    }
    if (process.getuid?.() === 0) await target.chown(uid, gid);
    await target.chmod(mode & 0o777);
    return bytes;
  } finally {
    await target.close();
  }
}

/** Gives a file or folder of root to the owner of another one. */
export async function takeOwner(
  path: string,
  { uid, gid }: { readonly uid: number; readonly gid: number },
): Promise<void> {
  if (process.getuid?.() === 0) await chown(path, uid, gid);
}

/** Resolves when everything below a folder, and the folder itself, is on disk. */
export async function makeFolderDurable(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  await forEachAtOnce(entries, async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await makeFolderDurable(path);
    else await sync(path, process.platform === 'win32' ? 'r+' : 'r');
  });
  await makeNamesDurable(folder);
}

/** Makes the names of a folder durable across a power failure. Windows has no such call. */
export async function makeNamesDurable(folder: string): Promise<void> {
  if (process.platform !== 'win32') await sync(folder, 'r');
}

async function sync(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags);
  await handle.sync().finally(() => handle.close());
}

/** Runs several at a time. After a failure no further one starts, and the failure is thrown when none is running. */
async function forEachAtOnce<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const failures: unknown[] = [];
  const workers = Array.from({ length: filesAtOnce }, async () => {
    for (const item of rest) {
      if (failures.length > 0) return;
      await work(item).catch((error) => failures.push(error));
    }
  });
  await Promise.all(workers);
  if (failures.length > 0) throw failures[0];
}

async function ignoringGone<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
