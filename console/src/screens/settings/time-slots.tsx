import {
  Checkbox,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { choicesOr } from '../../parts/choices-or.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { listOf } from '../../parts/list-of.ts';
import { NameField } from '../../parts/name-field.tsx';
import { inUseColumn, nameColumn } from '../../parts/record-columns.tsx';
import type { RecordKind } from '../../parts/record-kind.ts';
import { RecordList } from '../../parts/record-list.tsx';
import { Field } from '../../parts/server-form.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { locale, t } from '../../words/words.ts';
import { timeSlotsQuery, zonesQuery } from './setting-lists.ts';
import { slotTypeNames } from './slot-type-names.ts';
import { TimeSlotTabs } from './time-slot-tabs.tsx';

type TimeSlot = Schema['TimeSlot'];

const weekdays = [1, 2, 3, 4, 5, 6, 7];
const dayFormat = new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', weekday: 'short' });
/** `Mon`; January 5, 2026 was a Monday. */
const dayName = (day: number) => dayFormat.format(Date.UTC(2026, 0, 4 + day));
const daysInWords = (days: readonly number[]) =>
  days.length === weekdays.length ? t`Every day` : days.map(dayName).join(', ');

const patch = (timeSlotId: number, body: object, updatedAt?: string) =>
  dataOf(
    api.PATCH('/staff/v1/time-slots/{timeSlotId}', {
      params: { path: { timeSlotId } },
      headers: updatedAt === undefined ? {} : ifUnchanged(updatedAt),
      body,
    }),
  );

const fieldLabels: Readonly<Record<string, string>> = {
  name: t`Name`,
  orderType: t`For`,
  deliveryZoneIds: t`Delivery zones`,
  days: t`Days`,
  startsAt: t`Begins`,
  endsAt: t`Ends`,
  capacity: t`Orders at most`,
  leadMinutes: t`Minutes before`,
};

const timeSlotKind: RecordKind<TimeSlot> = {
  noun: t`time slot`,
  resources: ['time-slots'],
  blank: {
    ...{ id: 0, name: '', orderType: 'pickup', deliveryZoneIds: [], days: [1, 2, 3, 4, 5] },
    ...{ startsAt: '17:00', endsAt: '19:00', capacity: 10, leadMinutes: 60 },
    ...{ createdAt: '', updatedAt: '', archivedAt: null },
  },
  create: ({ id: _, createdAt: _made, updatedAt: _changed, archivedAt: _archived, ...body }) =>
    dataOf(api.POST('/staff/v1/time-slots', { body })),
  save: (
    id,
    { id: _, createdAt: _made, updatedAt: _changed, archivedAt: _archived, ...changes },
    updatedAt,
  ) => patch(id, changes, updatedAt),
  loadAll: () => dataOf(api.GET('/staff/v1/time-slots')),
  shown: (name, value) => ({
    label: fieldLabels[name] ?? name,
    value: name === 'days' ? daysInWords(value as number[]) : String(value),
  }),
  fields: (edit) => <TimeSlotFields {...edit} />,
  removal: {
    verb: 'archive',
    send: (id) => patch(id, { archived: true }),
    warning: () => t`It is no longer offered. Orders keep it.`,
  },
};

/** The windows in which customers have orders handed over. */
export function Component() {
  const slots = useQuery(timeSlotsQuery);
  return (
    <RecordList
      kind={timeSlotKind}
      title={t`Time slots`}
      hint={t`Web shops offer them for the next 14 days. Without any, orders are for as soon as possible.`}
      tabs={<TimeSlotTabs />}
      label={t`Time slots`}
      list={listOf(slots, (rows) => rows)}
      columns={columns}
      empty={<EmptyState title={t`No time slots`}>{t`Add one to let customers choose a time.`}</EmptyState>}
      right="updateTimeSlot"
    />
  );
}

const columns: readonly Column<TimeSlot>[] = [
  nameColumn(t`Time slot`, '26%'),
  { id: 'type', header: t`For`, width: 112, cell: ({ orderType }) => slotTypeNames[orderType] },
  { id: 'days', header: t`Days`, wraps: true, cell: ({ days }) => daysInWords(days) },
  { id: 'time', header: t`Time`, width: 128, cell: ({ startsAt, endsAt }) => `${startsAt}–${endsAt}` },
  { id: 'capacity', header: t`Orders at most`, width: 136, align: 'end', cell: ({ capacity }) => capacity },
  inUseColumn,
];

function TimeSlotFields({ draft, set }: Edit<TimeSlot>) {
  return (
    <Stack>
      <NameField value={draft.name} onChange={(name) => set('name', name)} />
      <Field path="orderType">
        {(error) => (
          <Select
            label={t`For`}
            error={error}
            allowDeselect={false}
            data={Object.entries(slotTypeNames).map(([value, label]) => ({ value, label }))}
            value={draft.orderType}
            onChange={(type) => {
              set('orderType', type as TimeSlot['orderType']);
              if (type === 'pickup') set('deliveryZoneIds', []);
            }}
          />
        )}
      </Field>
      {draft.orderType === 'delivery' && <ZonesField draft={draft} set={set} />}
      <Field path="days">
        {(error) => (
          <Checkbox.Group
            label={t`Days`}
            required
            error={error}
            value={draft.days.map(String)}
            onChange={(days) => set('days', days.map(Number).toSorted())}
          >
            <Group gap="sm" mt={4}>
              {weekdays.map((day) => (
                <Checkbox key={day} value={String(day)} label={dayName(day)} />
              ))}
            </Group>
          </Checkbox.Group>
        )}
      </Field>
      <SimpleGrid cols={2}>
        {(['startsAt', 'endsAt'] as const).map((name) => (
          <Field path={name} key={name}>
            {(error) => (
              <TextInput
                type="time"
                label={fieldLabels[name]}
                required
                error={error}
                value={draft[name]}
                onChange={(event) => set(name, event.currentTarget.value)}
              />
            )}
          </Field>
        ))}
        {(['capacity', 'leadMinutes'] as const).map((name) => (
          <Field path={name} key={name}>
            {(error) => (
              <NumberInput
                label={fieldLabels[name]}
                description={name === 'capacity' ? t`On each of its days` : t`When the last order is placed`}
                error={error}
                min={name === 'capacity' ? 1 : 0}
                allowDecimal={false}
                value={draft[name]}
                onChange={(value) => set(name, Number(value))}
              />
            )}
          </Field>
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function ZonesField({ draft, set }: Pick<Edit<TimeSlot>, 'draft' | 'set'>) {
  const zones = useQuery(zonesQuery);
  return (
    <Field path="deliveryZoneIds">
      {(error) => (
        <MultiSelect
          label={t`Delivery zones`}
          placeholder={draft.deliveryZoneIds.length === 0 ? t`All zones` : undefined}
          error={error}
          data={choicesOr(
            (zones.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
            zones,
            t`There are no delivery zones.`,
          )}
          value={draft.deliveryZoneIds.map(String)}
          onChange={(ids) => set('deliveryZoneIds', ids.map(Number))}
        />
      )}
    </Field>
  );
}
