import { allocate } from '../../engines/pricing/allocate.ts';
import { sumCents, sumOf } from '../../engines/pricing/exact-amounts.ts';
import { assert } from '../../kernel/assert.ts';
import type {
  OrderAdjustment,
  OrderCredit,
  OrderLine,
  OrderLoyaltyRedemption,
  OrderTax,
} from '../orders/order-record.ts';

/** One tax's part of a line's cost. */
export interface TaxPart {
  readonly taxId: number;
  readonly amountCents: number;
}

/**
 * The cost of a line or of some of its units, by part. All parts except adjustments are not negative; discounts,
 * loyalty and credits are deductions.
 */
export interface ChargeParts {
  readonly subtotalCents: number;
  readonly adjustmentsCents: number;
  readonly discountsCents: number;
  readonly loyaltyCents: number;
  readonly promoCodesCents: number;
  readonly storeCreditsCents: number;
  readonly taxes: readonly TaxPart[];
}

export interface LineCharge {
  readonly orderLineItemId: number;
  readonly quantity: number;
  readonly parts: ChargeParts;
}

type ChargedLine = Pick<
  OrderLine,
  | 'id'
  | 'quantity'
  | 'productOptionId'
  | 'productCategoryId'
  | 'subtotalPriceCents'
  | 'finalPriceCents'
  | 'grossCents'
  | 'taxAllocations'
>;

type ChargedTax = Pick<
  OrderTax,
  'taxId' | 'included' | 'feeAllocationCents' | 'excludedCategoryIds' | 'nonExemptableCategoryIds'
>;

/** The data of an order that returns are calculated from. */
export interface ChargedOrder {
  readonly lines: readonly ChargedLine[];
  readonly taxes: readonly ChargedTax[];
  readonly adjustments: readonly Pick<OrderAdjustment, 'amountCents' | 'isTaxExemption' | 'taxId'>[];
  readonly credits: readonly Pick<OrderCredit, 'type' | 'amountUsedCents'>[];
  readonly loyaltyRedemptions: readonly Pick<
    OrderLoyaltyRedemption,
    'amountUsedCents' | 'productOptionId' | 'pointsAmount'
  >[];
}

/** Taxes that are not included in the price; by id. */
export type ChargedTaxes = ReadonlySet<number>;

/** The taxes that are included in the price. */
export function chargedTaxes({ taxes }: Pick<ChargedOrder, 'taxes'>): ChargedTaxes {
  return new Set(taxes.filter(({ included }) => !included).map(({ taxId }) => taxId));
}

/** The amount paid for the units: with taxes, after discounts and credits, before fees. */
export function paidCents(parts: ChargeParts, charged: ChargedTaxes): number {
  return (
    parts.subtotalCents +
    parts.adjustmentsCents -
    parts.discountsCents -
    parts.loyaltyCents -
    parts.promoCodesCents -
    parts.storeCreditsCents +
    sumCents(parts.taxes, ({ taxId, amountCents }) => (charged.has(taxId) ? amountCents : 0))
  );
}

/**
 * An order's stored amounts by line. Line amounts are used as stored; amounts of the whole order are split by the
 * lines' value. The lines add up to `netPrice` and none is below 0, so refunds by line can never exceed it. Tax on the
 * delivery fee is part of `netPrice` and therefore of the lines; the fee itself is not.
 */
export function lineCharges(order: ChargedOrder): LineCharge[] {
  const { lines, taxes } = order;
  const charged = chargedTaxes(order);
  const loyalty = loyaltyOfLines(order);
  const taxParts = lines.map((line) => new Map(line.taxAllocations.map((it) => [it.taxId, it.amountCents])));
  for (const { taxId, feeAllocationCents } of taxes) {
    const parts = spread(feeAllocationCents, lines, (line) => line.grossCents);
    for (const [index, amountCents] of parts.entries()) {
      if (amountCents === 0) continue;
      taxParts[index]!.set(taxId, (taxParts[index]!.get(taxId) ?? 0) + amountCents);
    }
  }
  const worth = lines.map((line, index) => {
    const ofLine = [...taxParts[index]!].filter(([taxId]) => charged.has(taxId));
    return line.grossCents + sumCents(ofLine, ([, amountCents]) => amountCents);
  });
  // Additions come before deductions: the final values are positive, but intermediate values could be negative in
  // another order.
  const adding = order.adjustments.toSorted((a, b) => b.amountCents - a.amountCents);
  const adjustments = takeOut(worth, adding, lines, (adjustment, line) => {
    const tax = adjustment.isTaxExemption && taxes.find(({ taxId }) => taxId === adjustment.taxId);
    return tax ? isSpared(tax, line) : true;
  });
  const ofType = (type: 'promo-code' | 'store-credit') =>
    takeOut(
      worth,
      order.credits
        .filter((credit) => credit.type === type)
        .map((it) => ({ amountCents: -it.amountUsedCents })),
      lines,
    ).map((cents) => Math.abs(cents));
  const promoCodes = ofType('promo-code');
  const storeCredits = ofType('store-credit');
  return lines.map((line, index) => ({
    orderLineItemId: line.id,
    quantity: line.quantity,
    parts: {
      subtotalCents: line.subtotalPriceCents,
      adjustmentsCents: adjustments[index]!,
      discountsCents: line.subtotalPriceCents - line.grossCents - loyalty[index]!,
      loyaltyCents: loyalty[index]!,
      promoCodesCents: promoCodes[index]!,
      storeCreditsCents: storeCredits[index]!,
      taxes: [...taxParts[index]!].map(([taxId, amountCents]) => ({ taxId, amountCents })),
    },
  }));
}

/** An exemption belongs to the lines whose tax was not charged. */
function isSpared(tax: ChargedTax, { productCategoryId }: ChargedLine): boolean {
  return (
    !tax.excludedCategoryIds.includes(productCategoryId) &&
    !tax.nonExemptableCategoryIds.includes(productCategoryId)
  );
}

/** The rewards' deductions by line: a free product's reward reduces its own line, as far as the line's value goes. */
function loyaltyOfLines({ lines, loyaltyRedemptions }: ChargedOrder): number[] {
  const offOrder = lines.map(({ finalPriceCents, grossCents }) => finalPriceCents - grossCents);
  const taken = loyaltyRedemptions.map(({ amountUsedCents, productOptionId }) => ({
    amountCents: -amountUsedCents,
    productOptionId,
  }));
  return takeOut(
    offOrder,
    taken,
    lines,
    (redemption, line) =>
      redemption.productOptionId === null || redemption.productOptionId === line.productOptionId,
  ).map((cents) => Math.abs(cents));
}

/**
 * Splits signed amounts over lines by their `worth`, and reduces or raises `worth` by them, one amount after the
 * other, so that no line falls below 0. An amount about certain lines goes to those lines if they are worth enough.
 */
function takeOut<Amount extends { readonly amountCents: number }>(
  worth: number[],
  amounts: readonly Amount[],
  lines: readonly ChargedLine[],
  isAbout: (amount: Amount, line: ChargedLine) => boolean = () => true,
): number[] {
  const sums = lines.map(() => 0);
  for (const amount of amounts) {
    const about = lines.map((line, index) => (isAbout(amount, line) ? worth[index]! : 0));
    const suffices = sumOf(about) >= Math.abs(amount.amountCents);
    const weights = suffices ? about : worth;
    const parts = spread(amount.amountCents, lines, (_, index) => weights[index]!);
    for (const [index, cents] of parts.entries()) {
      sums[index]! += cents;
      worth[index]! += cents;
      assert(worth[index]! >= 0, `line ${lines[index]!.id} of an order has a negative value`);
    }
  }
  return sums;
}

/** By weight; by quantity if all weights are 0. */
function spread(
  amountCents: number,
  lines: readonly ChargedLine[],
  weightOf: (line: ChargedLine, index: number) => number,
): number[] {
  const weights = lines.map((line, index) => BigInt(weightOf(line, index)));
  const isWeighed = weights.some((weight) => weight > 0n);
  return allocate(amountCents, isWeighed ? weights : lines.map(({ quantity }) => BigInt(quantity)));
}
