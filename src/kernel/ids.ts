/** The tenant, the first part of every key. Branded, so that no other number is accepted. */
export type OrganizationId = number & { readonly __brand: 'OrganizationId' };

/** Marks a number as the id of an organization (read from the database or assigned by the service). */
export function organizationId(value: number): OrganizationId {
  return value as OrganizationId;
}
