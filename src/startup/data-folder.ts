import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { reasonOfFileFailure } from '../kernel/file-failure.ts';

/** What the service itself puts into DATA_DIR, and what a new file system has in it. */
const ownNames =
  /^(postgres([.-].*)?|lock(\..*)?|demo(-unfinished|\.json.*)|document-master-key.*|documents|photos|imports|dispensary-[0-9a-f]+-bin|lost\+found)$/;

/**
 * Makes DATA_DIR for this account alone unless it is there, and closes one to other accounts that stands open. Throws an
 * Error that names the setting where it cannot be made or written to. `warn` is told what it closed, or could not close.
 */
export function makeDataFolder(dataDir: string, warn: (message: string) => void): void {
  try {
    mkdirSync(dirname(dataDir), { recursive: true });
    if (!existsSync(dataDir)) mkdirSync(dataDir, { mode: wantedMode() });
    useFolder(dataDir);
    // Refused now: a file in its place would be an error of the first request that needs it.
    for (const name of ['photos', 'documents']) {
      if (existsSync(join(dataDir, name))) useFolder(join(dataDir, name));
    }
  } catch (error) {
    const { code, path = dataDir } = error as NodeJS.ErrnoException;
    const isWithin = path.startsWith(join(dataDir, '/'));
    const isFile = (code === 'ENOTDIR' || code === 'EEXIST') && (path === dataDir || isWithin);
    const reason = reasonOfFileFailure(error, {
      ENOENT: 'it cannot be made there',
      EEXIST: isFile ? 'it is a file' : 'a part of the path is a file',
      ENOTDIR: isFile ? 'it is a file' : 'a part of the path is a file',
      EACCES: 'this account may not write there',
      EPERM: 'this account may not write there',
    });
    const remedy = isWithin ? 'Mend it, or put it back from a backup.' : settingRemedy;
    throw new Error(
      `DATA_DIR ${dataDir} cannot be used${isWithin ? ` because of ${path}` : ''}: ${reason}. ${remedy}`,
    );
  }
  if (process.platform !== 'win32') closeToOthers(dataDir, warn);
}

const settingRemedy = 'Set it to a folder that this account may write to.';

/** Throws unless the path is a folder that this account may use. */
function useFolder(path: string): void {
  readdirSync(path);
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
}

/**
 * PostgreSQL under another account still works: on Linux it is handed its folder as the working directory, and needs no
 * way through this one (`directoryArgument`). Elsewhere root has to leave it the right to walk through.
 */
function wantedMode(): number {
  return process.getuid?.() === 0 && process.platform !== 'linux' ? 0o711 : 0o700;
}

function closeToOthers(dataDir: string, warn: (message: string) => void): void {
  const wanted = wantedMode();
  const before = statSync(dataDir).mode & 0o777;
  if ((before & ~wanted) === 0) return;
  // A folder that holds other things is not ours to close: /tmp or /srv would be lost to those who use it.
  const isOurs = readdirSync(dataDir).every((name) => ownNames.test(name));
  if (isOurs) {
    try {
      chmodSync(dataDir, wanted);
    } catch {
      // Another account's folder, or a file system without modes: told below.
    }
  }
  const isClosed = (statSync(dataDir).mode & 0o777 & ~wanted) === 0;
  const mode = (value: number): string => value.toString(8).padStart(4, '0');
  warn(
    isClosed
      ? `DATA_DIR ${dataDir} stood open to other accounts of this machine (mode ${mode(before)}); it is now ${mode(wanted)}.`
      : `DATA_DIR ${dataDir} stands open to other accounts of this machine (mode ${mode(before)})` +
          `${isOurs ? '' : ', and holds other files'}. Close it: chmod 700 '${dataDir}'`,
  );
}

/** What a shop has beside its database. */
const remains = ['photos', 'documents', 'document-master-key', 'demo.json'];

/**
 * For what would make a new embedded database: throws where the folder `postgres` is missing and other data of a shop is
 * there. A new shop beside them would hide that the old one was lost, and take its files for its own.
 */
export function refuseLostDatabase({
  dataDir,
  databaseUrl,
}: {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}): void {
  const cluster = join(dataDir, 'postgres');
  if (databaseUrl !== undefined || existsSync(cluster)) return;
  const left = remains.filter((name) => isLeft(join(dataDir, name)));
  if (left.length === 0) return;
  throw new Error(
    `DATA_DIR ${dataDir} has ${left.join(', ')} of a shop, and its database, the folder ${cluster}, is missing. ` +
      'Put the folder back from the same backup; or set DATABASE_URL, if the database is elsewhere; ' +
      'or set DATA_DIR to an empty folder for a new shop.',
  );
}

function isLeft(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (!found.isDirectory() || readdirSync(path).length > 0);
}
