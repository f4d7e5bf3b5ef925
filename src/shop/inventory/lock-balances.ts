import { assert } from '../../kernel/assert.ts';
import { type Decimal, decimal } from '../../kernel/decimal.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { ensureBalances, lockBalances } from './balance-queries.ts';

/** Key of a balance: an item at a location, in a package or loose. */
export interface BalanceKey {
  readonly productId: number;
  /** 0 when stock is kept per product. */
  readonly optionId: number;
  readonly locationId: number;
  /** 0 without a package. */
  readonly packageId: number;
}

/**
 * The values of some balances, in the given order. They stay locked until the transaction ends, so that no stock of
 * them is sold meanwhile. Missing balances are created with 0.
 */
export async function lockedBalances(
  tx: TenantTransaction,
  keys: readonly BalanceKey[],
): Promise<readonly Decimal[]> {
  const columns = {
    productIds: keys.map((key) => key.productId),
    optionIds: keys.map((key) => key.optionId),
    locationIds: keys.map((key) => key.locationId),
    packageIds: keys.map((key) => key.packageId),
  };
  const [, rows] = await tx.run(ensureBalances(columns), lockBalances(columns));
  const onHand = new Map(rows.map((row) => [row.position, row.on_hand]));
  return keys.map((_, index) => {
    const text = onHand.get(index + 1);
    assert(text !== undefined, 'a created balance can be locked');
    return decimal(text);
  });
}
