import { deliveriesPerPage } from './delivery-queries.ts';
import { WebhookDeliveryParams, WebhookEndpointParams } from './webhook-schemas.ts';

/** What operations on one endpoint share: path, and the refusals of ids that name nothing of the caller. */
export const ofEndpoint = {
  path: '/{webhookEndpointId}',
  params: WebhookEndpointParams,
  resourceParams: { webhookEndpointId: 'WEBHOOK_ENDPOINT_NOT_FOUND' },
} as const;

/** The same of one delivery. */
export const ofDelivery = {
  path: `${ofEndpoint.path}/deliveries/{webhookDeliveryId}`,
  params: WebhookDeliveryParams,
  resourceParams: { ...ofEndpoint.resourceParams, webhookDeliveryId: 'WEBHOOK_DELIVERY_NOT_FOUND' },
} as const;

/** Words that both audiences read. */
export const webhookWords = {
  create:
    'Sends each new event to the address, by the Standard Webhooks specification: a POST with `webhook-id`, ' +
    '`webhook-timestamp` and `webhook-signature` (`v1,` and HMAC-SHA256 with the secret). The body is ' +
    '`{type, timestamp, data}`, with the change as `GET /api/v1/changes` shows it. A response of 200 to 299 within 15 ' +
    'seconds is a success; otherwise the event is sent again, for three days. Each event arrives at least once; events ' +
    'of one resource arrive in order. The secret is shown only here.',
  codes:
    'An owner may make one endpoint for `customer.code_requested`, which names it alone: it gets the code for each phone that ' +
    'signs in at any integrator, `data` is `{phone, code, expiresAt}`, and sends it to that phone as a message. No other ' +
    'endpoint gets codes, integrators do not see this one, and only owners change it.',
  update:
    'Changes the given fields. An endpoint that is enabled again continues with the event at which it stopped, if that ' +
    'event is still kept.',
  delete: 'Stops sending to the endpoint and deletes its deliveries. Deleting it again changes nothing.',
  rotate:
    'Returns a new secret. For 24 hours each event has two signatures, of the new and of the previous secret.',
  deliveries: `Deliveries to the endpoint, sent or waiting, with the result of the last attempt: newest first, ${deliveriesPerPage} a page. Kept for 30 days.`,
  sendAgain: 'Sends the event again soon, with the same `webhook-id`, even if it succeeded before.',
  sendSince:
    'Sends all events after a cursor, or since a time, again, in order, each with the same `webhook-id`. Events not sent ' +
    'yet follow.',
  test: 'Sends an event `webhook_endpoint.test` to this endpoint. Its delivery shows the response of the endpoint.',
} as const;
