/**
 * The roles of staff. An `owner` may do everything; a `manager` everything but keys, staff and the organization's own
 * settings; a `budtender` handles orders, customers and the queue; `inventory` handles catalog, stock and purchasing.
 */
export const staffRoles = ['owner', 'manager', 'budtender', 'inventory'] as const;

export type StaffRole = (typeof staffRoles)[number];

/** Those who price carts and work on orders. */
export const orderRoles = ['owner', 'manager', 'budtender'] as const;

/** Those who may set a unit price by hand. */
export const priceOverrideRoles: readonly StaffRole[] = ['owner', 'manager'];
