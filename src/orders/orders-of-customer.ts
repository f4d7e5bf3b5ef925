import type { OrderType } from '../carts/carts.ts';
import { statement } from '../database/statement.ts';
import type { OrderSource, OrderStatus } from './order-record.ts';

/*
 * This slice's part in merging, erasing and exporting a customer. Queue these after the lock on the customer,
 * which placing an order waits for. A document is made of columns, and the rows that are stored for it name no customer. Of a whole
 * document, as orders from before have it, they change only single members; the rest stays as it is, byte for byte (D25).
 */

function documentWith(members: Readonly<Record<string, string>>): string {
  const cases = Object.entries(members).map(([name, value]) => `when '${name}' then ${value}`);
  return `(select '{' || string_agg(
                to_json(e.key)::text || ':' || case e.key ${cases.join(' ')} else e.value::text end, ',' order by e.at)
              || '}'
             from json_each(o.document::json) with ordinality as e(key, value, at))`;
}

export const moveOrders = statement<{ fromId: number; intoId: number; at: string }, never>(
  'move_orders',
  `update orders o
      set user_id = :intoId, updated_at = :at, document = ${documentWith({ userId: ':intoId::bigint::text' })}
    where o.organization_id = :organizationId and o.user_id = :fromId`,
);

/** Whether the customer has an order that is neither fulfilled nor canceled. */
export const selectHasOpenOrders = statement<{ userId: number }, { has_open_orders: boolean }>(
  'select_has_open_orders',
  `select exists (select from orders
                   where organization_id = :organizationId and user_id = :userId
                     and status not in ('fulfilled', 'canceled')) as has_open_orders`,
);

/**
 * Removes name, address, notes and the reason of a cancelation; state and postal code stay, because taxes
 * depend on them.
 */
export const eraseCustomerOfOrders = statement<{ userId: number; at: string }, never>(
  'erase_customer_of_orders',
  `update orders o
      set customer_name = null, street1 = null, street2 = null, city = null, delivery_notes = null,
          internal_notes = null, cancelation_reason = null, updated_at = :at,
          document = ${documentWith({
            customerName: "'null'",
            address: "'null'",
            cancelationReason: "'null'",
            dispatchTask: `case json_typeof(e.value) when 'null' then 'null'
                else jsonb_set(e.value::jsonb, '{trackingUrl}', 'null')::text end`,
          })}
    where o.organization_id = :organizationId and o.user_id = :userId`,
);

export const eraseCustomerOfDispatchTasks = statement<{ userId: number; at: string }, never>(
  'erase_customer_of_dispatch_tasks',
  `update order_dispatch_tasks t set tracking_url = null, updated_at = :at
     from orders o
    where o.organization_id = :organizationId and o.user_id = :userId
      and t.organization_id = o.organization_id and t.order_id = o.id and t.tracking_url is not null`,
);

export interface ExportedOrderRow {
  id: string;
  created_at: number;
  fulfilled_at: number | null;
  canceled_at: number | null;
  type: OrderType;
  source: OrderSource;
  status: OrderStatus;
  net_price_cents: number;
  customer_grand_total_cents: number;
  refund_total_cents: number;
  delivery_notes: string | null;
  street1: string | null;
  street2: string | null;
  city: string | null;
  address_state: string | null;
  postal_code: string | null;
  lines: readonly {
    readonly productName: string;
    readonly optionName: string;
    readonly quantity: number;
    readonly finalPrice: number;
  }[];
  payments: readonly { readonly name: string; readonly finalAmount: number }[];
}

/** Oldest first, with the customer's own data only: the staff who served them stay out. */
export const selectOrdersForExport = statement<{ userId: number }, ExportedOrderRow>(
  'select_orders_for_export',
  `select o.id, o.created_at, o.fulfilled_at, o.canceled_at, o.type, o.source, o.status, o.net_price_cents,
          o.customer_grand_total_cents, 
          (select coalesce(sum(r.refund_total_cents), 0)::bigint from order_returns r
            where r.organization_id = o.organization_id and r.order_id = o.id and r.voided_at is null)
            as refund_total_cents,
          o.delivery_notes, o.street1, o.street2, o.city, o.address_state, o.postal_code,
          (select coalesce(json_agg(json_build_object('productName', l.product_name, 'optionName', l.option_name,
                    'quantity', l.quantity, 'finalPrice', l.final_price_cents) order by l.position), '[]')
             from order_line_items l
            where l.organization_id = o.organization_id and l.order_id = o.id) as lines,
          (select coalesce(json_agg(json_build_object('name', p.name, 'finalAmount', p.final_amount_cents)
                    order by p.position), '[]')
             from order_payments p
            where p.organization_id = o.organization_id and p.order_id = o.id) as payments
     from orders o
    where o.organization_id = :organizationId and o.user_id = :userId
    order by o.created_at, o.id limit 100000`,
);
