import { Button } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useLocation } from 'react-router';
import { ScreenTabs } from '../../parts/screen-tabs.tsx';
import { t } from '../../words/words.ts';

/** The report tabs; switching between reports keeps the period and what it is compared with. */
export function ReportTabs() {
  const parameters = new URLSearchParams(useLocation().search);
  const kept = new URLSearchParams(
    ['from', 'to', 'against', 'returns'].flatMap((name) => {
      const value = parameters.get(name);
      return value ? [[name, value]] : [];
    }),
  ).toString();
  const search = kept === '' ? '' : `?${kept}`;
  return (
    <ScreenTabs
      label={t`Reports`}
      tabs={[
        { to: `/reports${search}`, title: t`Sales` },
        { to: `/reports/taxes${search}`, title: t`Taxes` },
        { to: `/reports/inventory-value${search}`, title: t`Inventory value` },
        { to: `/reports/drawers${search}`, title: t`Drawers` },
      ]}
    />
  );
}

/** Prints the report: chart and table, without the console around it. */
export function PrintButton() {
  return (
    <Button
      variant="default"
      leftSection={<IconPrinter size={18} aria-hidden />}
      onClick={() => window.print()}
    >
      {t`Print`}
    </Button>
  );
}

/** A link to the report as a CSV file from the service. */
export function CsvLink({ path, query }: { path: string; query: Readonly<Record<string, string>> }) {
  const search = new URLSearchParams({ ...query, format: 'csv' }).toString();
  return (
    <Button
      component="a"
      href={`${path}?${search}`}
      download
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden />}
    >
      {t`Download CSV`}
    </Button>
  );
}
