import { spawnSync } from 'node:child_process';
import type { EncryptionLock } from '../../platform/storage/encrypted-stream.ts';

/** For whom backups are encrypted, or with what. */
export type BackupLock = EncryptionLock;

interface KeyReader {
  text(name: string, otherwise: string): string;
  keys(name: string): readonly Uint8Array[];
  isSet(name: string): boolean;
  refuse(name: string, expected: string): void;
}

const passphraseLengthMin = 16;
/** A key service answers in less, also from another continent. */
const commandMsMax = 20_000;
const outputBytesMax = 65_536;

/** For whom backups are encrypted, or with what: `BACKUP_RECIPIENTS` or `BACKUP_PASSPHRASE`. */
export function readBackupLock(read: KeyReader): BackupLock | undefined {
  const recipients = read
    .text('BACKUP_RECIPIENTS', '')
    .split(',')
    .flatMap((key) => key.trim() || []);
  const passphrase = read.text('BACKUP_PASSPHRASE', '');
  if (recipients.some((key) => !/^age1[0-9a-z]{30,}$/.test(key))) {
    read.refuse('BACKUP_RECIPIENTS', 'public keys of age (age1…), separated by commas');
  }
  if (recipients.length > 0 && passphrase !== '') {
    read.refuse('BACKUP_RECIPIENTS', 'not set, because BACKUP_PASSPHRASE is: a backup has either');
  }
  if (recipients.length > 0) return { recipients };
  if (passphrase === '') return undefined;
  if (passphrase.length < passphraseLengthMin) {
    read.refuse('BACKUP_PASSPHRASE', `at least ${passphraseLengthMin} characters`);
  }
  return { passphrase };
}

/** The key of the operator's page, `OPERATOR_KEY`; undefined: there is no page. It is at the port of the metrics alone. */
export function readOperatorKey(read: KeyReader): string | undefined {
  const key = read.text('OPERATOR_KEY', '');
  if (key === '') return undefined;
  if (!/^[\x21-\x7e]{32,256}$/.test(key)) {
    read.refuse(
      'OPERATOR_KEY',
      '32 to 256 letters, digits and signs without spaces (openssl rand -base64 32)',
    );
  }
  if (!read.isSet('METRICS_PORT'))
    read.refuse('OPERATOR_KEY', 'METRICS_PORT to be set too: the page is there');
  return key;
}

/**
 * The master keys of documents: `DOCUMENT_MASTER_KEY`, or what `DOCUMENT_MASTER_KEY_COMMAND` prints, such as a key service's command.
 * The command is run by a shell, once for each process; its output is in no log and no message.
 */
export function readMasterKeys(read: KeyReader, msMax = commandMsMax): readonly Uint8Array[] {
  const command = read.text('DOCUMENT_MASTER_KEY_COMMAND', '');
  if (command === '') return read.keys('DOCUMENT_MASTER_KEY');
  if (read.isSet('DOCUMENT_MASTER_KEY')) {
    read.refuse('DOCUMENT_MASTER_KEY', 'not set, because DOCUMENT_MASTER_KEY_COMMAND is');
    return [];
  }
  const { status, error, stdout } = spawnSync(command, {
    ...{ shell: true, timeout: msMax, killSignal: 'SIGKILL', maxBuffer: outputBytesMax },
    // Its complaints may name what it found.
    ...{ stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' },
  });
  const parts = status === 0 && error === undefined ? stdout.split(/[\s,]+/).filter(Boolean) : [];
  if (parts.length === 0 || !parts.every((part) => /^[A-Za-z0-9+/]{43}=?$/.test(part))) {
    const seconds = commandMsMax / 1_000;
    const reason =
      (error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT'
        ? `it did not end within ${seconds} seconds`
        : status === 0
          ? 'it printed something else'
          : 'it failed';
    read.refuse(
      'DOCUMENT_MASTER_KEY_COMMAND',
      `a command that prints 32 bytes in Base64, and former keys after it, within ${seconds} seconds: ${reason}`,
    );
    return [];
  }
  return Object.freeze(parts.map((part) => Buffer.from(part, 'base64')));
}

/** Reads the master keys once, when they are needed first. */
export function masterKeyReader(read: KeyReader): () => readonly Uint8Array[] {
  let keys: readonly Uint8Array[] | undefined;
  return () => {
    keys ??= readMasterKeys(read);
    return keys;
  };
}
