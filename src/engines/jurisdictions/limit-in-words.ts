import { type CannabisType, cannabisTypes } from '../goods/cannabis-type.ts';
import { typeNames } from './cannabis-type-names.ts';
import type { Equivalence, LimitWindow, Quantity } from './jurisdiction.ts';

type Conversion = Pick<Equivalence, 'amount' | 'uses'>;

/** "1 oz per day of flower, concentrate (8 g as 1 oz)": a limit with its window and its equivalences. */
export function limitInWords({
  window,
  limit,
  counts,
}: {
  readonly window: LimitWindow;
  readonly limit: Quantity;
  readonly counts: Readonly<Partial<Record<CannabisType, 'one-to-one' | Conversion>>>;
}): string {
  const counted = cannabisTypes.flatMap((type) => {
    const counting = counts[type];
    if (counting === undefined) return [];
    return [counting === 'one-to-one' ? typeNames[type] : equivalenceInWords(type, counting)];
  });
  return `${quantityText(limit)} ${windowText(window)} of ${counted.join(', ')}`;
}

/** "concentrate (8 g as 1 oz)". */
export function equivalenceInWords(type: CannabisType, { amount, uses }: Conversion): string {
  return `${typeNames[type]} (${quantityText(amount)} as ${quantityText(uses)})`;
}

function quantityText({ amount, unit }: Quantity): string {
  return unit === 'count' ? amount : `${amount} ${unit}`;
}

function windowText(window: LimitWindow): string {
  switch (window.kind) {
    case 'transaction':
      return 'per transaction';
    case 'local-day':
      return 'per day';
    case 'rolling-days':
      return `in ${window.days} days`;
    case 'calendar-month':
      return 'per calendar month';
  }
}
