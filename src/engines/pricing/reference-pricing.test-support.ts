import type { PricedCart, PricedTax } from './priced-cart.ts';
import type { CartLine, CartTax, PriceCartInput } from './pricing-facts.ts';
import { creditByReference, reduceByReference } from './reference-discounts.test-support.ts';
import {
  decimal,
  isLess,
  nearest,
  nextWhole,
  over,
  percent,
  plus,
  type Rational,
  split,
  sum,
  type TieWatch,
  times,
  total,
  whole,
  zero,
} from './reference-rational.test-support.ts';

/**
 * A second reading of the rules of a cart, written from their description alone and as plainly as possible: it
 * shares no code with the engine, recomputes everything where it is needed, and reduces no fraction. Where the
 * two differ, one of them is wrong.
 */
interface ReferenceResult {
  readonly cart: PricedCart;
  /** An allocation depended on the order of the lines, because two remainders were equal. */
  readonly tied: boolean;
}

/** A cart line or the delivery fee (category null), and the charge of each tax on it. */
interface Bearer {
  readonly category: number | null;
  readonly grossCents: number;
  /** Null: the delivery fee. */
  readonly line: CartLine | null;
  readonly charged: Map<number, number>;
}

function touches(tax: CartTax, bearer: Bearer): boolean {
  if (bearer.category === null) return tax.appliesToFees && !tax.included;
  return !tax.excludedProductCategoryIds.some((category) => category === bearer.category);
}

/** The share of a bearer's price that a tax takes, by its definition. */
function rateOf(tax: CartTax, { line }: Bearer): Rational {
  const { basis } = tax;
  if (basis?.kind !== 'potency') return percent(tax.rate);
  const thc = line?.content?.thcPercent ?? null;
  if (thc === null) return zero;
  const held = basis.brackets.filter(
    ({ aboveThcPercent: above, upToThcPercent: upTo }) =>
      (above === null || isLess(decimal(above), decimal(thc))) &&
      (upTo === null || !isLess(decimal(upTo), decimal(thc))),
  );
  if (held.length !== 1) throw new Error(`${held.length} brackets hold at ${thc}`);
  return percent(held[0]!.rate);
}

/** What a tax charges a bearer, exactly, in cents. */
function chargeOf(tax: CartTax, taxes: readonly CartTax[], bearer: Bearer): Rational {
  const { basis } = tax;
  if (!touches(tax, bearer)) return zero;
  if (basis?.kind !== 'thc-mg' && basis?.kind !== 'grams') {
    return times(rateOf(tax, bearer), baseOf(tax, taxes, bearer));
  }
  const { line } = bearer;
  const content = basis.kind === 'grams' ? line?.content?.grams : line?.content?.thcMg;
  return times(times(decimal(content ?? '0'), whole(line?.quantity ?? 0)), decimal(basis.cents));
}

/** An included tax on a net price of 1, by its definition. */
function chargeOnOne(tax: CartTax, taxes: readonly CartTax[], bearer: Bearer): Rational {
  const lower = taxes.filter((other) => other.included && other.tier < tax.tier && touches(other, bearer));
  const base = tax.encompass
    ? plus([1n, 1n], total(lower.map((other) => chargeOnOne(other, taxes, bearer))))
    : ([1n, 1n] as const);
  return times(rateOf(tax, bearer), base);
}

function netOf(bearer: Bearer, taxes: readonly CartTax[]): Rational {
  const included = taxes.filter((tax) => tax.included && touches(tax, bearer));
  const grown = total(included.map((tax) => chargeOnOne(tax, taxes, bearer)));
  return over(whole(bearer.grossCents), plus([1n, 1n], grown));
}

function baseOf(tax: CartTax, taxes: readonly CartTax[], bearer: Bearer): Rational {
  if (!touches(tax, bearer)) return zero;
  const lower = taxes
    .filter((other) => other.tier < tax.tier)
    .map((other) => bearer.charged.get(other.id) ?? 0);
  return plus(netOf(bearer, taxes), tax.encompass ? whole(sum(lower)) : zero);
}

function mergeByOption(lines: readonly CartLine[]): CartLine[] {
  return lines
    .filter(
      (line, index) => lines.findIndex((other) => other.productOptionId === line.productOptionId) === index,
    )
    .map((line) => {
      const same = lines.filter((other) => other.productOptionId === line.productOptionId);
      return { ...line, quantity: sum(same.map((other) => other.quantity)) };
    });
}

/** Prices a cart the slow way. Takes the input of `priceCart`, and has no explanation. */
export function priceCartByReference(input: PriceCartInput): ReferenceResult {
  const lines = mergeByOption(input.lines);
  const unitOf = (line: CartLine) => {
    if (typeof line.givenPriceCents === 'number') return line.givenPriceCents;
    return line.salesPriceCents === null ? line.priceCents : line.salesPriceCents;
  };
  const establishedOf = (line: CartLine) =>
    (line.givenPriceCents ?? 0) > line.priceCents ? line.givenPriceCents! : line.priceCents;
  const watch: TieWatch = { tied: false };
  const reduced = reduceByReference(input, lines, unitOf, watch);
  const bearers: Bearer[] = lines.map((line, at) => ({
    category: line.productCategoryId,
    line,
    grossCents:
      input.taxBase === 'before-discounts' ? establishedOf(line) * line.quantity : reduced.grossCents[at]!,
    charged: new Map(),
  }));
  const taxedFeeCents = input.deliveryFee?.isTaxed === false ? 0 : (input.deliveryFee?.cents ?? 0);
  const fee: Bearer = { category: null, line: null, grossCents: taxedFeeCents, charged: new Map() };
  const everyBearer = [...bearers, fee];

  const byTierThenId = [...input.taxes].sort((a, b) => Number(a.tier) - Number(b.tier) || a.id - b.id);
  const taxes = byTierThenId.map((tax): PricedTax => {
    const round = tax.rounding === 'up' ? nextWhole : nearest;
    const charges = everyBearer.map((bearer) => chargeOf(tax, input.taxes, bearer));
    const owed = charges.map((charge, index) => {
      const { category } = everyBearer[index]!;
      const protectedCategory = category !== null && tax.nonExemptableProductCategoryIds.includes(category);
      return input.taxExempt && tax.exemptable && !protectedCategory ? zero : charge;
    });
    const amountBeforeExemptionCents = round(total(charges));
    const amountCents = round(total(owed));
    const parts = split(amountCents, owed, watch);
    for (const [index, bearer] of everyBearer.entries()) {
      if (touches(tax, bearer)) bearer.charged.set(tax.id, parts[index]!);
    }
    const { appliesToFees: _fees, rounding: _rounding, basis: _basis, ...facts } = tax;
    return {
      ...facts,
      normalRate: tax.rate,
      amountCents,
      amountBeforeExemptionCents,
      amountExemptedCents: amountBeforeExemptionCents - amountCents,
      feeAllocationCents: fee.charged.get(tax.id) ?? 0,
    };
  });

  const merchandiseCents = sum(reduced.grossCents);
  let reducedCents = 0;
  const exemptions = taxes.flatMap((tax) => {
    const room = merchandiseCents - reducedCents;
    const reduction = tax.included ? Math.min(tax.amountExemptedCents, room) : 0;
    reducedCents += reduction;
    if (reduction === 0) return [];
    const description = `${tax.description} exemption`;
    return [{ amountCents: -reduction, description, isTaxExemption: true, taxId: tax.id }];
  });
  const addedCents = sum(taxes.filter((tax) => !tax.included).map((tax) => tax.amountCents));
  let beforeCreditsCents = merchandiseCents - reducedCents + addedCents;
  const given = input.adjustments!.map(({ amountCents, description }) => {
    const wasCents = beforeCreditsCents;
    beforeCreditsCents = Math.max(0, beforeCreditsCents + amountCents);
    return { amountCents: beforeCreditsCents - wasCents, description, isTaxExemption: false, taxId: null };
  });
  const adjustments = [...exemptions, ...given];
  const credits = creditByReference(input, beforeCreditsCents);
  const netPriceCents = beforeCreditsCents - sum(credits.map((credit) => credit.amountUsedCents));
  const dueCents = netPriceCents + (input.deliveryFee?.cents ?? 0);

  const givenCents = sum(
    input.payments.map(({ amountCents }) => (amountCents === 'remaining' ? 0 : amountCents)),
  );
  const payments = input.payments.map(({ amountCents: wish, ...payment }) => {
    const rest = dueCents > givenCents ? dueCents - givenCents : 0;
    const amountCents = wish === 'remaining' ? rest : wish;
    const percentFeeCents = nearest(times(percent(payment.feePercent), whole(amountCents)));
    const feeAmountCents = amountCents > 0 ? payment.feeCents + percentFeeCents : 0;
    return { ...payment, amountCents, feeAmountCents, finalAmountCents: amountCents + feeAmountCents };
  });
  const hasRemaining = input.payments.some((payment) => payment.amountCents === 'remaining');
  const mismatched = hasRemaining
    ? givenCents > dueCents
    : input.payments.length > 0 && givenCents !== dueCents;
  const paymentFeesCents = sum(payments.map((payment) => payment.feeAmountCents));

  const usedDiscounts = [...reduced.discounts, ...reduced.lineDiscounts.flat()];
  const discountsTotalCents = sum(usedDiscounts.map((used) => used.amountUsedCents));
  const subtotalCents = sum(lines.map((line) => unitOf(line) * line.quantity));
  const isOver = (limit: string | null) =>
    limit !== null && isLess(times(whole(subtotalCents), percent(limit)), whole(discountsTotalCents));

  return {
    tied: watch.tied,
    cart: {
      lines: lines.map((line, index) => ({
        productOptionId: line.productOptionId,
        productId: line.productId,
        productCategoryId: line.productCategoryId,
        quantity: line.quantity,
        unitPriceCents: unitOf(line),
        subtotalPriceCents: unitOf(line) * line.quantity,
        finalPriceCents: reduced.finalCents[index]!,
        discounts: reduced.lineDiscounts[index]!,
        grossCents: reduced.grossCents[index]!,
        taxAllocations: byTierThenId
          .filter((tax) => touches(tax, bearers[index]!))
          .map((tax) => ({ taxId: tax.id, amountCents: bearers[index]!.charged.get(tax.id)! })),
      })),
      totalPriceCents: sum(reduced.finalCents),
      merchandiseCents,
      netPriceCents,
      deliveryFeeCents: input.deliveryFee === null ? null : input.deliveryFee.cents,
      paymentFeesCents,
      customerGrandTotalCents: dueCents + paymentFeesCents,
      discounts: reduced.discounts,
      loyaltyRedemptions: reduced.loyaltyRedemptions,
      rewardIdsBeyondCap: reduced.rewardIdsBeyondCap,
      usedDiscountIds: [...new Set(usedDiscounts.map(({ id }) => id))].sort((a, b) => a - b),
      discountRefusals: reduced.discountRefusals,
      credits,
      adjustments,
      taxes,
      payments,
      paymentsVerdict: mismatched ? { ok: false, expectedCents: dueCents, givenCents } : { ok: true },
      discountsTotalCents,
      discountsOverBudtenderLimit: isOver(input.discountLimits.budtenderPercent),
      discountsOverManagerLimit: isOver(input.discountLimits.managerPercent),
      steps: null,
    },
  };
}
