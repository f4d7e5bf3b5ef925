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

interface StockTransfer extends NamedItem, StockOperationRequest {
  readonly fromInventoryLocationId: number;
  readonly toInventoryLocationId: number;
  /** Decimal text above zero. */
  readonly amount: string;
}

interface TransferredStock extends NamedItem {
  readonly id: number;
  readonly fromInventoryLocationId: number;
  readonly toInventoryLocationId: number;
  readonly amount: string;
  /** Stock on hand afterwards. */
  readonly fromOnHand: string;
  readonly toOnHand: string;
  readonly reason: string | null;
  readonly createdAt: string;
}

/** Moves stock from one location to another: both balances change, or neither. */
export async function transferStock(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  request: StockTransfer,
): Promise<OperationOutcome<TransferredStock>> {
  const { fromInventoryLocationId, toInventoryLocationId, reason } = request;
  if (fromInventoryLocationId === toInventoryLocationId) {
    throw failure(
      'INVALID_PARAMS',
      'toInventoryLocationId must be another location than fromInventoryLocationId',
    );
  }
  const amount = decimal(request.amount);
  return runStockOperation(context, origin, organization, 'transfer', request, async (tx, { id, nowMs }) => {
    const places = { fromInventoryLocationId, toInventoryLocationId };
    const [item] = await heldItems(tx, [request], places, () => (field) => field);
    const from = { ...item!, locationId: fromInventoryLocationId };
    const to = { ...item!, locationId: toInventoryLocationId };
    const [fromBefore, toBefore] = await lockedBalances(tx, [from, to]);
    refuseEndedPackage('packageId', item!, 'transfer');
    refuseShortage('amount', item!, fromBefore!, amount);
    refuseGlut('amount', toBefore!.plus(amount));
    const named = {
      productId: request.productId,
      productOptionId: request.productOptionId,
      packageId: request.packageId,
      ...places,
      amount: decimalText(amount),
    };
    await announce(tx, context, origin, nowMs, {
      event: 'stock.moved',
      subjectType: 'stock_operation',
      subjectId: id,
      payload: { operationId: id, ...named },
      details: { ...named, reason },
    });
    await moveStock(tx, context, origin, {
      cause: 'moved',
      causeId: id,
      atMs: nowMs,
      movements: [
        { ...from, delta: zero.minus(amount), orderLineItemId: null },
        { ...to, delta: amount, orderLineItemId: null },
      ],
    });
    return {
      id,
      ...named,
      fromOnHand: decimalText(fromBefore!.minus(amount)),
      toOnHand: decimalText(toBefore!.plus(amount)),
      reason,
      createdAt: isoTimestamp(nowMs),
    };
  });
}
