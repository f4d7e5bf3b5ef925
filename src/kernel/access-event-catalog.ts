import { event, flag, id, listOf, moment, oneOf, optional, text } from './event-facts.ts';

const role = oneOf('owner', 'manager', 'budtender', 'inventory');

/** The events of the organization itself, its keys, staff, sandboxes and webhooks. */
export const accessEvents = {
  'organization.created': event('An organization was made', { organizationId: id() }),
  'organization.updated': event('Its profile, its address, its hours or its terms of sale changed', {
    organizationId: id(),
  }),
  'move.updated': event('The move of the shop from another till began, or went on', {
    moveId: id(),
    status: oneOf('open', 'frozen', 'live', 'returned', 'canceled'),
  }),
  'organization.suspended': event(
    'The operator suspended the organization: it is read, and nothing is written',
    {
      organizationId: id(),
    },
  ),
  'organization.resumed': event('The organization trades again', { organizationId: id() }),
  'organization.ending': event('The operator set when the organization is deleted', {
    organizationId: id(),
    endsAt: moment,
  }),
  'organization.moved_out': event('The operator exported the organization whole', { organizationId: id() }),
  'organization.moved_in': event('The organization came from another deployment', { organizationId: id() }),
  'organization.exported': event('Staff downloaded data of the organization', {
    resources: listOf(text('audit-log')),
  }),
  'organization.operated': event('The operator of the deployment changed a setting of the organization', {}),
  'client_key.created': event('An owner made a key for an integrator', {
    clientKeyId: id(),
    integratorId: id(3),
    permissions: listOf(text('menu')),
  }),
  'client_key.rotated': event('A key got a new secret; the former one ends later', {
    clientKeyId: id(),
    previousEndsAt: moment,
  }),
  'client_key.revoked': event('A key was revoked', { clientKeyId: id() }),
  'client_key.reminded': event('Owners were told that a key will expire', {
    clientKeyId: id(),
    integratorId: id(3),
    expiresAt: moment,
  }),
  'staff.created': event('A member of staff was added', { staffId: id(7), role: role }),
  'staff.invited': event('A member of staff was invited', { staffId: id(7), role: role, expiresAt: moment }),
  'staff.joined': event('An invited person set a password', { staffId: id(7) }),
  'staff.updated': event('The name, the role or the access of a member of staff changed', {
    staffId: id(7),
    role: role,
    disabled: flag,
  }),
  'staff.password_changed': event('A member of staff changed the own password', { staffId: id(7) }),
  'staff.pin_changed': event('A member of staff set or removed the own PIN', { staffId: id(7) }),
  'staff.pin_refused': event('A wrong PIN was typed in the session of a member', { staffId: id(7) }),
  'staff.approved': event('A member of staff approved an act of another one by PIN', {
    staffId: id(7),
    forStaffId: id(8),
  }),
  'staff.password_reset_requested': event('A link for a new password was sent', { staffId: id(7) }),
  'staff.password_reset': event('A new password was set by such a link', { staffId: id(7) }),
  'staff.signed_in': event('A member of staff signed in', { staffId: id(7), sessionId: id(91) }),
  'staff.sign_in_failed': event('A sign-in failed', { staffId: id(7) }),
  'staff.signed_out': event('A session ended', { staffId: id(7), sessionId: id(91) }),
  'staff.proved': event('A member of staff proved the own identity again', {
    staffId: id(7),
    sessionId: id(91),
  }),
  'staff.second_factor_begun': event('A second factor was begun', { staffId: id(7) }),
  'staff.second_factor_added': event('A second factor was added', { staffId: id(7) }),
  'staff.second_factor_removed': event('A member of staff removed the own second factor', { staffId: id(7) }),
  'staff.second_factor_reset': event('An owner removed the second factor of another person', {
    staffId: id(7),
  }),
  'staff.recovery_codes_renewed': event('New recovery codes were made', { staffId: id(7) }),
  'staff.passkey_added': event('A passkey was added', { staffId: id(7) }),
  'staff.passkey_removed': event('A passkey was removed', { staffId: id(7) }),
  'staff.sign_in_rules_changed': event('An owner changed what a sign-in asks for', {}),
  'staff.identity_provider_changed': event('An owner set the identity provider', {}),
  'staff.identity_provider_removed': event('An owner removed the identity provider', {}),
  'staff.identity_linked': event('An account of the identity provider was linked', { staffId: id(7) }),
  'staff.identity_unlinked': event('Such a link was removed', { staffId: id(7) }),
  'staff.identity_sign_in_failed': event('A sign-in by the identity provider failed', {}),
  'sandbox.created': event('A sandbox was made', { organizationId: id(), integratorId: id(3) }),
  'sandbox.clock_set': event('The clock of a sandbox was set', { organizationId: id() }),
  'sandbox.reset_requested': event('A sandbox is being reset', { organizationId: id() }),
  'sandbox.webhooks_held': event('Webhooks of a sandbox are held back', {
    organizationId: id(),
    integratorId: id(3),
  }),
  'sandbox.reset': event('A sandbox was reset', { organizationId: id() }),
  'webhook_endpoint.created': event('A webhook endpoint was made', {
    webhookEndpointId: id(7),
    integratorId: id(3),
    clientKeyId: id(),
  }),
  'webhook_endpoint.updated': event('A webhook endpoint changed', {
    webhookEndpointId: id(7),
    enabled: flag,
  }),
  'webhook_endpoint.deleted': event('A webhook endpoint was deleted', { webhookEndpointId: id(7) }),
  'webhook_endpoint.secret_rotated': event('An endpoint got a new secret; the former one ends later', {
    webhookEndpointId: id(7),
    previousEndsAt: moment,
  }),
  'webhook_endpoint.sent_again': event('Events were sent again', {
    webhookEndpointId: id(7),
    cursor: optional(text('0-1')),
    webhookDeliveryId: optional(id(88)),
  }),
  'webhook_endpoint.tested': event('A test was sent', {
    webhookEndpointId: id(7),
    webhookDeliveryId: id(88),
  }),
  'webhook_endpoint.switched_off': event('An endpoint that did not answer was switched off', {
    webhookEndpointId: id(7),
    reason: text('failing'),
  }),
} as const;
