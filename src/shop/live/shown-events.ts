import type { EventType } from '../../kernel/event-catalog.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';

/** A change as sent to listeners: the resource to read again, without its data. */
interface ShownEvent {
  /** `order`, `product` …: the subject in the event's name. */
  readonly resource: string;
  readonly id: string;
  /** A type of the event catalog: `order.placed`. */
  readonly name: string;
}

const allRoles: readonly StaffRole[] = ['owner', 'manager', 'budtender', 'inventory'];
const counter: readonly StaffRole[] = ['owner', 'manager', 'budtender'];
const inventoryRoles: readonly StaffRole[] = ['owner', 'manager', 'inventory'];
const owners: readonly StaffRole[] = ['owner'];

type Subject<Type extends string> = Type extends `${infer Name}.${string}` ? Name : never;

/** The roles that get events of a subject: those that may read it. */
const listeners: Readonly<Record<Subject<EventType>, readonly StaffRole[]>> = {
  order: counter,
  queue: counter,
  register: counter,
  report: allRoles,
  state_comparison: allRoles,
  state_connection: owners,
  state_difference: allRoles,
  state_report: allRoles,
  parked_cart: counter,
  drawer_session: counter,
  driver: counter,
  trip: counter,
  vehicle: counter,
  customer: counter,
  customer_group: counter,
  customer_credit: counter,
  customer_document: counter,
  customer_session: owners,
  loyalty_event: counter,
  catalog: allRoles,
  menu_import: inventoryRoles,
  product: allRoles,
  product_options: allRoles,
  option: allRoles,
  product_photo: allRoles,
  product_category: allRoles,
  product_sub_category: allRoles,
  brand: allRoles,
  tag: allRoles,
  stock: allRoles,
  inventory_location: allRoles,
  organization: allRoles,
  law: allRoles,
  tax: allRoles,
  discount: allRoles,
  loyalty_program: allRoles,
  loyalty_reward: allRoles,
  delivery_zone: allRoles,
  report_mail: ['owner', 'manager'],
  time_slot: allRoles,
  closed_day: allRoles,
  payment_type: allRoles,
  purchase_limit_rule: allRoles,
  package: inventoryRoles,
  compliance_transfer: inventoryRoles,
  inventory_vendor: inventoryRoles,
  purchase_order: inventoryRoles,
  client_key: owners,
  webhook_endpoint: ['owner', 'manager'],
  staff: owners,
  demo: owners,
  sandbox: owners,
};

/** The message of an event for a role; null: none. */
export function shownEvent(
  { type, subject_id: id }: { readonly type: string; readonly subject_id: string },
  role: StaffRole,
): ShownEvent | null {
  const [resource = ''] = type.split('.', 1);
  const told: readonly StaffRole[] | undefined = listeners[resource as Subject<EventType>];
  return told?.includes(role) ? { resource, id, name: type } : null;
}
