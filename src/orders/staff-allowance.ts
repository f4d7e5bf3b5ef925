import type { CartRequest, DecidedCart } from '../carts/carts.ts';
import { assertMayExempt } from '../customers/customers.ts';
import { canonicalDecimalText, decimal } from '../kernel/decimal.ts';
import { failure } from '../kernel/failure.ts';
import type { StaffRole } from '../kernel/staff-roles.ts';
import { sumCents } from '../pricing/cents.ts';
import { askedOf } from './edited-order.ts';
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
  { organization, priced, isExemptByHand }: Pick<DecidedCart, 'organization' | 'priced' | 'isExemptByHand'>,
  {
    chosenDiscountIds = [],
    adjustments = [],
    taxExempt,
  }: Pick<CartRequest, 'chosenDiscountIds' | 'adjustments' | 'taxExempt'>,
  role: StaffRole | undefined,
  { former = null, wasExempt = false }: { former?: OrderRecord | null; wasExempt?: boolean } = {},
): void {
  if (role !== undefined && taxExempt?.exempt && !wasExempt) assertMayExempt(role, 'taxExempt.exempt');
  const exemptedCents = isExemptByHand
    ? sumCents(priced.taxes, ({ amountExemptedCents }) => amountExemptedCents)
    : 0;
  const isGiven =
    chosenDiscountIds.length > 0 ||
    adjustments.some(({ amountCents }) => amountCents < 0) ||
    (exemptedCents > 0 && !wasExempt);
  const limitPercent = role === undefined ? null : limitOf(role, organization);
  if (!isGiven || limitPercent === null) return;
  const totalCents = priced.discountsTotalCents + reducedCents(priced.adjustments) + exemptedCents;
  const subtotalCents = sumCents(priced.lines, ({ subtotalPriceCents }) => subtotalPriceCents);
  if (decimal(totalCents).times(100).lte(decimal(limitPercent).times(subtotalCents))) return;
  const used = [...priced.lines.flatMap(({ discounts }) => discounts), ...priced.discounts];
  const chosen = used.filter(({ id }) => chosenDiscountIds.includes(id));
  if (former !== null && !isLarger(givenOf(chosen, priced, subtotalCents), formerlyGiven(former))) return;
  const given = exemptedCents > 0 ? 'discountIds, adjustments and taxExempt' : 'discountIds and adjustments';
  throw failure(
    'INSUFFICIENT_PERMISSIONS',
    `The role ${role} may give at most ${canonicalDecimalText(limitPercent)}% of ${subtotalCents} cents; ${given} bring the reductions to ${totalCents} cents`,
  );
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
  const { discountIds } = askedOf(order);
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
