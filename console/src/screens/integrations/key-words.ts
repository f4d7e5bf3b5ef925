import type { Schema } from '../../api.ts';

export type ClientKey = Schema['ClientKey'];
export type Permission = ClientKey['permissions'][number];

/** What a key may be for, as people say it; the word of the API stands beside it. */
export const permissions: readonly {
  readonly value: Permission;
  readonly label: string;
  readonly hint: string;
}[] = [
  { value: 'menu', label: 'Menu', hint: 'Read the menu, products and tags' },
  { value: 'create-orders', label: 'Orders', hint: 'Price carts, place and follow orders' },
  { value: 'customers', label: 'Customers', hint: 'Read and change customers' },
  {
    value: 'products-inventory',
    label: 'Products and inventory',
    hint: 'Change products, stock, purchasing',
  },
  { value: 'analytics', label: 'Analytics', hint: 'Read orders, customers and stock for analysis' },
];

/** Whether a key works: revoked for ever, expired by itself, or good. */
export function keyState(key: ClientKey, nowMs: number): 'active' | 'revoked' | 'expired' {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs ? 'expired' : 'active';
}
