/**
 * Front door of access: organizations, integrators, keys, staff and staff sessions. Owns organizations, integrators,
 * consumer_key_digests, client_keys, client_key_digests, staff_members, staff_email_digests, staff_sessions,
 * staff_session_digests, staff_invitations, staff_devices, staff_totp_secrets, staff_recovery_codes, staff_half_sign_ins,
 * staff_sign_in_rules, staff_identity_providers, staff_identities, staff_identity_sign_ins, api_request_batches, api_request_marks,
 * api_request_kinds and rate_limits. A client key belongs to one organization and one integrator (D7); keys, tokens and passwords are
 * stored as digests only (D6). A write of a staff email also writes its digest. Does not know what keys and sessions
 * are used for.
 */
export {
  lockOrganization,
  type OrganizationRow,
  selectCustomerRetention,
  selectOrganization,
  updateOrganizationRow,
} from './access-queries.ts';
export {
  allowedAddressesMax,
  ClientKeyName,
  IntegratorName,
  OrganizationName,
  RequestsPerSecond,
  StaffEmail,
} from './access-schemas.ts';
export { addSandboxConsumerKey } from './add-sandbox-consumer-key.ts';
export { digestOf, type Environment, environmentOfKey, isKeyText, makeKey } from './api-keys.ts';
export { registerApiRequestMetrics } from './api-request-metrics.ts';
export { apiRequestAgeMsMax } from './api-request-queries.ts';
export { ApiRequests } from './api-requests.ts';
export { createAuthenticate } from './authenticate.ts';
export {
  countEndingKeys,
  type EndingKeyRow,
  forgetAddressesOfRevokedKeys,
  selectEndingKeys,
  selectOpenKeysOfOrganization,
} from './client-key-queries.ts';
export {
  createClientKey,
  originsMax,
  publishablePermissions,
  publishableProblem,
} from './create-client-key.ts';
export { createIntegrator } from './create-integrator.ts';
export { createOrganization, type NewOrganization, type TimeZone, timeZones } from './create-organization.ts';
export { createStaff } from './create-staff.ts';
export {
  type AuditFormat,
  announceAuditExport,
  auditExportLines,
  auditFormats,
  exportAuditEntries,
} from './export-audit.ts';
export { deleteOldIdentitySignIns } from './identity-provider-queries.ts';
export { inviteOwner } from './invite-owner.ts';
export { soonAt } from './key-attention.ts';
export { KeyUses } from './key-uses.ts';
export { type ListedClientKey, listClientKeys } from './list-client-keys.ts';
export { type ListedIntegrator, listIntegrators } from './list-integrators.ts';
export { hasOrganization, listOrganizations } from './list-organizations.ts';
export { moveClientKeys } from './move-client-keys.ts';
export {
  deleteEndedSessions,
  deleteOldDevices,
  deleteOldLinks,
  deleteUnansweredChallenges,
  deleteUnfinishedSignIns,
} from './outdated-access-queries.ts';
export { purgeApiRequests } from './purge-api-requests.ts';
export { remindOfKeys, startRemindingOfKeys } from './remind-of-keys.ts';
export { resealStaffSecrets } from './reseal-staff-secrets.ts';
export { revokeClientKey } from './revoke-client-key.ts';
export { revokeIntegrator } from './revoke-integrator.ts';
export { rotateConsumerKey } from './rotate-consumer-key.ts';
export { proveStaffSession } from './session-queries.ts';
export type { StaffAccess } from './session-staff-routes.ts';
export { SharedRateLimitTokens, startRateLimitRetention } from './shared-rate-limit-tokens.ts';
export { updateSignInRules } from './sign-in-rules.ts';
export { deviceAgeMsMax } from './staff-devices.ts';
export { selectOtherStaff, selectOwnerEmails } from './staff-queries.ts';
export { StaffSessions, sessionAgeMsMax, sessionsInForce } from './staff-sessions.ts';
export { startSession } from './start-session.ts';
