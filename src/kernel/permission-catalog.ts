/** The five permissions of a client key (D8). */
export const permissions = ['analytics', 'create-orders', 'customers', 'menu', 'products-inventory'] as const;

export type Permission = (typeof permissions)[number];

/** The parts of the permissions that both read and write; `analytics` and `menu` only read. */
const scopes = [
  'create-orders:read',
  'create-orders:write',
  'customers:read',
  'customers:write',
  'products-inventory:read',
  'products-inventory:write',
] as const;

type Scope = (typeof scopes)[number];

/** What a key can be granted: a permission as a whole, or a part of it. */
export type KeyPermission = Permission | Scope;

export const keyPermissions: readonly [KeyPermission, ...KeyPermission[]] = [...permissions, ...scopes];

/** Whether a text is the name of a permission, or of a part of one. */
export function isKeyPermission(text: string): text is KeyPermission {
  return (keyPermissions as readonly string[]).includes(text);
}

/** The permission that a name stands for, or is a part of. */
export function wholeOf(granted: KeyPermission): Permission {
  return granted.split(':', 1)[0] as Permission;
}

/** The names of which any is enough to read, or to write, what belongs to a permission. */
export function namesEnough(kind: 'read' | 'write', permission: Permission): readonly KeyPermission[] {
  const part = `${permission}:${kind}`;
  return isKeyPermission(part) ? [permission, part] : [permission];
}

/** Whether a key reads, or writes, what belongs to a permission. */
export function allows(
  granted: ReadonlySet<KeyPermission>,
  kind: 'read' | 'write',
  permission: Permission,
): boolean {
  return namesEnough(kind, permission).some((name) => granted.has(name));
}

/** The two listeners (D1). */
export type Address = 'base' | 'menu';

/** The menu group and all other operations have separate limits (D10). */
export type RateGroup = 'menu' | 'other';

/** The group of operations that do not name theirs. */
export function rateGroupOf(permission: Permission | null): RateGroup {
  return permission === 'menu' ? 'menu' : 'other';
}

/** What is left to grant: no name twice, and no part beside its whole. */
export function withoutRepetition<Name extends KeyPermission>(names: readonly Name[]): Name[] {
  const all = new Set<KeyPermission>(names);
  return [...new Set(names)].filter((name) => wholeOf(name) === name || !all.has(wholeOf(name)));
}
