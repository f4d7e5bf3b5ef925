/** Every event that a write can announce (D56). Names are subject and past tense; the list only grows. */
export const eventTypes = [
  'organization.created',
  'organization.updated',
  'client_key.created',
  'client_key.revoked',
  'staff.created',
  'customer.created',
  'customer.updated',
  'catalog.imported',
  'stock.changed',
  'order.placed',
  'order.accepted',
  'order.unaccepted',
  'order.packed',
  'order.unpacked',
  'order.fulfilled',
  'order.canceled',
  'demo.seeded',
] as const;

export type EventType = (typeof eventTypes)[number];
