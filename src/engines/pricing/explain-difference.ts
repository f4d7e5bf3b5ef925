import { allocateByCents } from './allocate.ts';
import { add, fraction, multiply, parsePercent, roundCents, sumCents } from './exact-amounts.ts';
import type { PricedCart } from './priced-cart.ts';
import type { CartTax } from './pricing-facts.ts';
import { chargeTaxes, type TaxableLine } from './taxes.ts';

/**
 * Why another system charged other cents for a cart (D109): other prices, other discounts, another base of taxes, taxes charged in
 * another order, another rounding; `unknown`: none of these makes the cents.
 */
export const differenceCauses = [
  'price',
  'discount',
  'base',
  'order-of-taxes',
  'rounding',
  'unknown',
] as const;
export type DifferenceCause = (typeof differenceCauses)[number];

/** What another system charged for a cart, in cents; not negative. */
export interface OtherTotals {
  /** All units, before discounts and taxes. */
  readonly subtotalCents: number;
  readonly discountCents: number;
  readonly taxCents: number;
  /** What the customer paid, without tips. */
  readonly totalCents: number;
}

/** A cart with what its taxes were charged by. */
export interface ShadowedCart {
  readonly priced: Pick<PricedCart, 'lines' | 'merchandiseCents' | 'customerGrandTotalCents' | 'taxes'>;
  readonly taxes: readonly CartTax[];
  readonly taxExempt: boolean;
  readonly taxesBeforeDiscounts: boolean;
}

interface ExplainedPart {
  readonly cause: DifferenceCause;
  /** Above zero: the other system charged more. */
  readonly cents: number;
}

/** The taxes on a cart whose lines have these grosses, and cost this much before discounts. */
type Charge = (grossCents: readonly number[], listCents: readonly number[]) => number;

/** Fewer cents than these are what the cash drawer rounds to. */
const cashStepCents = 5;

/**
 * Explains the difference between what another system charged and what this one charges, each cent by one cause: the parts add up to
 * the difference, and none is 0. Taxes are charged again on the other system's amounts, as set and in each other way that tills charge
 * them, until one of them makes its cents.
 */
export function explainDifference(cart: ShadowedCart, theirs: OtherTotals): ExplainedPart[] {
  const { lines, merchandiseCents, customerGrandTotalCents } = cart.priced;
  const grosses = lines.map(({ grossCents }) => grossCents);
  const lists = lines.map(({ subtotalPriceCents }) => subtotalPriceCents);
  const subtotalCents = sumCents(lines, (line) => line.subtotalPriceCents);
  const discountCents = subtotalCents - merchandiseCents;
  const taxCents = sumCents(cart.priced.taxes, (tax) => (tax.included ? 0 : tax.amountCents));
  const restCents = customerGrandTotalCents - merchandiseCents - taxCents;

  const asSet = charging(cart, cart.taxes);
  const others = scaled(lists, theirs.subtotalCents);
  const onPrices = asSet(scaled(grosses, theirs.subtotalCents - discountCents), others);
  const net = scaled(grosses, theirs.subtotalCents - theirs.discountCents);
  const onBoth = asSet(net, others);
  const theirRest = theirs.totalCents - (theirs.subtotalCents - theirs.discountCents) - theirs.taxCents;

  const parts = new Map<DifferenceCause, number>();
  const note = (cause: DifferenceCause, cents: number) => parts.set(cause, (parts.get(cause) ?? 0) + cents);
  note('price', theirs.subtotalCents - subtotalCents + onPrices - taxCents);
  note('discount', discountCents - theirs.discountCents + onBoth - onPrices);
  for (const { cause, cents } of explainTaxes(cart, theirs.taxCents, { net, lists: others, onBoth }))
    note(cause, cents);
  note(
    isCashRounding(theirRest - restCents, theirs.totalCents) ? 'rounding' : 'unknown',
    theirRest - restCents,
  );
  return differenceCauses.flatMap((cause) => {
    const cents = parts.get(cause) ?? 0;
    return cents === 0 ? [] : [{ cause, cents }];
  });
}

function isCashRounding(cents: number, totalCents: number): boolean {
  return cents !== 0 && Math.abs(cents) < cashStepCents && totalCents % cashStepCents === 0;
}

interface Amounts {
  readonly net: readonly number[];
  readonly lists: readonly number[];
  /** The taxes as set on them. */
  readonly onBoth: number;
}

/** One other way makes the cents; or another base or order and, on top, another rounding. */
function explainTaxes(
  cart: ShadowedCart,
  theirCents: number,
  { net, lists, onBoth }: Amounts,
): ExplainedPart[] {
  const left = theirCents - onBoth;
  if (left === 0) return [];
  const roundings = roundingsOf(cart, cart.taxes);
  const others = otherWays(cart);
  for (const { cause, charge } of [...roundings, ...others]) {
    if (charge(net, lists) === theirCents) return [{ cause, cents: left }];
  }
  for (const { cause, charge, taxes } of others) {
    const cents = charge(net, lists) - onBoth;
    for (const rounding of roundingsOf(cart, taxes)) {
      if (cents === 0 || rounding.charge(net, lists) !== theirCents) continue;
      return [
        { cause, cents },
        { cause: 'rounding', cents: left - cents },
      ];
    }
  }
  return [{ cause: 'unknown', cents: left }];
}

interface Way {
  readonly cause: DifferenceCause;
  readonly charge: Charge;
}

/** Taxes of another base, and in another order. */
function otherWays(cart: ShadowedCart): (Way & { readonly taxes: readonly CartTax[] })[] {
  const { taxes } = cart;
  const by = (cause: DifferenceCause, changed: readonly CartTax[], of: ShadowedCart = cart) => ({
    ...{ cause, taxes: changed },
    charge: charging(of, changed),
  });
  const isContradiction = taxes.some(({ included, basis }) => included || basis != null);
  return [
    by('base', taxes, { ...cart, taxesBeforeDiscounts: !cart.taxesBeforeDiscounts }),
    by('base', taxes, { ...cart, taxExempt: !cart.taxExempt }),
    by(
      'base',
      taxes.map((tax) => ({ ...tax, excludedProductCategoryIds: [] })),
    ),
    ...(isContradiction
      ? []
      : [
          by(
            'order-of-taxes',
            taxes.map((tax) => ({ ...tax, encompass: false })),
          ),
          by('order-of-taxes', inRow(taxes)),
          by('order-of-taxes', inRow(taxes.toReversed())),
        ]),
  ];
}

const tiers = ['1', '2', '3', '4', '5'] as const;

/** Each tax on top of those before it. */
function inRow(taxes: readonly CartTax[]): CartTax[] {
  return taxes.map((tax, at) => ({
    ...tax,
    tier: tiers[Math.min(at, tiers.length - 1)]!,
    encompass: at > 0,
  }));
}

/** The same taxes, rounded in each other way. */
function roundingsOf(cart: ShadowedCart, taxes: readonly CartTax[]): Way[] {
  const as = (rounding: CartTax['rounding']) => taxes.map((tax) => ({ ...tax, rounding }));
  const perLine =
    (changed: readonly CartTax[]): Charge =>
    (net, lists) =>
      net.reduce((sum, _, at) => sum + charging(cart, changed, at)(net, lists), 0);
  return [
    charging(cart, as('up')),
    charging(cart, as('half-up')),
    perLine(taxes),
    perLine(as('up')),
    perLine(as('half-up')),
    together(cart, taxes, 'half-up'),
    together(cart, taxes, 'down'),
    together(cart, taxes, 'up'),
  ].map((charge) => ({ cause: 'rounding', charge }));
}

/** One rounding for all taxes: of the sum of what they make of each line. */
function together(
  cart: ShadowedCart,
  taxes: readonly CartTax[],
  rounding: CartTax['rounding'] | 'down',
): Charge {
  const added = taxes.filter(({ included, basis }) => !included && basis == null);
  return (net, lists) => {
    const bases = cart.taxesBeforeDiscounts ? lists : net;
    let exact = fraction(0n);
    for (const [at, cents] of bases.entries()) {
      const category = cart.priced.lines[at]!.productCategoryId;
      const base = fraction(BigInt(cents));
      let charged = fraction(0n);
      for (const tax of added) {
        if (tax.excludedProductCategoryIds.includes(category)) continue;
        if (cart.taxExempt && tax.exemptable) continue;
        charged = add(charged, multiply(parsePercent(tax.rate), tax.encompass ? add(base, charged) : base));
      }
      exact = add(exact, charged);
    }
    const { numerator, denominator } = exact;
    return roundCents(numerator, denominator, rounding);
  };
}

/** What is charged and not included; with `only`, on one line. */
function charging(cart: ShadowedCart, taxes: readonly CartTax[], only?: number): Charge {
  return (net, lists) => {
    const bases = cart.taxesBeforeDiscounts ? lists : net;
    const taxable = cart.priced.lines.flatMap(({ productCategoryId, quantity }, at): TaxableLine[] =>
      only === undefined || only === at
        ? [{ subject: '', productCategoryId, quantity, grossCents: bases[at]! }]
        : [],
    );
    const charged = chargeTaxes(
      taxes.filter(({ basis }) => basis == null),
      taxable,
      cart.taxExempt,
      null,
    );
    return charged.reduce((sum, { tax, amountCents }) => sum + (tax.included ? 0 : amountCents), 0);
  };
}

/** The amounts of lines for another sum. */
function scaled(cents: readonly number[], sumOfOthers: number): number[] {
  const wanted = Math.max(0, sumOfOthers);
  if (cents.every((line) => line === 0)) {
    return cents.map((_, at) => (at === 0 ? wanted : 0));
  }
  return allocateByCents(wanted, cents);
}
