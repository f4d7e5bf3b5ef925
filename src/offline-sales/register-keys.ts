import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OrganizationId } from '../kernel/ids.ts';
import { type OfflineSale, signedText } from '../offline-pricing/offline-sale.ts';
import type { MasterKey } from '../storage/envelope.ts';

/*
 * The keys by which registers sign (D75). A key is derived from a master key of documents, the register and the terms, and kept
 * nowhere: a signature proves that these terms, until then, were given to this register. It does not prove that its staff told the
 * truth, so every sale is priced again.
 */

/** The terms that a key belongs to, and where. */
export interface SigningTerms {
  readonly organization: OrganizationId;
  readonly registerId: number;
  readonly version: string;
  readonly issuedAt: string;
  readonly validUntil: string;
}

/** The key by which a register signs sales on these terms. */
export function signingKey({ key }: MasterKey, terms: SigningTerms): Buffer {
  const { organization, registerId, version, issuedAt, validUntil } = terms;
  const purpose = JSON.stringify([
    ...['offline sales', organization, registerId],
    ...[version, issuedAt, validUntil],
  ]);
  return createHmac('sha256', key).update(purpose).digest();
}

/** The signature of a sale, as Base64. */
export function signatureOf(key: Uint8Array, sale: OfflineSale): string {
  return createHmac('sha256', key).update(signedText(sale)).digest('base64');
}

/** Whether the register signed the sale with a key of its terms. */
export function isSigned(
  masters: readonly MasterKey[],
  organization: OrganizationId,
  registerId: number,
  sale: OfflineSale,
  signature: string,
): boolean {
  const master = masters.find(({ id }) => id === sale.terms.keyName);
  if (master === undefined) return false;
  const key = signingKey(master, { organization, registerId, ...sale.terms });
  const expected = Buffer.from(signatureOf(key, sale));
  const given = Buffer.from(signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}
