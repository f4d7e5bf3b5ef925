/** What the system's codes of failed file operations say, in words. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  EEXIST: 'it is a file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is a file',
  EACCES: 'this account may not read or write it',
  EPERM: 'this account may not read or write it',
  EROFS: 'nothing can be written to that disk',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota of this account is used up',
  EMFILE: 'this process has too many files open',
  ENFILE: 'this machine has too many files open',
  EIO: 'the disk answers with errors',
};

/** Why a file operation failed, in words without a full stop; `changes` are words for this caller's case. */
export function reasonOfFileFailure(error: unknown, changes: Readonly<Record<string, string>> = {}): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return changes[code] ?? reasons[code] ?? message.replace(/\.$/, '');
}

/**
 * The message of an error that ends a program. One of a file operation that no caller has put into words names its path
 * and the reason; every other message stays as it is.
 */
export function endingWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', path } = error as NodeJS.ErrnoException;
  if (path === undefined || !(code in reasons)) return error.message;
  return `${path} cannot be used: ${reasonOfFileFailure(error)}. Mend it, or name another.`;
}
