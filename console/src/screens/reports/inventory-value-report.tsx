import { useQuery } from '@tanstack/react-query';
import { api, type Schema } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { grouped } from '../../parts/dollars.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { listOf } from '../../parts/list-of.ts';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { useLive } from '../../parts/use-live.ts';
import { t } from '../../words/words.ts';
import { Figures } from './figures.tsx';
import { reportOf } from './report-of.ts';
import { OnScreen, PaperTable, ReportPaper } from './report-paper.tsx';
import { CsvButton, PrintButton, ReportTabs } from './report-tabs.tsx';
import { roundedDollars } from './rounded-dollars.ts';

type Row = Schema['InventoryValueRow'] & { readonly id: number };

const columns: readonly Column<Row>[] = [
  { id: 'location', header: t`Location`, cell: (row) => row.name },
  { id: 'items', header: t`Items`, width: 120, align: 'end', cell: (row) => grouped(String(row.items)) },
  {
    id: 'without',
    header: t`No known cost`,
    width: 144,
    align: 'end',
    cell: (row) => grouped(String(row.itemsWithoutCost)),
  },
  {
    id: 'value',
    header: t`Value`,
    width: 176,
    align: 'end',
    cell: (row) => <span title={t`$${row.value}, exactly`}>{roundedDollars(row.value)}</span>,
  },
];

/** The current value of the stock by location. */
export function Component() {
  // Under the stock's query key: stock changes invalidate it.
  const report = useQuery({
    queryKey: ['inventory', 'value'],
    queryFn: ({ signal }) =>
      reportOf<'/staff/v1/reports/inventory-value'>(api.GET('/staff/v1/reports/inventory-value', { signal })),
  });
  useLive(['inventory']);
  const total = report.data?.total;
  const list = listOf(report, (data) => data.rows.map((row) => ({ ...row, id: row.inventoryLocationId })));
  return (
    <Page>
      <ReportPaper about={t`Value of the stock.`}>
        <PageHeader
          title={t`Inventory value`}
          actions={
            <>
              <PrintButton />
              <CsvButton path="/staff/v1/reports/inventory-value" query={{}} />
            </>
          }
        >
          {t`Current stock at each location, at its moving average cost.`}
        </PageHeader>
        <OnScreen>
          <ReportTabs />
        </OnScreen>
        <Figures
          isFailed={report.isError}
          figures={[
            { label: t`Value`, value: total ? roundedDollars(total.value) : null },
            { label: t`Items`, value: total ? grouped(String(total.items)) : null },
            {
              label: t`No known cost`,
              value: total ? grouped(String(total.itemsWithoutCost)) : null,
              hint: t`Items without a known purchase cost; not included in the value`,
            },
          ]}
        />
        <OnScreen>
          <DataTable
            label={t`Value by location`}
            list={list}
            columns={columns}
            maxHeight={560}
            empty={
              <EmptyState title={t`No stock`}>
                {t`Receive a purchase order or a package, or adjust stock.`}
              </EmptyState>
            }
          />
        </OnScreen>
        <PaperTable label={t`Value by location`} rows={list.rows} columns={columns} />
      </ReportPaper>
    </Page>
  );
}
