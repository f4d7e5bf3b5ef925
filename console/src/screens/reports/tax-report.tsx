import { Stack, Text } from '@mantine/core';
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
import { t } from '../../words/words.ts';
import { changeFrom } from './amount-change.ts';
import { Figures } from './figures.tsx';
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

type Row = Schema['TaxReportRow'] & { readonly id: string };

const columns: readonly Column<Row>[] = [
  {
    id: 'tax',
    header: t`Tax`,
    cell: (row) => (
      <Stack gap={0} py={4}>
        <Text span inherit style={{ whiteSpace: 'normal' }}>
          {row.description}
        </Text>
        <Text span fz="xs" c="dimmed">
          {row.rate === '0' ? '' : `${row.rate}% `}
          {row.included ? t`included in prices` : t`added to prices`}
        </Text>
      </Stack>
    ),
  },
  { id: 'orders', header: t`Orders`, width: 80, align: 'end', cell: (row) => grouped(String(row.orders)) },
  { id: 'goods', header: t`On goods`, width: 120, align: 'end', cell: (row) => <Money cents={row.goods} /> },
  { id: 'fees', header: t`On fees`, width: 112, align: 'end', cell: (row) => <Money cents={row.fees} /> },
  {
    id: 'total',
    header: t`Total`,
    width: 136,
    align: 'end',
    cell: (row) => <Money cents={row.total} fw={600} />,
  },
  {
    id: 'exempted',
    header: t`Exempted`,
    width: 104,
    align: 'end',
    cell: (row) => <Money cents={row.exempted} />,
  },
  {
    id: 'refunded',
    header: t`Refunded`,
    width: 104,
    align: 'end',
    cell: (row) => <Money cents={row.refunded} />,
  },
  {
    id: 'due',
    header: t`Tax due`,
    width: 120,
    align: 'end',
    cell: (row) => <Money cents={row.due} fw={600} />,
  },
];

/** The taxes charged in a period, by tax and rate, as filed with the authorities, beside those of another period. */
export function Component() {
  const [range, setRange] = useReportRange();
  const before = useComparedRange(range);
  const returnsBy = useReturnsBy();
  const report = useTaxes(range, returnsBy);
  const former = useTaxes(before, returnsBy);
  const total = report.data?.total;
  const money = (cents: number | undefined) => (cents === undefined ? null : dollars(cents));
  const change = (of: 'total' | 'goods' | 'fees' | 'exempted' | 'refunded' | 'due') => {
    const [now, then] = [total?.[of], former.data?.total[of]];
    return before === null || now === undefined || then === undefined
      ? undefined
      : changeFrom(now, then, dollars);
  };
  const list = listOf(report, (data) =>
    data.rows.map((row) => ({ ...row, id: `${row.taxId} ${row.rate} ${row.included}` })),
  );
  return (
    <Page>
      <ReportPaper
        about={t`Taxes, ${rangeInWords(range)}${before ? t`, against ${rangeInWords(before)}` : ''}.`}
      >
        <PageHeader
          title={t`Tax report`}
          actions={
            <>
              <PrintButton />
              <CsvButton path="/staff/v1/reports/taxes" query={{ ...range, returnsBy }} />
            </>
          }
        >
          {returnsBy === 'day-of-sale'
            ? t`Taxes on fulfilled orders, less what was given back of them since, by tax and rate.`
            : t`Taxes charged and given back on these days, by tax and rate: past days never change.`}
        </PageHeader>
        <OnScreen>
          <ReportTabs />
          <FilterBar>
            <ReportRange range={range} onChange={setRange} />
            <ComparedWith />
            <ReturnsBy />
          </FilterBar>
        </OnScreen>
        <Figures
          isFailed={report.isError}
          figures={[
            {
              ...{ label: t`Charged`, value: money(total?.total), hint: t`On goods and on delivery fees` },
              ...change('total'),
            },
            { label: t`On goods`, value: money(total?.goods), ...change('goods') },
            { label: t`On delivery fees`, value: money(total?.fees), ...change('fees') },
            {
              ...{ label: t`Exempted`, value: money(total?.exempted) },
              hint: t`Not charged because of exemptions`,
              ...change('exempted'),
            },
            {
              ...{
                label: t`Refunded`,
                value: money(total?.refunded),
                hint:
                  returnsBy === 'day-of-sale'
                    ? t`Refunds of these taxes so far`
                    : t`Given back in this period`,
              },
              ...change('refunded'),
            },
            {
              ...{ label: t`Tax due`, value: money(total?.due), hint: t`Charged less refunded` },
              ...change('due'),
            },
            { label: t`Orders`, value: total ? grouped(String(total.orders)) : null },
          ]}
        />
        <OnScreen>
          <DataTable
            label={t`Taxes`}
            list={list}
            columns={columns}
            maxHeight={560}
            empty={<EmptyState title={t`No taxes in this period`}>{t`Choose another period.`}</EmptyState>}
          />
        </OnScreen>
        <PaperTable label={t`Taxes`} rows={list.rows} columns={columns} />
      </ReportPaper>
    </Page>
  );
}

/** The taxes of a range; null: none are asked for. */
function useTaxes(range: DayRange | null, returnsBy: ReturnType<typeof useReturnsBy>) {
  return useQuery({
    queryKey: ['reports', 'taxes', { ...range, returnsBy }],
    queryFn: ({ signal }) =>
      reportOf<'/staff/v1/reports/taxes'>(
        api.GET('/staff/v1/reports/taxes', { params: { query: { ...range, returnsBy } }, signal }),
      ),
    enabled: range !== null,
    placeholderData: (previous) => (range === null ? undefined : previous),
  });
}
