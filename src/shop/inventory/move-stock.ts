import { type Decimal, decimalText, zero } from '../../kernel/decimal.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Actor, Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { insertLedgerEntries, moveBalances } from './inventory-queries.ts';

/** Every cause of a stock movement. */
export const stockCauses = [
  'received',
  'taken',
  'given-back',
  'returned',
  'wasted',
  'adjusted',
  'counted',
  'moved',
] as const;

export type StockCause = (typeof stockCauses)[number];

/** A change of one balance; negative removes stock. */
export interface StockMovement {
  readonly productId: number;
  readonly optionId: number;
  readonly locationId: number;
  readonly packageId: number;
  readonly delta: Decimal;
  readonly orderLineItemId: number | null;
}

/** The movements of one cause: the audit entry of a step of an order, a reception, an adjustment. */
export interface StockEffect {
  readonly cause: StockCause;
  readonly causeId: number;
  readonly atMs: number;
  readonly movements: readonly StockMovement[];
  /** The state's system has it already: it is not told. */
  readonly isAtState?: boolean;
  /** Default: the actor of the write. */
  readonly actor?: Actor;
  /** What staff said about it, in their words. */
  readonly reason?: string | null;
}

/** Is told of what changes in its transaction, and may queue more writes. */
export interface StockObserver {
  readonly moved: (tx: TenantTransaction, context: Context, effects: readonly StockEffect[]) => Promise<void>;
  readonly finished: (
    tx: TenantTransaction,
    context: Context,
    packageId: number,
    atMs: number,
  ) => Promise<void>;
}

const observers: StockObserver[] = [];

/** A room above tells the state of what changes here; inventory does not know of it. */
export function observeStock(observer: StockObserver): void {
  observers.push(observer);
}

/** A package was finished in this transaction. */
export async function tellFinished(
  tx: TenantTransaction,
  context: Context,
  packageId: number,
  atMs: number,
): Promise<void> {
  for (const observer of observers) await observer.finished(tx, context, packageId, atMs);
}

/**
 * Queues the effects: a ledger entry for each movement, and the change of each balance. The database refuses a balance
 * below zero (`stockGuard`) and a second effect of the same cause. The balances must exist.
 */
export async function moveStock(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  ...effects: readonly StockEffect[]
): Promise<void> {
  const movements = effects.flatMap((effect) =>
    effect.movements.map((movement) => ({ ...movement, effect })),
  );
  if (movements.length === 0) return;
  for (const observer of observers) await observer.moved(tx, context, effects);
  const ids = await context.ids.take(movements.length);
  tx.queue(
    ...insertLedgerEntries(
      movements.map(({ effect, ...movement }, index) => ({
        id: ids[index]!,
        productId: movement.productId,
        optionId: movement.optionId,
        locationId: movement.locationId,
        packageId: movement.packageId,
        delta: decimalText(movement.delta),
        cause: effect.cause,
        causeId: effect.causeId,
        orderLineItemId: movement.orderLineItemId,
        actor: effect.actor ?? origin.actor,
        createdAt: isoTimestamp(effect.atMs),
      })),
    ),
  );
  const moved = sumPerBalance(movements).filter((movement) => !movement.delta.eq(zero));
  if (moved.length === 0) return;
  tx.queue(
    moveBalances({
      productIds: moved.map((movement) => movement.productId),
      optionIds: moved.map((movement) => movement.optionId),
      locationIds: moved.map((movement) => movement.locationId),
      packageIds: moved.map((movement) => movement.packageId),
      deltas: moved.map((movement) => decimalText(movement.delta)),
    }),
  );
}

/** The facts of an event that moves stock: whose stock it is. Who keeps a copy reads these again (D64). */
export function stockFacts(movements: readonly Pick<StockMovement, 'productId' | 'packageId'>[]): {
  readonly productIds?: readonly number[];
  readonly packageIds?: readonly number[];
} {
  const productIds = [...new Set(movements.map(({ productId }) => productId))];
  const packageIds = [...new Set(movements.map(({ packageId }) => packageId))].filter((id) => id !== 0);
  return {
    ...(productIds.length > 0 && { productIds }),
    ...(packageIds.length > 0 && { packageIds }),
  };
}

function sumPerBalance(movements: readonly StockMovement[]): StockMovement[] {
  const sums = new Map<string, StockMovement>();
  for (const movement of movements) {
    const key = [movement.productId, movement.optionId, movement.locationId, movement.packageId].join();
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? movement : { ...sum, delta: sum.delta.plus(movement.delta) });
  }
  return [...sums.values()];
}
