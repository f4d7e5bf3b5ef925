import type { EventType } from '../kernel/event-catalogue.ts';
import type { StaffRole } from '../kernel/staff-roles.ts';

/** A change as listeners are told of it: what to read again, and nothing of what is in it. */
export interface ShownEvent {
  /** `order`, `product` …: the subject of the event's name. */
  readonly resource: string;
  readonly id: string;
  /** A type of the events that are announced: `order.placed`. */
  readonly name: string;
}

const everybody: readonly StaffRole[] = ['owner', 'manager', 'budtender', 'inventory'];
const counter: readonly StaffRole[] = ['owner', 'manager', 'budtender'];
const storeroom: readonly StaffRole[] = ['owner', 'manager', 'inventory'];
const owners: readonly StaffRole[] = ['owner'];

type Subject<Type extends string> = Type extends `${infer Name}.${string}` ? Name : never;

/** Who is told of what: whoever may read it. */
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
  option: everybody,
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

/** What somebody of a role is told of an event; null: nothing. */
export function shownEvent(
  { type, subject_id: id }: { readonly type: string; readonly subject_id: string },
  role: StaffRole,
): ShownEvent | null {
  const [resource = ''] = type.split('.', 1);
  const told: readonly StaffRole[] | undefined = listeners[resource as Subject<EventType>];
  return told?.includes(role) ? { resource, id, name: type } : null;
}
