import { canonicalDecimalText, decimal } from '../kernel/decimal.ts';
import { failure } from '../kernel/failure.ts';
import type { StaffRole } from '../kernel/staff-roles.ts';
import { sumCents } from '../pricing/cents.ts';
import type { CartRequest, DecidedCart } from './price-request.ts';

/**
 * Whoever takes something off a price by hand keeps to the limit of their role, in percent of the undiscounted price:
 * all discounts together, with the reductions. What comes off by itself or by a code is nobody's to answer for.
 * Fails with INSUFFICIENT_PERMISSIONS.
 */
export function assertGivenWithinRole(
  { organization, priced }: Pick<DecidedCart, 'organization' | 'priced'>,
  { chosenDiscountIds = [], adjustments = [] }: Pick<CartRequest, 'chosenDiscountIds' | 'adjustments'>,
  role: StaffRole | undefined,
): void {
  const isGiven = chosenDiscountIds.length > 0 || adjustments.some(({ amountCents }) => amountCents < 0);
  const limitPercent = role === undefined ? null : limitOf(role, organization);
  if (!isGiven || limitPercent === null) return;
  const reducedCents = sumCents(priced.adjustments, ({ amountCents, isTaxExemption }) =>
    isTaxExemption ? 0 : Math.max(0, -amountCents),
  );
  const totalCents = priced.discountsTotalCents + reducedCents;
  const subtotalCents = sumCents(priced.lines, ({ subtotalPriceCents }) => subtotalPriceCents);
  if (decimal(totalCents).times(100).lte(decimal(limitPercent).times(subtotalCents))) return;
  throw failure(
    'INSUFFICIENT_PERMISSIONS',
    `The role ${role} may give at most ${canonicalDecimalText(limitPercent)}% of ${subtotalCents} cents; discountIds and adjustments bring the reductions to ${totalCents} cents`,
  );
}

/** Null: no limit. */
function limitOf(role: StaffRole, organization: DecidedCart['organization']): string | null {
  if (role === 'owner') return null;
  return role === 'manager' ? organization.manager_discount_percent : organization.budtender_discount_percent;
}
