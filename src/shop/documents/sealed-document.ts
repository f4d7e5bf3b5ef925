import type { OrganizationId } from '../../kernel/ids.ts';
import type { WrappedKey } from '../../platform/storage/envelope.ts';

/** The associated data of a document's file: it cannot be opened as another document or in another organization. */
export function sealLabel(organization: OrganizationId, documentId: number): string {
  return `customer document ${organization}/${documentId}`;
}

/** The name of its file. The end is random, so that the file of a failed attempt never belongs to a later one. */
export function fileNameOf(organization: OrganizationId, documentId: number, random: Uint8Array): string {
  return `${organization}-${documentId}-${Buffer.from(random).toString('hex')}`;
}

/** The wrapped key as its row stores it. */
export function wrappedKeyOf(row: {
  readonly master_key_id: string;
  readonly wrapped_key: Uint8Array;
}): WrappedKey {
  return { masterKeyId: row.master_key_id, wrapped: row.wrapped_key };
}
