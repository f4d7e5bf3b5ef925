import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { reasonOfFileFailure } from '../../kernel/file-failure.ts';
import { hasCluster } from '../embedded-postgres/cluster.ts';

/** Files that the service itself puts into DATA_DIR, and those of a new file system. */
const ownNames =
  /^(postgres([.-].*)?|lock(\..*)?|demo(-unfinished|\.json.*)|document-master-key.*|documents|photos|imports|audit-anchors|backup-scratch|drill(\..*)?|last-backup\.json|service-id|dispensary-[0-9a-f]+-(bin|initdb)|lost\+found)$/;

/**
 * Makes DATA_DIR, private to this account, if it is missing, and closes it if it is open to other accounts. Throws an
 * Error that names the setting if it cannot be created or written. `warn` reports a folder that was closed, or could
 * not be closed.
 */
export function makeDataFolder(dataDir: string, warn: (message: string) => void): void {
  try {
    mkdirSync(dirname(dataDir), { recursive: true });
    if (!existsSync(dataDir)) mkdirSync(dataDir, { mode: wantedMode() });
    useFolder(dataDir);
    // Checked at startup; otherwise the first request that needs the folder would fail.
    for (const name of ['photos', 'documents']) {
      if (existsSync(join(dataDir, name))) useFolder(join(dataDir, name));
    }
  } catch (error) {
    const { code, path = dataDir } = error as NodeJS.ErrnoException;
    const isWithin = path.startsWith(join(dataDir, '/'));
    const isFile = (code === 'ENOTDIR' || code === 'EEXIST') && (path === dataDir || isWithin);
    const reason = reasonOfFileFailure(error, {
      ENOENT: 'it cannot be created there',
      EEXIST: isFile ? 'it is a file' : 'a part of the path is a file',
      ENOTDIR: isFile ? 'it is a file' : 'a part of the path is a file',
      EACCES: 'this account may not write there',
      EPERM: 'this account may not write there',
    });
    const remedy = isWithin ? 'Repair it, or restore it from a backup.' : settingRemedy;
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
 * PostgreSQL under another account still works: on Linux it starts with its folder as the working directory and need
 * not traverse this one (`directoryArgument`). On other systems root must let it traverse the folder.
 */
function wantedMode(): number {
  return process.getuid?.() === 0 && process.platform !== 'linux' ? 0o711 : 0o700;
}

function closeToOthers(dataDir: string, warn: (message: string) => void): void {
  const wanted = wantedMode();
  const before = statSync(dataDir).mode & 0o777;
  if ((before & ~wanted) === 0) return;
  // A folder with other contents must stay open: closing /tmp or /srv would lock out other users.
  const isOurs = readdirSync(dataDir).every((name) => ownNames.test(name));
  if (isOurs) {
    try {
      chmodSync(dataDir, wanted);
    } catch {
      // Another account's folder, or a file system without modes: the warning below covers it.
    }
  }
  const isClosed = (statSync(dataDir).mode & 0o777 & ~wanted) === 0;
  const mode = (value: number): string => value.toString(8).padStart(4, '0');
  warn(
    isClosed
      ? `DATA_DIR ${dataDir} was open to other accounts of this machine (mode ${mode(before)}); it is now ${mode(wanted)}.`
      : `DATA_DIR ${dataDir} is open to other accounts of this machine (mode ${mode(before)})` +
          `${isOurs ? '' : ', and contains other files'}. Close it: chmod 700 '${dataDir}'`,
  );
}

/** Data of a shop besides its database. */
const otherShopData = ['photos', 'documents', 'document-master-key', 'demo.json'];

/**
 * Called before a new embedded database is created: throws if the folder `postgres` is missing and other data of a shop
 * exists. A new shop would hide the loss of the old one, and take over its files.
 */
export function refuseLostDatabase({
  dataDir,
  databaseUrl,
}: {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}): void {
  const cluster = join(dataDir, 'postgres');
  if (databaseUrl !== undefined || hasCluster(dataDir)) return;
  const left = otherShopData.filter((name) => isLeft(join(dataDir, name)));
  if (left.length === 0) return;
  throw new Error(
    `DATA_DIR ${dataDir} has ${left.join(', ')} of a shop, but its database is missing, the folder ${cluster}. ` +
      'Restore the folder from the same backup; or set DATABASE_URL, if the database is elsewhere; ' +
      'or set DATA_DIR to an empty folder for a new shop.',
  );
}

function isLeft(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (!found.isDirectory() || readdirSync(path).length > 0);
}
