import type { Schema } from '../../api.ts';
import { t } from '../../words/words.ts';

export type ClientKey = Schema['ClientKey'];
type Granted = ClientKey['permissions'][number];
/** A permission as a whole. */
export type Permission = Exclude<Granted, `${string}:${string}`>;
/** What a key has of a permission that both reads and writes. */
export type Part = 'both' | 'read' | 'write';

/** The permissions of a key in words, with the API's name beside them. */
export const permissions: readonly {
  readonly value: Permission;
  readonly label: string;
  readonly hint: string;
  /** What a key of web pages can do with it, where that is less. */
  readonly pageHint?: string;
  /** Whether its reading and its writing part can be granted apart; the others only read. */
  readonly hasParts?: true;
}[] = [
  { value: 'menu', label: t`Menu`, hint: t`Read the menu and tags` },
  {
    value: 'create-orders',
    label: t`Orders`,
    hint: t`Price carts, place and read orders, read payment types, upload customer documents`,
    hasParts: true,
    pageHint: t`Price carts, place orders, follow these orders, read payment types, sign customers in`,
  },
  {
    value: 'customers',
    label: t`Customers`,
    hasParts: true,
    hint: t`Read customers and groups, change group members, add and remove loyalty points`,
  },
  {
    value: 'products-inventory',
    label: t`Products and inventory`,
    hasParts: true,
    hint: t`Read categories, create and change products, options and purchase orders; no stock changes`,
  },
  {
    value: 'analytics',
    label: t`Analytics`,
    hint: t`Read lists of orders and returns, products, packages, locations, purchase orders and transfers, the queue and the organization`,
  },
];

export const partWords: Readonly<Record<Part, string>> = {
  both: t`Reads and changes`,
  read: t`Reads only`,
  write: t`Changes only`,
};

/** The name under which a permission, or a part of it, is granted. */
export function grantedAs(permission: Permission, part: Part = 'both'): Granted {
  return part === 'both' ? permission : (`${permission}:${part}` as Granted);
}

/** The permissions of a key in words: all, or each with what it is confined to. */
export function grantedWords({ permissions: granted }: Pick<ClientKey, 'permissions'>): string {
  if (permissions.every(({ value }) => granted.includes(value))) return t`All`;
  const names = permissions.flatMap(({ value, label }) => {
    if (granted.includes(value)) return [label];
    const parts = (['read', 'write'] as const).filter((part) => granted.includes(grantedAs(value, part)));
    if (parts.length === 2) return [label];
    return parts.map((part) => `${label} (${partWords[part].toLowerCase()})`);
  });
  return names.join(', ') || t`None`;
}

/** Whether a key of web pages can have a permission. */
export function isPublishable(permission: Permission): boolean {
  return permission === 'menu' || permission === 'create-orders';
}

/** Why an owner should look at a key. */
export const attentionWords: Readonly<Record<NonNullable<ClientKey['attention']>, string>> = {
  'expires-soon': t`Expires soon`,
  unused: t`Unused for a while`,
};

/** The state of a key: revoked, expired or active. */
export function keyState(key: ClientKey, nowMs: number): 'active' | 'revoked' | 'expired' {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs ? 'expired' : 'active';
}
