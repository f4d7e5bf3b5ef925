import { cashRoundingOf } from '../../engines/offline-pricing/cash-rounding-rules.ts';
import { assert } from '../../kernel/assert.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { lockCustomer } from '../customers/customers.ts';
import { holdPlacesForGoods, placesAskedFor, selectPlacesForGoods } from '../inventory/stock.ts';
import type { OrderRecord } from '../orders/order-record.ts';
import {
  lockLoyaltyBalance,
  selectEarnedPoints,
  selectLoyaltyBalance,
  selectOwedPointCents,
} from '../promotions/promotions.ts';
import { selectPaymentTypes } from '../settings/terms-of-sale.ts';
import type { ReturnFacts, ReturnRequest } from './decide-return.ts';
import { selectReturnedLines, selectReturnedSums, selectReturnOfKey } from './return-queries.ts';

/**
 * The facts that decide a return, in one round trip. With `lock`, customer and points stay unchanged and locations
 * stay open until the transaction ends. `madeReturnId` is the return that the idempotency key already made.
 */
export async function loadReturnFacts(
  tx: Pick<TenantTransaction, 'run'>,
  { head, fulfillments }: OrderRecord,
  {
    idempotencyKey,
    inventoryLocationId = null,
  }: Pick<ReturnRequest, 'idempotencyKey' | 'inventoryLocationId'>,
  { lock }: { readonly lock: boolean },
): Promise<ReturnFacts & { readonly madeReturnId: number | null }> {
  const { id: orderId, userId } = head;
  const ids = placesAskedFor(fulfillments, inventoryLocationId);
  const balanceOf = lock ? lockLoyaltyBalance : selectLoyaltyBalance;
  const placesFor = lock ? holdPlacesForGoods : selectPlacesForGoods;
  const [[known], returned, [sums], paymentTypes, [earned], , [balance], [owed], openPlaces] = await tx.run(
    idempotencyKey === null ? null : selectReturnOfKey({ orderId, idempotencyKey }),
    selectReturnedLines({ orderId }),
    selectReturnedSums({ orderId }),
    selectPaymentTypes({}),
    userId === null ? null : selectEarnedPoints({ userId, orderId }),
    userId === null || !lock ? null : lockCustomer({ id: userId }),
    userId === null ? null : balanceOf({ userId }),
    userId === null ? null : selectOwedPointCents({}),
    placesFor({ ids, orderType: head.type }),
  );
  assert(sums !== undefined, 'an aggregate has one row');
  return {
    madeReturnId: known?.id ?? null,
    returned,
    sums,
    paymentTypes: paymentTypes.map((type) => ({
      ...{ id: type.id, name: type.name },
      takesGiftCards: type.takes_gift_cards,
      cashRounding: type.method === 'cash' ? cashRoundingOf(type) : null,
    })),
    earnedPoints: earned?.points ?? '0',
    balance: balance?.points ?? '0',
    owedPointCents: owed?.owed_point_cents ?? null,
    openPlaces,
  };
}
