/* What the staff's operations on stock share. */

/** Who may change stock. */
export const stockWriters = ['owner', 'manager', 'inventory'] as const;

/** Whoever sells needs to know what lies where. */
export const stockReaders = [...stockWriters, 'budtender'] as const;
