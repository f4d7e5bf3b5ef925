import { Button, FileButton, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { notifyError } from '../../parts/toasts.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { pageOf, useList } from '../../parts/use-list.ts';
import { useLive } from '../../parts/use-live.ts';
import { useListSort } from '../../parts/use-sort.ts';
import { useWrite } from '../../parts/use-write.ts';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { CatalogTabs } from './catalog-tabs.tsx';
import { MenuImportSteps } from './menu-import-steps.tsx';
import { type MenuImport, statusWords } from './menu-import-words.ts';

/** What the service sorts by. */
const sorts = { file: 'fileName', status: 'status', at: 'createdAt' } as const;

/** Menus from other systems: upload, look, correct, check, import, undo. */
export function Component() {
  const [filters, setFilters] = useFilters(['import']);
  const mayImport = useCan('staffUploadMenu');
  useLive(['menu-imports']);
  const { order, serverSort } = useListSort(sorts);
  const list = useList<MenuImport>({
    queryKey: ['menu-imports', order],
    page: (startingAfter, signal) =>
      pageOf(api.GET('/staff/v1/menu-imports', { params: { query: { ...order, startingAfter } }, signal })),
  });
  const opened = Number(filters.import ?? 0);
  if (opened > 0) {
    return (
      <MenuImportSteps key={opened} menuImportId={opened} onClose={() => setFilters({ import: null })} />
    );
  }
  return (
    <Page kind="list">
      <PageHeader
        title={t`Imports`}
        actions={mayImport && <UploadButton onUploaded={({ id }) => setFilters({ import: String(id) })} />}
      >
        {t`Menus from other systems, as CSV, JSON or NDJSON. You see every change before it is made.`}
      </PageHeader>
      <CatalogTabs />
      <DataTable
        label={t`Imports`}
        list={list}
        serverSort={serverSort}
        columns={columns}
        onOpen={({ id }) => setFilters({ import: String(id) })}
        empty={<EmptyState title={t`No imports yet`}>{t`Upload a menu to preview what it adds.`}</EmptyState>}
      />
    </Page>
  );
}

function UploadButton({ onUploaded }: { onUploaded: (made: MenuImport) => void }) {
  const queryClient = useQueryClient();
  const upload = useWrite({
    mutationFn: (file: File) =>
      dataOf(
        api.POST('/staff/v1/menu-imports', {
          params: { query: { fileName: file.name } },
          // The request body is the file itself.
          body: file as unknown as string,
          bodySerializer: (body: unknown) => body as File,
          headers: { 'Content-Type': 'application/octet-stream' },
        }),
      ),
    onSuccess: onUploaded,
    onError: notifyError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['menu-imports'] }),
  });
  return (
    <FileButton
      accept=".csv,.tsv,.tab,.txt,.json,.ndjson,.jsonl"
      onChange={(file) => file && upload.mutate(file)}
      inputProps={{ 'aria-label': t`Menu` }}
    >
      {(props) => (
        <Button {...props} loading={upload.isPending} leftSection={<IconUpload size={16} aria-hidden />}>
          {t`Upload a menu`}
        </Button>
      )}
    </FileButton>
  );
}

const columns: readonly Column<MenuImport>[] = [
  {
    id: 'file',
    header: t`File`,
    cell: ({ fileName }) => (
      <Text span inherit fw={600}>
        {fileName}
      </Text>
    ),
  },
  {
    id: 'status',
    header: t`State`,
    width: 120,
    cell: ({ status }) => <StatusBadge status={status} tone={tones[status]} label={statusWords[status]} />,
  },
  { id: 'created', header: t`New`, width: 80, align: 'end', cell: ({ created }) => created },
  { id: 'changed', header: t`Changed`, width: 96, align: 'end', cell: ({ changed }) => changed },
  { id: 'refused', header: t`Refused`, width: 96, align: 'end', cell: ({ refused }) => refused },
  { id: 'by', header: t`By`, width: 160, wideOnly: true, cell: ({ createdByName }) => createdByName },
  {
    id: 'at',
    header: t`Uploaded`,
    width: 184,
    align: 'end',
    cell: ({ createdAt }) => <ShopTime at={createdAt} />,
  },
];

const tones = {
  uploaded: 'neutral',
  checking: 'active',
  checked: 'ready',
  importing: 'active',
  done: 'good',
  undoing: 'active',
  undone: 'neutral',
  failed: 'bad',
  canceled: 'neutral',
} as const;
