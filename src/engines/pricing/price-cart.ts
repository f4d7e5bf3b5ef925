import { assert } from '../../kernel/assert.ts';
import { useCredits } from './account-credits.ts';
import { chooseDiscounts } from './discounts/choose-discounts.ts';
import type { Discount } from './discounts/discount-kinds.ts';
import { capCents, discountLines, discountOrder } from './discounts/discount-order.ts';
import { parsePercent, sumCents, wholeCents } from './exact-amounts.ts';
import { redeemRewards } from './loyalty-rewards.ts';
import { pricePayments } from './payment-fees.ts';
import { centsStep, optionSubject, type PriceStep } from './price-step.ts';
import {
  type Adjustment,
  assertPricedCart,
  type PricedCart,
  type PricedLine,
  type PricedTax,
  type TaxAllocation,
  type UsedDiscount,
} from './priced-cart.ts';
import type {
  CartLine,
  DeliveryFee,
  GivenAdjustment,
  Percent,
  PriceCartInput,
  TaxBase,
} from './pricing-facts.ts';
import { type ChargedTax, chargeTaxes, type TaxableLine } from './taxes.ts';
import type { WorkingLine } from './working-line.ts';

/**
 * Prices a cart: the same facts give the same cents, for a preview, an order and an edit alike. All amounts are
 * integer cents. Never refuses a cart that a request may contain. Contradictory facts (a malformed rate, a
 * fractional price, taxes that `findTaxContradiction` refuses) and a result that does not add up fail with an
 * `InvariantError`. Payments that do not match are a verdict.
 */
export function priceCart(input: PriceCartInput): PricedCart {
  const steps: PriceStep[] | null = input.explain ? [] : null;
  const floorPerUnitCents = wholeCents(input.freeProductFloorCents ?? 0, 'free-product floor');

  const lines = mergeLines(input.lines).map((line) => priceLine(line, floorPerUnitCents, steps));
  const subtotalCents = sumCents(lines, (line) => line.subtotalPriceCents);
  const chosen = input.discounts
    ? chooseDiscounts(input.discounts, { lines, subtotalCents })
    : { discounts: [], refusals: [] };
  discountLines(lines, chosen.discounts, steps);
  const totalPriceCents = sumCents(lines, (line) => line.finalPriceCents);
  note(steps, 'total-price', 'sum of the final prices of the lines', totalPriceCents);

  const { discounts, loyaltyRedemptions, rewardIdsBeyondCap } = reduceOrder(
    input,
    chosen.discounts,
    lines,
    steps,
  );
  const merchandiseCents = sumCents(lines, (line) => line.grossCents);
  const taxableLines = lines.map((line) => taxableLine(line, input.taxBase ?? 'after-discounts', steps));
  const { deliveryFee } = input;
  const feeLines = deliveryFee === null || deliveryFee.isTaxed === false ? [] : [taxableFee(deliveryFee)];
  const chargedTaxes = chargeTaxes(input.taxes, [...taxableLines, ...feeLines], input.taxExempt, steps);
  const exemptions = adjustForExemptions(chargedTaxes, merchandiseCents, steps);

  const beforeAdjustmentsCents =
    merchandiseCents +
    sumCents(exemptions, (exemption) => exemption.amountCents) +
    sumCents(chargedTaxes, ({ tax, amountCents }) => (tax.included ? 0 : amountCents));
  const given = adjustAsGiven(input.adjustments ?? [], beforeAdjustmentsCents, steps);
  const adjustments = [...exemptions, ...given];
  const beforeCreditsCents = beforeAdjustmentsCents + sumCents(given, ({ amountCents }) => amountCents);
  note(
    steps,
    'before-credits',
    'merchandise + adjustments + taxes that are not included',
    beforeCreditsCents,
  );

  const credits = useCredits(input.credits ?? [], beforeCreditsCents, steps);
  const netPriceCents = beforeCreditsCents - sumCents(credits, (credit) => credit.amountUsedCents);
  note(steps, 'net-price', 'before credits − credits', netPriceCents);

  const deliveryFeeCents = deliveryFee === null ? null : wholeCents(deliveryFee.cents, 'delivery fee');
  const dueCents = netPriceCents + (deliveryFeeCents ?? 0);
  const { payments, paymentsVerdict } = pricePayments(input.payments, dueCents, steps);
  const paymentFeesCents = sumCents(payments, (payment) => payment.feeAmountCents);
  const customerGrandTotalCents = dueCents + paymentFeesCents;
  note(steps, 'grand-total', 'net price + delivery fee + payment fees', customerGrandTotalCents);

  const { usedDiscountIds, discountsTotalCents } = sumUp(discounts, lines);
  const cart: PricedCart = {
    lines: lines.map((line, index) => pricedLine(line, chargedTaxes, index)),
    totalPriceCents,
    merchandiseCents,
    netPriceCents,
    deliveryFeeCents,
    paymentFeesCents,
    customerGrandTotalCents,
    discounts,
    loyaltyRedemptions,
    rewardIdsBeyondCap,
    usedDiscountIds,
    discountRefusals: chosen.refusals,
    credits,
    adjustments,
    taxes: chargedTaxes.map((charged) => pricedTax(charged, lines.length)),
    payments,
    paymentsVerdict,
    discountsTotalCents,
    ...limitsExceeded(discountsTotalCents, input.discountLimits, subtotalCents),
    steps,
  };
  assertPricedCart(cart);
  return cart;
}

function limitsExceeded(
  discountsTotalCents: number,
  { budtenderPercent, managerPercent }: PriceCartInput['discountLimits'],
  subtotalCents: number,
): Pick<PricedCart, 'discountsOverBudtenderLimit' | 'discountsOverManagerLimit'> {
  return {
    discountsOverBudtenderLimit: exceeds(discountsTotalCents, budtenderPercent, subtotalCents),
    discountsOverManagerLimit: exceeds(discountsTotalCents, managerPercent, subtotalCents),
  };
}

function priceLine(line: CartLine, floorPerUnitCents: number, steps: PriceStep[] | null): WorkingLine {
  const given = line.givenPriceCents ?? null;
  const unitPriceCents = wholeCents(given ?? line.salesPriceCents ?? line.priceCents, 'unit price');
  const subtotalPriceCents = wholeCents(unitPriceCents * line.quantity, 'subtotal of a line');
  steps?.push(
    centsStep(
      'line',
      given === null
        ? (line.priceRule ?? `unit price × ${line.quantity}`)
        : `unit price set by hand × ${line.quantity}`,
      optionSubject(line),
      unitPriceCents,
      subtotalPriceCents,
    ),
  );
  return {
    line,
    productOptionId: line.productOptionId,
    productId: line.productId,
    productCategoryId: line.productCategoryId,
    productBrandId: line.productBrandId ?? null,
    productTagIds: line.productTagIds ?? [],
    quantity: line.quantity,
    unitPriceCents,
    isOnSale: line.salesPriceCents !== null && line.salesPriceCents < line.priceCents,
    subtotalPriceCents,
    floorCents: line.isCannabis ? floorPerUnitCents * line.quantity : 0,
    finalPriceCents: subtotalPriceCents,
    grossCents: subtotalPriceCents,
    discounts: [],
  };
}

/** Step 4: the reductions of order discounts and then of loyalty rewards, also off the lines' gross. */
function reduceOrder(
  { discountLimits: { maximumPercent }, loyaltyRewards }: PriceCartInput,
  chosenDiscounts: readonly Discount[],
  lines: readonly WorkingLine[],
  steps: PriceStep[] | null,
): Pick<PricedCart, 'discounts' | 'loyaltyRedemptions' | 'rewardIdsBeyondCap'> {
  const subtotalCents = sumCents(lines, (line) => line.subtotalPriceCents);
  const totalPriceCents = sumCents(lines, (line) => line.finalPriceCents);
  const start = {
    leftCents: lines.map((line) => line.finalPriceCents),
    // The cap is on all discounts, but trims only those on the order: line discounts use it up first.
    capLeftCents:
      maximumPercent == null
        ? null
        : Math.max(0, capCents(maximumPercent, subtotalCents, steps) - (subtotalCents - totalPriceCents)),
  };
  const discounted = discountOrder(lines, start, chosenDiscounts, steps);
  const rewarded = redeemRewards(loyaltyRewards ?? [], lines, discounted.standing, steps);
  for (const [index, line] of lines.entries()) line.grossCents = rewarded.standing.leftCents[index]!;
  return {
    discounts: discounted.used,
    loyaltyRedemptions: rewarded.redemptions,
    rewardIdsBeyondCap: rewarded.idsBeyondCap,
  };
}

function taxableLine(
  { line, grossCents }: WorkingLine,
  taxBase: TaxBase,
  steps: PriceStep[] | null,
): TaxableLine {
  const { productCategoryId, quantity, content } = line;
  const subject = optionSubject(line);
  if (taxBase === 'after-discounts') return { subject, productCategoryId, grossCents, content, quantity };
  // A sales price also reduces the established price (MCA 15-64-101(10)), as does a lower price that is set by hand.
  const priceCents = Math.max(line.priceCents, line.givenPriceCents ?? 0);
  const listCents = wholeCents(wholeCents(priceCents, 'price') * quantity, 'list price of a line');
  const rule = `taxed before reductions: list price × ${quantity}`;
  steps?.push(centsStep('taxable-price', rule, subject, priceCents, listCents));
  return { subject, productCategoryId, grossCents: listCents, content, quantity };
}

function taxableFee(fee: DeliveryFee): TaxableLine {
  return {
    subject: fee.description ?? 'delivery fee',
    productCategoryId: null,
    grossCents: wholeCents(fee.cents, 'delivery fee'),
  };
}

/**
 * An included tax that is not owed comes off the price. Each tax is rounded separately, so on a few cents at
 * high rates the taxes can exceed their price: at most the price comes off.
 */
function adjustForExemptions(
  chargedTaxes: readonly ChargedTax[],
  merchandiseCents: number,
  steps: PriceStep[] | null,
): Adjustment[] {
  const adjustments: Adjustment[] = [];
  let leftCents = merchandiseCents;
  for (const { tax, amountBeforeExemptionCents, amountCents } of chargedTaxes) {
    const exemptedCents = amountBeforeExemptionCents - amountCents;
    const reductionCents = Math.min(exemptedCents, leftCents);
    if (!tax.included || reductionCents === 0) continue;
    leftCents -= reductionCents;
    const description = `${tax.description} exemption`;
    const rule = 'less what is exempted of an included tax, at most down to nothing';
    steps?.push(centsStep('adjustment', rule, description, -exemptedCents, -reductionCents));
    adjustments.push({
      amountCents: -reductionCents,
      description,
      isTaxExemption: true,
      taxId: tax.id,
    });
  }
  return adjustments;
}

/**
 * Step 8: staff's adjustments, each on the rest, so that the price never falls below 0. One result for each,
 * including 0: staff see the effect of each.
 */
function adjustAsGiven(
  given: readonly GivenAdjustment[],
  beforeCents: number,
  steps: PriceStep[] | null,
): Adjustment[] {
  let leftCents = beforeCents;
  return given.map(({ amountCents: askedCents, description }) => {
    assert(Number.isSafeInteger(askedCents), 'an adjustment is not in whole cents');
    const amountCents = askedCents < -leftCents ? 0 - leftCents : askedCents;
    steps?.push(
      centsStep('adjustment', 'as given, at most down to nothing', description, askedCents, amountCents),
    );
    leftCents += amountCents;
    return { amountCents, description, isTaxExemption: false, taxId: null };
  });
}

function pricedLine(working: WorkingLine, chargedTaxes: readonly ChargedTax[], index: number): PricedLine {
  const { line } = working;
  const taxAllocations: TaxAllocation[] = [];
  for (const { tax, allocatedCents } of chargedTaxes) {
    const amountCents = allocatedCents[index] ?? null;
    if (amountCents !== null) taxAllocations.push({ taxId: tax.id, amountCents });
  }
  return {
    productOptionId: line.productOptionId,
    productId: line.productId,
    productCategoryId: line.productCategoryId,
    quantity: line.quantity,
    unitPriceCents: working.unitPriceCents,
    subtotalPriceCents: working.subtotalPriceCents,
    finalPriceCents: working.finalPriceCents,
    discounts: working.discounts,
    grossCents: working.grossCents,
    taxAllocations,
  };
}

function pricedTax(charged: ChargedTax, feeIndex: number): PricedTax {
  const { tax } = charged;
  return {
    id: tax.id,
    amountCents: charged.amountCents,
    amountBeforeExemptionCents: charged.amountBeforeExemptionCents,
    amountExemptedCents: charged.amountBeforeExemptionCents - charged.amountCents,
    description: tax.description,
    rate: tax.rate,
    normalRate: tax.rate,
    included: tax.included,
    exemptable: tax.exemptable,
    encompass: tax.encompass,
    excludedProductCategoryIds: tax.excludedProductCategoryIds,
    nonExemptableProductCategoryIds: tax.nonExemptableProductCategoryIds,
    type: tax.type,
    tier: tax.tier,
    feeAllocationCents: charged.allocatedCents[feeIndex] ?? 0,
  };
}

/** The discounts in use, on the order and on its lines, and their total. */
function sumUp(
  ofOrder: readonly UsedDiscount[],
  lines: readonly WorkingLine[],
): Pick<PricedCart, 'usedDiscountIds' | 'discountsTotalCents'> {
  const ids: number[] = [];
  let cents = 0;
  const add = (used: readonly UsedDiscount[]) => {
    for (const { id, amountUsedCents } of used) {
      if (!ids.includes(id)) ids.push(id);
      cents += amountUsedCents;
    }
  };
  add(ofOrder);
  for (const { discounts } of lines) add(discounts);
  return { usedDiscountIds: ids.sort((a, b) => a - b), discountsTotalCents: cents };
}

/** Whether the amount is above that percent of the whole; no limit is never exceeded. */
function exceeds(amountCents: number, limitPercent: Percent | null, wholeOfCents: number): boolean {
  if (limitPercent === null) return false;
  const limit = parsePercent(limitPercent);
  return BigInt(amountCents) * limit.denominator > BigInt(wholeOfCents) * limit.numerator;
}

function note(steps: PriceStep[] | null, step: PriceStep['step'], rule: string, cents: number): void {
  steps?.push(centsStep(step, rule, 'cart', cents));
}

/**
 * One line per product option, at the place of its first line, with the quantities added up (D19). Lines of the
 * same option must be equal in everything except the quantity.
 */
export function mergeLines(lines: readonly CartLine[]): CartLine[] {
  const merged = new Map<number, CartLine>();
  for (const line of lines) {
    assert(
      Number.isSafeInteger(line.quantity) && line.quantity >= 1,
      () => `not a quantity: ${line.quantity}`,
    );
    const earlier = merged.get(line.productOptionId);
    if (earlier === undefined) {
      merged.set(line.productOptionId, line);
      continue;
    }
    assert(
      earlier.productId === line.productId &&
        earlier.productCategoryId === line.productCategoryId &&
        earlier.priceCents === line.priceCents &&
        earlier.salesPriceCents === line.salesPriceCents &&
        earlier.givenPriceCents === line.givenPriceCents &&
        earlier.productBrandId === line.productBrandId &&
        earlier.isCannabis === line.isCannabis &&
        earlier.productTagIds?.join() === line.productTagIds?.join() &&
        earlier.content?.thcPercent === line.content?.thcPercent &&
        earlier.content?.thcMg === line.content?.thcMg &&
        earlier.content?.grams === line.content?.grams,
      `lines of option ${line.productOptionId} contradict each other`,
    );
    merged.set(line.productOptionId, { ...line, quantity: earlier.quantity + line.quantity });
  }
  return [...merged.values()];
}
