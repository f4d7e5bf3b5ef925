import { bundleDiscount } from './bundle.ts';
import { buyXGetYDiscount } from './buy-x-get-y.ts';
import type { DiscountRule, DiscountSettings, DiscountTargets } from './discount-settings.ts';
import { lineDiscount } from './line.ts';
import { orderDiscount } from './order.ts';
import { productDiscount } from './product.ts';

/**
 * All kinds of discount. To add one: write its file beside these (`line.ts` and `order.ts` show the two levels)
 * with its terms, its rule and its words, and add its line here. Staff's schema, the checks and the console
 * follow from it. Conditions, triggers, stacking, best-of, cap, floor and totals are handled elsewhere;
 * `amountOff`, `trimTo` and `spread` keep its cents whole and explain its steps. The laws of pricing ask for
 * its reference implementation, `<kind>.test-support.ts`; `own-terms.test.ts` asks for a column for each own term.
 */
export const discountKinds = {
  line: lineDiscount,
  product: productDiscount,
  'buy-x-get-y': buyXGetYDiscount,
  bundle: bundleDiscount,
  order: orderDiscount,
} as const satisfies Record<string, DiscountRule>;

export type DiscountKind = keyof typeof discountKinds;

export const discountKindNames = Object.keys(discountKinds) as DiscountKind[];

type AnyOwn = (typeof discountKinds)[DiscountKind]['terms']['own'];
type NamesOf<Own> = Own extends unknown ? keyof Own & string : never;
type TermOf<Name extends string, Own = AnyOwn> =
  Own extends Readonly<Record<Name, infer Term>> ? Term : never;

/** Names of the terms that only some kinds have. */
export type OwnTermName = NamesOf<AnyOwn>;

/** Whether a term of this name is a number of units or a list of targets. */
export type OwnTermType<Name extends OwnTermName> =
  TermOf<Name> extends { readonly is: infer Is } ? Is : never;

/** The terms that only some kinds have; null where the kind does not have the term, or it is absent. */
export type OwnTerms = {
  readonly [Name in OwnTermName]: (OwnTermType<Name> extends 'units' ? number : DiscountTargets) | null;
};

/** A discount as the engine gets it. */
export interface Discount extends DiscountSettings<Partial<OwnTerms>> {
  readonly kind: DiscountKind;
}
