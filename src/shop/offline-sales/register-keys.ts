import { createHmac, timingSafeEqual } from 'node:crypto';
import { type OfflineSale, signedText } from '../../engines/offline-pricing/offline-sale.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { MasterKey } from '../../platform/storage/envelope.ts';

/*
 * The keys by which people sign sales at registers (D75). A key is derived from a master key of documents, the register, the member
 * of staff and the terms, and kept nowhere: a signature proves that these terms, until then, were given to this person at this
 * register. It does not prove that the person told the truth, so every sale is priced again.
 */

/** The terms that a key belongs to, and where. */
interface SigningTerms {
  readonly organization: OrganizationId;
  readonly registerId: number;
  /** The member of staff whose key it is. */
  readonly staffId: number;
  readonly version: string;
  readonly issuedAt: string;
  readonly validUntil: string;
}

/** The key by which a member of staff signs sales at a register on these terms. */
export function signingKey({ key }: MasterKey, terms: SigningTerms): Buffer {
  const { organization, registerId, staffId, version, issuedAt, validUntil } = terms;
  const purpose = JSON.stringify([
    ...['offline sales', organization, registerId, 'staff', staffId],
    ...[version, issuedAt, validUntil],
  ]);
  return createHmac('sha256', key).update(purpose).digest();
}

/** The signature of a sale, as Base64. */
function signatureOf(key: Uint8Array, sale: OfflineSale): string {
  return createHmac('sha256', key).update(signedText(sale)).digest('base64');
}

/** Whether the person who sold has signed the sale, with a key of its terms. */
export function isSignedBySeller(
  masters: readonly MasterKey[],
  organization: OrganizationId,
  registerId: number,
  sale: OfflineSale,
  signature: string,
): boolean {
  const master = masters.find(({ id }) => id === sale.terms.keyName);
  if (master === undefined) return false;
  const given = Buffer.from(signature);
  const key = signingKey(master, { organization, registerId, staffId: sale.staffId, ...sale.terms });
  const expected = Buffer.from(signatureOf(key, sale));
  return expected.length === given.length && timingSafeEqual(expected, given);
}
