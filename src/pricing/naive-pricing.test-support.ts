import type { PricedCart, PricedTax } from './priced-cart.ts';
import type { CartLine, CartTax, PriceCartInput } from './pricing-facts.ts';

/**
 * The rules of a cart a second time, written from their description alone and for nothing but plainness: it
 * shares no code with the engine, recomputes everything wherever it is needed, and reduces no fraction. Where
 * the two differ, one of them is wrong.
 */
export interface NaiveResult {
  readonly cart: PricedCart;
  /** Some allocation was decided by the order of the lines, because two remainders were the same. */
  readonly tied: boolean;
}

/** A rational number; the denominator is above 0. */
type Rational = readonly [numerator: bigint, denominator: bigint];

const zero: Rational = [0n, 1n];
const plus = ([a, b]: Rational, [c, d]: Rational): Rational => [a * d + c * b, b * d];
const times = ([a, b]: Rational, [c, d]: Rational): Rational => [a * c, b * d];
const over = ([a, b]: Rational, [c, d]: Rational): Rational => [a * d, b * c];
const total = (parts: readonly Rational[]): Rational => parts.reduce(plus, zero);
const whole = (cents: number): Rational => [BigInt(cents), 1n];
const floor = ([a, b]: Rational): bigint => a / b;
const fractional = ([a, b]: Rational): Rational => [a % b, b];
const isLess = ([a, b]: Rational, [c, d]: Rational): boolean => a * d < c * b;
const isSame = ([a, b]: Rational, [c, d]: Rational): boolean => a * d === c * b;
const sum = (cents: readonly number[]): number => cents.reduce((a, b) => a + b, 0);

function percent(text: string): Rational {
  const [wholePart, decimals = ''] = text.split('.');
  return [BigInt(wholePart + decimals), 100n * 10n ** BigInt(decimals.length)];
}

function nearest(exact: Rational): number {
  return Number(floor(plus(exact, [1n, 2n])));
}

function nextWhole(exact: Rational): number {
  return Number(floor(exact)) + (isSame(fractional(exact), zero) ? 0 : 1);
}

/** A cart line or the delivery fee (category null), and what each tax charged on it. */
interface Bearer {
  readonly category: number | null;
  readonly grossCents: number;
  readonly charged: Map<number, number>;
}

function touches(tax: CartTax, bearer: Bearer): boolean {
  if (bearer.category === null) return tax.appliesToFees && !tax.included;
  return !tax.excludedProductCategoryIds.some((category) => category === bearer.category);
}

/** What an included tax comes to on a net price of 1, by its definition. */
function chargeOnOne(tax: CartTax, taxes: readonly CartTax[], bearer: Bearer): Rational {
  const lower = taxes.filter((other) => other.included && other.tier < tax.tier && touches(other, bearer));
  const base = tax.encompass
    ? plus([1n, 1n], total(lower.map((other) => chargeOnOne(other, taxes, bearer))))
    : ([1n, 1n] as const);
  return times(percent(tax.rate), base);
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

/** Whole cents first; then a cent for everyone whose remainder fewer others beat than there are cents left. */
function split(cents: number, weights: readonly Rational[]): { parts: number[]; tied: boolean } {
  if (cents === 0) return { parts: weights.map(() => 0), tied: false };
  const exact = weights.map((weight) => over(times(whole(cents), weight), total(weights)));
  const wholes = exact.map((share) => Number(floor(share)));
  const remainders = exact.map(fractional);
  const leftCents = cents - sum(wholes);
  const rank = (index: number) =>
    remainders.filter(
      (other, at) => isLess(remainders[index]!, other) || (isSame(other, remainders[index]!) && at < index),
    ).length;
  const gets = remainders.map((_, index) => rank(index) < leftCents);
  const tied = remainders.some(
    (winner, at) => gets[at] && remainders.some((loser, other) => !gets[other] && isSame(winner, loser)),
  );
  return { parts: wholes.map((part, index) => part + (gets[index] ? 1 : 0)), tied };
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

/** Prices a cart the slow way. Takes what `priceCart` takes, except that it explains nothing. */
export function priceCartNaively(input: PriceCartInput): NaiveResult {
  const lines = mergeByOption(input.lines);
  const unitOf = (line: CartLine) => (line.salesPriceCents === null ? line.priceCents : line.salesPriceCents);
  const bearers: Bearer[] = lines.map((line) => ({
    category: line.productCategoryId,
    grossCents: unitOf(line) * line.quantity,
    charged: new Map(),
  }));
  const fee: Bearer = { category: null, grossCents: input.deliveryFee?.cents ?? 0, charged: new Map() };
  const everyBearer = [...bearers, fee];

  let tied = false;
  const byTierThenId = [...input.taxes].sort((a, b) => Number(a.tier) - Number(b.tier) || a.id - b.id);
  const taxes = byTierThenId.map((tax): PricedTax => {
    const round = tax.rounding === 'up' ? nextWhole : nearest;
    const bases = everyBearer.map((bearer) => baseOf(tax, input.taxes, bearer));
    const chargedBases = bases.map((base, index) => {
      const { category } = everyBearer[index]!;
      const protectedCategory = category !== null && tax.nonExemptableProductCategoryIds.includes(category);
      return input.taxExempt && tax.exemptable && !protectedCategory ? zero : base;
    });
    const amountBeforeExemptionCents = round(times(percent(tax.rate), total(bases)));
    const amountCents = round(times(percent(tax.rate), total(chargedBases)));
    const allocation = split(amountCents, chargedBases);
    tied ||= allocation.tied;
    for (const [index, bearer] of everyBearer.entries()) {
      if (touches(tax, bearer)) bearer.charged.set(tax.id, allocation.parts[index]!);
    }
    const { appliesToFees: _fees, rounding: _rounding, ...facts } = tax;
    return {
      ...facts,
      normalRate: tax.rate,
      amountCents,
      amountBeforeExemptionCents,
      amountExemptedCents: amountBeforeExemptionCents - amountCents,
      feeAllocationCents: fee.charged.get(tax.id) ?? 0,
    };
  });

  const merchandiseCents = sum(bearers.map((bearer) => bearer.grossCents));
  let reducedCents = 0;
  const adjustments = taxes.flatMap((tax) => {
    const room = merchandiseCents - reducedCents;
    const reduction = tax.included ? Math.min(tax.amountExemptedCents, room) : 0;
    reducedCents += reduction;
    if (reduction === 0) return [];
    const description = `${tax.description} exemption`;
    return [{ amountCents: -reduction, description, isTaxExemption: true, taxId: tax.id }];
  });
  const addedCents = sum(taxes.filter((tax) => !tax.included).map((tax) => tax.amountCents));
  const netPriceCents = merchandiseCents - reducedCents + addedCents;
  const dueCents = netPriceCents + (input.deliveryFee?.cents ?? 0);

  const givenCents = sum(
    input.payments.map(({ amountCents }) => (amountCents === 'remaining' ? 0 : amountCents)),
  );
  const payments = input.payments.map(({ amountCents: wish, ...payment }) => {
    const rest = dueCents > givenCents ? dueCents - givenCents : 0;
    const amountCents = wish === 'remaining' ? rest : wish;
    const feeAmountCents = payment.feeCents + nearest(times(percent(payment.feePercent), whole(amountCents)));
    return { ...payment, amountCents, feeAmountCents, finalAmountCents: amountCents + feeAmountCents };
  });
  const hasRemaining = input.payments.some((payment) => payment.amountCents === 'remaining');
  const mismatched = hasRemaining
    ? givenCents > dueCents
    : input.payments.length > 0 && givenCents !== dueCents;
  const paymentFeesCents = sum(payments.map((payment) => payment.feeAmountCents));

  return {
    tied,
    cart: {
      lines: lines.map((line, index) => ({
        productOptionId: line.productOptionId,
        productId: line.productId,
        productCategoryId: line.productCategoryId,
        quantity: line.quantity,
        unitPriceCents: unitOf(line),
        subtotalPriceCents: unitOf(line) * line.quantity,
        finalPriceCents: unitOf(line) * line.quantity,
        discounts: [],
        grossCents: unitOf(line) * line.quantity,
        taxAllocations: byTierThenId
          .filter((tax) => touches(tax, bearers[index]!))
          .map((tax) => ({ taxId: tax.id, amountCents: bearers[index]!.charged.get(tax.id)! })),
      })),
      totalPriceCents: merchandiseCents,
      merchandiseCents,
      netPriceCents,
      deliveryFeeCents: input.deliveryFee === null ? null : input.deliveryFee.cents,
      paymentFeesCents,
      customerGrandTotalCents: dueCents + paymentFeesCents,
      discounts: [],
      credits: [],
      adjustments,
      taxes,
      payments,
      paymentsVerdict: mismatched ? { ok: false, expectedCents: dueCents, givenCents } : { ok: true },
      discountsTotalCents: 0,
      discountsOverBudtenderLimit: false,
      discountsOverManagerLimit: false,
      steps: null,
    },
  };
}
