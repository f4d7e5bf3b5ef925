import Type from 'typebox';
import {
  Id,
  LocalDate,
  Named,
  NonBlankText,
  Nullable,
  OneOf,
  Timestamp,
} from '../../platform/http/schemas.ts';
import { settingResource } from '../../platform/resources/setting-resource.ts';
import { schemasOf, settingField, settingTable } from '../../platform/resources/setting-table.ts';
import { slotOrderTypes, slotReaders, slotWriters } from './time-slot-setting.ts';

const fields = {
  day: settingField(LocalDate({ description: "In the shop's time zone" }), 'day', {
    selected: 'day::text',
  }),
  orderType: settingField(
    Nullable(OneOf(slotOrderTypes, { description: 'Only these slots; null: all of the day' })),
    'order_type',
    { absent: null },
  ),
  name: settingField(NonBlankText({ max: 200, description: 'Why, for staff' }), 'name', {
    reads: (name) => name.trim(),
  }),
};

const requestExample = { day: '2026-12-25', orderType: null, name: 'Christmas' };

/** Days on which no time slot is offered. Orders that have one keep it. */
export const closedDays = settingResource({
  table: settingTable('closed_days', {
    fields,
    ends: 'removed',
    lock: 'for no key update',
    order: 'day, id',
  }),
  noun: 'closed day',
  subject: 'closed_day',
  idName: 'closedDayId',
  notFound: 'CLOSED_DAY_NOT_FOUND',
  tells: ['day', 'name'],
  path: '/staff/v1/closed-days',
  tag: 'Settings',
  readers: slotReaders,
  writers: slotWriters,
  data: Named(
    'ClosedDay',
    Type.Object({ id: Id(), ...schemasOf(fields), createdAt: Timestamp(), updatedAt: Timestamp() }),
  ),
  example: {
    id: 2961,
    ...requestExample,
    createdAt: '2026-03-01T17:05:09.123Z',
    updatedAt: '2026-03-01T17:05:09.123Z',
  },
  list: {
    id: 'listClosedDays',
    summary: 'List closed days',
    description: 'All days on which no time slot is offered, by day.',
    max: 10_000,
    sorts: { day: 'ascending', name: 'ascending', createdAt: 'descending' },
    emptyInDemo: 'the demo shop has no time slots that a day could close',
  },
  create: {
    id: 'createClosedDay',
    summary: 'Close a day',
    description:
      'No time slot of the day is offered any more. Orders that have one keep it: move them, if need be.',
    requestExample,
  },
  update: {
    id: 'updateClosedDay',
    summary: 'Change a closed day',
    description: 'Changes the given fields only.',
    requestExample: { name: 'Inventory' },
    changed: { name: 'Inventory' },
  },
  end: {
    id: 'removeClosedDay',
    summary: 'Open a closed day again',
    description: 'Its time slots are offered again.',
  },
});
