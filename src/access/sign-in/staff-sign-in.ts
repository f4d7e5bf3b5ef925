/**
 * Front door of signing in: passwords, second factors, passkeys and identity providers. Owns staff_totp_secrets,
 * staff_recovery_codes, staff_half_sign_ins, staff_passkeys, staff_passkey_challenges, staff_sign_in_rules,
 * staff_identity_providers, staff_identities and staff_identity_sign_ins. Ends in a session.
 */
export { approveBy } from './approvals.ts';
export { deleteOldIdentitySignIns } from './identity-provider-queries.ts';
export { deleteUnansweredChallenges } from './passkey-queries.ts';
export { resealStaffSecrets } from './reseal-staff-secrets.ts';
export { deleteUnfinishedSignIns } from './second-factor-queries.ts';
export { updateSignInRules } from './sign-in-rules.ts';
