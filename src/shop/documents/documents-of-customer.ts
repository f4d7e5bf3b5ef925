import { type BoundStatement, statement } from '../../platform/statements/statement.ts';
import type { DocumentMime, DocumentStatus, DocumentType } from './document-types.ts';

/*
 * This slice's part in merging and exporting a customer. Erasing needs no step here: documents of an erased customer
 * are hidden, and the next purge deletes them with their files.
 */

/** Only one document per type stays current: that of the target. */
const supersedeIfBothPresent = statement<{ fromId: number; intoId: number; at: string }, never>(
  'supersede_documents_if_both_present',
  `update customer_documents d set superseded_at = :at
    where d.organization_id = :organizationId and d.user_id = :fromId and d.superseded_at is null
      and exists (select from customer_documents p
                   where p.organization_id = :organizationId and p.user_id = :intoId and p.type = d.type
                     and p.superseded_at is null)`,
);

const moveRows = statement<{ fromId: number; intoId: number }, never>(
  'move_documents',
  `update customer_documents set user_id = :intoId
    where organization_id = :organizationId and user_id = :fromId`,
);

/** Queue it after the lock on both customers. */
export function moveDocuments(fromId: number, intoId: number, at: string): BoundStatement<never>[] {
  return [supersedeIfBothPresent({ fromId, intoId, at }), moveRows({ fromId, intoId })];
}

/** The data about the files, and how large they are. */
export const selectDocumentsForExport = statement<
  { userId: number },
  {
    id: number;
    type: DocumentType;
    status: DocumentStatus;
    expires_on: string | null;
    review_reason: string | null;
    mime: DocumentMime;
    byte_count: number;
    uploaded_at: number;
  }
>(
  'select_documents_for_export',
  `select id, type, status, expires_on::text as expires_on, review_reason, mime, byte_count, uploaded_at from customer_documents
    where organization_id = :organizationId and user_id = :userId order by id limit 100000`,
);
