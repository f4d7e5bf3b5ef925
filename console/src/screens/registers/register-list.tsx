import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf, ifUnchanged } from '../../api.ts';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { listOf } from '../../parts/list-of.ts';
import { NameField } from '../../parts/name-field.tsx';
import { inUseColumn, nameColumn } from '../../parts/record-columns.tsx';
import type { RecordKind } from '../../parts/record-kind.ts';
import { RecordList } from '../../parts/record-list.tsx';
import { Field } from '../../parts/server-form.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { t } from '../../words/words.ts';
import { locationsQuery } from '../settings/setting-lists.ts';
import { type Register, registersQuery } from './registers-query.ts';

const cashWords = {
  warn: t`Take cash, outside a session`,
  refuse: t`Refuse cash`,
} as const;

const patch = (registerId: number, body: object, updatedAt?: string) =>
  dataOf(
    api.PATCH('/staff/v1/registers/{registerId}', {
      params: { path: { registerId } },
      headers: updatedAt === undefined ? {} : ifUnchanged(updatedAt),
      body,
    }),
  );

const registerKind: RecordKind<Register> = {
  noun: t`register`,
  resources: ['registers'],
  blank: {
    id: 0,
    name: '',
    inventoryLocationId: 0,
    cashWithoutSession: 'warn',
    openSession: null,
    createdAt: '',
    updatedAt: '',
    archivedAt: null,
  },
  create: ({ name, inventoryLocationId, cashWithoutSession }) =>
    dataOf(api.POST('/staff/v1/registers', { body: { name, inventoryLocationId, cashWithoutSession } })),
  save: (id, { name, inventoryLocationId, cashWithoutSession }, updatedAt) =>
    patch(id, { name, inventoryLocationId, cashWithoutSession }, updatedAt),
  loadAll: () => dataOf(api.GET('/staff/v1/registers')),
  shown: (name, value) =>
    name === 'cashWithoutSession'
      ? { label: t`While the drawer is closed`, value: cashWords[value as keyof typeof cashWords] }
      : { label: name === 'name' ? t`Name` : t`Location`, value: String(value) },
  fields: (edit) => <RegisterFields {...edit} />,
  removal: {
    verb: 'archive',
    send: (id) => patch(id, { archived: true }),
    warning: () => t`It takes no more payments. Its drawer must be closed.`,
  },
};

const columns: readonly Column<Register>[] = [
  nameColumn(t`Register`, '40%'),
  {
    id: 'drawer',
    header: t`Drawer`,
    width: 140,
    cell: ({ openSession }) =>
      openSession ? (
        <StatusBadge status="open" tone="good" label={t`Open`} />
      ) : (
        <StatusBadge status="closed" tone="neutral" label={t`Closed`} />
      ),
  },
  {
    id: 'cash',
    header: t`While it is closed`,
    wideOnly: true,
    cell: ({ cashWithoutSession }) => cashWords[cashWithoutSession],
  },
  inUseColumn,
];

/** The registers of the shop, archived ones included. */
export function Component() {
  return (
    <RecordList
      kind={registerKind}
      title={t`Registers`}
      hint={t`A register has a drawer. Each device chooses its register at the point of sale.`}
      tabs={null}
      label={t`Registers`}
      list={listOf(useQuery(registersQuery), (rows) => rows)}
      columns={columns}
      empty={<EmptyState title={t`No registers yet`}>{t`Add one to keep the cash of a drawer.`}</EmptyState>}
      right="updateRegister"
    />
  );
}

function RegisterFields({ draft, set }: Edit<Register>) {
  const locations = useQuery(locationsQuery);
  const open = (locations.data ?? []).filter(({ archivedAt }) => archivedAt === null);
  return (
    <>
      <NameField value={draft.name} onChange={(name) => set('name', name)} />
      <Field path="inventoryLocationId">
        {(error) => (
          <Select
            label={t`Location`}
            required
            error={error}
            data={choicesOr(
              open.map(({ id, name }) => ({ value: String(id), label: name })),
              locations,
              createHints.locations,
            )}
            value={draft.inventoryLocationId === 0 ? null : String(draft.inventoryLocationId)}
            onChange={(value) => value && set('inventoryLocationId', Number(value))}
          />
        )}
      </Field>
      <Field path="cashWithoutSession">
        {(error) => (
          <Select
            label={t`While the drawer is closed`}
            error={error}
            data={Object.entries(cashWords).map(([value, label]) => ({ value, label }))}
            value={draft.cashWithoutSession}
            onChange={(value) => value && set('cashWithoutSession', value as Register['cashWithoutSession'])}
          />
        )}
      </Field>
    </>
  );
}
