import { assert } from '../../kernel/assert.ts';
import { type Decimal, decimal, decimalText } from '../../kernel/decimal.ts';
import { type Failure, failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { isEnded } from './package-queries.ts';
import type { StockItem } from './stock-items.ts';
import {
  claimStockOperation,
  insertStockOperations,
  type StockOperationKind,
  selectClaimedStockOperation,
} from './stock-operation-queries.ts';

/** The common part of every operation on stock. */
export interface StockOperationRequest {
  readonly reason: string | null;
  /** Makes a retry return the first result; null: every request is a separate operation. */
  readonly idempotencyKey: string | null;
}

export interface OperationOutcome<Result> {
  readonly result: Result;
  /** The response to the key's first use, for a retry. */
  readonly replayed: boolean;
}

/** The maximum of a balance: 12 digits before the decimal point, which responses can also express (D4). */
const onHandLimit = decimal('1000000000000');

/**
 * Runs a stock operation in one transaction, once per key: the key is claimed before all other work, and a refused
 * attempt leaves it free. `work` decides and queues writes; its result is stored and is the response to retries.
 */
export async function runStockOperation<Result extends object>(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  kind: StockOperationKind,
  { reason, idempotencyKey }: StockOperationRequest,
  work: (tx: TenantTransaction, operation: { id: number; nowMs: number }) => Promise<Result>,
): Promise<OperationOutcome<Result>> {
  return context.database.write(organization, async (tx) => {
    const nowMs = context.clock.now();
    const id = await context.ids.takeOne();
    if (idempotencyKey !== null) {
      const [claimed] = await tx.run(claimStockOperation({ kind, idempotencyKey, operationId: id }));
      if (claimed.length === 0) {
        const [[first]] = await tx.run(selectClaimedStockOperation({ kind, idempotencyKey }));
        assert(first !== undefined, 'a key and its operation are written together');
        // It was written from a Result of the same operation.
        return { result: first.result as Result, replayed: true };
      }
    }
    const result = await work(tx, { id, nowMs });
    tx.queue(
      ...insertStockOperations([
        {
          id,
          kind,
          reason,
          result: JSON.stringify(result),
          actor: origin.actor,
          createdAt: isoTimestamp(nowMs),
        },
      ]),
    );
    return { result, replayed: false };
  });
}

/** Refuses to remove more than the stock on hand. `field` is the field that requests it. */
export function refuseShortage(field: string, item: StockItem, onHand: Decimal, wanted: Decimal): void {
  if (wanted.lte(onHand)) return;
  throw shortage(field, item, onHand, wanted);
}

function shortage(field: string, item: StockItem, onHand: Decimal, wanted: Decimal): Failure {
  return failure(
    'OUT_OF_STOCK',
    `${field} must not take more of ${item.productName} than there is: ${decimalText(onHand)}`,
    {
      lineItem: {
        productOptionId: item.optionId || null,
        quantity: decimalText(wanted),
        specifiedPackageId: item.packageId || null,
      },
      product: { name: item.productName },
    },
  );
}

/** Refuses to add stock to a finished, void, shipped or transferred package; its remaining stock can be removed. */
export function refuseEndedPackage(
  field: string,
  { packageStatus }: Pick<StockItem, 'packageStatus'>,
  action: StockOperationKind,
): void {
  if (packageStatus === null || !isEnded(packageStatus)) return;
  throw failure(
    'INVALID_PACKAGE_TRANSITION',
    `${field} must not be positive for a package that is ${packageStatus}`,
    { status: packageStatus, action },
  );
}

/** Refuses a balance above the maximum. */
export function refuseGlut(field: string, onHand: Decimal): void {
  if (onHand.lt(onHandLimit)) return;
  throw failure(
    'INVALID_PARAMS',
    `${field} must keep the stock of one place below ${decimalText(onHandLimit)}`,
  );
}
