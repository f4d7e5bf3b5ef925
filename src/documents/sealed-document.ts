import type { OrganizationId } from '../kernel/ids.ts';
import type { WrappedKey } from '../storage/envelope.ts';

/** What the file of a document is sealed under: it opens as no other document, and in no other organization. */
export function sealLabel(organization: OrganizationId, documentId: number): string {
  return `customer document ${organization}/${documentId}`;
}

/** The name of its file. The end is random: an attempt that failed midway is never taken for the one that did not. */
export function fileNameOf(organization: OrganizationId, documentId: number, random: Uint8Array): string {
  return `${organization}-${documentId}-${Buffer.from(random).toString('hex')}`;
}

/** The wrapped key as its row holds it. */
export function wrappedKeyOf(row: {
  readonly master_key_id: string;
  readonly wrapped_key: Uint8Array;
}): WrappedKey {
  return { masterKeyId: row.master_key_id, wrapped: row.wrapped_key };
}
