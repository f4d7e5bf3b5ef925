import { type Decimal, decimal, decimalText, zero } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { lockedBalances } from './lock-balances.ts';
import { moveStock, stockFacts } from './move-stock.ts';
import { heldItems, type NamedItem, type StockItem } from './stock-items.ts';
import {
  type OperationOutcome,
  refuseEndedPackage,
  runStockOperation,
  type StockOperationRequest,
} from './stock-operation.ts';

interface CountedLine extends NamedItem {
  /** Decimal text of at least zero. */
  readonly counted: string;
}

/** A line of the request. */
interface LineToCount extends CountedLine {
  /**
   * Decimal text: stock on hand in the ledger when counting began. Absent or null: the count applies without this
   * check.
   */
  readonly expected?: string | null;
}

interface StockCount extends StockOperationRequest {
  readonly inventoryLocationId: number;
  readonly lines: readonly LineToCount[];
}

interface CountedStock {
  readonly id: number;
  readonly inventoryLocationId: number;
  readonly lines: readonly (CountedLine & {
    /** Stock on hand in the ledger before the count. */
    readonly expected: string;
    /** `counted` less `expected`. */
    readonly difference: string;
  })[];
  readonly reason: string | null;
  readonly createdAt: string;
}

/**
 * Sets balances at one location to the counted amounts and writes the differences to the ledger. The balances are
 * locked first: a concurrent sale comes before or after the count, and is in the ledger either way. A line with
 * `expected` is refused with STALE_EDIT if the stock on hand is different now.
 */
export async function countStock(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  request: StockCount,
): Promise<OperationOutcome<CountedStock>> {
  const { inventoryLocationId, reason } = request;
  refuseLinesOfTheSame(request.lines);
  return runStockOperation(context, origin, organization, 'count', request, async (tx, { id, nowMs }) => {
    const items = await heldItems(
      tx,
      request.lines,
      { inventoryLocationId },
      (index) => (field) => `lines[${index}].${field}`,
    );
    const keys = items.map((item) => ({ ...item, locationId: inventoryLocationId }));
    const expected = await lockedBalances(tx, keys);
    refuseMoved(request.lines, items, expected);
    const differences = request.lines.map(({ counted }, index) => decimal(counted).minus(expected[index]!));
    for (const [index, difference] of differences.entries()) {
      if (difference.gt(zero)) refuseEndedPackage(`lines[${index}].counted`, items[index]!, 'count');
    }
    const lines = request.lines.map((line, index) => ({
      productId: line.productId,
      productOptionId: line.productOptionId,
      packageId: line.packageId,
      counted: decimalText(decimal(line.counted)),
      expected: decimalText(expected[index]!),
      difference: decimalText(differences[index]!),
    }));
    await announce(tx, context, origin, nowMs, {
      event: 'stock.counted',
      subjectType: 'stock_operation',
      subjectId: id,
      payload: { operationId: id, inventoryLocationId, lines: lines.length, ...stockFacts(keys) },
      details: { inventoryLocationId, lines, reason },
    });
    await moveStock(tx, context, origin, {
      cause: 'counted',
      causeId: id,
      atMs: nowMs,
      reason,
      movements: keys
        .map((key, index) => ({ ...key, delta: differences[index]!, orderLineItemId: null }))
        .filter(({ delta }) => !delta.eq(zero)),
    });
    return { id, inventoryLocationId, lines, reason, createdAt: isoTimestamp(nowMs) };
  });
}

/** Applying the count would undo sales and moves made since then. */
function refuseMoved(
  lines: readonly LineToCount[],
  items: readonly StockItem[],
  onHand: readonly Decimal[],
): void {
  for (const [index, { expected }] of lines.entries()) {
    if (expected == null || decimal(expected).eq(onHand[index]!)) continue;
    const now = decimalText(onHand[index]!);
    throw failure(
      'STALE_EDIT',
      `lines[${index}].expected must be ${now}: the stock of ${items[index]!.productName} has changed since counting began. Count it again.`,
      { line: index, onHand: now },
    );
  }
}

function refuseLinesOfTheSame(lines: readonly NamedItem[]): void {
  const seen = new Map<string, number>();
  for (const [index, { productId, productOptionId, packageId }] of lines.entries()) {
    const key = [productId, productOptionId, packageId].join();
    const first = seen.get(key);
    if (first !== undefined) {
      throw failure('INVALID_PARAMS', `lines[${index}] must not count the same stock as lines[${first}]`);
    }
    seen.set(key, index);
  }
}
