import { deliveriesPerPage } from './delivery-queries.ts';

/** What paths name, and the refusals of ids that name nothing of the caller. */
export const strangerEndpoint = { webhookEndpointId: 'WEBHOOK_ENDPOINT_NOT_FOUND' } as const;
export const strangerDelivery = {
  ...strangerEndpoint,
  webhookDeliveryId: 'WEBHOOK_DELIVERY_NOT_FOUND',
} as const;

/** Words that both audiences read. */
export const webhookWords = {
  create:
    'Events that happen from now on are sent to the address as they happen, after the Standard Webhooks specification: ' +
    'a POST with `webhook-id`, `webhook-timestamp` and `webhook-signature` (`v1,` and HMAC-SHA256 under the secret), whose ' +
    'body is `{type, timestamp, data}` with the change as `GET /api/v1/changes` shows it. An answer of 200 to 299 within 15 ' +
    'seconds is a success; everything else is tried again over three days. Each event arrives at least once, and events of ' +
    'one resource in order. The secret is shown here only.',
  update:
    'Changes the given fields. An endpoint that is enabled again goes on with the event at which it stopped, if that is ' +
    'still kept.',
  delete: 'Nothing more is sent to it. Its deliveries are deleted. Deleting it again changes nothing.',
  rotate:
    'Answers a new secret. For 24 hours each event has two signatures, of the new and of the previous secret.',
  deliveries: `What was sent to the endpoint, or will be, and what came of the last attempt: newest first, ${deliveriesPerPage} a page. Kept for 30 days.`,
  sendAgain: 'Sends the event again soon, with the same `webhook-id`, whatever came of it before.',
  sendSince:
    'Sends all events behind a cursor, or since a time, again, in order, with the same `webhook-id` each. Those that were not sent yet ' +
    'follow.',
  test: 'Sends an event `webhook_endpoint.test` to this endpoint. Its delivery shows what the endpoint answered.',
} as const;
