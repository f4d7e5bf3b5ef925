import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type { Account } from './account.ts';
import { type Binaries, makePrivateDirectory } from './binaries.ts';

/*
 * Containers often run under a user id without an entry in the password file. PostgreSQL itself does not mind, but
 * `initdb` asks for the name of its user, and ends without one; it uses the name for nothing when `-U` is given.
 */

/** What the programs ask the C library for: the entry of their user id. */
const asked = Buffer.from('\0getpwuid\0');
/** The first entry of the password file, of any user: the same length, the same shape of answer. */
const answered = Buffer.from('\0getpwent\0');

/** Whether the user id of this process has no name. */
function isNameless(): boolean {
  try {
    userInfo();
    return false;
  } catch {
    return true;
  }
}

/**
 * The folder of programs with which a cluster can be made: that of `binaries`, or for a user id without a name a folder with
 * copies of `initdb` and of the `postgres` that it runs, which ask for another entry of the password file. `remove` removes
 * the copies. The server never runs from them.
 */
export function makersOfClusters(
  binaries: Binaries,
  dataDir: string,
  account: Account | undefined,
): Pick<Binaries, 'path' | 'remove'> {
  if (account !== undefined || process.platform !== 'linux' || !isNameless()) {
    return { path: (program) => binaries.path(program), remove: () => {} };
  }
  // The temporary folder comes second: it is often mounted so that no program runs from it.
  for (const parent of [dataDir, tmpdir()]) {
    const made = copyInto(parent, binaries, dataDir);
    if (made !== null) return made;
  }
  throw new Error(
    `The user id ${process.getuid?.()} has no entry in /etc/passwd, and no copy of initdb runs from DATA_DIR or ${tmpdir()}. ` +
      'Make the database once under a user with a name, or set DATABASE_URL.',
  );
}

/** The copies below `parent`; null if they cannot be made there, or do not run. */
function copyInto(
  parent: string,
  binaries: Binaries,
  dataDir: string,
): Pick<Binaries, 'path' | 'remove'> | null {
  try {
    const folder = makePrivateDirectory(parent, dataDir, 'initdb', undefined);
    const native = dirname(dirname(binaries.path('initdb')));
    for (const shared of ['lib', 'share']) symlinkSync(join(native, shared), join(folder, shared));
    const inFolder = (program: string) => join(folder, 'bin', program);
    mkdirSync(join(folder, 'bin'));
    for (const program of ['initdb', 'postgres'] as const) {
      writeFileSync(inFolder(program), askingAnother(readFileSync(binaries.path(program))), { mode: 0o700 });
    }
    const remove = () => rmSync(folder, { recursive: true, force: true });
    if (spawnSync(inFolder('initdb'), ['--version'], { cwd: '/', env: {} }).status === 0) {
      return { path: inFolder, remove };
    }
    remove();
  } catch {
    // Not writable: the next place.
  }
  return null;
}

/** The program, with the names of the two functions exchanged wherever the first one stands by itself. */
function askingAnother(program: Buffer): Buffer {
  for (let at = program.indexOf(asked); at >= 0; at = program.indexOf(asked, at)) answered.copy(program, at);
  return program;
}
