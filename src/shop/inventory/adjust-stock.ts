import { decimal, decimalText, zero } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { lockedBalances } from './lock-balances.ts';
import { moveStock } from './move-stock.ts';
import { heldItems, type NamedItem } from './stock-items.ts';
import {
  type OperationOutcome,
  refuseEndedPackage,
  refuseGlut,
  refuseShortage,
  runStockOperation,
  type StockOperationRequest,
} from './stock-operation.ts';

interface StockAdjustment extends NamedItem, StockOperationRequest {
  readonly inventoryLocationId: number;
  /** Decimal text, not zero; negative removes stock. */
  readonly delta: string;
  readonly reason: string;
}

interface AdjustedStock extends NamedItem {
  readonly id: number;
  readonly inventoryLocationId: number;
  readonly delta: string;
  /** Stock on hand afterwards. */
  readonly onHand: string;
  readonly reason: string;
  readonly createdAt: string;
}

/** Adds to one balance or removes from it, for a reason: never below zero (D47). */
export async function adjustStock(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  request: StockAdjustment,
): Promise<OperationOutcome<AdjustedStock>> {
  const { inventoryLocationId, reason } = request;
  const delta = decimal(request.delta);
  if (delta.eq(zero)) throw failure('INVALID_PARAMS', 'delta must not be 0');
  return runStockOperation(
    context,
    origin,
    organization,
    'adjustment',
    request,
    async (tx, { id, nowMs }) => {
      const [item] = await heldItems(tx, [request], { inventoryLocationId }, () => (field) => field);
      const key = { ...item!, locationId: inventoryLocationId };
      const [before] = await lockedBalances(tx, [key]);
      if (delta.gt(zero)) refuseEndedPackage('delta', item!, 'adjustment');
      refuseShortage('delta', item!, before!, zero.minus(delta));
      const after = before!.plus(delta);
      refuseGlut('delta', after);
      const named = {
        productId: request.productId,
        productOptionId: request.productOptionId,
        packageId: request.packageId,
        inventoryLocationId,
        delta: decimalText(delta),
      };
      await announce(tx, context, origin, nowMs, {
        event: 'stock.adjusted',
        subjectType: 'stock_operation',
        subjectId: id,
        payload: { operationId: id, ...named },
        details: { ...named, onHand: decimalText(after), reason },
      });
      await moveStock(tx, context, origin, {
        cause: 'adjusted',
        causeId: id,
        atMs: nowMs,
        reason,
        movements: [{ ...key, delta, orderLineItemId: null }],
      });
      return { id, ...named, onHand: decimalText(after), reason, createdAt: isoTimestamp(nowMs) };
    },
  );
}
