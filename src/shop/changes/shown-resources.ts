import type { OrganizationId } from '../../kernel/ids.ts';
import { allows, type Permission } from '../../kernel/permission-catalog.ts';
import type { Caller } from '../../platform/http/endpoint.ts';
import type { ResourceType } from './public-events.ts';

/** How the slice that owns a resource shows it in the feed. */
export interface ShownResource {
  readonly type: ResourceType;
  /** The permission of the list that has the same shape. */
  readonly permission: Permission;
  /** The JSON of each resource that is there, in the shape of its list. Ids are as events name them. */
  show(organization: OrganizationId, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** For callers without that permission: those that their own integrator placed, as they may see them (D64a). */
  readonly own?: {
    readonly permission: Permission;
    show(caller: ResourceReader, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  };
}

/** Who reads resources. */
export type ResourceReader = Pick<Caller, 'organizationId' | 'integratorId' | 'permissions' | 'vouches'>;

/** How a caller is shown a resource: all of them, or its own; null: not at all. */
export function showerFor(
  { permission, show, own }: Pick<ShownResource, 'permission' | 'show' | 'own'>,
  caller: ResourceReader,
): ((ids: readonly string[]) => Promise<ReadonlyMap<string, string>>) | null {
  if (allows(caller.permissions, 'read', permission)) return (ids) => show(caller.organizationId, ids);
  if (own === undefined || !allows(caller.permissions, 'read', own.permission)) return null;
  return (ids) => own.show(caller, ids);
}

/** A resource whose ids are numbers and whose shape is an object. */
export function numberedResource(
  type: ResourceType,
  permission: Permission,
  find: (organization: OrganizationId, ids: readonly number[]) => Promise<readonly { readonly id: number }[]>,
): ShownResource {
  return {
    type,
    permission,
    show: async (organization, ids) => {
      const found = await find(organization, ids.map(Number));
      return new Map(found.map((resource) => [String(resource.id), JSON.stringify(resource)]));
    },
  };
}
