import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, type Schema } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { dollars, grouped } from '../../parts/dollars.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { listOf } from '../../parts/list-of.ts';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { said, t } from '../../words/words.ts';
import { Figures } from './figures.tsx';
import { reportOf } from './report-of.ts';
import { OnScreen, PaperTable, ReportPaper } from './report-paper.tsx';
import { ReportRange, rangeInWords, useReportRange } from './report-range.tsx';
import { CsvButton, PrintButton, ReportTabs } from './report-tabs.tsx';

const parts = [
  { value: 'vendor', label: t`Vendor` },
  { value: 'customer', label: t`Customer` },
  { value: 'discount', label: t`Discount` },
] as const;

/** What the operation allows. */
const daysMax = 92;

type Row = Schema['SalesPartRow'] & { readonly id: string };

/** Cost and margin by vendor, customer and discount: whom it pays to buy from, to sell to, and to give something off. */
export function Component() {
  const [range, setRange] = useReportRange(daysMax);
  const [filters, setFilters] = useFilters(['by']);
  const by = parts.find(({ value }) => value === filters.by)?.value ?? 'vendor';
  const query = { ...range, by };
  const report = useQuery({
    queryKey: ['reports', 'sales-parts', query],
    queryFn: ({ signal }) =>
      reportOf<'/staff/v1/reports/sales-parts'>(
        api.GET('/staff/v1/reports/sales-parts', { params: { query }, signal }),
      ),
  });
  const label = t`Margin by ${said(by)}`;
  const total = report.data?.total;
  const columns = columnsOf(by);
  const rowsOf = (data: NonNullable<typeof report.data>): Row[] =>
    data.rows.map((row) => ({ ...row, id: row.key }));
  return (
    <Page>
      <ReportPaper about={`${label}, ${rangeInWords(range)}.`}>
        <PageHeader
          title={t`Margins`}
          actions={
            <>
              <PrintButton />
              <CsvButton path="/staff/v1/reports/sales-parts" query={query} />
            </>
          }
        >
          {t`Fulfilled orders less what was returned since, and what the goods cost. Three months at most.`}
        </PageHeader>
        <OnScreen>
          <ReportTabs />
          <FilterBar>
            <ReportRange range={range} daysMax={daysMax} onChange={setRange} />
            <SegmentedControl
              aria-label={t`Grouped by`}
              data={[...parts]}
              value={by}
              onChange={(next) => setFilters({ by: next === 'vendor' ? null : next })}
            />
          </FilterBar>
        </OnScreen>
        <Figures
          isFailed={report.isError}
          figures={[
            { label: t`Net sales`, value: total ? dollars(total.net) : null, hint: t`Gross less discounts` },
            { label: t`Cost`, value: total ? dollars(total.cost) : null, hint: t`What the goods cost` },
            { label: t`Margin`, value: total ? dollars(total.margin) : null, hint: marginInWords(total) },
            {
              label: t`Orders`,
              value: total ? grouped(String(total.orders)) : null,
              ...(total && { hint: t`${grouped(String(total.units))} units` }),
            },
          ]}
        />
        <OnScreen>
          <DataTable
            label={label}
            list={listOf(report, rowsOf)}
            columns={columns}
            maxHeight={560}
            empty={<EmptyState title={t`No sales in this period`}>{t`Choose another period.`}</EmptyState>}
          />
        </OnScreen>
        <PaperTable label={label} rows={report.data ? rowsOf(report.data) : []} columns={columns} />
      </ReportPaper>
    </Page>
  );
}

function columnsOf(by: (typeof parts)[number]['value']): readonly Column<Row>[] {
  const money = (
    id: 'gross' | 'discounts' | 'net' | 'cost' | 'refunds',
    header: string,
    more: Partial<Column<Row>> = {},
  ): Column<Row> => ({
    ...{ id, header, width: 136, align: 'end' },
    cell: (row) => <Money cents={row[id]} fw={id === 'net' ? 600 : undefined} />,
    ...more,
  });
  return [
    { id: 'name', header: parts.find(({ value }) => value === by)?.label, cell: (row) => row.name },
    { id: 'orders', header: t`Orders`, width: 88, align: 'end', cell: (row) => grouped(String(row.orders)) },
    {
      ...{ id: 'units', header: t`Units`, width: 96, align: 'end', wideOnly: true },
      cell: (row) => grouped(String(row.units)),
    },
    money('gross', t`Gross`, { wideOnly: 'desktop' }),
    money('discounts', t`Discounts`),
    money('net', t`Net`),
    money('cost', t`Cost`),
    {
      ...{ id: 'margin', header: t`Margin`, width: 176, align: 'end' },
      cell: (row) => (
        <>
          <Money cents={row.margin} /> {marginInWords(row) && `(${marginInWords(row)})`}
        </>
      ),
      sortBy: (row) => row.margin,
    },
    money('refunds', t`Refunds`, { wideOnly: true }),
  ];
}

/** The margin as a part of net sales: `45%`; nothing without sales. */
function marginInWords(row: Pick<Row, 'margin' | 'net'> | undefined): string {
  return row && row.net > 0 ? `${Math.round((row.margin / row.net) * 100)}%` : '';
}
