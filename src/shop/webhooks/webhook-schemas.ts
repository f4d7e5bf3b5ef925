import Type, { type Static } from 'typebox';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { cursorText, cursorTextMax } from '../../platform/events/feed-cursor.ts';
import {
  Flag,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
  withErrorCode,
} from '../../platform/http/schemas.ts';
import type { WebhookDeliveryRow } from './delivery-queries.ts';
import type { WebhookEndpointRow } from './webhook-queries.ts';

/** Endpoints of an integrator in an organization. */
export const endpointsMax = 100;
const typesMax = 100;

const Url = Text({
  min: 1,
  max: 2_000,
  description:
    'An http or https address on the public internet, at port 80 or 443; others are refused. The operator can allow further hosts (`WEBHOOK_HOSTS_ALLOWED`).',
});
const Types = List(Text({ min: 1, max: 100 }), {
  max: typesMax,
  description:
    'Names of events in [events.json](../../contract/events.json); `order.*`: all events of orders. Empty: all events',
});
const Enabled = Flag({ description: 'Whether events are sent' });

const endpointFields = {
  id: Id(),
  url: Url,
  types: Types,
  enabled: Enabled,
  failingSince: Nullable(
    Timestamp({ description: 'Time of the first failed attempt since the last successful one' }),
  ),
  switchedOffAt: Nullable(
    Timestamp({
      description: 'When the service disabled it, after five days of failed attempts or a response 410',
    }),
  ),
  switchedOffReason: Nullable(
    OneOf(['failing', 'gone'], {
      description: 'Why the service disabled it: five days of failed attempts, or a response 410',
    }),
  ),
  lastSuccessAt: Nullable(
    Timestamp({
      description: 'Time of the last successful attempt, to within ten seconds; null before the first',
    }),
  ),
  previousSecretEndsAt: Nullable(Timestamp({ description: 'Until then the previous secret also signs' })),
  createdAt: Timestamp(),
};

export const WebhookEndpoint = Named('WebhookEndpoint', Type.Object(endpointFields));

const Secret = Text({
  max: 64,
  description: 'The signing secret, `whsec_` and Base64; shown only here',
});

export const WebhookEndpointWithSecret = Named(
  'WebhookEndpointWithSecret',
  Type.Object({ ...endpointFields, secret: Secret }),
);

const ownerFields = {
  integratorId: Id(),
  integratorName: Text({ max: 200 }),
  clientKeyId: Id({
    description: 'The key that created it: the endpoint gets the events that this key may read',
  }),
};

export const StaffWebhookEndpoint = Named(
  'StaffWebhookEndpoint',
  Type.Object({ ...endpointFields, ...ownerFields }),
);

export const StaffWebhookEndpointWithSecret = Named(
  'StaffWebhookEndpointWithSecret',
  Type.Object({ ...endpointFields, ...ownerFields, secret: Secret }),
);

export const CreateWebhookEndpointBody = Type.Object({
  url: Url,
  types: Type.Optional(Types),
});

export const StaffCreateWebhookEndpointBody = Type.Object({
  clientKeyId: Id({ description: 'The integrator of this key gets the events that the key may read' }),
  url: Url,
  types: Type.Optional(Types),
});

export const UpdateWebhookEndpointBody = Type.Object({
  url: Type.Optional(Url),
  types: Type.Optional(Types),
  enabled: Type.Optional(Enabled),
});

export const SendSinceBody = Type.Object({
  cursor: Type.Optional(
    withErrorCode(
      Text({
        min: 3,
        max: cursorTextMax,
        description:
          'A cursor of `GET /api/v1/changes`, or the `changeId` of a delivery: the events after it are sent again',
      }),
      'INVALID_CURSOR',
    ),
  ),
  since: Type.Optional(
    Timestamp({
      description: 'In place of a cursor: the kept events of this time and later are sent again',
    }),
  ),
});

export const WebhookEndpointParams = Type.Object({ webhookEndpointId: Id({ description: 'The endpoint' }) });
export const WebhookDeliveryParams = Type.Object({
  webhookEndpointId: Id({ description: 'The endpoint' }),
  webhookDeliveryId: Id({ description: 'The delivery' }),
});

export const DeliveryPage = {
  startingAfter: Type.Optional(
    withErrorCode(Id({ description: 'The last id of the previous page' }), 'INVALID_CURSOR'),
  ),
};

export const WebhookDelivery = Named(
  'WebhookDelivery',
  Type.Object({
    id: Id(),
    changeId: Text({ max: 64, description: 'The id of the change, sent as `webhook-id`' }),
    type: Text({ description: 'The event', max: 100 }),
    status: OneOf(['pending', 'delivered', 'failed'], {
      description: '`failed`: all attempts failed, or the key may not read the event any more',
    }),
    createdAt: Timestamp(),
    attempts: WholeNumber({ description: 'How often it was sent', min: 0, max: 1_000_000 }),
    nextAttemptAt: Nullable(Timestamp({ description: 'When it is sent next; null: not again' })),
    deliveredAt: Nullable(Timestamp({ description: 'When it was accepted; null: it was not' })),
    lastAttempt: Type.Unsafe<{
      at: string;
      status: number | null;
      answer: string | null;
      error: string | null;
      milliseconds: number | null;
    } | null>({
      anyOf: [
        Type.Object({
          at: Timestamp({ description: 'When it happened' }),
          status: Nullable(
            WholeNumber({
              min: 100,
              max: 999,
              description: 'HTTP status of the response; null if there was none',
            }),
          ),
          answer: Nullable(Text({ max: 1_024, description: 'The first kilobyte of the response' })),
          error: Nullable(Text({ max: 200, description: 'Why there was no response' })),
          milliseconds: Nullable(
            WholeNumber({ description: 'How long the answer took', min: 0, max: 3_600_000 }),
          ),
        }),
        { type: 'null' },
      ],
      description: 'The last attempt; null before the first',
    }),
  }),
);

const timeOf = (ms: number | null): string | null => (ms === null ? null : isoTimestamp(ms));

/** An endpoint as its integrator sees it. */
export function shownEndpoint(row: WebhookEndpointRow, nowMs: number): Static<typeof WebhookEndpoint> {
  const formerEndsAt = row.former_secret_ends_at;
  return {
    id: row.id,
    url: row.url,
    types: row.types,
    enabled: row.enabled,
    failingSince: timeOf(row.failing_since),
    switchedOffAt: timeOf(row.switched_off_at),
    switchedOffReason: row.switched_off_reason,
    lastSuccessAt: timeOf(row.last_success_at),
    previousSecretEndsAt: formerEndsAt !== null && formerEndsAt > nowMs ? timeOf(formerEndsAt) : null,
    createdAt: isoTimestamp(row.created_at),
  };
}

/** An endpoint as staff see it. */
export function shownToStaff(row: WebhookEndpointRow, nowMs: number): Static<typeof StaffWebhookEndpoint> {
  return {
    ...shownEndpoint(row, nowMs),
    integratorId: row.integrator_id,
    integratorName: row.integrator_name,
    clientKeyId: row.client_key_id,
  };
}

/** A delivery as both audiences see it. */
export function shownDelivery(row: WebhookDeliveryRow): Static<typeof WebhookDelivery> {
  const isPending = row.next_attempt_at !== null;
  return {
    id: row.id,
    changeId: row.message_id,
    type: row.type,
    status: isPending ? 'pending' : row.delivered_at === null ? 'failed' : 'delivered',
    createdAt: isoTimestamp(row.created_at),
    attempts: row.attempts,
    nextAttemptAt: timeOf(row.next_attempt_at),
    deliveredAt: timeOf(row.delivered_at),
    lastAttempt:
      row.last_attempt_at === null
        ? null
        : {
            at: isoTimestamp(row.last_attempt_at),
            status: row.last_status,
            answer: row.answer,
            error: row.last_error,
            milliseconds: row.duration_ms,
          },
  };
}

export const endpointExample = {
  id: 41_003,
  url: 'https://hooks.example.com/dispensary',
  types: ['order.*', 'product.updated'],
  enabled: true,
  failingSince: null,
  switchedOffAt: null,
  switchedOffReason: null,
  lastSuccessAt: '2026-03-01T17:05:09.301Z',
  previousSecretEndsAt: null,
  createdAt: '2026-03-01T17:05:09.123Z',
};

export const secretExample = {
  ...endpointExample,
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0KfnWcIXmHA=',
};
export const ownerExample = { integratorId: 7, integratorName: 'Corner Cart', clientKeyId: 1_001 };

export const deliveryExample = {
  id: 41_077,
  changeId: cursorText({ position: 128, eventId: 123_589 }),
  type: 'order.placed',
  status: 'delivered',
  createdAt: '2026-03-01T17:05:09.223Z',
  attempts: 1,
  nextAttemptAt: null,
  deliveredAt: '2026-03-01T17:05:09.301Z',
  lastAttempt: {
    at: '2026-03-01T17:05:09.301Z',
    status: 204,
    answer: '',
    error: null,
    milliseconds: 78,
  },
} as const;

export const testedExample = {
  ...deliveryExample,
  changeId: 'test-3k',
  type: 'webhook_endpoint.test',
  status: 'pending',
  attempts: 0,
  deliveredAt: null,
  nextAttemptAt: deliveryExample.createdAt,
  lastAttempt: null,
} as const;
