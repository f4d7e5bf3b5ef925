import { sumCents } from '../../engines/pricing/exact-amounts.ts';
import { canonicalDecimalText, decimal } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import { priceOverrideRoles, type StaffRole } from '../../kernel/staff-roles.ts';
import type { CartRequest, PriceOverride } from '../carts/cart-request.ts';
import type { DecidedCart } from '../carts/decide-cart.ts';
import { assertMayExempt } from '../customers/customers.ts';
import type { OrderRecord } from './order-record.ts';

/**
 * Manual reductions stay within the limit of the role, in percent of the undiscounted price. All discounts,
 * reductions and manually exempted taxes count together. Without a manual reduction, automatic and code
 * discounts are not limited. Only managers and owners exempt an order from taxes. For an edit, `former` is the
 * order before it, unless the edit adds manual reductions: earlier reductions may stay, also above the limit of
 * the role, while they are no larger part of the price. An exemption that the order already has may stay, too.
 * Fails with INSUFFICIENT_PERMISSIONS.
 */
export function assertGivenWithinRole(
  { organization, priced, isExemptByHand, options }: AllowedCart,
  {
    chosenDiscountIds = [],
    adjustments = [],
    priceOverrides = [],
    lineReductions = [],
    taxExempt,
  }: Pick<
    CartRequest,
    'chosenDiscountIds' | 'adjustments' | 'priceOverrides' | 'lineReductions' | 'taxExempt'
  >,
  role: StaffRole | undefined,
  { former = null, wasExempt = false }: { former?: OrderRecord | null; wasExempt?: boolean } = {},
): void {
  if (role !== undefined && taxExempt?.exempt && !wasExempt) assertMayExempt(role, 'taxExempt.exempt');
  const exemptedCents = isExemptByHand
    ? sumCents(priced.taxes, ({ amountExemptedCents }) => amountExemptedCents)
    : 0;
  const overriddenCents = takenOffByPrices(priced, options, [...priceOverrides, ...lineReductions]);
  const isGiven =
    chosenDiscountIds.length > 0 ||
    (overriddenCents > 0 && former === null) ||
    adjustments.some(({ amountCents }) => amountCents < 0) ||
    (exemptedCents > 0 && !wasExempt);
  const limitPercent = role === undefined ? null : limitOf(role, organization);
  if (!isGiven || limitPercent === null) return;
  const totalCents =
    priced.discountsTotalCents + reducedCents(priced.adjustments) + exemptedCents + overriddenCents;
  const subtotalCents =
    sumCents(priced.lines, ({ subtotalPriceCents }) => subtotalPriceCents) + overriddenCents;
  if (decimal(totalCents).times(100).lte(decimal(limitPercent).times(subtotalCents))) return;
  const used = [...priced.lines.flatMap(({ discounts }) => discounts), ...priced.discounts];
  const chosen = used.filter(({ id }) => chosenDiscountIds.includes(id));
  if (former !== null && !isLarger(givenOf(chosen, priced, subtotalCents), formerlyGiven(former))) return;
  const given = [
    'discountIds',
    'adjustments',
    ...(overriddenCents > 0 && priceOverrides.length > 0 ? ['priceOverrides'] : []),
    ...(overriddenCents > 0 && lineReductions.length > 0 ? ['lineReductions'] : []),
    ...(exemptedCents > 0 ? ['taxExempt'] : []),
  ]
    .join(', ')
    .replace(/, (\w+)$/, ' and $1');
  throw failure(
    'INSUFFICIENT_PERMISSIONS',
    `The role ${role} may give at most ${canonicalDecimalText(limitPercent)}% of ${subtotalCents} cents; ${given} bring the reductions to ${totalCents} cents`,
  );
}

type AllowedCart = Pick<DecidedCart, 'organization' | 'priced' | 'isExemptByHand' | 'options'>;

/**
 * Only owners and managers set unit prices; those that an order already has may stay as they are. Absent: no role limits the
 * caller. Fails with INSUFFICIENT_PERMISSIONS.
 */
export function assertMayOverridePrices(
  role: StaffRole | undefined,
  overrides: readonly PriceOverride[] = [],
  former: readonly PriceOverride[] = [],
): void {
  if (role === undefined || priceOverrideRoles.includes(role)) return;
  const stays = (it: PriceOverride) =>
    former.some(
      ({ productOptionId, unitPriceCents }) =>
        productOptionId === it.productOptionId && unitPriceCents === it.unitPriceCents,
    );
  if (overrides.every(stays)) return;
  throw failure('INSUFFICIENT_PERMISSIONS', `priceOverrides needs the role owner or manager, not ${role}`);
}

/** What prices and reductions by hand take off what the goods would have cost before discounts; dearer ones take off nothing. */
function takenOffByPrices(
  { lines }: DecidedCart['priced'],
  options: DecidedCart['options'],
  overrides: readonly { readonly productOptionId: number }[],
): number {
  const given = new Set(overrides.map(({ productOptionId }) => productOptionId));
  return sumCents(lines, ({ productOptionId, unitPriceCents, quantity }) => {
    const option = options.get(productOptionId);
    if (option === undefined || !given.has(productOptionId)) return 0;
    return Math.max(0, (option.sales_price_cents ?? option.price_cents) - unitPriceCents) * quantity;
  });
}

/** The manual reductions, and the amount that they reduce. */
interface Given {
  readonly cents: number;
  /** The number of rounded parts of `cents`. */
  readonly roundedParts: number;
  readonly subtotalCents: number;
}

type PricedAdjustments = readonly { readonly amountCents: number; readonly isTaxExemption: boolean }[];

function givenOf(
  chosen: readonly { readonly type: 'flat' | 'percent'; readonly amountUsedCents: number }[],
  { adjustments }: { readonly adjustments: PricedAdjustments },
  subtotalCents: number,
): Given {
  return {
    cents: sumCents(chosen, ({ amountUsedCents }) => amountUsedCents) + reducedCents(adjustments),
    roundedParts: chosen.filter(({ type }) => type === 'percent').length,
    subtotalCents,
  };
}

function formerlyGiven(order: OrderRecord): Given {
  const { discountIds } = order.head.asked;
  const chosen = order.discounts.filter(({ discountId }) => discountIds.includes(discountId));
  const subtotalCents = sumCents(order.lines, ({ subtotalPriceCents }) => subtotalPriceCents);
  return givenOf(chosen, order, subtotalCents);
}

/** In proportion. The half cent by which a part is rounded does not make it larger. */
function isLarger(given: Given, former: Given): boolean {
  if (former.subtotalCents === 0) return given.cents > 0;
  const least = decimal(given.cents).times(2).minus(given.roundedParts).times(former.subtotalCents);
  return least.gt(decimal(former.cents).times(2).plus(former.roundedParts).times(given.subtotalCents));
}

function reducedCents(adjustments: PricedAdjustments): number {
  return sumCents(adjustments, ({ amountCents, isTaxExemption }) =>
    isTaxExemption ? 0 : Math.max(0, -amountCents),
  );
}

/** Null: no limit. */
function limitOf(role: StaffRole, organization: DecidedCart['organization']): string | null {
  if (role === 'owner') return null;
  return role === 'manager' ? organization.manager_discount_percent : organization.budtender_discount_percent;
}
