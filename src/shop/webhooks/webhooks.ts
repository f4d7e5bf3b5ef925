/**
 * Front door of webhooks (D66): the change feed, sent to addresses of integrators after the Standard Webhooks
 * specification. Owns webhook_organizations, webhook_endpoints, webhook_deliveries.
 *
 * Every event that an endpoint gets is sent at least once. Events of one resource arrive in order: a failed one holds
 * back the later ones of its resource, and nothing else. Does not decide what is announced, or who may read it.
 */
export { endCodeDeliveries, queueCodeDelivery } from './code-deliveries.ts';
export { eraseAnswers, selectDeliveriesForExport } from './deliveries-of-customer.ts';
export { messageBody } from './delivery-message.ts';
export { holdWebhooks } from './hold-webhooks.ts';
export {
  deliveryAgeMsMax,
  purgeDeletedEndpoints,
  purgeDeliveries,
  startWebhookRetention,
} from './purge-webhooks.ts';
export { resealSecrets } from './reseal-secrets.ts';
export { countEndpointStates, selectFailingEndpoints } from './webhook-queries.ts';
export { signedHeaders } from './webhook-secrets.ts';
export { WebhookWorker } from './webhook-worker.ts';
