import { type BoundStatement, statement } from '../../platform/statements/statement.ts';

/* This slice's part in erasing and exporting a customer, by the ids of the customer's orders. */

type OfOrders = { readonly orderIds: readonly string[] };

const eraseLineReasons = statement<OfOrders, never>(
  'erase_reasons_of_returned_lines',
  `update order_return_lines set reason = 'Erased'
    where organization_id = :organizationId and order_id = any(:orderIds::uuid[])`,
);

/** The document of a return repeats its texts. */
const eraseReturnTexts = statement<OfOrders, never>(
  'erase_texts_of_returns',
  `update order_returns r
      set adjustment_description = case when r.adjustment_description = '' then '' else 'Erased' end,
          voided_reason = case when r.voided_reason is null then null else 'Erased' end,
          document = (r.document::jsonb
            || case when r.adjustment_description = '' then '{"adjustmentDescription": ""}'::jsonb
                    else '{"adjustmentDescription": "Erased"}' end
            || case when r.voided_reason is null then '{"voidedReason": null}'::jsonb else '{"voidedReason": "Erased"}' end
            || jsonb_set('{}', '{lineItems}', (select coalesce(jsonb_agg(l || '{"reason": "Erased"}' order by place), '[]')
                                 from jsonb_array_elements(r.document::jsonb -> 'lineItems') with ordinality as a(l, place))))::text
    where r.organization_id = :organizationId and r.order_id = any(:orderIds::uuid[])`,
);

/** Why goods came back, in the words of people; what, when and for how much stays with the order. */
export function eraseTextsOfReturns(orderIds: readonly string[]): BoundStatement<never>[] {
  return [eraseLineReasons({ orderIds }), eraseReturnTexts({ orderIds })];
}

interface ExportedReturnRow {
  id: number;
  order_id: string;
  created_at: number;
  refund_type: string;
  payment_type_name: string;
  refund_total_cents: number;
  adjustment_description: string;
  voided_at: number | null;
  voided_reason: string | null;
  lines: readonly {
    readonly orderLineItemId: number;
    readonly type: string;
    readonly quantity: number;
    readonly reason: string;
  }[];
}

/** Oldest first, without the staff who took the goods back. */
export const selectReturnsForExport = statement<OfOrders, ExportedReturnRow>(
  'select_returns_for_export',
  `select r.id, r.order_id, r.created_at, r.refund_type, r.payment_type_name, r.refund_total_cents,
          r.adjustment_description, r.voided_at, r.voided_reason,
          (select coalesce(json_agg(json_build_object('orderLineItemId', l.order_line_item_id, 'type', l.type,
                    'quantity', l.quantity, 'reason', l.reason) order by l.position), '[]')
             from order_return_lines l
            where l.organization_id = r.organization_id and l.order_return_id = r.id) as lines
     from order_returns r
    where r.organization_id = :organizationId and r.order_id = any(:orderIds::uuid[])
    order by r.created_at, r.id limit 100000`,
);
