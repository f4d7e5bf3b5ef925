import type { TenantTransaction } from '../../platform/database/database.ts';
import { statement } from '../../platform/statements/statement.ts';
import type { OrderType } from '../carts/cart-schemas.ts';
import type { OrderSource, OrderStatus } from './order-record.ts';

/*
 * This slice's part in merging, erasing and exporting a customer. Queue these after the lock on the customer, which placing an order
 * waits for. What is shown of an order is made of its columns, and the rows that are stored for it name no customer. Each `when` has
 * its own condition: the planner of a distributed database writes `case a when b` wrong in these updates.
 */

export const moveOrders = statement<{ fromId: number; intoId: number; at: string }, never>(
  'move_orders',
  `update orders o
      set user_id = case when o.user_id = :fromId then :intoId else o.user_id end,
          bought_by_id = case when o.bought_by_id = :fromId then :intoId else o.bought_by_id end, updated_at = :at
    where o.organization_id = :organizationId and (o.user_id = :fromId or o.bought_by_id = :fromId)`,
);

/** Whether the customer has an order that is neither fulfilled nor canceled, or has bought one for a patient. */
export const selectHasOpenOrders = statement<{ userId: number }, { has_open_orders: boolean }>(
  'select_has_open_orders',
  `select exists (select from orders
                   where organization_id = :organizationId and user_id = :userId
                     and status not in ('fulfilled', 'canceled'))
       or exists (select from orders
                   where organization_id = :organizationId and bought_by_id = :userId
                     and status not in ('fulfilled', 'canceled')) as has_open_orders`,
);

/**
 * Whether a customer did nothing since a moment: no order, none for a patient, no change of the profile, the groups or the points; and
 * waits for none. The function `retention_backlog` of the database counts the same.
 */
const inactive = `c.erased_at is null and c.updated_at < :before
      and not exists (
        select from orders o
         where o.organization_id = :organizationId and o.user_id = c.id
           and (o.created_at >= :before or o.status not in ('fulfilled', 'canceled')))
      and not exists (
        select from orders o
         where o.organization_id = :organizationId and o.bought_by_id = c.id
           and (o.created_at >= :before or o.status not in ('fulfilled', 'canceled')))`;

/**
 * Some of them, who changed longest ago first; with an id, that one if still inactive. Customers with a younger order are
 * looked at again in each pass.
 */
export const selectInactiveCustomers = statement<
  { before: string; limit: number; id: number | null },
  { id: number }
>(
  'select_inactive_customers',
  `select c.id from customers c
    where c.organization_id = :organizationId and (:id::bigint is null or c.id = :id) and ${inactive}
    order by c.updated_at, c.id limit :limit`,
);

/** SQL for a JSON array without what people typed into one member of its rows. */
function erasedIn(array: string, member: string): string {
  return `(select coalesce(jsonb_agg(r.row || '{"${member}": "Erased"}' order by r.place), '[]')
                from jsonb_array_elements(${array}) with ordinality as r("row", place))`;
}

/**
 * Removes name, address, notes and the reason of a cancelation; state and ZIP code stay, because taxes
 * depend on them.
 */
const eraseHeads = statement<{ userId: number; at: string }, { id: string }>(
  'erase_customer_of_orders',
  `update orders o
      set customer_name = null, street1 = null, street2 = null, city = null, delivery_notes = null,
          internal_notes = null, cancelation_reason = null, updated_at = :at,
          asked = (select jsonb_object_agg(a.key, case
                     when a.key = 'adjustments' then ${erasedIn('a.value', 'description')}
                     when a.key = 'priceOverrides' then ${erasedIn('a.value', 'reason')}
                     when a.key = 'lineReductions' then ${erasedIn('a.value', 'reason')}
                     when a.key = 'discountAmounts' then ${erasedIn('a.value', 'reason')}
                     when a.key = 'contact' then '{"email": null, "phone": null}'
                     when a.key = 'taxExempt' and jsonb_typeof(a.value) = 'object' then a.value || '{"reason": "Erased"}'
                     else a.value end)
                     from jsonb_each(o.asked) a)
    where o.organization_id = :organizationId and o.user_id = :userId
   returning id`,
);

type OfOrders = { readonly orderIds: readonly string[] };

const eraseAdjustmentTexts = statement<OfOrders, never>(
  'erase_adjustment_texts',
  `update order_adjustments set description = 'Erased'
    where organization_id = :organizationId and order_id = any(:orderIds::uuid[]) and not is_tax_exemption`,
);

const eraseCreditTexts = statement<OfOrders, never>(
  'erase_credit_texts_of_orders',
  `update order_credits set description = 'Erased'
    where organization_id = :organizationId and order_id = any(:orderIds::uuid[])`,
);

/** The members are those of order-document.ts. */
const eraseShownTexts = statement<OfOrders & { at: string }, never>(
  'erase_shown_texts_of_orders',
  `update order_explanations e
      set steps_pruned_at = case when e.steps is null then e.steps_pruned_at else :at end, steps = null,
          shown_rows = jsonb_set(
            jsonb_set(e.shown_rows::jsonb, '{adjustments}', (
              select coalesce(jsonb_agg(case when a -> 'isTaxExemption' = 'true' then a
                                             else a || '{"description": "Erased"}' end order by place), '[]')
                from jsonb_array_elements(e.shown_rows::jsonb -> 'adjustments') with ordinality as l(a, place))),
            '{credits}', (
              select coalesce(jsonb_agg(c || '{"description": "Erased"}' order by place), '[]')
                from jsonb_array_elements(e.shown_rows::jsonb -> 'credits') with ordinality as l(c, place)))::text
    where e.organization_id = :organizationId and e.order_id = any(:orderIds::uuid[])`,
);

const eraseDispatchTasks = statement<{ userId: number; at: string }, never>(
  'erase_customer_of_dispatch_tasks',
  `update order_dispatch_tasks t set tracking_url = null, updated_at = :at
     from orders o
    where o.organization_id = :organizationId and o.user_id = :userId
      and t.organization_id = o.organization_id and t.order_id = o.id and t.tracking_url is not null`,
);

/**
 * Erases a customer from all orders: who and where they are, and what people typed about amounts (descriptions of adjustments and
 * of credits that were used, where they are shown, and the steps of the arithmetic, which repeat them). The amounts stay.
 * Resolves to the ids of the orders, whose copies elsewhere go by them.
 */
export async function eraseCustomerOfOrders(
  tx: TenantTransaction,
  userId: number,
  at: string,
): Promise<string[]> {
  const [, heads] = await tx.run(eraseDispatchTasks({ userId, at }), eraseHeads({ userId, at }));
  const orderIds = heads.map(({ id }) => id);
  tx.queue(
    eraseAdjustmentTexts({ orderIds }),
    eraseCreditTexts({ orderIds }),
    eraseShownTexts({ orderIds, at }),
  );
  return orderIds;
}

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
  number: number | null;
  is_medical: boolean;
  api_consumer_name: string | null;
  customer_name: string | null;
  internal_notes: string | null;
  cancelation_reason: string | null;
  tracking_url: string | null;
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

/** The orders that a customer bought for others, as their caregiver: nothing of the patients. Oldest first. */
export const selectBoughtForOthers = statement<
  { userId: number },
  { id: string; number: number | null; created_at: number }
>(
  'select_orders_bought_for_others',
  `select o.id, o.number, o.created_at from orders o
    where o.organization_id = :organizationId and o.bought_by_id = :userId
    order by o.created_at, o.id limit 100000`,
);

/** Oldest first, with the customer's own data only: the staff who served them stay out. */
export const selectOrdersForExport = statement<{ userId: number }, ExportedOrderRow>(
  'select_orders_for_export',
  `select o.id, o.created_at, o.fulfilled_at, o.canceled_at, o.type, o.source, o.status, o.net_price_cents,
          o.customer_grand_total_cents, o.number, o.is_medical, o.api_consumer_name, o.customer_name, o.internal_notes,
          o.cancelation_reason,
          (select t.tracking_url from order_dispatch_tasks t
            where t.organization_id = o.organization_id and t.order_id = o.id) as tracking_url,
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
