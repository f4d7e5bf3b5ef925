import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { holderOf } from '../src/hosting/embedded-postgres/lock.ts';
import { reportLines, type VerificationReport } from '../src/hosting/verification/verification.ts';
import { type Command, optional, type Result } from './command.ts';
import { encryptedBackupAt, verifyEncrypted } from './encrypted-backup.ts';
import { UsageError } from './usage-error.ts';
import { verifyDeployment, verifyFolder } from './verify-folder.ts';

/** The command that proves data whole (docs/OPERATIONS.md). */
export const verifyCommands: Readonly<Record<string, Command>> = {
  verify: {
    summary: 'prove that a data folder or a backup is whole; exit code 1 if anything is damaged',
    argument: 'folder',
    argumentIsOptional: true,
    options: {
      identity: optional('file with the private key, for an encrypted backup'),
      scratch: optional('folder to open an encrypted backup in; by default DATA_DIR'),
    },
    runOnItsOwn: async (config, { argument: folder, identity, scratch }, { stderr }) => {
      if (folder === undefined) return resultOf(await verifyDeployment(config, stderr));
      const file = encryptedBackupAt(folder);
      if (file !== null) {
        return resultOf(await verifyEncrypted(config, { file, identity }, scratch ?? config.dataDir, stderr));
      }
      if (!existsSync(join(folder, 'postgres'))) {
        throw new UsageError(`${folder} has no folder postgres: it is no data folder, and no backup`);
      }
      const path = realpathSync(folder);
      // A service runs on it: then beside that.
      if (holderOf(path) !== undefined) {
        const own = { ...config, dataDir: path, databaseUrl: undefined, databaseAppUrl: undefined };
        return resultOf(await verifyDeployment(own, stderr));
      }
      return resultOf(await verifyFolder(config, path, stderr));
    },
  },
};

/** The report as the result of a command. */
function resultOf(report: VerificationReport): Result {
  return { lines: reportLines(report), data: report, exitCode: report.isWhole ? 0 : 1 };
}
