import { Group, Select } from '@mantine/core';
import { DayInput } from '../../parts/day-input.tsx';
import { dayInWords } from '../../parts/shop-day.tsx';
import { businessDayAt } from '../../parts/shop-moment.ts';
import { shopNow } from '../../parts/shop-now.ts';
import { useFilters } from '../../parts/use-filters.ts';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import {
  atMostDays,
  type Comparison,
  comparedRange,
  type DayRange,
  daysIn,
  usualRanges,
} from './report-days.ts';

/**
 * The date range of a report, stored in the query string; by default the shop's last thirty business days. A longer one than the
 * report can have, of another report, begins later.
 */
export function useReportRange(daysMax = Infinity): [DayRange, (range: DayRange) => void] {
  const { organization } = useSession();
  const [filters, setFilters] = useFilters(['from', 'to']);
  const usual = usualRanges(businessDayAt(shopNow(), organization));
  const fallback = usual.find(({ name }) => name === t`Last 30 days`)?.range;
  const to = filters.to ?? fallback?.to ?? '';
  return [atMostDays({ from: filters.from ?? fallback?.from ?? to, to }, daysMax, 'to'), setFilters];
}

/** A common range by name, or any two days, within the days that the report can have. */
export function ReportRange({
  range,
  daysMax = Infinity,
  onChange,
}: {
  range: DayRange;
  daysMax?: number;
  onChange: (range: DayRange) => void;
}) {
  const { organization } = useSession();
  const usual = usualRanges(businessDayAt(shopNow(), organization)).filter(
    (it) => daysIn(it.range) <= daysMax,
  );
  const change = (next: DayRange, chosen: keyof DayRange) => onChange(atMostDays(next, daysMax, chosen));
  const present = usual.find((it) => it.range.from === range.from && it.range.to === range.to);
  return (
    <Group gap="sm">
      <Select
        aria-label={t`Period`}
        w={152}
        data={[...usual.map(({ name }) => name), ...(present ? [] : [t`Custom range`])]}
        value={present?.name ?? t`Custom range`}
        onChange={(name) => {
          const chosen = usual.find((it) => it.name === name);
          if (chosen) onChange(chosen.range);
        }}
      />
      <DayInput
        aria-label={t`From`}
        w={160}
        max={range.to}
        day={range.from}
        onChange={(from) => from && change({ from, to: from > range.to ? from : range.to }, 'from')}
      />
      <DayInput
        aria-label={t`To`}
        w={160}
        min={range.from}
        day={range.to}
        onChange={(to) => to && change({ from: to < range.from ? to : range.from, to }, 'to')}
      />
    </Group>
  );
}

const comparisons: readonly { readonly value: Comparison; readonly label: string }[] = [
  { value: 'previous', label: t`Against the period before` },
  { value: 'year', label: t`Against a year ago` },
];

/** The period that the report is compared with, stored in the query string; null: none. */
export function useComparedRange(range: DayRange): DayRange | null {
  const [{ against }] = useFilters(['against']);
  const comparison = comparisons.find(({ value }) => value === against);
  return comparison ? comparedRange(range, comparison.value) : null;
}

/** Chooses what the period is compared with. */
export function ComparedWith() {
  const [{ against }, setFilters] = useFilters(['against']);
  return (
    <Select
      aria-label={t`Compared with`}
      w={240}
      data={[{ value: '', label: t`Not compared` }, ...comparisons]}
      value={comparisons.find(({ value }) => value === against)?.value ?? ''}
      onChange={(value) => setFilters({ against: value })}
    />
  );
}

const returnDays = [
  { value: 'day-of-return', label: t`Returns on their own day` },
  { value: 'day-of-sale', label: t`Returns on the day of the sale` },
] as const;
type ReturnDay = (typeof returnDays)[number]['value'];

/** The day that returns count on, stored in the query string; by default their own, so that past days never change. */
export function useReturnsBy(): ReturnDay {
  const [{ returns }] = useFilters(['returns']);
  return returnDays.find(({ value }) => value === returns)?.value ?? 'day-of-return';
}

/** Chooses the day that returns count on. */
export function ReturnsBy() {
  const [, setFilters] = useFilters(['returns']);
  return (
    <Select
      aria-label={t`Returns count`}
      w={240}
      allowDeselect={false}
      data={returnDays}
      value={useReturnsBy()}
      onChange={(value) => setFilters({ returns: value === 'day-of-return' ? null : value })}
    />
  );
}

/** `Mar 1, 2026 to Mar 31, 2026`. */
export function rangeInWords({ from, to }: DayRange): string {
  return from === to ? dayInWords(from) : t`${dayInWords(from)} to ${dayInWords(to)}`;
}
