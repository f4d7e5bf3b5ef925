import { discountKinds } from './discounts/discount-kinds.ts';
import { referenceKinds } from './discounts/reference-kinds.test-support.ts';
import type { CartTax, PriceCartInput } from './pricing-facts.ts';

/**
 * The same cart with settings under which a larger discount never raises the price. Left out are settings that
 * move cents from one line to another, so that a later reduction finds less on its line: those that `ordered`
 * of each kind leaves out, a free product, and shares of order discounts that a floor trims. docs/PRICING.md
 * names each of them.
 */
export function whereDiscountsAreOrdered(input: PriceCartInput, salt: number): PriceCartInput {
  const discounts = input.discounts!;
  const hasFloor = salt % 2 === 0;
  const offered = discounts.offered
    .map((discount) => referenceKinds[discount.kind].ordered(discount))
    .filter(({ kind }) => !hasFloor || discountKinds[kind].level === 'line');
  return {
    ...input,
    discounts: { ...discounts, offered },
    freeProductFloorCents: hasFloor ? input.freeProductFloorCents! : 0,
    loyaltyRewards: hasFloor ? [] : input.loyaltyRewards!.filter(({ type }) => type !== 'free-product'),
  };
}

/** Makes one of its discounts larger: a little, somewhat, or to everything. */
export function enlargeDiscount(input: PriceCartInput, salt: number): PriceCartInput {
  const discounts = input.discounts!;
  const chosen = salt % Math.max(1, discounts.offered.length);
  const more = [1, 1 + (salt % 97), 1_000_000][salt % 3]!;
  return {
    ...input,
    discounts: {
      ...discounts,
      offered: discounts.offered.map((discount, index) => {
        if (index !== chosen) return discount;
        if (discount.type === 'flat') return { ...discount, amount: `${Number(discount.amount) + more}` };
        return { ...discount, amount: `${Math.min(100, Number.parseInt(discount.amount, 10) + more)}` };
      }),
    },
  };
}

/** The included taxes that this customer does not owe. */
export function exemptedIncludedTaxes({ taxExempt, taxes }: PriceCartInput): CartTax[] {
  return taxes.filter((tax) => taxExempt && tax.included && tax.exemptable);
}
