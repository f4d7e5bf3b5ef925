import { type Decimal, decimalText } from '../../kernel/decimal.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { lockedBalances } from './lock-balances.ts';
import { moveStock } from './move-stock.ts';
import { insertStockOperations } from './stock-operation-queries.ts';

/** Loose stock that was there although the books did not have it. */
export interface UnbookedStock {
  readonly productId: number;
  /** 0 when stock is kept per product. */
  readonly optionId: number;
  readonly locationId: number;
  /** Above 0. */
  readonly amount: Decimal;
}

/**
 * Books stock that has already left the shop, so that it can be taken: the ledger keeps both, and the balance does not change in the
 * end. Each is an adjustment with this reason, in the transaction of the sale.
 */
export async function makeUpStock(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  reason: string,
  unbooked: readonly UnbookedStock[],
): Promise<void> {
  for (const { amount, ...item } of unbooked) {
    const key = { ...item, packageId: 0 };
    const [before] = await lockedBalances(tx, [key]);
    const id = await context.ids.takeOne();
    const named = {
      productId: item.productId,
      productOptionId: item.optionId === 0 ? null : item.optionId,
      packageId: null,
      inventoryLocationId: item.locationId,
      delta: decimalText(amount),
    };
    const result = {
      ...{ id, ...named, onHand: decimalText(before!.plus(amount)), reason },
      createdAt: isoTimestamp(nowMs),
    };
    await announce(tx, context, origin, nowMs, {
      event: 'stock.adjusted',
      subjectType: 'stock_operation',
      subjectId: id,
      payload: { operationId: id, ...named },
      details: { ...named, onHand: result.onHand, reason },
    });
    tx.queue(
      ...insertStockOperations([
        {
          ...{ id, kind: 'adjustment' as const, reason, result: JSON.stringify(result) },
          ...{ actor: origin.actor, createdAt: isoTimestamp(nowMs) },
        },
      ]),
    );
    await moveStock(tx, context, origin, {
      ...{ cause: 'adjusted', causeId: id, atMs: nowMs },
      movements: [{ ...key, delta: amount, orderLineItemId: null }],
    });
  }
}
