import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { lockCustomerExpiry, recordExpiry } from '../customers/customers.ts';
import {
  type DocumentRow,
  lockDocument,
  selectFormerExpiry,
  selectTimeZoneOfShop,
  updateReview,
} from './document-queries.ts';
import { documentNotFound } from './view-document.ts';

interface Review {
  readonly decision: 'approved' | 'rejected';
  /** The expiry day of the paper; null when rejected. */
  readonly expiresOn: string | null;
  readonly reason: string | null;
}

/**
 * Approves a document and records its expiry day on the customer; or rejects it, and removes the recorded day if it
 * had been approved. Fails with DOCUMENT_NOT_FOUND, DOCUMENT_SUPERSEDED, or INVALID_PARAMS for an expired paper.
 */
export async function reviewDocument(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  customerId: number,
  id: number,
  { decision, expiresOn, reason }: Review,
): Promise<DocumentRow> {
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  return context.database.write(organization, async (tx) => {
    const [[customer], [document], [shop]] = await tx.run(
      lockCustomerExpiry({ id: customerId }),
      lockDocument({ customerId, id, at }),
      selectTimeZoneOfShop({}),
    );
    if (customer === undefined || document === undefined || shop === undefined) throw documentNotFound();
    if (document.superseded_at !== null) {
      throw failure('DOCUMENT_SUPERSEDED', 'The customer has sent a newer document of the same type.');
    }
    const today = localDateAt(nowMs, shop.tz);
    if (expiresOn !== null && expiresOn < today) {
      throw failure(
        'INVALID_PARAMS',
        `expiresOn must not be before today, ${today}: reject an expired document.`,
      );
    }
    const { type } = document;
    const held = type === 'license' ? customer.license_expiry : customer.medical_expiration;
    const withdrawn = expiresOn === null && document.expires_on !== null && held === document.expires_on;
    const [[former]] = withdrawn
      ? await tx.run(selectFormerExpiry({ customerId, id, type }))
      : [[] as { expires_on: string }[]];
    const holds = withdrawn ? (former?.expires_on ?? null) : (expiresOn ?? held);
    tx.queue(updateReview({ id, status: decision, expiresOn, reason, by: origin.actor, at }));
    await announce(tx, context, origin, nowMs, {
      event: 'customer_document.reviewed',
      subjectType: 'customer_document',
      subjectId: id,
      payload: { customerDocumentId: id, customerId, type, decision },
      details: {
        customerId,
        type,
        ...changesOf(
          { status: document.status, expiresOn: document.expires_on, reason: document.review_reason },
          { status: decision, expiresOn, reason },
          // Staff can write personal data there.
          ['reason'],
        ),
      },
    });
    if (holds !== held) {
      await recordExpiry(tx, context, origin, nowMs, customerId, type, { from: held, to: holds });
    }
    return {
      ...document,
      status: decision,
      expires_on: expiresOn,
      review_reason: reason,
      reviewed_at: nowMs,
    };
  });
}
