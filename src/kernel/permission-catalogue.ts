/** The five permissions of a client key (D8). */
export const permissions = ['analytics', 'create-orders', 'customers', 'menu', 'products-inventory'] as const;

export type Permission = (typeof permissions)[number];

/** Whether a text is the name of a permission. */
export function isPermission(text: string): text is Permission {
  return (permissions as readonly string[]).includes(text);
}
