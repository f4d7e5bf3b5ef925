import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAlive } from '../src/hosting/embedded-postgres/lock.ts';
import { UsageError } from './usage-error.ts';

/** Throws a UsageError unless the folder is empty or does not exist; then it does not exist. */
export async function expectFree(option: string, folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    if (code === 'EBUSY') throw new UsageError(`${option}: ${folder} is a mounted disk; name a folder on it`);
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR') {
      throw new UsageError(`${option}: ${folder} must be empty or not exist`);
    }
    throw error;
  }
}

/** Makes a folder of this process, named after the given one, and removes those of processes that were killed. */
export async function makeOwnFolder(named: string): Promise<string> {
  const parent = dirname(named);
  await mkdir(parent, { recursive: true });
  const head = `${basename(named)}.`;
  for (const name of await readdir(parent)) {
    const pid =
      name.startsWith(head) && /^\d+$/.test(name.slice(head.length)) ? name.slice(head.length) : null;
    if (pid !== null && (Number(pid) === process.pid || !isAlive(Number(pid)))) {
      await rm(join(parent, name), { recursive: true, force: true });
    }
  }
  const folder = `${named}.${process.pid}`;
  await mkdir(folder, { mode: 0o700 });
  return folder;
}
