import type { OrganizationRow } from '../../access/organizations/organization-queries.ts';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import type { Law } from '../../engines/jurisdictions/law-book.ts';
import { Failure } from '../../kernel/failure.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import type { SellableOptionRow } from '../catalog/products.ts';
import {
  discountEndMs,
  discountsInForce,
  type OfferedDiscountRow,
  selectOfferedDiscounts,
} from '../promotions/promotions.ts';
import type { CartRequest } from './cart-request.ts';
import type { OrderType } from './cart-schemas.ts';
import { decideCart } from './decide-cart.ts';

/**
 * What one unit of an option costs a stranger now, by automatic discounts (D68).
 *
 * A discount that needs an order of some size is a condition, not a price: where one expensive unit happens to reach that
 * size, a list of prices would promise it without the words "from $80", and the same discount is no price on the cheaper
 * size beside it. So the price to display leaves such discounts out, and `minimumOrderCents` says what they need.
 */
export interface SpecialPrice {
  /** What a cart of one unit costs, in cents, before taxes and fees. */
  readonly cents: number;
  /** The same without discounts that need an order of some size. */
  readonly displayCents: number;
  /** The size of an order that the discounts of `cents` need; null: they need none. */
  readonly minimumOrderCents: number | null;
  /** The names of the discounts, joined by commas. */
  readonly name: string;
  /** When the first of the discounts ends; null: none of them has an end. */
  readonly endsAtMs: number | null;
}

/** The statements whose rows `specialPrices` takes, besides the options. */
export function specialPriceStatements(nowMs: number) {
  return [
    selectOrganization({}),
    selectOfferedDiscounts({ codeKeys: [], chosenIds: [], at: isoTimestamp(nowMs) }),
  ] as const;
}

/** The rows of `specialPriceStatements`. */
export type SpecialPriceRows = readonly [readonly OrganizationRow[], readonly OfferedDiscountRow[]];

/**
 * Names what special prices depend on besides rows: the time and the law. It changes whenever a discount begins, ends,
 * or opens by its schedule.
 */
export function specialsInForce(
  type: OrderType,
  [[organization], offered]: SpecialPriceRows,
  law: Law,
  nowMs: number,
): string {
  if (organization === undefined) return '';
  const { tz } = organization;
  const ids = discountsInForce(offered, type, tz, nowMs);
  const ends = offered.filter(({ id }) => ids.includes(id)).map((row) => discountEndMs(row, tz, nowMs));
  return JSON.stringify([ids, ends, law.edition.edition, localDateAt(nowMs, tz)]);
}

/**
 * Prices a cart of one unit of each option, without a customer, by the decision that previews and orders take: what a
 * menu shows is what a cart charges. Options without a discount, and options that cannot be sold now, have no entry.
 */
export function specialPrices(
  type: OrderType,
  options: readonly SellableOptionRow[],
  [[organization], offered]: SpecialPriceRows,
  law: Law,
  nowMs: number,
): ReadonlyMap<number, SpecialPrice> {
  const prices = new Map<number, SpecialPrice>();
  if (organization === undefined || discountsInForce(offered, type, organization.tz, nowMs).length === 0)
    return prices;
  const endOf = new Map(offered.map((row) => [row.id, discountEndMs(row, organization.tz, nowMs)]));
  const minimumOf = new Map(offered.map((row) => [row.id, row.minimum_subtotal_cents ?? 0]));
  const unconditional = offered.filter(({ id }) => minimumOf.get(id) === 0);
  for (const option of options) {
    const priced = pricedUnit(type, option, organization, offered, law, nowMs);
    if (priced === null) continue;
    const used = [...priced.discounts, ...priced.lines[0]!.discounts];
    if (used.length === 0) continue;
    const ends = used.map(({ id }) => endOf.get(id) ?? null).filter((endMs) => endMs !== null);
    const minimum = Math.max(...used.map(({ id }) => minimumOf.get(id) ?? 0));
    const without =
      minimum === 0 ? priced : pricedUnit(type, option, organization, unconditional, law, nowMs);
    const cents = priced.merchandiseCents;
    // Never less than what a cart of one charges: without the condition, another discount may have been chosen.
    const displayCents = Math.max(cents, without?.merchandiseCents ?? cents);
    prices.set(option.option_id, {
      ...{ cents, displayCents },
      minimumOrderCents: displayCents === cents ? null : minimum,
      name: [...new Set(used.map(({ description }) => description))].join(', '),
      endsAtMs: ends.length === 0 ? null : Math.min(...ends),
    });
  }
  return prices;
}

/** Null: the option cannot be sold now. */
function pricedUnit(
  type: OrderType,
  option: SellableOptionRow,
  organization: OrganizationRow,
  offered: readonly OfferedDiscountRow[],
  law: Law,
  nowMs: number,
) {
  const cart: CartRequest = {
    type,
    lineItems: [{ productOptionId: option.option_id, quantity: 1 }],
    customer: null,
    postalCode: null,
    deliveryFeeCents: null,
    deliveryFeeDescription: null,
    discountCodes: [],
    payments: [],
  };
  try {
    const rows = [[organization], [option], [], [], [], [], [], [], offered, []] as const;
    return decideCart(cart, rows, law, nowMs, false).priced;
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}
