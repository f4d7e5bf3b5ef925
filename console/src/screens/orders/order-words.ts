import type { Schema } from '../../api.ts';

export type Order = Schema['StaffOrder'];
export type OrderStatus = Order['status'];

/** What the list and the board ask for. */
export interface OrderQuery {
  readonly type?: Order['type'];
  readonly search?: string;
  readonly status?: OrderStatus;
  /** Days of the shop on which they were placed. */
  readonly from?: string;
  readonly to?: string;
  readonly inventoryLocationId?: number;
}

/** Somebody on the staff, as orders name them: `{}` is nobody. */
type StaffName = Order['placedBy'];

export const orderStatuses = [
  'draft',
  'new',
  'packed',
  'fulfilled',
  'canceled',
] as const satisfies readonly OrderStatus[];

export const orderTypes = ['delivery', 'pickup', 'in-store'] as const satisfies readonly Order['type'][];

/** Who the order is for, in as few words as there are. */
export function customerOf({ customer, customerName }: Pick<Order, 'customer' | 'customerName'>): string {
  const name = [customer.firstName, customer.lastName].filter(Boolean).join(' ');
  return name || customerName || customer.email || 'Walk-in';
}

/** How many units are in it. */
export function unitsOf({ lineItems }: Pick<Order, 'lineItems'>): number {
  return lineItems.reduce((sum, line) => sum + line.quantity, 0);
}

/** `Order 4003`; older orders have no number, and are named by the beginning of their id. */
export function orderTitle({ number, id }: Pick<Order, 'number' | 'id'>): string {
  return `Order ${number ?? id.slice(0, 8)}`;
}

/** The name of whoever did it; null: nobody of the staff. */
export function staffName({ firstName, lastName, email }: StaffName): string | null {
  return [firstName, lastName].filter(Boolean).join(' ') || email || null;
}

const sources: Readonly<Record<Order['source'], string>> = {
  'open-api': 'Web shop or app',
  'web-admin': 'This console',
  'in-store': 'Counter',
  kiosk: 'Kiosk',
  menu: 'Menu',
};

/** Where it came from: the integrator by its name, where one has placed it. */
export function sourceInWords({
  source,
  apiConsumerName,
}: Pick<Order, 'source' | 'apiConsumerName'>): string {
  return apiConsumerName ?? sources[source];
}

/** `1 unit`, `3 units`. */
export function counted(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}
