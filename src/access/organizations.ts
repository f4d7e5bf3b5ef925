/**
 * Front door of access: organizations, integrators, keys and staff. Owns organizations, integrators,
 * client_keys, client_key_digests and staff_members. A client key is one organization's for one integrator
 * (D7); keys and passwords are kept as digests only (D6). Does not know what the keys are used for.
 */
export { type OrganizationRow, selectOrganization } from './access-queries.ts';
export type { Environment } from './api-keys.ts';
export { createAuthenticate } from './authenticate.ts';
export { createClientKey } from './create-client-key.ts';
export { createIntegrator } from './create-integrator.ts';
export { createOrganization, type NewOrganization, type TimeZone, timeZones } from './create-organization.ts';
export { createStaff } from './create-staff.ts';
export { listOrganizations } from './list-organizations.ts';
export { revokeClientKey } from './revoke-client-key.ts';
