/**
 * Front door of keys. Owns integrators, consumer_key_digests, client_keys and client_key_digests. A client key belongs to one
 * organization and one integrator (D7); keys are stored as digests only (D6). Does not know what a caller does with a key.
 */
export { addSandboxConsumerKey } from './add-sandbox-consumer-key.ts';
export { createAuthenticate } from './authenticate.ts';
export { forgetAddressesOfRevokedKeys } from './client-key-queries.ts';
export {
  clientKeyFields,
  createClientKey,
  publishablePermissions,
  publishableProblem,
} from './create-client-key.ts';
export { createIntegrator, IntegratorName } from './create-integrator.ts';
export { endingKeyCount, endingKeys } from './key-attention.ts';
export { KeyUses } from './key-uses.ts';
export { listClientKeys } from './list-client-keys.ts';
export { listIntegrators } from './list-integrators.ts';
export { moveClientKeys } from './move-client-keys.ts';
export { reissueClientKeys } from './reissue-client-keys.ts';
export { startRemindingOfKeys } from './remind-of-keys.ts';
export { revokeClientKey } from './revoke-client-key.ts';
export { revokeIntegrator } from './revoke-integrator.ts';
export { rotateConsumerKey } from './rotate-consumer-key.ts';
