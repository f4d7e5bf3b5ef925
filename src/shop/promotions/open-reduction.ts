import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { createDiscount } from './create-discount.ts';
import { noConditions, noTargets } from './discount-setup.ts';
import { noOwnTerms } from './own-terms.ts';

/**
 * Creates the discount of which staff give a part by hand (`discountAmounts`): any percent or amount off an order before tax, within the
 * limit of their role, with a reason. A new organization has it, so that a reduction needs no setup; owners change or end it like any
 * other. Resolves to its id.
 */
export function createOpenReduction(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
): Promise<number> {
  return createDiscount(context, origin, organization, {
    name: 'Reduction by hand',
    kind: 'order',
    type: 'percent',
    amount: '100',
    perUnit: false,
    maximumAmountCents: null,
    targets: noTargets,
    conditions: noConditions,
    trigger: 'manual',
    codes: [],
    stackable: true,
    // After all others.
    priority: 1_000,
    usesPerOrder: null,
    usesPerCustomer: null,
    usesTotal: null,
    ...noOwnTerms,
  });
}
