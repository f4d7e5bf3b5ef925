/** Who buys, and sees what it costs. */
export const purchasers = ['owner', 'manager', 'inventory'] as const;
