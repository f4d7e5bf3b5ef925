import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../words/words.ts';
import type { Column } from './data-table.tsx';
import { ShopTime } from './shop-time.tsx';
import { StatusBadge } from './status-badge.tsx';

/** The name column, in bold. */
export function nameColumn(header: string, width?: string): Column<{ readonly name: string }> {
  return {
    id: 'name',
    header,
    wraps: true,
    ...(width && { width }),
    cell: ({ name }) => (
      <Text span inherit fw={600}>
        {name}
      </Text>
    ),
  };
}

export const descriptionColumn: Column<{ readonly description: string | null }> = {
  id: 'description',
  header: t`Description`,
  cell: ({ description }) => description ?? '–',
};

export const changedColumn: Column<{ readonly updatedAt: string }> = {
  id: 'changed',
  header: t`Changed`,
  width: 184,
  align: 'end',
  cell: ({ updatedAt }) => <ShopTime at={updatedAt} />,
};

/** Whether the record is active or archived. */
export const inUseColumn: Column<{ readonly archivedAt: string | null }> = {
  id: 'state',
  header: t`State`,
  width: 112,
  cell: ({ archivedAt }) => (
    <StatusBadge status={archivedAt ? 'archived' : 'active'} label={archivedAt ? t`Archived` : t`In use`} />
  ),
};

/** The last column: the actions of a row. */
export function actionsColumn<Row>(cell: (row: Row) => ReactNode, width = 72): Column<Row> {
  return { id: 'actions', header: <span className="unseen">{t`Actions`}</span>, width, align: 'end', cell };
}
