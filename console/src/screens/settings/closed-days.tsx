import { Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import type { Column } from '../../parts/data-table.tsx';
import { DayInput } from '../../parts/day-input.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { listOf } from '../../parts/list-of.ts';
import { nameColumn } from '../../parts/record-columns.tsx';
import type { RecordKind } from '../../parts/record-kind.ts';
import { RecordList } from '../../parts/record-list.tsx';
import { Field } from '../../parts/server-form.tsx';
import { dayInWords } from '../../parts/shop-day.tsx';
import { TextField } from '../../parts/text-field.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { t } from '../../words/words.ts';
import { slotTypeNames } from './slot-type-names.ts';
import { TimeSlotTabs } from './time-slot-tabs.tsx';

type ClosedDay = Schema['ClosedDay'];

const typeName = (orderType: ClosedDay['orderType']) =>
  orderType === null ? t`Pickup and delivery` : slotTypeNames[orderType];

const labels: Readonly<Record<string, string>> = { name: t`Reason`, day: t`Day`, orderType: t`Closed for` };

const closedDayKind: RecordKind<ClosedDay> = {
  noun: t`closed day`,
  resources: ['closed-days'],
  blank: { id: 0, name: '', day: '', orderType: null, createdAt: '', updatedAt: '' },
  create: ({ name, day, orderType }) =>
    dataOf(api.POST('/staff/v1/closed-days', { body: { name, day, orderType } })),
  save: (closedDayId, { id: _, createdAt: _made, updatedAt: _changed, ...body }, updatedAt) =>
    dataOf(
      api.PATCH('/staff/v1/closed-days/{closedDayId}', {
        params: { path: { closedDayId } },
        headers: ifUnchanged(updatedAt),
        body,
      }),
    ),
  loadAll: () => dataOf(api.GET('/staff/v1/closed-days')),
  shown: (name, value) => ({ label: labels[name] ?? name, value: String(value ?? '–') }),
  fields: (edit) => <ClosedDayFields {...edit} />,
  removal: {
    verb: 'delete',
    send: (closedDayId) =>
      dataOf(api.DELETE('/staff/v1/closed-days/{closedDayId}', { params: { path: { closedDayId } } })),
    warning: () => t`Its time slots are offered again.`,
  },
};

/** The days on which no time slot is offered. */
export function Component() {
  const days = useQuery({
    queryKey: ['closed-days'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/closed-days', { signal })),
  });
  return (
    <RecordList
      kind={closedDayKind}
      title={t`Closed days`}
      hint={t`No time slot of these days is offered. Orders that have one keep it.`}
      tabs={<TimeSlotTabs />}
      label={t`Closed days`}
      list={listOf(days, (rows) => rows)}
      columns={columns}
      empty={<EmptyState title={t`No closed days`}>{t`Add one for a holiday.`}</EmptyState>}
      right="updateClosedDay"
    />
  );
}

const columns: readonly Column<ClosedDay>[] = [
  { id: 'day', header: t`Day`, width: 184, cell: ({ day }) => dayInWords(day) },
  nameColumn(t`Reason`),
  { id: 'type', header: t`Closed for`, width: 184, cell: ({ orderType }) => typeName(orderType) },
];

function ClosedDayFields({ draft, set }: Edit<ClosedDay>) {
  return (
    <Stack>
      <Field path="day">
        {(error) => (
          <DayInput
            label={t`Day`}
            required
            error={error}
            day={draft.day || null}
            onChange={(day) => set('day', day ?? '')}
          />
        )}
      </Field>
      <Field path="orderType">
        {(error) => (
          <Select
            label={t`Closed for`}
            error={error}
            allowDeselect={false}
            data={[
              { value: '', label: typeName(null) },
              ...Object.entries(slotTypeNames).map(([value, label]) => ({ value, label })),
            ]}
            value={draft.orderType ?? ''}
            onChange={(type) => set('orderType', type ? (type as ClosedDay['orderType']) : null)}
          />
        )}
      </Field>
      <TextField
        path="name"
        label={t`Reason`}
        required
        value={draft.name}
        onChange={(name) => set('name', name)}
      />
    </Stack>
  );
}
