import { resolve } from 'node:path';
import type { Config } from '../src/hosting/startup/config.ts';
import type { BackupLock } from '../src/hosting/startup/key-settings.ts';
import { reportLines, type VerificationReport } from '../src/hosting/verification/verification.ts';
import { assert } from '../src/kernel/assert.ts';
import { type Command, flag, required } from './command.ts';
import { encryptBackup } from './encrypted-backup.ts';
import { noteBackup } from './last-backup.ts';
import { ProgressBar } from './progress-bar.ts';
import { takeBackup } from './take-backup.ts';
import { UsageError } from './usage-error.ts';
import { verifyFolder } from './verify-folder.ts';

/** The operator's backup command (docs/OPERATIONS.md). */
export const backupCommands: Readonly<Record<string, Command>> = {
  backup: {
    summary: 'back up the embedded database and its files, also while the service runs',
    options: {
      to: required(
        'folder to write to, empty or new; with BACKUP_RECIPIENTS or BACKUP_PASSPHRASE a new file',
      ),
      unverified: flag('do not verify the backup, which takes as much room again while it lasts'),
    },
    acceptsAnySchema: true,
    check: (config) => {
      if (config.databaseUrl === undefined) return;
      throw new UsageError(
        'DATABASE_URL names an external server: back it up with its own tools (pg_basebackup, pg_dump, snapshots of ' +
          `its host), and afterwards ${filesElsewhere(config)}`,
      );
    },
    run: async ({ config, context, database, screen, missing: migrations }, { to, unverified }) => {
      assert(database.admin !== null, 'the embedded database is in use');
      const bar = new ProgressBar(screen, () => context.clock.now());
      let databaseBytes = 0;
      const { admin } = database;
      const lock = config.backupLock;
      const make = async (folder: string): Promise<VerificationReport | null> => {
        try {
          await takeBackup({
            ...{ dataDir: config.dataDir, admin, folder, isScratch: lock !== undefined },
            onProgress: (share, copiedBytes) => {
              databaseBytes = copiedBytes;
              bar.show(share, `${megabytes(copiedBytes)} of the database`);
            },
          });
        } finally {
          bar.end();
        }
        // The statements are those of this release's tables.
        const isVerified = unverified === undefined && migrations.length === 0;
        return isVerified ? await verifyFolder(config, resolve(folder), screen) : null;
      };
      const report = lock === undefined ? await make(to!) : await encryptBackup(config, to!, lock, make);
      noteBackup(config.dataDir, {
        atMs: context.clock.now(),
        to: resolve(to!),
        isWhole: report?.isWhole ?? null,
      });
      const missing = [
        ...(config.bucket === undefined
          ? []
          : [`Not included: photos and documents. Copy ${bucketPlace(config)} now.`]),
        ...(config.keepsKeyInFile
          ? []
          : [
              'Not included: DOCUMENT_MASTER_KEY. Without it the documents cannot be read. Keep it elsewhere.',
            ]),
      ];
      return {
        lines: [
          `Backup in ${to}: ${megabytes(databaseBytes)} of the database and the files`,
          ...missing,
          ...verdictLines(report),
          restoring(to!, lock),
        ],
        data: { to, databaseBytes, missing, verification: report },
        exitCode: report === null || report.isWhole ? 0 : 1,
      };
    },
  },
};

/** One line for a whole backup, the whole report for a damaged one. */
function verdictLines(report: VerificationReport | null): string[] {
  if (report === null) return ['Not verified'];
  return report.isWhole ? ['Verified: it is whole'] : reportLines(report);
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_048_576).toLocaleString('en-US')} MB`;
}

function bucketPlace({ bucket }: Config): string {
  return bucket === undefined
    ? ''
    : `everything below s3://${[bucket.bucket, bucket.prefix].filter(Boolean).join('/')}`;
}

function filesElsewhere(config: Config): string {
  const key = config.keepsKeyInFile ? ' and document-master-key' : '';
  return config.bucket === undefined
    ? `photos, documents${key} in ${config.dataDir}`
    : `${bucketPlace(config)}`;
}

function restoring(to: string, lock: BackupLock | undefined): string {
  if (lock === undefined) {
    return `It contains secrets. To restore it, start the service with DATA_DIR=${to}, or with a copy.`;
  }
  const [whom, option] =
    'passphrase' in lock
      ? ['with BACKUP_PASSPHRASE', '']
      : [
          `for ${lock.recipients.length} public key${lock.recipients.length === 1 ? '' : 's'}`,
          ' --identity <private key>',
        ];
  return `Encrypted ${whom}. To restore it: dispensary restore --from ${to}${option} --into <new DATA_DIR>`;
}
