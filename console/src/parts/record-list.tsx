import { Button, Group, Menu } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { StaffRight } from '../../../sdk/src/staff-rights.ts';
import { useCan } from '../session/session.tsx';
import { t } from '../words/words.ts';
import { type Column, DataTable } from './data-table.tsx';
import { Page } from './page.tsx';
import { PageHeader } from './page-header.tsx';
import { actionsColumn } from './record-columns.tsx';
import { useRecordEdits } from './record-edits.tsx';
import type { KeptRecord, RecordKind } from './record-kind.ts';
import { RowMenu } from './row-menu.tsx';
import { useAsked } from './use-asked.ts';
import type { List } from './use-list.ts';
import { useLive } from './use-live.ts';
import type { ServerSort } from './use-sort.ts';

interface RecordListProps<Row> {
  readonly title: string;
  /** A description below the title. */
  readonly hint?: ReactNode;
  readonly tabs: ReactNode;
  /** Above the table. */
  readonly filters?: ReactNode;
  /** The accessible name of the list. */
  readonly label: string;
  readonly list: List<Row>;
  /** The order of a list with pages. */
  readonly serverSort?: ServerSort | undefined;
  readonly columns: readonly Column<Row>[];
  readonly empty?: ReactNode;
  /** The operation whose roles may create, change and remove records. */
  readonly right: StaffRight;
  /** By default a row opens its edit dialog, if the role may edit. */
  readonly onOpen?: (row: Row) => void;
  /** Further actions of a row: buttons before its menu, and `Menu.Item`s in it. */
  readonly buttons?: { readonly width: number; readonly of: (row: Row) => ReactNode };
  readonly menuItems?: (row: Row) => ReactNode;
  /** Content below the table; the table is then limited to `maxHeight`. */
  readonly children?: ReactNode;
  readonly maxHeight?: number;
}

/** A screen of small records: a list with dialogs to create, change and remove them. */
export function RecordList<
  Row extends KeptRecord & { readonly name: string; readonly archivedAt?: string | null },
>({ kind, ...screen }: RecordListProps<Row> & { readonly kind: RecordKind<Row> }) {
  const mayEdit = useCan(screen.right);
  const edits = useRecordEdits(kind);
  useLive(kind.resources.slice(0, 1));
  useAsked('new', () => mayEdit && edits.add());
  const onOpen = screen.onOpen ?? (mayEdit ? edits.edit : undefined);
  const actions = actionsColumn<Row>(
    (row) => (
      <Group gap={2} justify="flex-end" wrap="nowrap">
        {screen.buttons?.of(row)}
        {!row.archivedAt && (
          <RowMenu label={t`More for ${row.name}`}>
            <Menu.Item onClick={() => edits.edit(row)}>{t`Edit`}</Menu.Item>
            {screen.menuItems?.(row)}
            <Menu.Item c="var(--mantine-color-error)" onClick={() => edits.remove(row)}>
              {kind.removal.verb === 'archive' ? t`Archive` : t`Delete`}
            </Menu.Item>
          </RowMenu>
        )}
      </Group>
    ),
    screen.buttons?.width,
  );
  return (
    <Page {...(screen.maxHeight === undefined && { kind: 'list' })}>
      <PageHeader
        title={screen.title}
        actions={
          mayEdit && (
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={edits.add}>
              {t`New ${kind.noun}`}
            </Button>
          )
        }
      >
        {screen.hint}
      </PageHeader>
      {screen.tabs}
      {screen.filters}
      <DataTable
        label={screen.label}
        list={screen.list}
        serverSort={screen.serverSort}
        columns={mayEdit ? [...screen.columns, actions] : screen.columns}
        {...(onOpen && { onOpen })}
        {...(screen.maxHeight !== undefined && { maxHeight: screen.maxHeight })}
        empty={screen.empty}
      />
      {screen.children}
      {edits.dialogs}
    </Page>
  );
}
