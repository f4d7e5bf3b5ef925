import type { EventType } from '../../kernel/event-catalog.ts';
import type { Permission } from '../../kernel/permission-catalog.ts';

/** Kinds of things that integrators read, as the change feed names them. */
export const resourceTypes = [
  'order',
  'customer',
  'customer_group',
  'loyalty_event',
  'product',
  'option',
  'product_category',
  'product_sub_category',
  'brand',
  'tag',
  'catalog',
  'stock',
  'package',
  'compliance_transfer',
  'purchase_order',
  'inventory_vendor',
  'inventory_location',
  'payment_type',
  'queue_entry',
  'organization',
] as const;

export type ResourceType = (typeof resourceTypes)[number];

interface PublicEvents {
  readonly resource: ResourceType;
  /** Any of these is enough to read the events: with each of them, some operation reads the resource. */
  readonly permissions: readonly Permission[];
  /** This one is enough for the events of orders that the reader's integrator placed (D64a). */
  readonly permissionForOwn?: Permission;
}

type Subject<Type extends string> = Type extends `${infer Name}.${string}` ? Name : never;

const catalog: readonly Permission[] = ['products-inventory', 'menu', 'analytics'];

/** By the subject of the event's name; null: events of the organization's own side. */
const publicEvents: Readonly<Record<Subject<EventType>, PublicEvents | null>> = {
  order: { resource: 'order', permissions: ['analytics'], permissionForOwn: 'create-orders' },
  // Orders show their customer, as the profile is now.
  customer: { resource: 'customer', permissions: ['customers', 'analytics'] },
  customer_group: { resource: 'customer_group', permissions: ['customers'] },
  loyalty_event: { resource: 'loyalty_event', permissions: ['customers'] },
  product: { resource: 'product', permissions: catalog },
  product_options: { resource: 'product', permissions: catalog },
  option: { resource: 'option', permissions: catalog },
  product_category: { resource: 'product_category', permissions: catalog },
  product_sub_category: { resource: 'product_sub_category', permissions: catalog },
  brand: { resource: 'brand', permissions: catalog },
  tag: { resource: 'tag', permissions: catalog },
  catalog: { resource: 'catalog', permissions: catalog },
  stock: { resource: 'stock', permissions: ['analytics'] },
  package: { resource: 'package', permissions: ['analytics'] },
  compliance_transfer: { resource: 'compliance_transfer', permissions: ['analytics'] },
  inventory_vendor: { resource: 'inventory_vendor', permissions: ['analytics', 'products-inventory'] },
  purchase_order: { resource: 'purchase_order', permissions: ['analytics', 'products-inventory'] },
  inventory_location: { resource: 'inventory_location', permissions: ['analytics'] },
  payment_connection: null,
  payment_type: { resource: 'payment_type', permissions: ['create-orders'] },
  queue: { resource: 'queue_entry', permissions: ['analytics'] },
  organization: { resource: 'organization', permissions: ['analytics'] },
  product_photo: null,
  menu_import: null,
  customer_credit: null,
  customer_document: null,
  discount: null,
  register: null,
  // Of an order: what the state says of its report.
  report: { resource: 'order', permissions: ['analytics'] },
  state_comparison: null,
  state_connection: null,
  state_difference: null,
  state_report: null,
  parked_cart: null,
  drawer_session: null,
  driver: null,
  trip: null,
  vehicle: null,
  loyalty_program: null,
  loyalty_reward: null,
  report_mail: null,
  time_slot: null,
  closed_day: null,
  delivery_zone: null,
  purchase_limit_rule: null,
  tax: null,
  law: null,
  sandbox: null,
  staff: null,
  client_key: null,
  customer_session: null,
  webhook_endpoint: null,
  demo: null,
};

/** Events that an integrator never reads, although others of their subject are public. */
const privateTypes: ReadonlySet<string> = new Set([
  'organization.exported',
  'organization.operated',
  'customer.exported',
  'order.receipt_sent',
] satisfies EventType[]);

/** What an event is about, for readers with one of these permissions; null for what integrators do not read. */
export function publicEventOf(type: string): PublicEvents | null {
  if (privateTypes.has(type)) return null;
  const [subject = ''] = type.split('.', 1);
  return publicEvents[subject as Subject<EventType>] ?? null;
}
