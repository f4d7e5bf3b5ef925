import { statement } from '../../platform/statements/statement.ts';

/*
 * This slice's part in erasing and exporting a customer. A delivery keeps no body: it is made when it is sent. What stays is the
 * beginning of the receiver's answer, which may repeat what it got.
 */

/** What a delivery is about, as it is written there. */
export type DeliveredResource = `${'customer' | 'order' | 'loyalty_event' | 'queue_entry'}:${string}`;

/** Answers, and what was noted of attempts that failed, of deliveries that told of these. */
export const eraseAnswers = statement<{ resources: readonly DeliveredResource[] }, never>(
  'erase_webhook_answers',
  `update webhook_deliveries set answer = null
    where organization_id = :organizationId and resource = any(:resources::text[]) and answer is not null`,
);

interface ExportedDeliveryRow {
  id: number;
  type: string;
  resource: string;
  url: string;
  created_at: number;
  delivered_at: number | null;
  answer: string | null;
}

/** To whom the changes of these were told, oldest first. */
export const selectDeliveriesForExport = statement<
  { resources: readonly DeliveredResource[] },
  ExportedDeliveryRow
>(
  'select_webhook_deliveries_for_export',
  `select d.id, d.type, d.resource, e.url, d.created_at, d.delivered_at, d.answer
     from webhook_deliveries d
     join webhook_endpoints e on e.organization_id = d.organization_id and e.id = d.endpoint_id
    where d.organization_id = :organizationId and d.resource = any(:resources::text[])
    order by d.created_at, d.id limit 100000`,
);
