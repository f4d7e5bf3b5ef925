import { Button } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useLocation } from 'react-router';
import { api } from '../../api.ts';
import { saveFile } from '../../parts/save-file.ts';
import { ScreenTabs } from '../../parts/screen-tabs.tsx';
import { notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
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
        { to: `/reports/margins${search}`, title: t`Margins` },
        { to: `/reports/taxes${search}`, title: t`Taxes` },
        { to: `/reports/inventory-value${search}`, title: t`Inventory value` },
        { to: `/reports/drawers${search}`, title: t`Drawers` },
        { to: `/reports/money${search}`, title: t`Money` },
        { to: `/reports/mails${search}`, title: t`By email` },
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

type CsvPath = `/staff/v1/reports/${'sales' | 'sales-parts' | 'taxes' | 'inventory-value'}`;

/** Downloads the report as a CSV file. The service may ask first who is at the screen: the file comes after the answer. */
export function CsvButton({ path, query }: { path: CsvPath; query: Readonly<Record<string, string>> }) {
  const load = useWrite({
    mutationFn: async () => {
      const params = { query: { ...query, format: 'csv' } };
      const { data } = await api.GET(path as '/staff/v1/reports/taxes', {
        params: params as never,
        parseAs: 'blob',
      });
      return data as unknown as Blob;
    },
    onSuccess: (file) =>
      saveFile(file, `${[path.split('/').at(-1), query.from, query.to].filter(Boolean).join('-')}.csv`),
    onError: notifyError,
  });
  return (
    <Button
      variant="default"
      loading={load.isPending}
      leftSection={<IconDownload size={18} aria-hidden />}
      onClick={() => load.mutate()}
    >
      {t`Download CSV`}
    </Button>
  );
}
