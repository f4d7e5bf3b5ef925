import { sumCents, wholeCents } from './cents.ts';
import { parsePercent } from './exact-fraction.ts';
import { mergeLines } from './merge-lines.ts';
import { pricePayments } from './payment-fees.ts';
import type {
  Adjustment,
  PricedCart,
  PricedLine,
  PricedTax,
  PriceStep,
  TaxAllocation,
  UsedCredit,
  UsedDiscount,
} from './priced-cart.ts';
import { assertPricedCart } from './priced-cart.ts';
import type { CartLine, DeliveryFee, Percent, PriceCartInput } from './pricing-facts.ts';
import { type ChargedTax, chargeTaxes, type TaxableLine } from './taxes.ts';

/** A line on its way through the steps: each step takes away from what the one before has left. */
interface WorkingLine {
  readonly line: CartLine;
  readonly unitPriceCents: number;
  readonly subtotalPriceCents: number;
  /** What the line's discounts have left. */
  finalPriceCents: number;
  /** The line's share of the order's discounts. */
  orderDiscountsCents: number;
  readonly discounts: UsedDiscount[];
}

/**
 * Prices a cart: the same facts give the same cents, for a preview, an order and an edit alike. All amounts
 * are integer cents. Never refuses a cart that a request may ask for; facts that contradict themselves
 * (a malformed rate, a fractional price, taxes that `findTaxContradiction` refuses) stop with an
 * `InvariantError`, and so does a result that does not add up. Payments that do not match are a verdict.
 */
export function priceCart(input: PriceCartInput): PricedCart {
  const steps: PriceStep[] | null = input.explain ? [] : null;
  const discounts: UsedDiscount[] = [];
  const credits: UsedCredit[] = [];

  const lines = mergeLines(input.lines).map((line) => priceLine(line, steps));
  const totalPriceCents = sumCents(lines, (line) => line.finalPriceCents);
  note(steps, 'total-price', 'sum of the final prices of the lines', totalPriceCents);

  const taxableLines = lines.map(taxableLine);
  const merchandiseCents = sumCents(taxableLines, (line) => line.grossCents);
  const feeLines = input.deliveryFee === null ? [] : [taxableFee(input.deliveryFee)];
  const chargedTaxes = chargeTaxes(input.taxes, [...taxableLines, ...feeLines], input.taxExempt, steps);
  const adjustments = adjustForExemptions(chargedTaxes, merchandiseCents);

  const beforeCreditsCents =
    merchandiseCents +
    sumCents(adjustments, (adjustment) => adjustment.amountCents) +
    sumCents(chargedTaxes, ({ tax, amountCents }) => (tax.included ? 0 : amountCents));
  note(
    steps,
    'before-credits',
    'merchandise + adjustments + taxes that are not included',
    beforeCreditsCents,
  );

  const netPriceCents = beforeCreditsCents - sumCents(credits, (credit) => credit.amountUsedCents);
  note(steps, 'net-price', 'before credits − credits', netPriceCents);

  const deliveryFeeCents = input.deliveryFee?.cents ?? null;
  const dueCents = netPriceCents + (deliveryFeeCents ?? 0);
  const { payments, paymentsVerdict } = pricePayments(input.payments, dueCents, steps);
  const paymentFeesCents = sumCents(payments, (payment) => payment.feeAmountCents);
  const customerGrandTotalCents = dueCents + paymentFeesCents;
  note(steps, 'grand-total', 'net price + delivery fee + payment fees', customerGrandTotalCents);

  const discountsTotalCents = sumCents(
    [...discounts, ...lines.flatMap((line) => line.discounts)],
    (discount) => discount.amountUsedCents,
  );
  const subtotalCents = sumCents(lines, (line) => line.subtotalPriceCents);
  const cart: PricedCart = {
    lines: lines.map((line, index) => pricedLine(line, chargedTaxes, index)),
    totalPriceCents,
    merchandiseCents,
    netPriceCents,
    deliveryFeeCents,
    paymentFeesCents,
    customerGrandTotalCents,
    discounts,
    credits,
    adjustments,
    taxes: chargedTaxes.map((charged) => pricedTax(charged, lines.length)),
    payments,
    paymentsVerdict,
    discountsTotalCents,
    discountsOverBudtenderLimit: exceeds(
      discountsTotalCents,
      input.discountLimits.budtenderPercent,
      subtotalCents,
    ),
    discountsOverManagerLimit: exceeds(
      discountsTotalCents,
      input.discountLimits.managerPercent,
      subtotalCents,
    ),
    steps,
  };
  assertPricedCart(cart);
  return cart;
}

function priceLine(line: CartLine, steps: PriceStep[] | null): WorkingLine {
  const unitPriceCents = wholeCents(line.salesPriceCents ?? line.priceCents, 'unit price');
  const subtotalPriceCents = wholeCents(unitPriceCents * line.quantity, 'subtotal of a line');
  steps?.push({
    step: 'line',
    rule: `unit price × ${line.quantity}`,
    subject: subjectOf(line),
    base: `${unitPriceCents}`,
    rate: null,
    exact: `${subtotalPriceCents}`,
    roundedCents: subtotalPriceCents,
  });
  return {
    line,
    unitPriceCents,
    subtotalPriceCents,
    finalPriceCents: subtotalPriceCents,
    orderDiscountsCents: 0,
    discounts: [],
  };
}

function taxableLine({ line, finalPriceCents, orderDiscountsCents }: WorkingLine): TaxableLine {
  return {
    subject: subjectOf(line),
    productCategoryId: line.productCategoryId,
    grossCents: finalPriceCents - orderDiscountsCents,
  };
}

function taxableFee(fee: DeliveryFee): TaxableLine {
  return {
    subject: fee.description ?? 'delivery fee',
    productCategoryId: null,
    grossCents: wholeCents(fee.cents, 'delivery fee'),
  };
}

/**
 * An included tax that is not owed is taken off the price again. Each is rounded for itself, so that on a few
 * cents at high rates they can come to more than the price they are in: never more than the price comes off.
 */
function adjustForExemptions(chargedTaxes: readonly ChargedTax[], merchandiseCents: number): Adjustment[] {
  const adjustments: Adjustment[] = [];
  let leftCents = merchandiseCents;
  for (const { tax, amountBeforeExemptionCents, amountCents } of chargedTaxes) {
    const reductionCents = Math.min(amountBeforeExemptionCents - amountCents, leftCents);
    if (!tax.included || reductionCents === 0) continue;
    leftCents -= reductionCents;
    adjustments.push({
      amountCents: -reductionCents,
      description: `${tax.description} exemption`,
      isTaxExemption: true,
      taxId: tax.id,
    });
  }
  return adjustments;
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
    grossCents: working.finalPriceCents - working.orderDiscountsCents,
    taxAllocations,
  };
}

function pricedTax({ tax, ...charged }: ChargedTax, feeIndex: number): PricedTax {
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

/** Whether the amount is above that percent of the whole; no limit is never exceeded. */
function exceeds(amountCents: number, limitPercent: Percent | null, wholeOfCents: number): boolean {
  if (limitPercent === null) return false;
  const limit = parsePercent(limitPercent);
  return BigInt(amountCents) * limit.denominator > BigInt(wholeOfCents) * limit.numerator;
}

function subjectOf(line: CartLine): string {
  return `option ${line.productOptionId}`;
}

function note(steps: PriceStep[] | null, step: PriceStep['step'], rule: string, cents: number): void {
  steps?.push({
    step,
    rule,
    subject: 'cart',
    base: `${cents}`,
    rate: null,
    exact: `${cents}`,
    roundedCents: cents,
  });
}
