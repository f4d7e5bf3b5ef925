/** Roles that buy and see costs. */
export const purchasers = ['owner', 'manager', 'inventory'] as const;
