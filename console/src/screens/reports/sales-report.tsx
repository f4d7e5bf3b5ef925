import { Paper, Select, Skeleton, Text } from '@mantine/core';
import { useViewportSize } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { api, type Schema, type StaffPaths } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { dollars, grouped } from '../../parts/dollars.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { listOf } from '../../parts/list-of.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { dayInWords } from '../../parts/shop-day.tsx';
import { sentence } from '../../parts/status-badge.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { said, t } from '../../words/words.ts';
import { locationsQuery } from '../inventory/stock-words.ts';
import { changeFrom, changeInWords } from './amount-change.ts';
import { type ComparedRow, comparedRows } from './compared-sales.ts';
import { Figures } from './figures.tsx';
import { PartBars } from './part-bars.tsx';
import type { DayRange } from './report-days.ts';
import { reportOf } from './report-of.ts';
import { OnScreen, PaperTable, ReportPaper } from './report-paper.tsx';
import {
  ComparedWith,
  ReportRange,
  ReturnsBy,
  rangeInWords,
  useComparedRange,
  useReportRange,
  useReturnsBy,
} from './report-range.tsx';
import { CsvButton, PrintButton, ReportTabs } from './report-tabs.tsx';

const SalesChart = lazy(async () => ({ default: (await import('./sales-chart.tsx')).SalesChart }));

type Row = ComparedRow;
type SalesData = Extract<
  StaffPaths['/staff/v1/reports/sales']['get']['responses'][200]['content'],
  { 'application/json': unknown }
>['application/json']['data'];

const groupings = [
  { value: 'day', label: t`Day` },
  { value: 'category', label: t`Category` },
  { value: 'product', label: t`Product` },
  { value: 'brand', label: t`Brand` },
  { value: 'type', label: t`Order type` },
  { value: 'source', label: t`Source` },
  { value: 'hour', label: t`Hour` },
  { value: 'payment', label: t`Payment` },
  { value: 'staff', label: t`Staff` },
  { value: 'location', label: t`Location` },
] as const;

type Grouping = (typeof groupings)[number]['value'];

/** The sales of a period, beside another: a chart and a table of what the grouping says. */
export function Component() {
  const [range, setRange] = useReportRange();
  const before = useComparedRange(range);
  const [filters, setFilters] = useFilters(['by', 'location']);
  const locations = useQuery(locationsQuery).data ?? [];
  const returnsBy = useReturnsBy();
  const at = {
    returnsBy,
    ...(filters.location !== undefined && { inventoryLocationId: Number(filters.location) }),
  };
  const by = groupings.find(({ value }) => value === filters.by)?.value ?? 'day';
  const report = useSales(range, by, at);
  const former = useSales(before, by, at);
  const isWaiting = before !== null && former.data === undefined && !former.error;
  const rowsOfData = (data: SalesData) => rowsOf(data.rows, former.data?.rows ?? null, { by, range, before });
  const rows = report.data && !isWaiting ? rowsOfData(report.data) : undefined;
  const columns = useFittingColumns(by, report.data?.total, before !== null);
  const label = t`Sales by ${said(by)}`;
  return (
    <Page>
      <ReportPaper
        about={`${label}, ${rangeInWords(range)}${before ? t`, against ${rangeInWords(before)}` : ''}.`}
      >
        <PageHeader
          title={t`Sales report`}
          actions={
            <>
              <PrintButton />
              <CsvButton
                path="/staff/v1/reports/sales"
                query={{ ...range, by, returnsBy, ...inQuery(filters.location) }}
              />
            </>
          }
        >
          {returnsBy === 'day-of-sale'
            ? t`Fulfilled orders by day. A return counts on the day of its sale.`
            : t`Fulfilled orders by day. A return counts on the day it was made.`}
        </PageHeader>
        <OnScreen>
          <ReportTabs />
          <FilterBar>
            <ReportRange range={range} onChange={setRange} />
            <ComparedWith />
            <ReturnsBy />
            <Select
              aria-label={t`Grouped by`}
              data={groupings.map(({ value, label }) => ({ value, label: t`By ${label.toLowerCase()}` }))}
              value={by}
              onChange={(next) => setFilters({ by: next === 'day' ? null : next })}
              allowDeselect={false}
              w={180}
            />
            {(locations.length > 1 || filters.location !== undefined) && (
              <Select
                aria-label={t`Location`}
                data={[
                  { value: '', label: t`All locations` },
                  ...locations.map(({ id, name }) => ({ value: String(id), label: name })),
                ]}
                value={filters.location ?? ''}
                onChange={(next) => setFilters({ location: next || null })}
                allowDeselect={false}
                w={180}
              />
            )}
          </FilterBar>
        </OnScreen>
        <Totals
          total={report.data?.total}
          former={before === null ? undefined : former.data?.total}
          isFailed={report.isError}
          returnsBy={returnsBy}
        />
        <Chart by={by} rows={rows} isFailed={report.isError} />
        <OnScreen>
          {former.error && <LoadFailure error={former.error} onRetry={() => former.refetch()} />}
          <DataTable
            label={label}
            list={{ ...listOf(report, rowsOfData), isLoading: report.isPending || isWaiting }}
            columns={columns}
            maxHeight={560}
            empty={<EmptyState title={t`No sales in this period`}>{t`Choose another period.`}</EmptyState>}
          />
        </OnScreen>
        <PaperTable label={label} rows={rows ?? []} columns={columnsOf(by, before !== null)} />
        <Imported range={range} sales={report.data?.imported} />
        {before && <Imported range={before} sales={former.data?.imported} />}
      </ReportPaper>
    </Page>
  );
}

/** What another till sold in these days, and the shop brought along. */
function Imported({ range, sales = [] }: { range: DayRange; sales?: SalesData['imported'] | undefined }) {
  return sales.map(({ till, tickets, net, tax }) => (
    <Text key={till} size="sm">
      {t`${rangeInWords(range)}, imported from ${till}: ${grouped(String(tickets))} tickets, ${dollars(net)} net and ${dollars(tax)} taxes. The sums above are without them.`}
    </Text>
  ));
}

/** A location as the query of a link. */
function inQuery(location: string | undefined): Readonly<Record<string, string>> {
  return location === undefined ? {} : { inventoryLocationId: location };
}

interface AskedAt {
  readonly returnsBy: ReturnType<typeof useReturnsBy>;
  readonly inventoryLocationId?: number;
}

/** The sales of a range; null: none are asked for. */
function useSales(range: DayRange | null, by: Grouping, at: AskedAt) {
  return useQuery({
    queryKey: ['reports', 'sales', { ...range, by, ...at }],
    queryFn: ({ signal }) =>
      reportOf<'/staff/v1/reports/sales'>(
        api.GET('/staff/v1/reports/sales', { params: { query: { ...range, by, ...at } }, signal }),
      ),
    enabled: range !== null,
    placeholderData: (previous) => (range !== null && previous?.by === by ? previous : undefined),
  });
}

/** What the grouping says: days and hours in their order, other parts by their sales. */
function Chart({
  by,
  rows,
  isFailed,
}: {
  by: Grouping;
  rows: readonly Row[] | undefined;
  isFailed: boolean;
}) {
  // The table below shows the error.
  if (rows?.length === 0 || (isFailed && !rows)) return null;
  const placeholder = <Skeleton height={240} radius="md" />;
  return (
    <Paper withBorder p="md" radius="md">
      {rows === undefined ? (
        placeholder
      ) : by === 'day' || by === 'hour' ? (
        <Suspense fallback={placeholder}>
          <SalesChart by={by} rows={rows} />
        </Suspense>
      ) : (
        <PartBars
          label={t`Net sales by ${said(by)}`}
          bars={rows.map((row) => ({ ...row, name: nameOf(row, by) }))}
        />
      )}
    </Paper>
  );
}

type Total = Omit<Schema['SalesReportRow'], 'key' | 'name'>;

function Totals({
  total,
  former,
  isFailed,
  returnsBy,
}: {
  total: Total | undefined;
  former: Total | undefined;
  isFailed: boolean;
  returnsBy: AskedAt['returnsBy'];
}) {
  const money = (cents: number | undefined) => (cents === undefined ? null : dollars(cents));
  const change = (of: keyof Total, inWords: (amount: number) => string = dollars) =>
    total && former ? changeFrom(total[of] ?? 0, former[of] ?? 0, inWords) : undefined;
  const count = (number: number) => grouped(String(number));
  return (
    <Figures
      isFailed={isFailed}
      figures={[
        { label: t`Net sales`, value: money(total?.net), hint: t`Gross less discounts`, ...change('net') },
        { label: t`Gross sales`, value: money(total?.gross), hint: t`Before discounts`, ...change('gross') },
        {
          label: t`Discounts`,
          value: money(total?.discounts),
          hint: t`Discounts and rewards`,
          ...change('discounts'),
        },
        { label: t`Taxes`, value: money(total?.tax), hint: t`On goods and delivery fees`, ...change('tax') },
        {
          label: t`Refunds`,
          value: money(total?.refunds),
          hint:
            returnsBy === 'day-of-sale'
              ? t`Refunds of these sales so far`
              : t`Net sales given back in this period`,
          ...change('refunds'),
        },
        {
          label: t`Net after refunds`,
          value: money(total?.netAfterRefunds),
          hint: t`Net sales less refunds`,
          ...change('netAfterRefunds'),
        },
        {
          label: t`Orders`,
          value: total ? count(total.orders) : null,
          ...(total && { hint: t`${count(total.units)} units` }),
          ...change('orders', count),
        },
      ]}
    />
  );
}

/** Days and hours in order; other groupings by net sales, largest first. */
function rowsOf(
  rows: SalesData['rows'],
  former: SalesData['rows'] | null,
  { by, range, before }: { by: Grouping; range: DayRange; before: DayRange | null },
): Row[] {
  const days = by === 'day' && before !== null ? { range, before } : null;
  const compared = comparedRows(rows, before === null ? null : former, days);
  return by === 'day' || by === 'hour'
    ? compared.sort((one, other) => (one.key < other.key ? -1 : 1))
    : compared.sort((one, other) => other.net - one.net || (other.before ?? 0) - (one.before ?? 0));
}

function nameOf(row: Row, by: Grouping): string {
  if (by === 'day') return dayInWords(row.key);
  return by === 'type' || by === 'source' ? sentence(row.name) : row.name;
}

const money = (id: AmountId, header: string, width: number): Column<Row> => ({
  ...{ id, header, width, align: 'end' },
  cell: (row) => <Money cents={row[id]} fw={id === 'net' ? 600 : undefined} />,
});

type AmountId = Exclude<keyof Total, 'orders' | 'units' | 'returns'>;

function columnsOf(by: Grouping, isCompared: boolean): readonly Column<Row>[] {
  const compared: readonly Column<Row>[] = [
    {
      ...{ id: 'before', header: t`Net before`, width: 136, align: 'end' },
      cell: (row) => <Money cents={row.before} />,
      sortBy: (row) => row.before,
    },
    {
      ...{ id: 'change', header: t`Change`, width: 88, align: 'end' },
      cell: (row) => changeInWords(row.net, row.before ?? 0),
      sortBy: (row) => row.net - (row.before ?? 0),
    },
  ];
  return [
    {
      id: 'name',
      header: groupings.find(({ value }) => value === by)?.label,
      cell: (row) => nameOf(row, by),
      ...(by === 'day' && { sortBy: (row: Row) => row.key }),
    },
    { id: 'orders', header: t`Orders`, width: 88, align: 'end', cell: (row) => grouped(String(row.orders)) },
    { id: 'units', header: t`Units`, width: 88, align: 'end', cell: (row) => grouped(String(row.units)) },
    money('gross', t`Gross`, 136),
    money('discounts', t`Discounts`, 120),
    money('net', t`Net`, 136),
    money('cost', t`Cost`, 136),
    {
      ...{ id: 'margin', header: t`Margin`, width: 168, align: 'end' },
      cell: (row) => (
        <>
          <Money cents={row.margin} /> {marginInWords(row)}
        </>
      ),
      sortBy: (row) => row.margin,
    },
    ...(isCompared ? compared : []),
    money('adjustments', t`Adjustments`, 112),
    money('credits', t`Credits`, 96),
    money('tax', t`Tax`, 120),
    money('refunds', t`Refunds`, 104),
    money('netAfterRefunds', t`Net after refunds`, 144),
    ...(isOfGoods(by)
      ? []
      : [money('paid', t`Paid, with taxes and fees`, 176), money('paidBack', t`Paid back`, 112)]),
    money('refundedAdjustments', t`Refunded adjustments`, 168),
  ];
}

/** The margin as a part of net sales: `45%`; nothing without sales. */
function marginInWords({ net, margin }: Pick<Row, 'margin' | 'net'>): string {
  return net > 0 ? `(${Math.round((margin / net) * 100)}%)` : '';
}

/** A payment is of a whole order. */
function isOfGoods(by: Grouping): boolean {
  return by === 'category' || by === 'product' || by === 'brand' || by === 'location';
}

/** The columns that matter most come first; the others follow while they fit, and all of them are on paper. */
const inOrderOfUse = [
  'name',
  'net',
  'before',
  'change',
  'margin',
  'paid',
  'paidBack',
  'orders',
  'tax',
  'gross',
  'discounts',
  'cost',
  'refunds',
  'netAfterRefunds',
  'units',
];

/** The columns that fit the width, without those in which every row is zero. */
function useFittingColumns(
  by: Grouping,
  total: Total | undefined,
  isCompared: boolean,
): readonly Column<Row>[] {
  const { width: window } = useViewportSize();
  // Navigation and margins take this much.
  const room = (window || 1280) - (window > 1200 ? 300 : 100);
  const columns = columnsOf(by, isCompared).filter(
    ({ id }) => !canBeEmpty.has(id) || (total !== undefined && total[id as AmountId] !== 0),
  );
  const rank = ({ id }: Column<Row>) => (inOrderOfUse.indexOf(id) + 100) % 100;
  let left = room;
  const fitting = new Set(
    [...columns]
      .sort((one, other) => rank(one) - rank(other))
      .filter(({ width }) => {
        const wanted = typeof width === 'number' ? width : 144;
        left -= wanted;
        return left >= 0;
      }),
  );
  return columns.filter((column) => fitting.has(column));
}

const canBeEmpty: ReadonlySet<string> = new Set([
  ...['adjustments', 'credits', 'refunds', 'refundedAdjustments'],
]);
