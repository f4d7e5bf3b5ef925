import type { Context, Origin } from '../database/context.ts';
import { announce } from '../events/announce.ts';
import { canonicalDecimalText, decimal, zero } from '../kernel/decimal.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { type BalanceKey, lockedBalances } from './lock-balances.ts';
import { type StockDriftRow, selectStockDrift, setBalance } from './reconcile-queries.ts';

/** A balance that is not the sum of its ledger entries. */
export interface StockDrift {
  readonly productId: number;
  /** Null when stock is kept per product. */
  readonly productOptionId: number | null;
  readonly inventoryLocationId: number;
  /** Null: without a package. */
  readonly packageId: number | null;
  /** 0 also when there is no such balance, or nothing of it in the ledger. */
  readonly balance: string;
  readonly ledger: string;
  /** The balance now says what the ledger says. */
  readonly repaired: boolean;
}

/** Compares every balance with the sum of its ledger entries (D47). All is well when there is no drift. */
export async function findStockDrift(
  context: Context,
  organization: OrganizationId,
): Promise<readonly StockDrift[]> {
  const [rows] = await context.database.read(organization, selectStockDrift({}));
  return rows.map((row) => drift(row, false));
}

/**
 * Sets every balance that drifted to what the ledger says, which is the truth; the audit keeps both. Only a ledger
 * that sums up to less than nothing cannot be followed: such a balance stays as it is. Sells on meanwhile.
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
    // Whoever was changing them has finished, and nobody begins: what differs now, differs.
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
