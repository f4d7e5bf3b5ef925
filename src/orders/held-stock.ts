import type { SellableOptionRow } from '../catalog/products.ts';
import type { StockMovement, StockNeed, StockPick } from '../inventory/stock.ts';
import { stockNeedOf } from '../inventory/stock.ts';
import { decimal, decimalText, zero } from '../kernel/decimal.ts';
import { type Failure, failure } from '../kernel/failure.ts';
import type { OrderFulfillment, OrderLine, OrderRecord } from './order-record.ts';

/** The stock that an order's lines need (D47); untracked products need none. */
export function needsOfLines(
  lines: readonly Pick<
    OrderLine,
    'inventoryType' | 'productId' | 'productOptionId' | 'optionAmount' | 'quantity'
  >[],
): StockNeed[] {
  return lines.flatMap((line, index) => {
    const need = stockNeedOf(index, { ...line, optionId: line.productOptionId });
    return need === null ? [] : [need];
  });
}

/** The order with the stock that was chosen for it, and its costs as of now (D4). */
export function withStock(
  order: OrderRecord,
  picks: readonly StockPick[],
  options: ReadonlyMap<number, SellableOptionRow>,
  ids: readonly number[],
): OrderRecord {
  return {
    ...order,
    fulfillments: picks.map((pick, index) => ({
      orderLineItemId: order.lines[pick.lineIndex]!.id,
      id: ids[index]!,
      productId: pick.stock.product_id,
      productOptionId: pick.stock.product_option_id,
      locationId: pick.stock.inventory_location_id,
      packageId: pick.stock.package_id,
      packageLabel: pick.stock.package_label,
      packageUnit: pick.stock.package_unit,
      packageCostPerUnit: pick.stock.package_cost_per_unit,
      amount: decimalText(pick.amount),
    })),
    lines: order.lines.map((line, index) => {
      const taken = picks.filter((pick) => pick.lineIndex === index);
      const option = taken.length === 0 ? undefined : options.get(line.productOptionId);
      return {
        ...line,
        productMovingAverageCost: option?.product_moving_average_cost ?? null,
        optionMovingAverageCost: option?.option_moving_average_cost ?? null,
        packageLineCost: packageCost(taken),
      };
    }),
  };
}

/** The order without stock: what it held goes back. */
export function withoutStock(order: OrderRecord): OrderRecord {
  return {
    ...order,
    fulfillments: [],
    lines: order.lines.map((line) => ({
      ...line,
      productMovingAverageCost: null,
      optionMovingAverageCost: null,
      packageLineCost: null,
    })),
  };
}

/** What taking or giving back an order's stock does to the balances. */
export function stockMovements(
  fulfillments: readonly OrderFulfillment[],
  direction: 'take' | 'give-back',
): StockMovement[] {
  return fulfillments.map((fulfillment) => ({
    productId: fulfillment.productId,
    optionId: fulfillment.productOptionId,
    locationId: fulfillment.locationId,
    packageId: fulfillment.packageId,
    delta: direction === 'take' ? zero.minus(fulfillment.amount) : decimal(fulfillment.amount),
    orderLineItemId: fulfillment.orderLineItemId,
  }));
}

/** The places that an order draws from, in order: those of its delivery zone, if that names any (D48). */
export function placesOf(
  orderType: string,
  zone: { readonly inventory_location_ids: readonly number[] | null } | null | undefined,
  byOrderType: readonly { readonly order_type: string; readonly inventory_location_id: number }[],
): readonly number[] {
  if (zone?.inventory_location_ids?.length) return zone.inventory_location_ids;
  return byOrderType.filter((row) => row.order_type === orderType).map((row) => row.inventory_location_id);
}

/** OUT_OF_STOCK for the line that stock does not suffice for. */
export function outOfStock(line: OrderLine): Failure {
  return failure(
    'OUT_OF_STOCK',
    `Not enough stock of ${line.productName} for a quantity of ${line.quantity}`,
    {
      lineItem: { productOptionId: line.productOptionId, quantity: line.quantity, specifiedPackageId: null },
      product: { name: line.productName },
    },
  );
}

/** What a line's packages cost in all, in dollars; null when none of its stock lies in a package. */
function packageCost(picks: readonly StockPick[]): string | null {
  const packaged = picks.filter((pick) => pick.stock.package_cost_per_unit !== null);
  if (packaged.length === 0) return null;
  return decimalText(
    packaged.reduce((sum, pick) => sum.plus(pick.amount.times(pick.stock.package_cost_per_unit!)), zero),
  );
}
