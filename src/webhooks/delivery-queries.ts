import { insertMany, statement } from '../database/statement.ts';

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

const shownDelivery = `select d.id, d.message_id, d.type, d.created_at, d.attempts, d.next_attempt_at, d.last_attempt_at,
          d.last_status, d.last_error, d.answer, d.duration_ms, d.delivered_at
     from webhook_deliveries d
    where d.organization_id = :organizationId and d.endpoint_id = :endpointId`;

export const deliveriesPerPage = 50;

export const selectDeliveryPage = statement<{ endpointId: number }, WebhookDeliveryRow>(
  'select_webhook_delivery_page',
  `${shownDelivery} order by d.created_at desc, d.id desc limit ${deliveriesPerPage}`,
);

export const selectDeliveryPageAfter = statement<
  { endpointId: number; startingAfter: number },
  WebhookDeliveryRow
>(
  'select_webhook_delivery_page_after',
  `${shownDelivery} and (d.created_at, d.id) < (
     (select created_at from webhook_deliveries
       where organization_id = :organizationId and endpoint_id = :endpointId and id = :startingAfter), :startingAfter)
   order by d.created_at desc, d.id desc limit ${deliveriesPerPage}`,
);

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
