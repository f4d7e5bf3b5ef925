import { existsSync, statSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolderDurable, makeNamesDurable } from '../src/hosting/embedded-postgres/copy-folder.ts';
import type { Config } from '../src/hosting/startup/config.ts';
import type { BackupLock } from '../src/hosting/startup/key-settings.ts';
import type { VerificationReport } from '../src/hosting/verification/verification.ts';
import { expectFree, makeOwnFolder } from './draft-folder.ts';
import { readEncrypted, writeEncrypted } from './encrypted-file.ts';
import type { Screen } from './progress-bar.ts';
import { packFolder, unpackInto } from './tar-file.ts';
import { UsageError } from './usage-error.ts';
import { verifyFolder } from './verify-folder.ts';

/** The path of an encrypted backup; null: there is no file of that name. */
export function encryptedBackupAt(path: string | undefined): string | null {
  if (path === undefined || path.startsWith('s3://')) return null;
  const named = resolve(path);
  return existsSync(named) && statSync(named).isFile() ? named : null;
}

/**
 * Has a backup made in a scratch folder of DATA_DIR, encrypts it into one file, and removes the folder. The plain copy stays on
 * the disk that has the data anyway. Resolves to what `make` resolves to.
 */
export async function encryptBackup<Made>(
  config: Config,
  to: string,
  lock: BackupLock,
  make: (folder: string) => Promise<Made>,
): Promise<Made> {
  const target = resolve(to);
  if (existsSync(target)) throw new UsageError(`--to: ${to} must not exist: an encrypted backup is one file`);
  await mkdir(dirname(target), { recursive: true });
  const scratch = await makeOwnFolder(join(config.dataDir, 'backup-scratch'));
  try {
    const folder = join(scratch, 'backup');
    const made = await make(folder);
    await writeEncrypted(target, packFolder(folder), lock);
    return made;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** What opening a backup needs. */
interface Opening {
  readonly file: string;
  readonly identity: string | undefined;
}

/** Makes a data folder of an encrypted backup. It appears complete or not at all, and is flushed to the disk. */
export async function openBackup(config: Config, { file, identity }: Opening, into: string): Promise<void> {
  const target = resolve(into);
  await expectFree('--into', target);
  const draft = await makeOwnFolder(`${target}.restoring`);
  try {
    await unpackInto(draft, readEncrypted(file, { identity, passphrase: passphraseOf(config) }));
    if (!existsSync(join(draft, 'postgres'))) throw new Error(`${file} is no backup: it has no database`);
    await makeFolderDurable(draft);
    await rename(draft, target);
    await makeNamesDurable(dirname(target));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Opens an encrypted backup in a scratch folder, verifies it, and removes it. */
export async function verifyEncrypted(
  config: Config,
  opening: Opening,
  scratch: string,
  screen: Screen,
): Promise<VerificationReport> {
  const folder = await makeOwnFolder(join(resolve(scratch), `opened-${basename(opening.file)}`));
  try {
    await openBackup(config, opening, join(folder, 'data'));
    return await verifyFolder(config, join(folder, 'data'), screen);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function passphraseOf({ backupLock }: Config): string | undefined {
  return backupLock !== undefined && 'passphrase' in backupLock ? backupLock.passphrase : undefined;
}
