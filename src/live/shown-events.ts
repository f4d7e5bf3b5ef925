import type { EventType } from '../kernel/event-catalogue.ts';
import type { StaffRole } from '../kernel/staff-roles.ts';

/** A change as sent to listeners: the resource to read again, without its data. */
export interface ShownEvent {
  /** `order`, `product` …: the subject in the event's name. */
  readonly resource: string;
  readonly id: string;
  /** A type of the event catalogue: `order.placed`. */
  readonly name: string;
}

const everybody: readonly StaffRole[] = ['owner', 'manager', 'budtender', 'inventory'];
const counter: readonly StaffRole[] = ['owner', 'manager', 'budtender'];
const storeroom: readonly StaffRole[] = ['owner', 'manager', 'inventory'];
const owners: readonly StaffRole[] = ['owner'];

type Subject<Type extends string> = Type extends `${infer Name}.${string}` ? Name : never;

/** The roles that get events of a subject: those that may read it. */
const listeners: Readonly<Record<Subject<EventType>, readonly StaffRole[]>> = {
  order: counter,
  queue: counter,
  customer: counter,
  customer_group: counter,
  customer_credit: counter,
  customer_document: counter,
  loyalty_event: counter,
  catalog: everybody,
  product: everybody,
  product_options: everybody,
  product_photo: everybody,
  product_category: everybody,
  product_sub_category: everybody,
  brand: everybody,
  tag: everybody,
  stock: everybody,
  inventory_location: everybody,
  organization: everybody,
  law: everybody,
  tax: everybody,
  discount: everybody,
  loyalty_program: everybody,
  loyalty_reward: everybody,
  delivery_zone: everybody,
  payment_type: everybody,
  purchase_limit_rule: everybody,
  package: storeroom,
  compliance_transfer: storeroom,
  inventory_vendor: storeroom,
  purchase_order: storeroom,
  client_key: owners,
  staff: owners,
  demo: owners,
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
