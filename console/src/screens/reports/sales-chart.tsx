import { BarChart } from '@mantine/charts';
import { locale, said, t } from '../../words/words.ts';
import '@mantine/charts/styles.css';
import { dollars } from '../../parts/dollars.ts';
import { dayInWords } from '../../parts/shop-day.tsx';
import { timeOfDay } from '../../parts/shop-moment.ts';

export interface ChartedSales {
  /** A day or an hour. */
  readonly key: string;
  readonly net: number;
  /** Null: not compared. */
  readonly before: number | null;
}

const names = {
  day: { long: dayInWords, short: shortDay },
  hour: { long: (hour: string) => timeOfDay(`${hour}:00`), short: shortHour },
} as const;

/** Net sales by day or hour, in cents, beside those they are compared with. A separate chunk because chart code is large. */
export function SalesChart({ by, rows }: { by: keyof typeof names; rows: readonly ChartedSales[] }) {
  const isCompared = rows.some(({ before }) => before !== null);
  return (
    <BarChart
      h={240}
      role="img"
      aria-label={t`Net sales by ${said(by)}; the same figures are in the table below`}
      data={[...rows]}
      dataKey="key"
      series={[
        { name: 'net', label: t`Net sales`, color: 'leaf.6' },
        ...(isCompared ? [{ name: 'before', label: t`Before`, color: 'gray.5' }] : []),
      ]}
      withLegend={isCompared}
      valueFormatter={dollars}
      withYAxis
      tickLine="none"
      gridAxis="x"
      maxBarWidth={48}
      barProps={{ isAnimationActive: false, radius: [3, 3, 0, 0] }}
      barChartProps={{ accessibilityLayer: false }}
      xAxisProps={{ tickFormatter: names[by].short, minTickGap: 24 }}
      yAxisProps={{ width: 72, tickFormatter: wholeDollars, allowDecimals: false }}
      tooltipProps={{
        labelFormatter: (key) => (key ? names[by].long(String(key)) : ''),
        isAnimationActive: false,
      }}
    />
  );
}

/** `2026-03-08` → `Mar 8`. */
function shortDay(day: string): string {
  const format = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(locale(), format);
}

/** `16` → `4 PM`. */
function shortHour(hour: string): string {
  return timeOfDay(`${hour}:00`).replace(':00', '');
}

/** The axis shows whole dollars, without `.00`. */
function wholeDollars(cents: number): string {
  return dollars(cents).replace(/\.00$/, '');
}
