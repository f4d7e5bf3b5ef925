import { selectOrganization } from '../../access/organizations/organizations.ts';
import { barredIdCopy } from '../../engines/duties/kept-papers.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import type { SealedFiles } from '../../platform/storage/sealed-files.ts';
import { customerNotFound, lockCustomerExpiry, selectCustomerIsThere } from '../customers/customers.ts';
import { takeRoom } from '../files/quotas.ts';
import { checkDocument, checkLength, decodeBase64, readMime } from './check-document.ts';
import { insertDocuments, supersedeDocuments } from './document-queries.ts';
import type { DocumentType } from './document-types.ts';
import { fileNameOf, sealLabel } from './sealed-document.ts';

interface SentDocument {
  readonly type: DocumentType;
  readonly base64: string;
  readonly mime: string;
}

/** Fails with ID_COPY_NOT_ALLOWED where the law of the state lets no shop keep one today. */
async function refuseBarredCopy(
  { database, law, clock }: Context,
  organization: OrganizationId,
): Promise<void> {
  const [[shop]] = await database.read(organization, selectOrganization({}));
  assert(shop !== undefined, 'an authenticated organization exists');
  const barred = barredIdCopy(law.current.find(shop.state), localDateAt(clock.now(), shop.tz));
  if (barred !== null) throw failure('ID_COPY_NOT_ALLOWED', barred.words, { citation: barred.citation });
}

/**
 * Stores a customer's document, which then waits for review; the former one of its type stays until its retention ends
 * (D41). Fails, in this order, with UNSUPPORTED_DOCUMENT_TYPE, DOCUMENT_TOO_LARGE, USER_NOT_FOUND, ID_COPY_NOT_ALLOWED,
 * INVALID_DOCUMENT,
 * FILE_QUOTA_EXCEEDED.
 * Resolves to its id. `mayKnow`: whether the caller may know that there is this customer; without, none is found.
 */
export async function uploadDocument(
  context: Context,
  files: SealedFiles,
  origin: Origin,
  organization: OrganizationId,
  customerId: number,
  sent: SentDocument,
  mayKnow: () => Promise<boolean> = async () => true,
): Promise<number> {
  const mime = readMime(sent.mime);
  checkLength(sent.base64);
  const [[known]] = await context.database.read(organization, selectCustomerIsThere({ id: customerId }));
  // Asked in any case: the time of the answer says nothing either.
  const isTold = await mayKnow();
  if (known === undefined || !isTold) throw customerNotFound();
  if (sent.type === 'license') await refuseBarredCopy(context, organization);
  const bytes = decodeBase64(sent.base64);
  checkDocument(bytes, mime);

  const { ids, clock } = context;
  const randomBytes = (count: number): Uint8Array => context.randomBytes(count);
  const id = await ids.takeOne();
  const nowMs = clock.now();
  const at = isoTimestamp(nowMs);
  const fileName = fileNameOf(organization, id, randomBytes(8));
  // The file is written first: a row never names a missing file. A file without its row cannot be decrypted.
  const key = await files.put(fileName, bytes, sealLabel(organization, id), randomBytes);
  try {
    await context.database.write(organization, async (tx) => {
      const [[customer]] = await tx.run(lockCustomerExpiry({ id: customerId }));
      if (customer === undefined) throw customerNotFound();
      await takeRoom(tx, context.fileLimits, 'documents', bytes.length);
      const [superseded] = await tx.run(supersedeDocuments({ customerId, type: sent.type, at }));
      tx.queue(
        ...insertDocuments([
          {
            id,
            customerId,
            type: sent.type,
            mime,
            byteCount: bytes.length,
            fileName,
            masterKeyId: key.masterKeyId,
            wrappedKey: key.wrapped,
            status: 'pending',
            uploadedAt: at,
            uploadedBy: origin.actor,
          },
        ]),
      );
      await announce(tx, context, origin, nowMs, {
        event: 'customer_document.uploaded',
        subjectType: 'customer_document',
        subjectId: id,
        payload: { customerDocumentId: id, customerId, type: sent.type },
        details: {
          customerId,
          type: sent.type,
          mime,
          byteCount: bytes.length,
          superseded: superseded.map((former) => former.id),
        },
      });
    });
  } catch (error) {
    // A failed deletion is ignored: the remaining file cannot be decrypted, and the caller gets the first error.
    await files.delete(fileName).catch(() => undefined);
    throw error;
  }
  return id;
}
