import { Paper, Select, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { api, type Schema } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { dollars, grouped } from '../../parts/dollars.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { listOf } from '../../parts/list-of.ts';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { dayInWords } from '../../parts/shop-day.tsx';
import { sentence } from '../../parts/status-badge.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { Figures } from './figures.tsx';
import { reportOf } from './report-of.ts';
import { ReportRange, useReportRange } from './report-range.tsx';
import { CsvLink, ReportTabs } from './report-tabs.tsx';

const SalesChart = lazy(async () => ({ default: (await import('./sales-chart.tsx')).SalesChart }));

type Row = Schema['SalesReportRow'] & { readonly id: string };

const groupings = [
  { value: 'day', label: 'Day' },
  { value: 'category', label: 'Category' },
  { value: 'product', label: 'Product' },
  { value: 'type', label: 'Order type' },
  { value: 'source', label: 'Source' },
  { value: 'hour', label: 'Hour' },
  { value: 'payment', label: 'Payment' },
  { value: 'staff', label: 'Staff' },
  { value: 'location', label: 'Location' },
] as const;

type Grouping = (typeof groupings)[number]['value'];

/** The sales of a period: a chart by day, and a table by each grouping. */
export function Component() {
  const [range, setRange] = useReportRange();
  const [filters, setFilters] = useFilters(['by']);
  const by = groupings.find(({ value }) => value === filters.by)?.value ?? 'day';
  const report = useSales(range.from, range.to, by);
  return (
    <Page>
      <PageHeader
        title="Sales report"
        actions={<CsvLink path="/staff/v1/reports/sales" query={{ ...range, by }} />}
      >
        Fulfilled orders by fulfillment date.
      </PageHeader>
      <ReportTabs />
      <FilterBar>
        <ReportRange range={range} onChange={setRange} />
        <Select
          aria-label="Grouped by"
          data={groupings.map(({ value, label }) => ({ value, label: `By ${label.toLowerCase()}` }))}
          value={by}
          onChange={(next) => setFilters({ by: next === 'day' ? null : next })}
          allowDeselect={false}
          w={180}
        />
      </FilterBar>
      <Totals total={report.data?.total} isFailed={report.isError} />
      <ByDay from={range.from} to={range.to} />
      <DataTable
        label={`Sales by ${by}`}
        list={listOf(report, (data) => rowsOf(data.rows, by))}
        columns={columnsOf(by)}
        maxHeight={560}
        empty={<EmptyState title="No sales in this period">Choose another period.</EmptyState>}
      />
    </Page>
  );
}

function useSales(from: string, to: string, by: Grouping) {
  return useQuery({
    queryKey: ['reports', 'sales', { from, to, by }],
    queryFn: ({ signal }) =>
      reportOf<'/staff/v1/reports/sales'>(
        api.GET('/staff/v1/reports/sales', { params: { query: { from, to, by } }, signal }),
      ),
    placeholderData: (previous) => (previous?.by === by ? previous : undefined),
  });
}

/** The chart always shows days, independent of the table's grouping. */
function ByDay({ from, to }: { from: string; to: string }) {
  const { data, error } = useSales(from, to, 'day');
  // The table below shows the error.
  if (data?.rows.length === 0 || (error && !data)) return null;
  const placeholder = <Skeleton height={240} radius="md" />;
  return (
    <Paper withBorder p="md" radius="md">
      {data ? (
        <Suspense fallback={placeholder}>
          <SalesChart rows={data.rows} />
        </Suspense>
      ) : (
        placeholder
      )}
    </Paper>
  );
}

function Totals({
  total,
  isFailed,
}: {
  total: Omit<Schema['SalesReportRow'], 'key' | 'name'> | undefined;
  isFailed: boolean;
}) {
  const money = (cents: number | undefined) => (cents === undefined ? null : dollars(cents));
  const count = (number: number) => grouped(String(number));
  return (
    <Figures
      isFailed={isFailed}
      figures={[
        { label: 'Net sales', value: money(total?.net), hint: 'Gross less discounts' },
        { label: 'Gross sales', value: money(total?.gross), hint: 'Before discounts' },
        { label: 'Discounts', value: money(total?.discounts), hint: 'Discounts and rewards' },
        { label: 'Taxes', value: money(total?.tax), hint: 'On goods and delivery fees' },
        { label: 'Refunds', value: money(total?.refunds), hint: 'Refunds of these sales so far' },
        {
          label: 'Orders',
          value: total ? count(total.orders) : null,
          ...(total && { hint: `${count(total.units)} units` }),
        },
      ]}
    />
  );
}

/** Days and hours in order; other groupings by net sales, largest first. */
function rowsOf(rows: readonly Schema['SalesReportRow'][], by: Grouping): Row[] {
  const identified = rows.map((row) => ({ ...row, id: row.key }));
  return by === 'day' || by === 'hour' ? identified : identified.sort((one, other) => other.net - one.net);
}

function columnsOf(by: Grouping): readonly Column<Row>[] {
  const names: Record<Grouping, (row: Row) => string> = {
    day: (row) => dayInWords(row.key),
    category: (row) => row.name,
    product: (row) => row.name,
    type: (row) => sentence(row.name),
    source: (row) => sentence(row.name),
    hour: (row) => row.name,
    payment: (row) => row.name,
    staff: (row) => row.name,
    location: (row) => row.name,
  };
  return [
    { id: 'name', header: groupings.find(({ value }) => value === by)?.label, cell: names[by] },
    { id: 'orders', header: 'Orders', width: 72, align: 'end', cell: (row) => grouped(String(row.orders)) },
    { id: 'units', header: 'Units', width: 72, align: 'end', cell: (row) => grouped(String(row.units)) },
    { id: 'gross', header: 'Gross', width: 120, align: 'end', cell: (row) => <Money cents={row.gross} /> },
    {
      id: 'discounts',
      header: 'Discounts',
      width: 112,
      align: 'end',
      cell: (row) => <Money cents={row.discounts} />,
    },
    { id: 'net', header: 'Net', width: 136, align: 'end', cell: (row) => <Money cents={row.net} fw={600} /> },
    {
      id: 'adjustments',
      header: 'Adjustments',
      width: 120,
      align: 'end',
      cell: (row) => <Money cents={row.adjustments} />,
    },
    {
      id: 'credits',
      header: 'Credits',
      width: 104,
      align: 'end',
      cell: (row) => <Money cents={row.credits} />,
    },
    { id: 'tax', header: 'Tax', width: 112, align: 'end', cell: (row) => <Money cents={row.tax} /> },
    {
      id: 'refunds',
      header: 'Refunds',
      width: 104,
      align: 'end',
      cell: (row) => <Money cents={row.refunds} />,
    },
    {
      id: 'refundedAdjustments',
      header: 'Refunded adjustments',
      width: 168,
      align: 'end',
      cell: (row) => <Money cents={row.refundedAdjustments} />,
    },
  ];
}
