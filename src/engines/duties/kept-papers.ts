import { dutyOn } from '../jurisdictions/duty.ts';
import type { Jurisdiction, LocalDate } from '../jurisdictions/jurisdiction.ts';
import type { BarredPromotion } from './barred-promotions.ts';

/** Why no copy of an ID may be kept; null: it may, or nothing is known. Pure. */
export function barredIdCopy(
  jurisdiction: Jurisdiction | null,
  localDate: LocalDate,
): BarredPromotion | null {
  const known = dutyOn(jurisdiction?.duties, 'idCopies', localDate);
  if (known.known !== 'value' || known.duty.kind !== 'enforced') return null;
  const { value, citation } = known.duty;
  if (value.kept !== 'barred') return null;
  return {
    words: `The law of ${jurisdiction!.name} lets no shop keep a copy of an ID (${citation})`,
    citation,
  };
}

/** For how many days the law lets a shop keep what it has of an ID; 0: not at all; null: no bound is enforced. Pure. */
export function idKeptDays(jurisdiction: Jurisdiction | null, localDate: LocalDate): number | null {
  if (barredIdCopy(jurisdiction, localDate) !== null) return 0;
  const known = dutyOn(jurisdiction?.duties, 'scanRetention', localDate);
  return known.known === 'value' && known.duty.kind === 'enforced' ? known.duty.value.days : null;
}
