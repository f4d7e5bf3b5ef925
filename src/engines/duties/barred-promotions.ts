import { memoizeByObject } from '../../kernel/lazily.ts';
import { type Duty, type DutyName, dutyOn } from '../jurisdictions/duty.ts';
import type { Jurisdiction, LocalDate } from '../jurisdictions/jurisdiction.ts';
import { isInForce } from '../jurisdictions/jurisdictions.ts';
import type { DiscountTargets } from '../pricing/discounts/discount-settings.ts';

/** The part of a discount that the law asks about. */
export interface JudgedDiscount {
  /** `bundle`, `buy-x-get-y`, and others. */
  readonly kind: string;
  /** Who may have it; null: everyone. */
  readonly customerType: 'adult-use' | 'medical' | null;
  /** Absent: all goods. */
  readonly targets?: DiscountTargets;
}

/** Why the law bars a promotion, for people, with the law. */
export interface BarredPromotion {
  readonly words: string;
  readonly citation: string;
}

type Law = Jurisdiction | null;

/**
 * Why a discount on cannabis is barred on a local day; null: it is allowed, or nothing is known. `isMedical` is the buyer's; absent: the discount is
 * being set up, for everyone who may have it. Pure.
 */
export function barredDiscount(
  jurisdiction: Law,
  localDate: LocalDate,
  { kind, customerType, targets }: JudgedDiscount,
  isMedical = customerType === 'medical',
): BarredPromotion | null {
  if (jurisdiction === null) return null;
  const { name, tiedDiscountsBarred: tied } = jurisdiction;
  const discounts = barring(jurisdiction, localDate, 'discounts');
  if (discounts !== null && isBarredFor(discounts, isMedical)) {
    const whom = discounts.value.barredFor === 'adult-use' ? ' for adults who are not patients' : '';
    const words = `The law of ${name} bars discounts on cannabis${whom}`;
    return { words: `${words} (${discounts.citation})`, citation: discounts.citation };
  }
  const bundles = barring(jurisdiction, localDate, 'bundles');
  if (kind === 'bundle' && bundles?.value.barred === 'any') {
    const words = `The law of ${name} bars several goods at one price (${bundles.citation})`;
    return { words, citation: bundles.citation };
  }
  // A group of goods, or an order with some goods in it, is reduced for what is sold with it.
  const asksForGoods = targets !== undefined && Object.values(targets).some((ids) => ids.length > 0);
  const isTied = kind === 'buy-x-get-y' || kind === 'bundle' || (kind === 'order' && asksForGoods);
  if (!isTied || tied === null || !isInForce(tied, localDate)) return null;
  const words = `The law of ${name} bars a discount on cannabis that depends on the sale of another item (${tied.citation})`;
  return { words, citation: tied.citation };
}

/** Whether the law of a state may bar a discount on any day: of most states it does not, and their carts need not ask of each discount. */
export const mayBarDiscounts = memoizeByObject(({ duties, tiedDiscountsBarred }: Jurisdiction) => ({
  isSo: tiedDiscountsBarred !== null || [duties?.discounts, duties?.bundles].some((rows) => rows?.length),
}));

/** Why points and rewards for cannabis are barred for a buyer; null: they are allowed, or nothing is known. Pure. */
export function barredLoyalty(
  jurisdiction: Law,
  localDate: LocalDate,
  isMedical: boolean,
): BarredPromotion | null {
  const duty = jurisdiction === null ? null : barring(jurisdiction, localDate, 'loyalty');
  if (duty === null || !isBarredFor(duty, isMedical)) return null;
  const words = `The law of ${jurisdiction!.name} bars loyalty programs for this buyer (${duty.citation})`;
  return { words, citation: duty.citation };
}

/** Why cannabis cannot be taken back; null: it can, or nothing is known. Pure. */
export function barredReturn(jurisdiction: Law, localDate: LocalDate): BarredPromotion | null {
  const duty = jurisdiction === null ? null : barring(jurisdiction, localDate, 'returns');
  if (duty?.value.accepted !== 'barred') return null;
  const words = `The law of ${jurisdiction!.name} bars returns of cannabis (${duty.citation})`;
  return { words, citation: duty.citation };
}

/** The duty if the service enforces it on this day. */
function barring<Name extends DutyName>(
  { duties }: Jurisdiction,
  localDate: LocalDate,
  name: Name,
): Duty<Name> | null {
  const known = dutyOn(duties, name, localDate);
  return known.known === 'value' && known.duty.kind === 'enforced' ? known.duty : null;
}

const isBarredFor = (
  { value: { barredFor } }: Duty<'discounts'> | Duty<'loyalty'>,
  isMedical: boolean,
): boolean => barredFor === 'everyone' || (barredFor === 'adult-use' && !isMedical);
