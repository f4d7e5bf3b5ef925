import { shopTime } from '../../parts/shop-time.tsx';
import { t } from '../../words/words.ts';
import type { Delivery } from './trips-query.ts';

/** What deliveries have in common. */
export interface DeliveryGroup {
  readonly key: string;
  readonly title: string;
  readonly deliveries: readonly Delivery[];
}

export type GroupedBy = 'zone' | 'slot';

/** The deliveries of each zone, by name, or of each time slot, by time; those without one come last. */
export function deliveryGroups(deliveries: readonly Delivery[], by: GroupedBy, tz: string): DeliveryGroup[] {
  const keyOf = ({ zoneName, window }: Delivery) => (by === 'zone' ? zoneName : window?.from) ?? '';
  const keys = [...new Set(deliveries.map(keyOf))];
  keys.sort((a, b) => Number(a === '') - Number(b === '') || a.localeCompare(b, 'en'));
  return keys.map((key) => {
    const inGroup = deliveries.filter((delivery) => keyOf(delivery) === key);
    return { key, title: titleOf(inGroup[0]!, by, tz), deliveries: inGroup };
  });
}

function titleOf({ zoneName, window }: Delivery, by: GroupedBy, tz: string): string {
  if (by === 'zone') return zoneName ?? t`No zone`;
  if (window === null) return t`No set time`;
  return `${shopTime(window.from, tz, 'short')} – ${shopTime(window.to, tz, 'time')}`;
}
