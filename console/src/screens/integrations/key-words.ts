import type { Schema } from '../../api.ts';

export type ClientKey = Schema['ClientKey'];
export type Permission = ClientKey['permissions'][number];

/** What a key may be for, as people say it; the word of the API stands beside it. */
export const permissions: readonly {
  readonly value: Permission;
  readonly label: string;
  readonly hint: string;
}[] = [
  { value: 'menu', label: 'Menu', hint: 'Read the menu and tags' },
  {
    value: 'create-orders',
    label: 'Orders',
    hint: 'Price carts, place orders and look each up, read payment types, file documents of customers',
  },
  {
    value: 'customers',
    label: 'Customers',
    hint: 'Read customers and groups, put people into groups and out, add and take loyalty points',
  },
  {
    value: 'products-inventory',
    label: 'Products and inventory',
    hint: 'Read categories, add and change products, options and purchase orders; stock stays',
  },
  {
    value: 'analytics',
    label: 'Analytics',
    hint: 'Read lists of orders and returns, products, packages, locations, purchase orders and transfers, the queue and the organization',
  },
];

/** Whether a key works: revoked for ever, expired by itself, or good. */
export function keyState(key: ClientKey, nowMs: number): 'active' | 'revoked' | 'expired' {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs ? 'expired' : 'active';
}
