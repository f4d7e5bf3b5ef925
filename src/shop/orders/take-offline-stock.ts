import { assert } from '../../kernel/assert.ts';
import { decimal, decimalText, zero } from '../../kernel/decimal.ts';
import type { Failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { placesOf } from '../carts/carts.ts';
import type { SellableOptionRow } from '../catalog/products.ts';
import type { StockNeed } from '../inventory/allocate-stock.ts';
import type { UnbookedStock } from '../inventory/make-up-stock.ts';
import type { NamedPackageRow } from '../inventory/named-package-queries.ts';
import {
  allocateStock,
  makeUpStock,
  type SellableStockRow,
  selectOrderTypeLocations,
  selectSellableStockOfOptions,
} from '../inventory/stock.ts';
import { needsOfLines, shortOfStock, withStock } from './held-stock.ts';
import type { OfflineDoubt } from './offline-doubts.ts';
import type { OrderRecord } from './order-record.ts';

/**
 * The order with the stock that was handed over (D75). What the books lack was there all the same: it is booked at the register's
 * location and taken, so that the balance ends where it was; the doubt says how much, for a count. `packages`: those that were weighed
 * out of; one that has less, or is not sold any more, is doubted with why.
 */
export async function takeOfflineStock(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  draft: OrderRecord,
  options: ReadonlyMap<number, SellableOptionRow>,
  packages: readonly NamedPackageRow[],
  locationId: number,
): Promise<{ readonly order: OrderRecord; readonly doubts: readonly OfflineDoubt[] }> {
  const optionIds = draft.lines.map((line) => line.productOptionId);
  const [locations, stock] = await tx.run(
    selectOrderTypeLocations({}),
    selectSellableStockOfOptions({ optionIds, at: isoTimestamp(nowMs) }),
  );
  const usual = placesOf('in-store', null, locations);
  const places = usual.length > 0 ? usual : [locationId];
  const needs = needsOfLines(draft.lines, draft.head.asked.chosenPackages);
  const unbooked = shortagesOf(needs, stock, places);
  const reason = 'Sold offline beyond the stock in the books';
  await makeUpStock(tx, context, origin, nowMs, reason, unbooked);
  const booked = unbooked.reduce(withUnbooked, stock);
  const asSaid = allocateStock(needs, booked, places);
  // The books take what there is.
  const verdict = asSaid.ok ? asSaid : allocateStock(needsOfLines(draft.lines), booked, places);
  assert(verdict.ok, 'booked stock is enough');
  const ids = await context.ids.take(verdict.picks.length);
  return {
    order: withStock(draft, verdict.picks, options, ids),
    doubts: [
      ...unbooked.map(({ productId, amount }): OfflineDoubt => {
        const name = draft.lines.find((line) => line.productId === productId)?.productName;
        return {
          reason: 'stock-short',
          words: `${name}: ${decimalText(amount)} more was sold than is booked.`,
        };
      }),
      ...(asSaid.ok ? [] : [otherPackage(shortOfStock(draft.lines, asSaid, needs, packages, places))]),
    ],
  };
}

function otherPackage({ message }: Failure): OfflineDoubt {
  return { reason: 'stock-short', words: `${message} Other packages are booked.` };
}

function shortagesOf(
  needs: readonly StockNeed[],
  stock: readonly SellableStockRow[],
  places: readonly number[],
): UnbookedStock[] {
  const wanted = new Map<string, StockNeed>();
  for (const need of needs) {
    const key = `${need.productId}/${need.optionId}`;
    const before = wanted.get(key);
    wanted.set(key, before ? { ...before, amount: before.amount.plus(need.amount) } : need);
  }
  return [...wanted.values()].flatMap(({ productId, optionId, amount }) => {
    const available = stock
      .filter((row) => row.product_id === productId && row.product_option_id === optionId)
      .filter((row) => places.includes(row.inventory_location_id))
      .reduce((sum, row) => sum.plus(row.on_hand), zero);
    const missing = amount.minus(available);
    return missing.gt(zero) ? [{ productId, optionId, locationId: places[0]!, amount: missing }] : [];
  });
}

function withUnbooked(stock: readonly SellableStockRow[], added: UnbookedStock): readonly SellableStockRow[] {
  const isLoose = (row: SellableStockRow) =>
    row.product_id === added.productId &&
    row.product_option_id === added.optionId &&
    row.inventory_location_id === added.locationId &&
    row.package_id === 0;
  const before = stock.find(isLoose);
  const onHand = decimal(before?.on_hand ?? 0).plus(added.amount);
  return [
    ...stock.filter((row) => row !== before),
    {
      product_id: added.productId,
      product_option_id: added.optionId,
      inventory_location_id: added.locationId,
      package_id: 0,
      on_hand: decimalText(onHand),
      ...{ package_label: null, package_unit: null, package_cost_per_unit: null },
    },
  ];
}
