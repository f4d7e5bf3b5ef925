import { canonicalDecimalText, decimal, zero } from '../../kernel/decimal.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { type BalanceKey, lockedBalances } from './lock-balances.ts';
import { type StockDriftRow, selectStockDrift, setBalance } from './reconcile-queries.ts';

/** A balance that differs from the sum of its ledger entries. */
export interface StockDrift {
  readonly productId: number;
  /** Null when stock is kept per product. */
  readonly productOptionId: number | null;
  readonly inventoryLocationId: number;
  /** Null: without a package. */
  readonly packageId: number | null;
  /** 0 if there is no such balance, or no ledger entry for it. */
  readonly balance: string;
  readonly ledger: string;
  /** Whether the balance was set to the ledger's sum. */
  readonly repaired: boolean;
}

/** Compares every balance with the sum of its ledger entries (D47). Resolves to the differences. */
export async function findStockDrift(
  context: Pick<Context, 'database'>,
  organization: OrganizationId,
): Promise<readonly StockDrift[]> {
  const [rows] = await context.database.read(organization, selectStockDrift({}));
  return rows.map((row) => drift(row, false));
}

/**
 * Sets every drifted balance to the ledger's sum, which is the truth; the audit keeps both values. A negative ledger
 * sum cannot be applied: such a balance stays unchanged. Sales can continue meanwhile.
 */
export async function repairStock(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
): Promise<readonly StockDrift[]> {
  return context.database.write(organization, async (tx) => {
    const nowMs = context.clock.now();
    const [found] = await tx.run(selectStockDrift({}));
    if (found.length === 0) return [];
    await lockedBalances(tx, found.map(keyOf));
    // The lock waits for running writers and blocks new ones, so the difference is stable.
    const [drifted] = await tx.run(selectStockDrift({}));
    const locked = new Set(found.map((row) => Object.values(keyOf(row)).join()));
    const drifts = drifted
      .filter((row) => locked.has(Object.values(keyOf(row)).join()))
      .map((row) => ({ key: keyOf(row), drift: drift(row, decimal(row.ledger).gte(zero)) }));
    const repairs = drifts.filter(({ drift }) => drift.repaired);
    tx.queue(...repairs.map(({ key, drift }) => setBalance({ ...key, onHand: drift.ledger })));
    await announce(
      tx,
      context,
      origin,
      nowMs,
      ...repairs.map(({ drift: { repaired: _, balance, ledger, ...balanceOf } }) => ({
        event: 'stock.repaired' as const,
        subjectType: 'stock_balance' as const,
        subjectId: Object.values(balanceOf)
          .map((id) => id ?? 0)
          .join('-'),
        payload: balanceOf,
        details: { ...balanceOf, balance, ledger },
      })),
    );
    return drifts.map(({ drift }) => drift);
  });
}

function keyOf(row: StockDriftRow): BalanceKey {
  return {
    productId: row.product_id,
    optionId: row.product_option_id,
    locationId: row.inventory_location_id,
    packageId: row.package_id,
  };
}

function drift(row: StockDriftRow, repaired: boolean): StockDrift {
  return {
    productId: row.product_id,
    productOptionId: row.product_option_id || null,
    inventoryLocationId: row.inventory_location_id,
    packageId: row.package_id || null,
    balance: canonicalDecimalText(row.balance),
    ledger: canonicalDecimalText(row.ledger),
    repaired,
  };
}
