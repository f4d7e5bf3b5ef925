import { type CannabisType, cannabisTypes } from '../goods/cannabis-type.ts';
import { typeNames } from './cannabis-type-names.ts';
import type { Equivalence, LimitWindow, Quantity } from './jurisdiction.ts';

type Conversion = Pick<Equivalence, 'amount' | 'uses' | 'of'>;

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

/** "concentrate (8 g as 1 oz)", "edibles (250 mg of THC as 1 g)"; THC that counts by its own amount is "flower (its THC)". */
export function equivalenceInWords(type: CannabisType, { amount, uses, of }: Conversion): string {
  const [counted, used] = [quantityText(amount), quantityText(uses)];
  if (of === 'thc' && counted === used) return `${typeNames[type]} (its THC)`;
  return `${typeNames[type]} (${counted}${of === 'thc' ? ' of THC' : ''} as ${used})`;
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
