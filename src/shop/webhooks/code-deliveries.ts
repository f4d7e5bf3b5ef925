import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { unwrapKey, wrapKey } from '../../platform/storage/envelope.ts';
import type { MasterKeys } from '../../platform/storage/master-keys.ts';
import { codeEventType } from './code-endpoints.ts';
import { emptyDeliveries, insertCodeDelivery, selectCodeEndpoint } from './delivery-queries.ts';

/*
 * Codes for phones (D62, D70). A code proves who a customer is, so it must not reach integrators: it is no event of the feed,
 * and only one endpoint gets it, which an owner made. It is stored encrypted under the master key, for one delivery.
 */

/** What the endpoint sends on to the phone. */
interface CodeMessage {
  /** E.164. */
  readonly phone: string;
  readonly code: string;
  readonly expiresAtMs: number;
}

/** The body of a delivery is valid for that delivery only. */
const labelOf = (organization: OrganizationId, deliveryId: number): string =>
  `webhook delivery ${organization}/${deliveryId}`;

/** Queues a code for the endpoint of the organization. Resolves to the id of its delivery; null: there is no such endpoint. */
export async function queueCodeDelivery(
  tx: TenantTransaction,
  context: Pick<Context, 'ids' | 'randomBytes'>,
  keys: MasterKeys,
  organization: OrganizationId,
  nowMs: number,
  { phone, code, expiresAtMs }: CodeMessage,
): Promise<number | null> {
  const at = isoTimestamp(nowMs);
  const [[endpoint]] = await tx.run(selectCodeEndpoint({ at }));
  if (endpoint === undefined) return null;
  const id = await context.ids.takeOne();
  const expiresAt = isoTimestamp(expiresAtMs);
  const body = JSON.stringify({ type: codeEventType, timestamp: at, data: { phone, code, expiresAt } });
  const [present] = await keys.load(context.randomBytes);
  const sealed = wrapKey(present, Buffer.from(body), labelOf(organization, id), context.randomBytes);
  const messageId = `code-${id.toString(36)}`;
  tx.queue(
    insertCodeDelivery({
      ...{ id, endpointId: endpoint.id, messageId, type: codeEventType, at, bodyEndsAt: expiresAt },
      ...{ sealedBody: sealed.wrapped, masterKeyId: sealed.masterKeyId },
    }),
  );
  return id;
}

/**
 * Queues the end of codes that were used or replaced, or whose customer is erased: what is stored of them goes, and they are
 * not sent any more. The same statement if there is none (null).
 */
export function endCodeDeliveries(
  tx: Pick<TenantTransaction, 'queue'>,
  deliveryIds: readonly (number | null)[],
): void {
  tx.queue(emptyDeliveries({ ids: deliveryIds.filter((id) => id !== null) }));
}

/** A delivery with an encrypted body. */
interface SealedDelivery {
  readonly id: number;
  readonly sealed_body: Uint8Array;
  readonly sealed_body_master_key_id: string;
}

/** Decrypts the body of a delivery. */
export async function openBody(
  keys: MasterKeys,
  randomBytes: Context['randomBytes'],
  organization: OrganizationId,
  { id, sealed_body: wrapped, sealed_body_master_key_id: masterKeyId }: SealedDelivery,
): Promise<string> {
  const masters = await keys.load(randomBytes);
  return unwrapKey(masters, { masterKeyId, wrapped }, labelOf(organization, id)).toString('utf8');
}
