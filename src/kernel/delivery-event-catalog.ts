import { event, id, moment, nullable, oneOf, uuid as orderId } from './event-facts.ts';

const orderStatus = oneOf('new', 'draft', 'packed', 'fulfilled', 'canceled');

/** Events of deliveries, and of the times for which orders are. */
export const deliveryEvents = {
  'order.dispatched': event('The delivery of an order went on', {
    orderId,
    status: orderStatus,
    dispatchStatus: nullable(oneOf('unassigned', 'assigned', 'active', 'completed', 'failed')),
  }),
  'delivery_zone.created': event('A delivery zone was made', { deliveryZoneId: id(4) }),
  'delivery_zone.updated': event('A delivery zone changed', { deliveryZoneId: id(4) }),
  'delivery_zone.deleted': event('A delivery zone was deleted', { deliveryZoneId: id(4) }),
  'order.slot_changed': event('Staff moved an order to another time slot', {
    orderId,
    status: orderStatus,
    slotFrom: nullable(moment),
    slotTo: nullable(moment),
  }),
  'time_slot.created': event('A time slot was made', { timeSlotId: id() }),
  'time_slot.updated': event('A time slot was changed', { timeSlotId: id() }),
  'time_slot.archived': event('A time slot was archived', { timeSlotId: id() }),
  'time_slot.restored': event('A time slot was restored', { timeSlotId: id() }),
  'closed_day.created': event('A closed day was made', { closedDayId: id() }),
  'closed_day.updated': event('A closed day was changed', { closedDayId: id() }),
  'closed_day.deleted': event('A closed day was deleted', { closedDayId: id() }),
} as const;
