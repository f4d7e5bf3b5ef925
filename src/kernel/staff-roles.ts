/**
 * What the organization's people may do: `owner` everything; `manager` everything but keys, staff and the
 * organization's own settings; `budtender` orders, customers and the queue; `inventory` catalog, stock and purchasing.
 */
export const staffRoles = ['owner', 'manager', 'budtender', 'inventory'] as const;

export type StaffRole = (typeof staffRoles)[number];
