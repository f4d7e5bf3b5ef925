import type { Schema } from '../../api.ts';

export type ClientKey = Schema['ClientKey'];
export type Permission = ClientKey['permissions'][number];

/** The permissions of a key in words, with the API's name beside them. */
export const permissions: readonly {
  readonly value: Permission;
  readonly label: string;
  readonly hint: string;
  /** What a key of web pages can do with it, where that is less. */
  readonly pageHint?: string;
}[] = [
  { value: 'menu', label: 'Menu', hint: 'Read the menu and tags' },
  {
    value: 'create-orders',
    label: 'Orders',
    hint: 'Price carts, place and read orders, read payment types, upload customer documents',
    pageHint: 'Price carts, place orders, follow these orders, read payment types, sign customers in',
  },
  {
    value: 'customers',
    label: 'Customers',
    hint: 'Read customers and groups, change group members, add and remove loyalty points',
  },
  {
    value: 'products-inventory',
    label: 'Products and inventory',
    hint: 'Read categories, create and change products, options and purchase orders; no stock changes',
  },
  {
    value: 'analytics',
    label: 'Analytics',
    hint: 'Read lists of orders and returns, products, packages, locations, purchase orders and transfers, the queue and the organization',
  },
];

/** Whether a key of web pages can have a permission. */
export function isPublishable(permission: Permission): boolean {
  return permission === 'menu' || permission === 'create-orders';
}

/** Why an owner should look at a key. */
export const attentionWords: Readonly<Record<NonNullable<ClientKey['attention']>, string>> = {
  'expires-soon': 'Ends soon',
  unused: 'Not used for long',
};

/** The state of a key: revoked, expired or active. */
export function keyState(key: ClientKey, nowMs: number): 'active' | 'revoked' | 'expired' {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs ? 'expired' : 'active';
}
