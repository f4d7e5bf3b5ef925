import { Text } from '@mantine/core';
import { useSession } from '../session/session.tsx';
import { locale, t } from '../words/words.ts';
import { shopDayAt } from './shop-moment.ts';
import { shopNow } from './shop-now.ts';

const calendar = new Intl.DateTimeFormat(locale(), {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
});

/** A calendar day in words: `2026-03-08` → `Mar 8, 2026`. */
export function dayInWords(day: string): string {
  return calendar.format(new Date(`${day}T00:00:00Z`));
}

/** The last day of validity; marked once it has passed. `null` shows a dash. */
export function LastDay({ day }: { day: string | null | undefined }) {
  const { tz } = useSession().organization;
  if (!day) return '–';
  const isOver = day < shopDayAt(shopNow(), tz);
  return (
    <Text span inherit c={isOver ? 'var(--mantine-color-error)' : undefined}>
      {isOver ? t`Expired ${dayInWords(day)}` : dayInWords(day)}
    </Text>
  );
}
