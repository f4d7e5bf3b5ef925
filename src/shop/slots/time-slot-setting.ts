import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import {
  Id,
  List,
  Named,
  NonBlankText,
  Nullable,
  OneOf,
  TimeOfDay,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { settingResource } from '../../platform/resources/setting-resource.ts';
import { schemasOf, settingField, settingTable } from '../../platform/resources/setting-table.ts';
import { selectKnownZones } from './time-slot-queries.ts';

/** Who reads and who changes when orders are handed over. */
export const slotReaders = ['owner', 'manager', 'budtender', 'inventory'] as const;
export const slotWriters = ['owner', 'manager'] as const;

/** The order types that have time slots. */
export const slotOrderTypes = ['delivery', 'pickup'] as const;

const fields = {
  name: settingField(NonBlankText({ max: 200, description: 'For staff' }), 'name', {
    reads: (name) => name.trim(),
  }),
  orderType: settingField(OneOf(slotOrderTypes, { description: 'What is chosen with it' }), 'order_type'),
  deliveryZoneIds: settingField(
    List(Id(), { max: 200, description: 'Only for deliveries to these zones; empty: to all' }),
    'delivery_zone_ids',
    { absent: [], reads: (ids) => [...new Set(ids)] },
  ),
  days: settingField(
    List(WholeNumber({ min: 1, max: 7 }), { min: 1, max: 7, description: '1 (Monday) to 7 (Sunday)' }),
    'days',
    { reads: (days) => [...new Set(days)].sort() },
  ),
  startsAt: settingField(TimeOfDay("`HH:MM` in the shop's time zone"), 'starts_at'),
  endsAt: settingField(TimeOfDay('`HH:MM`, after `startsAt`, on the same day'), 'ends_at'),
  capacity: settingField(
    WholeNumber({ min: 1, max: 10_000, description: 'How many orders it takes on each of its days' }),
    'capacity',
  ),
  leadMinutes: settingField(
    WholeNumber({
      min: 0,
      max: 20_160,
      description: 'So many minutes before it begins, the last order is placed',
    }),
    'lead_minutes',
    { absent: 60 },
  ),
};

const requestExample = {
  name: 'Evening',
  orderType: 'delivery' as const,
  deliveryZoneIds: [],
  days: [1, 2, 3, 4, 5],
  startsAt: '17:00',
  endsAt: '19:00',
  capacity: 12,
  leadMinutes: 90,
};

/** Windows in which customers have orders handed over. Orders keep theirs, whatever becomes of it. */
export const timeSlots = settingResource({
  // An order that takes a place locks the row, and waits for a change of it.
  table: settingTable('time_slots', { fields, ends: 'archived', lock: 'for update' }),
  noun: 'time slot',
  subject: 'time_slot',
  idName: 'timeSlotId',
  notFound: 'TIME_SLOT_NOT_FOUND',
  tells: ['name'],
  saving: async (tx, { former, next }) => {
    if (next.startsAt >= next.endsAt) throw failure('INVALID_PARAMS', 'endsAt must be after startsAt.');
    if (next.orderType === 'pickup' && next.deliveryZoneIds.length > 0) {
      throw failure('INVALID_PARAMS', 'deliveryZoneIds must be empty for pickup.');
    }
    const added = next.deliveryZoneIds.filter((id) => !former?.deliveryZoneIds.includes(id));
    const [known] = await tx.run(selectKnownZones({ ids: added }));
    const unknown = added.find((id) => known.every((zone) => zone.id !== id));
    if (unknown === undefined) return undefined;
    throw failure('INVALID_PARAMS', `deliveryZoneIds must be ids of delivery zones; ${unknown} is none`);
  },
  path: '/staff/v1/time-slots',
  tag: 'Settings',
  readers: slotReaders,
  writers: slotWriters,
  data: Named(
    'TimeSlot',
    Type.Object({
      id: Id(),
      ...schemasOf(fields),
      createdAt: Timestamp(),
      updatedAt: Timestamp(),
      archivedAt: Nullable(Timestamp({ description: 'When it was archived; archived slots stay listed' })),
    }),
  ),
  example: {
    id: 2951,
    ...requestExample,
    createdAt: '2026-03-01T17:05:09.123Z',
    updatedAt: '2026-03-01T17:05:09.123Z',
    archivedAt: null,
  },
  list: {
    id: 'listTimeSlots',
    summary: 'List time slots',
    description:
      'All time slots, archived ones with `archivedAt`. Without any that is not archived, customers choose no time.',
    max: 10_000,
    sorts: {
      id: 'ascending',
      name: 'ascending',
      orderType: 'ascending',
      startsAt: 'ascending',
      capacity: 'descending',
      createdAt: 'descending',
    },
    emptyInDemo: 'the demo shop takes orders at any time',
  },
  create: {
    id: 'createTimeSlot',
    summary: 'Create a time slot',
    description:
      'Customers can choose it from now on, for the next 14 days (`timeSlots` of the shop). A window outside of the hours of the law is never offered.',
    requestExample,
  },
  update: {
    id: 'updateTimeSlot',
    summary: 'Change a time slot',
    description:
      'Changes the given fields only; orders keep the times that they were placed with. `archived: false` restores an archived one.',
    requestExample: { capacity: 8 },
  },
  end: {
    id: 'archiveTimeSlot',
    summary: 'Archive a time slot',
    description: 'It is no longer offered; orders keep it. Archiving it again changes nothing.',
    changed: { archivedAt: '2026-05-01T17:05:09.123Z' },
  },
});
