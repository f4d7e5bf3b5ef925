import type { StateBlock } from '../../engines/state-reports/state-package.ts';
import { decimal, decimalText, zero } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { moveStock, type StockMovement } from './move-stock.ts';
import { lockBalancesOfPackage, type OfLocations, setStateFacts } from './state-facts-queries.ts';
import { insertStockOperations } from './stock-operation-queries.ts';

/** What the state's system says of a package. Null, except for the block: it says nothing. */
export interface StateFacts {
  readonly label: string;
  /** `keep`: it is as it is. */
  readonly block: StateBlock | 'keep' | null;
  readonly wholesaleCents?: number | null;
  /** What a transfer brings, in the unit of the package. It counts until the package is received. */
  readonly announced?: string | null | undefined;
  readonly labName?: string | null | undefined;
  readonly labLicense?: string | null | undefined;
  readonly labDate?: string | null | undefined;
  readonly thcPercent?: string | null | undefined;
  readonly cbdPercent?: string | null | undefined;
}

/** Keeps what the state says of packages. What staff have entered of a lab stays. Labels that are not known here are read over. */
export async function applyStateFacts(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  facts: readonly StateFacts[],
): Promise<void> {
  if (facts.length === 0) return;
  const rows = facts.map((it) => ({
    ...{ label: it.label, block: it.block, wholesale_cents: it.wholesaleCents, announced: it.announced },
    ...{ lab_name: it.labName, lab_license: it.labLicense, lab_date: it.labDate },
    ...{ thc_percent: it.thcPercent, cbd_percent: it.cbdPercent },
  }));
  const [changed] = await tx.run(setStateFacts({ facts: JSON.stringify(rows) }));
  await announce(
    tx,
    context,
    origin,
    context.clock.now(),
    ...changed.map(({ id, state_block: stateBlock }) => ({
      event: 'package.updated' as const,
      subjectType: 'package' as const,
      subjectId: id,
      payload: { packageId: id },
      details: { packageId: id, stateBlock },
    })),
  );
}

/** A change of a package that the state has already, so it is not told of it. */
interface MatchedStock {
  readonly packageId: number;
  readonly label: string;
  readonly of: OfLocations;
  /** In units of stock; negative takes away. */
  readonly delta: string;
  readonly reason: string;
}

/**
 * Moves the stock of a package to what the state has: what goes is taken where most of it is, what comes is added there. Fails with
 * STALE_EDIT if there is not that much any more, or the package has never had stock here.
 */
export async function matchStock(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  { packageId, label, of, delta, reason }: MatchedStock,
): Promise<void> {
  const nowMs = context.clock.now();
  const id = await context.ids.takeOne();
  const [balances] = await tx.run(lockBalancesOfPackage({ id: packageId, ...of }));
  const movements: StockMovement[] = [];
  let left = decimal(delta);
  for (const row of balances) {
    if (left.eq(zero)) break;
    const there = decimal(row.on_hand);
    const moved = left.gt(zero) || there.plus(left).gte(zero) ? left : zero.minus(there);
    left = left.minus(moved);
    if (moved.eq(zero)) continue;
    movements.push({
      ...{ productId: row.product_id, optionId: row.product_option_id, packageId, delta: moved },
      ...{ locationId: row.inventory_location_id, orderLineItemId: null },
    });
  }
  if (!left.eq(zero)) {
    throw failure('STALE_EDIT', `The stock of package ${label} has changed: look at the difference again.`);
  }
  const moved = movements.map((it) => ({
    ...{ productId: it.productId, productOptionId: it.optionId === 0 ? null : it.optionId, packageId },
    ...{ inventoryLocationId: it.locationId, delta: decimalText(it.delta) },
  }));
  tx.queue(
    ...insertStockOperations([
      {
        ...{ id, kind: 'adjustment', reason, actor: origin.actor, createdAt: isoTimestamp(nowMs) },
        result: JSON.stringify({ id, moved, reason }),
      },
    ]),
  );
  await announce(
    tx,
    context,
    origin,
    nowMs,
    ...moved.map((it) => ({
      event: 'stock.adjusted' as const,
      subjectType: 'stock_operation' as const,
      subjectId: id,
      payload: { operationId: id, ...it },
      details: { ...it, reason },
    })),
  );
  await moveStock(tx, context, origin, {
    ...{ cause: 'adjusted', causeId: id, atMs: nowMs, isAtState: true },
    movements,
  });
}
