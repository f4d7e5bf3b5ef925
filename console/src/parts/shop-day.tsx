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

const calendarOfYear = new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', month: 'short', day: 'numeric' });

/** The same without the year of a day within the last twelve months: `Oct 31`. */
function lateDayInWords(day: string, today: string): string {
  const yearAgo = `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`;
  return day > yearAgo ? calendarOfYear.format(new Date(`${day}T00:00:00Z`)) : dayInWords(day);
}

/** The last day of validity; marked once it has passed. `null` shows a dash. `isSentence`: nothing beside it says what the day is. */
export function LastDay({
  day,
  isSentence = false,
}: {
  day: string | null | undefined;
  isSentence?: boolean;
}) {
  const { tz } = useSession().organization;
  if (!day) return '–';
  const today = shopDayAt(shopNow(), tz);
  const isOver = day < today;
  return (
    <Text span inherit c={isOver ? 'var(--mantine-color-error)' : undefined}>
      {isOver
        ? t`Expired ${lateDayInWords(day, today)}`
        : isSentence
          ? t`Last day ${dayInWords(day)}`
          : dayInWords(day)}
    </Text>
  );
}
