import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import type { Schema } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { dayInWords } from '../../parts/shop-day.tsx';

/** Net sales by day, in cents. A separate chunk because chart code is large. */
export function SalesChart({ rows }: { rows: readonly Schema['SalesReportRow'][] }) {
  return (
    <BarChart
      h={240}
      role="img"
      aria-label="Net sales by day; the same figures are in the table below"
      data={rows.map(({ key, net, orders }) => ({ key, net, orders }))}
      dataKey="key"
      series={[{ name: 'net', label: 'Net sales', color: 'leaf.6' }]}
      valueFormatter={dollars}
      withYAxis
      tickLine="none"
      gridAxis="x"
      maxBarWidth={48}
      barProps={{ isAnimationActive: false, radius: [3, 3, 0, 0] }}
      barChartProps={{ accessibilityLayer: false }}
      xAxisProps={{ tickFormatter: shortDay, minTickGap: 24 }}
      yAxisProps={{ width: 72, tickFormatter: wholeDollars, allowDecimals: false }}
      tooltipProps={{
        labelFormatter: (day) => (day ? dayInWords(String(day)) : ''),
        isAnimationActive: false,
      }}
    />
  );
}

/** `Mar 8, 2026` → `Mar 8`. */
function shortDay(day: string): string {
  return dayInWords(day).split(',')[0] ?? day;
}

/** The axis shows whole dollars, without `.00`. */
function wholeDollars(cents: number): string {
  return dollars(cents).replace(/\.00$/, '');
}
