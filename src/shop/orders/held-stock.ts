import { blockWords } from '../../engines/state-reports/state-package.ts';
import { type Decimal, decimal, decimalText, zero } from '../../kernel/decimal.ts';
import { type Failure, failure } from '../../kernel/failure.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import type { ChosenPackage } from '../carts/cart-request.ts';
import type { SellableOptionRow } from '../catalog/products.ts';
import type { Shortage, StockNeed, StockPick } from '../inventory/allocate-stock.ts';
import type { StockMovement } from '../inventory/move-stock.ts';
import type { NamedPackageRow } from '../inventory/named-package-queries.ts';
import {
  refusedPackage,
  selectBlockedPackages,
  selectNamedPackages,
  stockNeedOf,
} from '../inventory/stock.ts';
import type { OrderFulfillment, OrderLine, OrderRecord } from './order-record.ts';

/** The stock that an order's lines need (D47), and from which packages; untracked products need none. */
export function needsOfLines(
  lines: readonly Pick<
    OrderLine,
    'inventoryType' | 'productId' | 'productOptionId' | 'optionAmount' | 'quantity'
  >[],
  chosenPackages: readonly ChosenPackage[] = [],
): StockNeed[] {
  return lines.flatMap((line, index) => {
    const parts = chosenPackages.filter((it) => it.productOptionId === line.productOptionId);
    return stockNeedOf(index, { ...line, optionId: line.productOptionId }, parts) ?? [];
  });
}

/** Reads the packages that are named; null: none is. */
export function namedPackages(chosen: readonly { readonly packageId: number }[], at: string) {
  if (chosen.length === 0) return null;
  return selectNamedPackages({ ids: chosen.map(({ packageId }) => packageId), at });
}

/** The order with its chosen stock and the current costs (D4). */
export function withStock(
  order: OrderRecord,
  picks: readonly StockPick[],
  options: ReadonlyMap<number, SellableOptionRow>,
  ids: readonly number[],
): OrderRecord {
  const fulfillments = picks.map((pick, index) => ({
    orderLineItemId: order.lines[pick.lineIndex]!.id,
    id: ids[index]!,
    productId: pick.stock.product_id,
    productOptionId: pick.stock.product_option_id,
    locationId: pick.stock.inventory_location_id,
    loadedFromLocationId: null,
    packageId: pick.stock.package_id,
    packageLabel: pick.stock.package_label,
    packageUnit: pick.stock.package_unit,
    packageCostPerUnit: pick.stock.package_cost_per_unit,
    amount: decimalText(pick.amount),
  }));
  return {
    ...order,
    fulfillments,
    lines: order.lines.map((line) => {
      const parts = fulfillments.filter(({ orderLineItemId }) => orderLineItemId === line.id);
      const option = parts.length === 0 ? undefined : options.get(line.productOptionId);
      return {
        ...line,
        productMovingAverageCost: option?.product_moving_average_cost ?? null,
        optionMovingAverageCost: option?.option_moving_average_cost ?? null,
        packageLineCost: costOfParts(parts),
      };
    }),
  };
}

/** The order without stock and costs. */
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

/** The effect of changed lines on the stock that an order holds. */
interface KeptStock {
  readonly kept: readonly OrderFulfillment[];
  readonly released: readonly OrderFulfillment[];
  /** What the lines need beyond the kept stock. */
  readonly missing: readonly StockNeed[];
}

/** Each line keeps the stock that it still needs: of chosen packages what is chosen, else in the order in which it was taken. */
export function keepStock(
  held: readonly OrderFulfillment[],
  lines: readonly OrderLine[],
  chosenPackages: readonly ChosenPackage[] = [],
): KeptStock {
  const kept: OrderFulfillment[] = [];
  const released = held.filter(({ orderLineItemId }) => !lines.some(({ id }) => id === orderLineItemId));
  const missing: StockNeed[] = [];
  const needs = new Map(needsOfLines(lines, chosenPackages).map((need) => [lines[need.lineIndex]!.id, need]));
  for (const { id } of lines) {
    const need = needs.get(id);
    const chosen = new Map(need?.chosen?.map(({ packageId, amount }) => [packageId, amount]));
    let left = need?.amount ?? zero;
    // What may come from any package.
    let free = [...chosen.values()].reduce((rest, amount) => rest.minus(amount), left);
    for (const part of held.filter(({ orderLineItemId }) => orderLineItemId === id)) {
      const serves = part.productId === need?.productId && part.productOptionId === need.optionId;
      const amount = decimal(part.amount);
      const ofChosen = serves ? lesser(chosen.get(part.packageId) ?? zero, amount) : zero;
      const ofAny = serves ? lesser(free, amount.minus(ofChosen)) : zero;
      const stays = ofChosen.plus(ofAny);
      const goes = amount.minus(stays);
      if (stays.gt(zero)) kept.push({ ...part, amount: decimalText(stays) });
      if (goes.gt(zero)) released.push({ ...part, amount: decimalText(goes) });
      if (ofChosen.gt(zero)) chosen.set(part.packageId, chosen.get(part.packageId)!.minus(ofChosen));
      free = free.minus(ofAny);
      left = left.minus(stays);
    }
    if (!need || left.lte(zero)) continue;
    const still = [...chosen].map(([packageId, amount]) => ({ packageId, amount }));
    missing.push({ ...need, amount: left, ...(still.length > 0 && { chosen: still }) });
  }
  return { kept, released, missing };
}

function lesser(a: Decimal, b: Decimal): Decimal {
  return a.lt(b) ? a : b;
}

/**
 * The edited order with its kept and its added stock. A line holds one part of each balance, so that one ledger
 * entry returns it. Costs are those at the time of taking; stock taken at two times has the average cost.
 */
export function withMoreStock(
  former: OrderRecord,
  edited: OrderRecord,
  kept: readonly OrderFulfillment[],
  added: OrderRecord,
): OrderRecord {
  const fulfillments = [...kept];
  for (const part of added.fulfillments) {
    const at = fulfillments.findIndex((other) => isSameBalance(other, part));
    if (at === -1) fulfillments.push(part);
    else {
      const amount = decimalText(decimal(fulfillments[at]!.amount).plus(part.amount));
      fulfillments[at] = { ...fulfillments[at]!, amount };
    }
  }
  return {
    ...edited,
    fulfillments,
    lines: edited.lines.map((line, index) => {
      const before = former.lines.find(({ id }) => id === line.id);
      const now = added.lines[index]!;
      const [keptAmount, addedAmount] = [kept, added.fulfillments].map((parts) => sumOf(parts, line.id));
      const averaged = (then: string | null | undefined, current: string | null) =>
        averageCost(keptAmount!, then ?? null, addedAmount!, current);
      return {
        ...line,
        productMovingAverageCost: averaged(before?.productMovingAverageCost, now.productMovingAverageCost),
        optionMovingAverageCost: averaged(before?.optionMovingAverageCost, now.optionMovingAverageCost),
        packageLineCost: costOfParts(fulfillments.filter((part) => part.orderLineItemId === line.id)),
      };
    }),
  };
}

/** Whether both are stock of one balance for one line. */
export function isSameBalance(a: OrderFulfillment, b: OrderFulfillment): boolean {
  return (
    a.orderLineItemId === b.orderLineItemId &&
    a.productId === b.productId &&
    a.productOptionId === b.productOptionId &&
    a.locationId === b.locationId &&
    a.packageId === b.packageId
  );
}

/**
 * A line holds one part of each balance, so that one ledger entry returns it. What was loaded from two places comes back to the
 * first one.
 */
export function together(parts: readonly OrderFulfillment[]): OrderFulfillment[] {
  const sums: OrderFulfillment[] = [];
  for (const part of parts) {
    const at = sums.findIndex((other) => isSameBalance(other, part));
    if (at === -1) sums.push(part);
    else sums[at] = { ...sums[at]!, amount: decimalText(decimal(sums[at]!.amount).plus(part.amount)) };
  }
  return sums;
}

function sumOf(parts: readonly OrderFulfillment[], lineId: number): Decimal {
  return parts.reduce((sum, part) => (part.orderLineItemId === lineId ? sum.plus(part.amount) : sum), zero);
}

/** Per unit, in dollars; an unknown cost is left out. */
function averageCost(keptAmount: Decimal, then: string | null, addedAmount: Decimal, now: string | null) {
  if (addedAmount.lte(zero) || now === null) return keptAmount.gt(zero) ? then : null;
  if (keptAmount.lte(zero) || then === null) return now;
  const total = keptAmount.plus(addedAmount);
  return decimalText(keptAmount.times(then).plus(addedAmount.times(now)).div(total).round(6));
}

/** The total cost of a line's packages, in dollars; null when none of its stock is in a package. */
function costOfParts(parts: readonly OrderFulfillment[]): string | null {
  const packaged = parts.filter(({ packageCostPerUnit }) => packageCostPerUnit !== null);
  if (packaged.length === 0) return null;
  return decimalText(
    packaged.reduce((sum, part) => sum.plus(decimal(part.amount).times(part.packageCostPerUnit!)), zero),
  );
}

/** The stock movements that take or return an order's stock. */
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

/** The location that staff chose. Fails with INVENTORY_LOCATION_NOT_FOUND if it does not exist. */
export function onlyPlace(
  inventoryLocationId: number,
  known: readonly { readonly id: number }[],
): readonly number[] {
  if (known.some(({ id }) => id === inventoryLocationId)) return [inventoryLocationId];
  throw failure('INVENTORY_LOCATION_NOT_FOUND', `inventoryLocationId is unknown: ${inventoryLocationId}`);
}

/** The refusal with why a package of the line is not sold, where that is why there is not enough. */
export async function withBlock(tx: Pick<TenantTransaction, 'run'>, refused: Failure): Promise<Failure> {
  const { lineItem } = (refused.meta ?? {}) as {
    lineItem?: { productOptionId?: number | null; specifiedPackageId?: number | null };
  };
  const optionId = lineItem?.productOptionId;
  if (refused.code !== 'OUT_OF_STOCK' || optionId == null || lineItem?.specifiedPackageId != null)
    return refused;
  const [[blocked]] = await tx.run(selectBlockedPackages({ ids: [], optionIds: [optionId] }));
  if (blocked === undefined) return refused;
  const said = refused.message.replace(/[.]$/, '');
  const why = `package ${blocked.label} cannot be sold, ${blockWords[blocked.block]}`;
  return failure('OUT_OF_STOCK', `${said}: ${why}`, refused.meta);
}

/**
 * Refuses to pack or hand over goods of a package that the state does not let be sold, or that the shop has put on hold since the
 * order took them, with PACKAGE_BLOCKED.
 */
export async function refuseBlocked(
  tx: Pick<TenantTransaction, 'run'>,
  packageIds: readonly number[],
): Promise<void> {
  const ids = packageIds.filter((id) => id !== 0);
  if (ids.length === 0) return;
  const [[blocked]] = await tx.run(selectBlockedPackages({ ids, optionIds: [] }));
  if (blocked === undefined) return;
  const { id, label, block: reason, hold_reason: said } = blocked;
  const why = reason === 'shop-hold' && said !== null ? `${blockWords[reason]}: ${said}` : blockWords[reason];
  throw failure(
    'PACKAGE_BLOCKED',
    `Package ${label} cannot be sold, ${why}${/[.!?]$/.test(why) ? '' : '.'} Take the line out of the order and add it again.`,
    { package: { id, label }, reason },
  );
}

/** OUT_OF_STOCK for the line without enough stock. */
export function outOfStock(
  { productName, productOptionId, quantity }: OrderLine,
  specifiedPackageId: number | null = null,
  words = `Not enough stock of ${productName} for a quantity of ${quantity}`,
): Failure {
  return failure('OUT_OF_STOCK', words, {
    lineItem: { productOptionId, quantity, specifiedPackageId },
    product: { name: productName },
  });
}

/** `outOfStock` of an allocation; of a chosen package with what it holds, as `rows` tell. */
export function shortOfStock(
  lines: readonly OrderLine[],
  { shortLineIndex, packageId }: Shortage,
  needs: readonly StockNeed[],
  rows: readonly NamedPackageRow[],
  places: readonly number[],
): Failure {
  const line = lines[shortLineIndex]!;
  if (packageId === null) return outOfStock(line);
  const amount = needs
    .flatMap(({ chosen = [] }) => chosen)
    .reduce((sum, it) => (it.packageId === packageId ? sum.plus(it.amount) : sum), zero);
  return outOfStock(
    line,
    packageId,
    refusedPackage({ ...line, packageId, amount, places }, rows) ?? undefined,
  );
}
