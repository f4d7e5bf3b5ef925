import Type from 'typebox';
import { UuidV4, withErrorCode } from '../../platform/http/schemas.ts';
import { insertMany, statement } from '../../platform/statements/statement.ts';

/** Idempotency keys: a repeated request neither receives goods twice nor pays twice. */

export const idempotencyKey = Type.Optional(
  withErrorCode(
    UuidV4({
      description:
        'A retry with the same key changes nothing and gets the current order; a refused attempt leaves the key free',
    }),
    'INVALID_IDEMPOTENCY_KEY',
  ),
);

type PurchaseOrderKeyKind = 'reception' | 'payment';

/** Call it under the lock on the order, so that no concurrent request can use the key. */
export const selectPurchaseOrderKey = statement<
  { purchaseOrderId: number; kind: PurchaseOrderKeyKind; idempotencyKey: string },
  { created_at: number }
>(
  'select_purchase_order_key',
  `select created_at from purchase_order_keys
    where organization_id = :organizationId and purchase_order_id = :purchaseOrderId and kind = :kind
      and idempotency_key = :idempotencyKey`,
);

export const insertPurchaseOrderKeys = insertMany<{
  purchaseOrderId: number;
  kind: PurchaseOrderKeyKind;
  idempotencyKey: string;
  createdAt: string;
}>('purchase_order_keys', {
  purchaseOrderId: 'purchase_order_id',
  kind: 'kind',
  idempotencyKey: 'idempotency_key',
  createdAt: 'created_at',
});

/** The result of a request, and whether an earlier request had produced it. */
export interface KeyedOutcome<Shown> {
  readonly shown: Shown;
  readonly replayed: boolean;
}
