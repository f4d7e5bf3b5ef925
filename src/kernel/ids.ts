/** The tenant that every key begins with. Branded, so that no other number passes for it by mistake. */
export type OrganizationId = number & { readonly __brand: 'OrganizationId' };

/** Marks a number that is known to be an organization's id (read from the database or made by us). */
export function organizationId(value: number): OrganizationId {
  return value as OrganizationId;
}
