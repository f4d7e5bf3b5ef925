import type { OrganizationId } from '../kernel/ids.ts';
import type { Permission } from '../kernel/permission-catalogue.ts';
import type { ResourceType } from './public-events.ts';

/** How the slice that owns a resource shows it in the feed. */
export interface ShownResource {
  readonly type: ResourceType;
  /** The permission of the list that has the same shape. */
  readonly permission: Permission;
  /** The JSON of each resource that is there, in the shape of its list. Ids are as events name them. */
  show(organization: OrganizationId, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
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
