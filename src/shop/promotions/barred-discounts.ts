import { type BarredPromotion, barredDiscount } from '../../engines/duties/barred-promotions.ts';
import type { Jurisdiction } from '../../engines/jurisdictions/jurisdiction.ts';
import { discountKinds } from '../../engines/pricing/discounts/discount-kinds.ts';
import { matchesTargets } from '../../engines/pricing/discounts/discount-settings.ts';
import type { CartLine } from '../../engines/pricing/pricing-facts.ts';
import { targetsAndConditions } from './discount-terms.ts';
import type { OfferedDiscountRow } from './promotion-queries.ts';

/* Which of the discounts that are there the law bars on goods. Pure. */

/** A line, or an option as one. */
type TargetedLine = Pick<
  CartLine,
  'productOptionId' | 'productId' | 'productCategoryId' | 'productBrandId' | 'productTagIds' | 'isCannabis'
>;

interface Buying {
  readonly jurisdiction: Jurisdiction | null;
  /** The shop's local day. */
  readonly today: string;
  readonly isMedical: boolean;
}

/** Why the law bars a discount for a buyer on goods with cannabis among them; null: it does not, or takes nothing off cannabis. */
export function barredOn(
  row: OfferedDiscountRow,
  { jurisdiction, today, isMedical }: Buying,
  lines: readonly TargetedLine[],
): (BarredPromotion & { readonly isOnOrder: boolean }) | null {
  const { kind, customer_type: customerType } = row;
  const { targets } = targetsAndConditions(row);
  const barred = barredDiscount(jurisdiction, today, { kind, customerType, targets }, isMedical);
  if (barred === null) return null;
  // What is off the order is off its cannabis, whatever goods the discount asks for.
  const isOnOrder = discountKinds[kind].level === 'order';
  const touched = isOnOrder ? lines : lines.filter(({ isCannabis }) => isCannabis);
  const isTouched = touched.some((line) => {
    const { productBrandId = null, productTagIds = [] } = line;
    return matchesTargets(targets, { ...line, productBrandId, productTagIds });
  });
  return isTouched ? { ...barred, isOnOrder } : null;
}
