import type { IncomingMessage } from 'node:http';
import { failure } from '../../kernel/failure.ts';
import type { EncryptionKey, EncryptionLock } from '../../platform/storage/encrypted-stream.ts';
import type { DeskLimits } from './operator-requests.ts';

/** The body of a request, a piece at a time. Fails if it is too large, breaks off, or stops moving. */
export async function* arrivingArchive(
  request: IncomingMessage,
  { archiveBytes, idleMs }: DeskLimits,
): AsyncGenerator<Uint8Array> {
  const tooLarge = () =>
    failure(
      'PAYLOAD_TOO_LARGE',
      `The page takes archives of up to ${archiveBytes.toLocaleString('en')} bytes: import this one by the command ` +
        'dispensary organization import.',
    );
  if (Number(request.headers['content-length']) > archiveBytes) throw tooLarge();
  // The reply to a refused archive goes over the same connection.
  const pieces = request.iterator({ destroyOnReturn: false });
  let bytes = 0;
  try {
    for (;;) {
      const timer = setTimeout(() => request.destroy(), idleMs);
      const { done, value } = await pieces
        .next()
        .catch(() => {
          throw failure('INVALID_PARAMS', 'The connection broke before the archive was there.');
        })
        .finally(() => clearTimeout(timer));
      if (done) return;
      const piece = value as Buffer;
      bytes += piece.length;
      if (bytes > archiveBytes) throw tooLarge();
      yield piece;
    }
  } finally {
    await pieces.return?.();
  }
}

/** What opens an archive: what was sent with it, or the passphrase of this deployment. */
export function archiveKey(sent: string | undefined, lock: EncryptionLock | undefined): EncryptionKey {
  if (sent?.startsWith('AGE-SECRET-KEY-')) return { identities: [sent] };
  if (sent !== undefined) return { passphrase: sent };
  if (lock !== undefined && 'passphrase' in lock) return { passphrase: lock.passphrase };
  throw failure('INVALID_PARAMS', 'The archive is encrypted: send its private key or passphrase, too.');
}
