import { cannabisTypes } from '../kernel/cannabis-type.ts';
import { typeNames } from './cannabis-type-names.ts';
import type { LimitWindow, Quantity, StateLimitRule } from './jurisdiction.ts';

/** "1 oz per day of flower, concentrate (8 g as 1 oz)": a limit with its window and its equivalences. */
export function limitInWords({
  window,
  limit,
  counts,
}: Pick<StateLimitRule, 'window' | 'limit' | 'counts'>): string {
  const counted = cannabisTypes.flatMap((type) => {
    const counting = counts[type];
    if (counting === undefined) return [];
    if (counting === 'one-to-one') return [typeNames[type]];
    return [`${typeNames[type]} (${quantityText(counting.amount)} as ${quantityText(counting.uses)})`];
  });
  return `${quantityText(limit)} ${windowText(window)} of ${counted.join(', ')}`;
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
