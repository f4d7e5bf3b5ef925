import { countOfPage } from '../../platform/lists/counted-rows.ts';
import { sortedList } from '../../platform/lists/sorted-list.ts';
import { insertMany, statement } from '../../platform/statements/statement.ts';

/** SQL of deliveries, as integrators and staff see them. */

export interface WebhookDeliveryRow {
  id: number;
  message_id: string;
  type: string;
  created_at: number;
  attempts: number;
  next_attempt_at: number | null;
  last_attempt_at: number | null;
  last_status: number | null;
  last_error: string | null;
  answer: string | null;
  duration_ms: number | null;
  delivered_at: number | null;
}

const shownColumns = `d.id, d.message_id, d.type, d.created_at, d.attempts, d.next_attempt_at, d.last_attempt_at,
          d.last_status, d.last_error, d.answer, d.duration_ms, d.delivered_at`;
const ofEndpoint = `from webhook_deliveries d
    where d.organization_id = :organizationId and d.endpoint_id = :endpointId`;
const shownDelivery = `select ${shownColumns} ${ofEndpoint}`;

export const deliveriesPerPage = 50;

/** How many deliveries an endpoint has, up to the bound of counting. */
export const countDeliveries = statement<{ endpointId: number }, { count: number }>(
  'count_webhook_deliveries',
  countOfPage(
    `${shownDelivery} order by d.created_at desc, d.id desc limit ${deliveriesPerPage}`,
    deliveriesPerPage,
  ),
);

/** A log, by time; from either end. */
export const deliveryList = sortedList<WebhookDeliveryRow, 'createdAt'>({
  name: 'list_webhook_deliveries',
  rows: ofEndpoint,
  ids: ['d.id'],
  sorts: { createdAt: { key: 'd.created_at', own: 'descending' } },
  rowsPerPage: deliveriesPerPage,
  show: (page) => `select ${shownColumns} from ${page}
     join webhook_deliveries d on d.organization_id = :organizationId and d.id = page.id0`,
});

export const selectDelivery = statement<{ endpointId: number; id: number }, WebhookDeliveryRow>(
  'select_webhook_delivery',
  `${shownDelivery} and d.id = :id`,
);

/** It starts again: first attempt now, then the pauses of a new delivery. */
export const resetDelivery = statement<{ endpointId: number; id: number; at: string }, { id: number }>(
  'reset_webhook_delivery',
  `update webhook_deliveries set attempts = 0, next_attempt_at = :at, blocked = false, delivered_at = null
    where organization_id = :organizationId and endpoint_id = :endpointId and id = :id
   returning id`,
);

export const insertDeliveries = insertMany<{
  id: number;
  endpointId: number;
  eventId: number;
  position: number;
  messageId: string;
  type: string;
  resource: string;
  body: string;
  nextAttemptAt: string;
  createdAt: string;
}>('webhook_deliveries', {
  id: 'id',
  endpointId: 'endpoint_id',
  eventId: 'event_id',
  position: 'position',
  messageId: 'message_id',
  type: 'type',
  resource: 'resource',
  body: 'body',
  nextAttemptAt: 'next_attempt_at',
  createdAt: 'created_at',
});

/** The endpoint that gets codes of phones, if one is enabled and its key is good. */
export const selectCodeEndpoint = statement<{ at: string }, { id: number }>(
  'select_webhook_endpoint_of_codes',
  `select e.id from webhook_endpoints e
     join client_keys k on k.organization_id = e.organization_id and k.id = e.client_key_id
    where e.organization_id = :organizationId and e.deleted_at is null and e.enabled
      and 'customer.code_requested' = any (e.types)
      and k.revoked_at is null and (k.expires_at is null or k.expires_at > :at)`,
);

/** A delivery with a code: an event of its own, so it has no place in the feed. */
export const insertCodeDelivery = statement<
  {
    id: number;
    endpointId: number;
    messageId: string;
    type: string;
    sealedBody: Uint8Array;
    masterKeyId: string;
    bodyEndsAt: string;
    at: string;
  },
  never
>(
  'insert_webhook_delivery_of_code',
  `insert into webhook_deliveries
     (organization_id, id, endpoint_id, event_id, position, message_id, type, resource, sealed_body,
      sealed_body_master_key_id, body_ends_at, next_attempt_at, created_at)
   values (:organizationId, :id, :endpointId, :id, 0, :messageId, :type, :messageId, :sealedBody, :masterKeyId,
           :bodyEndsAt, :at, :at)`,
);

/** The codes in them are used or replaced, or their customer is erased. */
export const emptyDeliveries = statement<{ ids: readonly number[] }, never>(
  'empty_webhook_deliveries',
  `update webhook_deliveries set sealed_body = null, sealed_body_master_key_id = null, next_attempt_at = null
    where organization_id = :organizationId and id = any (:ids::bigint[]) and sealed_body is not null`,
);
