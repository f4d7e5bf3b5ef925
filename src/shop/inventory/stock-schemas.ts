/* Shapes that the staff's stock operations share. */

/** Roles that can change stock. */
export const stockWriters = ['owner', 'manager', 'inventory'] as const;

/** Roles that can read stock: sellers need to know where it is. */
export const stockReaders = [...stockWriters, 'budtender'] as const;
