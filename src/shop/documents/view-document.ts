import { type Failure, failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import type { SealedFiles } from '../../platform/storage/sealed-files.ts';
import { shownBytes } from './check-document.ts';
import { selectDocument } from './document-queries.ts';
import type { DocumentMime, DocumentType } from './document-types.ts';
import { sealLabel, wrappedKeyOf } from './sealed-document.ts';

interface ViewedDocument {
  readonly bytes: Buffer;
  readonly mime: DocumentMime;
  readonly type: DocumentType;
}

/**
 * A document as staff see it: without metadata. The read is audited before any byte is sent (D58). Fails with
 * DOCUMENT_NOT_FOUND.
 */
export async function viewDocument(
  context: Context,
  files: SealedFiles,
  origin: Origin,
  organization: OrganizationId,
  customerId: number,
  id: number,
): Promise<ViewedDocument> {
  const nowMs = context.clock.now();
  const wanted = selectDocument({ customerId, id, at: isoTimestamp(nowMs) });
  const [[row]] = await context.database.read(organization, wanted);
  if (row === undefined) throw documentNotFound();
  const stored = await files.get(
    row.file_name,
    wrappedKeyOf(row),
    sealLabel(organization, id),
    (count: number) => context.randomBytes(count),
  );
  const bytes = shownBytes(stored, row.mime);
  await context.database.write(organization, async (tx) => {
    const [[still]] = await tx.run(wanted);
    if (still === undefined) throw documentNotFound();
    await announce(tx, context, origin, nowMs, {
      event: 'customer_document.viewed',
      subjectType: 'customer_document',
      subjectId: id,
      payload: { customerDocumentId: id, customerId, type: row.type },
    });
  });
  return { bytes, mime: row.mime, type: row.type };
}

/**
 * The same error for a document of another organization, of another customer, and one whose retention has ended (D13).
 */
export function documentNotFound(): Failure {
  return failure('DOCUMENT_NOT_FOUND', 'There is no such document.');
}
