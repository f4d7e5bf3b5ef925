import { accessSync, constants, mkdirSync } from 'node:fs';

/** Why a folder cannot be had, by the code of the error. */
const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file',
  ENOTDIR: 'a part of the path is a file',
  EACCES: 'this account may not write there',
  EPERM: 'this account may not write there',
  EROFS: 'nothing can be written to that disk',
  ENOSPC: 'the disk is full',
};

/** Makes DATA_DIR unless it is there. Throws an Error that names the setting where it cannot be made or written to. */
export function makeDataFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const reason = reasons[code] ?? message;
    throw new Error(
      `DATA_DIR ${dataDir} cannot be used: ${reason}. Set it to a folder that this account may write to.`,
    );
  }
}
