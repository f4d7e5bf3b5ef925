import type { Context, Origin } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { assert } from '../kernel/assert.ts';
import { type Decimal, decimal, decimalText } from '../kernel/decimal.ts';
import { type Failure, failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { isEnded } from './package-queries.ts';
import type { StockItem } from './stock-items.ts';
import {
  claimStockOperation,
  insertStockOperations,
  type StockOperationKind,
  selectClaimedStockOperation,
} from './stock-operation-queries.ts';

/** What every operation on stock by hand has. */
export interface StockOperationRequest {
  readonly reason: string | null;
  /** Makes a retry harmless; null: every request is an operation of its own. */
  readonly idempotencyKey: string | null;
}

export interface OperationOutcome<Result> {
  readonly result: Result;
  /** The key was used before, and this is what was answered then. */
  readonly replayed: boolean;
}

/** More than this is nowhere: 12 digits before the point is also what replies can say (D4). */
const onHandLimit = decimal('1000000000000');

/**
 * Runs an operation on stock by hand in one transaction, once per key: the key is claimed before all other work, and
 * a refused attempt leaves it free. `work` decides and queues; what it resolves to is kept and answered to retries.
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
        // It was written from a Result of the same kind.
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

/** Refuses to take more than there is. `field` asked for it. */
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

/** Refuses to put stock into a package that has ended; what still lies there can be taken out. */
export function refuseEndedPackage(
  field: string,
  { packageStatus }: Pick<StockItem, 'packageStatus'>,
  action: StockOperationKind,
): void {
  if (packageStatus === null || !isEnded(packageStatus)) return;
  throw failure(
    'INVALID_PACKAGE_TRANSITION',
    `${field} must put nothing into a package that is ${packageStatus}`,
    { status: packageStatus, action },
  );
}

/** Refuses to put more on a balance than can be told. */
export function refuseGlut(field: string, onHand: Decimal): void {
  if (onHand.lt(onHandLimit)) return;
  throw failure('INVALID_PARAMS', `${field} must leave less than ${decimalText(onHandLimit)} in one place`);
}
