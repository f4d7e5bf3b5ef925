import type { SeededRandom } from './seeded-random.ts';
import type { ScriptSpan, ShopContent } from './shop-content.ts';

export interface Moment {
  readonly daysAgo: number;
  readonly minuteOfDay: number;
}

/** Monday to Sunday: quiet starts, busy Fridays and Saturdays. */
const weekdayWeights = [0.78, 0.8, 0.88, 1, 1.4, 1.45, 1.05];

/**
 * The times of orders: weekly rhythm, slow growth, and two rushes a day, at noon and after work. The last orders come
 * an hour before closing, so that all are served on the same day.
 */
export function drawMoments(random: SeededRandom, shop: ShopContent, span: ScriptSpan): Moment[] {
  const { opensAtMinute, closesAtMinute } = shop.organization;
  const halfHours = Array.from({ length: (closesAtMinute - opensAtMinute) / 30 - 2 }, (_, index) => {
    const start = opensAtMinute + index * 30;
    const rush = (peak: number, width: number) => Math.exp(-(((start - peak) / width) ** 2));
    return { start, weight: 0.35 + 0.7 * rush(12.5 * 60, 80) + 1.2 * rush(17.75 * 60, 110) };
  });
  const slots = Array.from({ length: span.days }, (_, daysAgo) => {
    const weekday = (((span.todayWeekday - 1 - daysAgo) % 7) + 7) % 7;
    const busy =
      weekdayWeights[weekday]! * (1.12 - (0.24 * daysAgo) / span.days) * (0.9 + 0.2 * random.next());
    return (
      halfHours
        // The script ends at the present.
        .filter(({ start }) => daysAgo > 0 || start + 30 <= span.nowMinuteOfDay)
        .map(({ start, weight }) => ({ daysAgo, start, weight: weight * busy }))
    );
  }).flat();
  return Array.from({ length: span.count }, () => {
    const { daysAgo, start } = random.pickWeighted(slots, ({ weight }) => weight);
    return { daysAgo, minuteOfDay: start + random.integer(0, 29) };
  }).sort((one, other) => other.daysAgo - one.daysAgo || one.minuteOfDay - other.minuteOfDay);
}
