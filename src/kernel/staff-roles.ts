/**
 * The roles of staff. An `owner` may do everything; a `manager` everything but keys, staff and the organization's own
 * settings; a `budtender` handles orders, customers and the queue; `inventory` handles catalog, stock and purchasing.
 */
export const staffRoles = ['owner', 'manager', 'budtender', 'inventory'] as const;

export type StaffRole = (typeof staffRoles)[number];
