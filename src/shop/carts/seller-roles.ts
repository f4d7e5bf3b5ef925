/** Staff roles that price carts and work on orders. */
export const orderRoles = ['owner', 'manager', 'budtender'] as const;
