/** Descriptions of the system's error codes for file operations. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EEXIST: 'it is a file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is a file',
  EACCES: 'this account may not read or write it',
  EPERM: 'this account may not read or write it',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota of this account is used up',
  EMFILE: 'this process has too many files open',
  ENFILE: 'this machine has too many files open',
  EIO: 'the disk answers with errors',
};

/** Why a file operation failed, without a full stop; `changes` replaces descriptions for this caller. */
export function reasonOfFileFailure(error: unknown, changes: Readonly<Record<string, string>> = {}): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return changes[code] ?? reasons[code] ?? message.replace(/\.$/, '');
}

/**
 * The message of an error that ends a program. For a file operation without a message of its caller, the path and the
 * reason; any other message is unchanged.
 */
export function exitMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', path } = error as NodeJS.ErrnoException;
  if (path === undefined || !(code in reasons)) return error.message;
  return `${path} cannot be used: ${reasonOfFileFailure(error)}. Repair it, or use another.`;
}
