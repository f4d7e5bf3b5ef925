import type { Receiver } from '../../src/shop/webhooks/webhooks.test-support.ts';
import type { Call } from './promised-requests.ts';
import { oneOf, orNull, type Shape } from './promised-types.ts';

/* The promised fields of what keeps a copy up to date: changes, checksums, webhooks (D64 to D66). */

const checksum = { count: 'number', digest: 'string', cursor: 'string' };

const endpoint = {
  id: 'id',
  url: 'string',
  types: ['string'],
  enabled: 'boolean',
  lastSuccessAt: 'time or null or rare',
  failingSince: 'time or null',
  switchedOffAt: 'time or null',
  switchedOffReason: 'string or null or rare',
  previousSecretEndsAt: 'time or null',
  createdAt: 'time',
} as const;

/** A new endpoint has not failed, and has no earlier secret. */
const newEndpoint = {
  ...endpoint,
  failingSince: 'time or null or rare',
  switchedOffAt: 'time or null or rare',
  previousSecretEndsAt: 'time or null or rare',
};

/** "Every delivery can be seen: status, first KB of the answer, time." */
const delivery = {
  id: 'id',
  changeId: 'string',
  type: 'string',
  status: oneOf('pending', 'delivered', 'failed'),
  createdAt: 'time',
  attempts: 'number',
  nextAttemptAt: 'time or null',
  deliveredAt: 'time or null',
  lastAttempt: orNull({
    at: 'time',
    status: 'number or null',
    answer: 'string or null',
    error: 'string or null',
    milliseconds: 'number or null',
  }),
} as const;

/** A delivery that has just been asked for. */
const waitingDelivery = {
  ...delivery,
  deliveredAt: 'time or null or rare',
  lastAttempt: 'any or null or rare',
};

export const followedFields: Readonly<Record<string, Shape | null>> = {
  'GET /api/v1/changes': {
    data: [
      {
        id: 'string',
        type: 'string',
        at: 'time',
        resource: { type: 'string', id: 'string' },
        facts: 'any',
        'data?': 'any or null',
      },
    ],
    meta: { cursor: 'string', hasMore: 'boolean' },
  },
  'GET /api/v1/changes/latest': { data: { cursor: 'string' } },
  'GET /api/v1/checksums/orders': {
    data: { ...checksum, months: [{ month: 'string', count: 'number', digest: 'string' }] },
  },
  ...Object.fromEntries(
    ['customers', 'products', 'packages', 'purchase_orders'].map((collection) => [
      `GET /api/v1/checksums/${collection}`,
      { data: checksum },
    ]),
  ),
  'GET /api/v1/webhook-endpoints': { data: [endpoint] },
  'POST /api/v1/webhook-endpoints': { data: { ...newEndpoint, secret: 'string' } },
  'PATCH /api/v1/webhook-endpoints/{webhookEndpointId}': { data: newEndpoint },
  'DELETE /api/v1/webhook-endpoints/{webhookEndpointId}': null,
  'POST /api/v1/webhook-endpoints/{webhookEndpointId}/rotate-secret': {
    data: { ...newEndpoint, previousSecretEndsAt: 'time or null', secret: 'string' },
  },
  'POST /api/v1/webhook-endpoints/{webhookEndpointId}/test': { data: waitingDelivery },
  'GET /api/v1/webhook-endpoints/{webhookEndpointId}/deliveries': { data: [delivery] },
  'POST /api/v1/webhook-endpoints/{webhookEndpointId}/deliveries/{webhookDeliveryId}/send': {
    data: waitingDelivery,
  },
  'POST /api/v1/webhook-endpoints/{webhookEndpointId}/send-since': null,
};

/**
 * Follows the changes of a demo shop in every way. `receivers` answer well, with an error, with 410, and not at all;
 * `deliver` sends what waits.
 */
export async function followEverything(
  call: Call,
  receivers: readonly Pick<Receiver, 'url'>[],
  deliver: () => Promise<unknown>,
): Promise<void> {
  const { cursor } = await call('GET /api/v1/changes/latest');
  for (const query of [{}, { include: 'data', limit: 500 }]) await call('GET /api/v1/changes', {}, { query });
  for (const collection of ['orders', 'customers', 'products', 'packages', 'purchase_orders']) {
    await call(`GET /api/v1/checksums/${collection}`);
  }
  const endpoints = 'webhook-endpoints/{webhookEndpointId}';
  const ids: number[] = [];
  for (const { url } of receivers) {
    const { id } = await call('POST /api/v1/webhook-endpoints', {}, { body: { url, types: ['order.*'] } });
    ids.push(id);
    await call(`POST /api/v1/${endpoints}/test`, { webhookEndpointId: id });
  }
  await deliver();
  for (const webhookEndpointId of ids) {
    const path = { webhookEndpointId };
    const [sent] = await call(`GET /api/v1/${endpoints}/deliveries`, path);
    const again = { ...path, webhookDeliveryId: sent.id };
    await call(`POST /api/v1/${endpoints}/deliveries/{webhookDeliveryId}/send`, again);
    await call(`POST /api/v1/${endpoints}/send-since`, path, { body: { cursor } });
    await call(`PATCH /api/v1/${endpoints}`, path, { body: { enabled: false } });
    await call(`POST /api/v1/${endpoints}/rotate-secret`, path);
  }
  await call('GET /api/v1/webhook-endpoints');
  for (const webhookEndpointId of ids) await call(`DELETE /api/v1/${endpoints}`, { webhookEndpointId });
}
