import { type Failure, failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import type { FileKind } from './file-limits.ts';
import { type FileUse, useOfRow } from './file-uses.ts';
import { lockedQuota, selectUseOf } from './quota-queries.ts';

/**
 * Makes sure that a file that this transaction is about to keep has room. Another transaction that takes room waits until it ends. Fails with
 * FILE_QUOTA_EXCEEDED. Call it after the locks on what the file belongs to, and before its row is inserted.
 */
export async function takeRoom(
  tx: TenantTransaction,
  limits: Context['fileLimits'],
  kind: FileKind,
  byteCount: number,
): Promise<void> {
  // In the order of the batch: each statement sees what was committed before it began, so the last one sees all former uploads.
  const [, , [row]] = await tx.run(...lockedQuota(kind), selectUseOf[kind]({}));
  const use = useOfRow(row!, limits);
  if (use.files + 1 > use.filesMax || use.bytes + byteCount > use.bytesMax) throw exceeded(kind, use);
}

/**
 * Refuses before a file is made ready, which may be dear, when there is no room for any. Fails with FILE_QUOTA_EXCEEDED; `takeRoom`
 * decides in the end.
 */
export async function refuseFullStore(
  { database, fileLimits }: Pick<Context, 'database' | 'fileLimits'>,
  organization: OrganizationId,
  kind: FileKind,
): Promise<void> {
  const [[row]] = await database.read(organization, selectUseOf[kind]({}));
  const use = useOfRow(row!, fileLimits);
  if (use.files >= use.filesMax || use.bytes >= use.bytesMax) throw exceeded(kind, use);
}

function exceeded(kind: FileKind, { files, filesMax, bytes, bytesMax }: FileUse): Failure {
  const megabytes = (count: number) => `${Math.ceil(count / 1_000_000).toLocaleString('en')} MB`;
  return failure(
    'FILE_QUOTA_EXCEEDED',
    `The organization has no room for another file of its ${kind}: it keeps ${files.toLocaleString('en')} of at most ` +
      `${filesMax.toLocaleString('en')}, ${megabytes(bytes)} of at most ${megabytes(bytesMax)}.`,
    { kind, files, filesMax, bytes, bytesMax },
  );
}
