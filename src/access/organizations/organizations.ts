/**
 * Front door of organizations. Owns organizations: one row for each, with its settings. Every other room refers to an
 * organization by its id. Does not know what the settings are used for.
 */
export { createOrganization, OrganizationName, timeZones } from './create-organization.ts';
export { hasOrganization, listOrganizations } from './list-organizations.ts';
export {
  lockOrganization,
  selectCustomerRetention,
  selectEnd,
  selectOrganization,
  setDutySettings,
  updateOrganizationRow,
} from './organization-queries.ts';
export { pruneOrganization, startPruningOrganizations } from './prune-organization.ts';
export {
  endOrganization,
  resumeOrganization,
  standingOf,
  suspendOrganization,
} from './suspend-organization.ts';
