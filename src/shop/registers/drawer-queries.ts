import { insertMany, statement } from '../../platform/statements/statement.ts';

/** SQL on drawer sessions, their movements and counts. */

export interface SessionRow {
  id: number;
  register_id: number;
  float_cents: number;
  opened_at: number;
  opened_by_staff_id: number;
  closed_at: number | null;
}

const columns = 'id, register_id, float_cents, opened_at, opened_by_staff_id, closed_at';

export const insertSessions = insertMany<{
  id: number;
  registerId: number;
  floatCents: number;
  openedAt: string;
  openedByStaffId: number;
}>('drawer_sessions', {
  id: 'id',
  registerId: 'register_id',
  floatCents: 'float_cents',
  openedAt: 'opened_at',
  openedByStaffId: 'opened_by_staff_id',
});

/** The index that refuses the second of two openings of a drawer. */
export const oneOpenSession = 'drawer_sessions_one_open';

export const selectOpenSession = statement<{ registerId: number }, { id: number }>(
  'select_open_drawer_session',
  `select id from drawer_sessions
    where organization_id = :organizationId and register_id = :registerId and closed_at is null`,
);

/**
 * The open session of a register, held open until the commit: closing waits for the payments that hold it, and payments that wait for a close
 * find no row after it.
 */
export const holdOpenSession = statement<{ registerId: number }, { id: number }>(
  'hold_open_drawer_session',
  `select id from drawer_sessions
    where organization_id = :organizationId and register_id = :registerId and closed_at is null for share`,
);

/** Who opened the drawer that was open at a moment. */
export const selectDrawerOpener = statement<
  { registerId: number; at: string },
  { opened_by_staff_id: number }
>(
  'select_drawer_opener',
  `select opened_by_staff_id from drawer_sessions
    where organization_id = :organizationId and register_id = :registerId and opened_at <= :at
      and (closed_at is null or closed_at > :at)
    order by opened_at desc limit 1`,
);

/** The session that was open at a moment; it cannot be closed meanwhile. */
export const holdSessionAt = statement<
  { registerId: number; at: string },
  { id: number; closed_at: number | null }
>(
  'hold_drawer_session_at',
  `select id, closed_at from drawer_sessions
    where organization_id = :organizationId and register_id = :registerId and opened_at <= :at
      and (closed_at is null or closed_at > :at)
    order by opened_at desc limit 1 for share`,
);

/** A session for money by hand: it cannot be closed meanwhile. */
export const holdSession = statement<{ id: number }, SessionRow>(
  'hold_drawer_session',
  `select ${columns} from drawer_sessions where organization_id = :organizationId and id = :id for share`,
);

/** A session to close: waits for all payments that hold it. */
export const lockSession = statement<{ id: number }, SessionRow>(
  'lock_drawer_session',
  `select ${columns} from drawer_sessions where organization_id = :organizationId and id = :id for update`,
);

export const closeSessionRow = statement<
  { id: number; staffId: number; note: string | null; at: string },
  never
>(
  'close_drawer_session',
  `update drawer_sessions set closed_at = :at, closed_by_staff_id = :staffId, note = :note
    where organization_id = :organizationId and id = :id`,
);

export const insertMovements = insertMany<{
  id: number;
  registerId: number;
  sessionId: number | null;
  kind: string;
  paymentTypeId: number | null;
  isCash: boolean;
  amountCents: number;
  orderId: string | null;
  orderReturnId: number | null;
  reason: string | null;
  staffId: number;
  createdAt: string;
}>('drawer_movements', {
  id: 'id',
  registerId: 'register_id',
  sessionId: 'session_id',
  kind: 'kind',
  paymentTypeId: 'payment_type_id',
  isCash: 'is_cash',
  amountCents: 'amount_cents',
  orderId: 'order_id',
  orderReturnId: 'order_return_id',
  reason: 'reason',
  staffId: 'staff_id',
  createdAt: 'created_at',
});

export const insertCounts = insertMany<{
  sessionId: number;
  position: number;
  paymentTypeId: number | null;
  expectedCents: number;
  countedCents: number;
}>('drawer_counts', {
  sessionId: 'session_id',
  position: 'position',
  paymentTypeId: 'payment_type_id',
  expectedCents: 'expected_cents',
  countedCents: 'counted_cents',
});

/** What the registers took for an order, its corrections included. */
export const selectSaleMovements = statement<
  { orderId: string },
  {
    register_id: number;
    session_id: number | null;
    payment_type_id: number;
    is_cash: boolean;
    amount_cents: number;
  }
>(
  'select_drawer_sale_movements',
  `select register_id, session_id, payment_type_id, is_cash, amount_cents from drawer_movements
    where organization_id = :organizationId and order_id = :orderId and kind in ('sale', 'sale-corrected') order by id`,
);

/** Includes archived types: money goes back the way it was paid. */
export const selectPaymentMethods = statement<
  { ids: readonly number[] },
  { id: number; method: 'cash' | 'debit' | 'other' | 'processor' }
>(
  'select_payment_methods',
  `select id, method from payment_types where organization_id = :organizationId and id = any(:ids)`,
);

export interface DrawerSumRow {
  session_id: number;
  /** Null: the cash. */
  payment_type_id: number | null;
  name: string;
  orders: number;
  float_cents: number;
  sales_cents: number;
  refunds_cents: number;
  gift_cards_cents: number;
  paid_in_cents: number;
  paid_out_cents: number;
  drops_cents: number;
  expected_cents: number;
}

/**
 * The sums of sessions by payment type, cash first. All cash is one row, which every session has by its float. An order counts where more of
 * its payments came in than were voided or corrected away.
 */
export const selectDrawerSums = statement<{ sessionIds: readonly number[] }, DrawerSumRow>(
  'select_drawer_sums',
  `select m.session_id, m.type_id as payment_type_id, case when m.is_cash then 'Cash' else min(t.name) end as name,
          count(*) filter (where m.sold > 0)::integer as orders,
          ${['float', 'sales', 'refunds', 'gift_cards', 'paid_in', 'paid_out', 'drops', 'expected']
            .map((it) => `sum(m.${it}_cents)::bigint as ${it}_cents`)
            .join(', ')}
     from (
       select session_id, is_cash, case when is_cash then null else payment_type_id end as type_id, order_id,
              sum(case when kind = 'sale' then 1
                       when kind = 'sale-corrected' then sign(amount_cents)
                       when kind = 'sale-voided' then case when amount_cents > 0 then 1 else -1 end
                       else 0 end) as sold,
              ${Object.entries({
                float: "= 'float'",
                sales: "in ('sale', 'sale-voided', 'sale-corrected')",
                refunds: "in ('refund', 'refund-voided')",
                gift_cards: "= 'gift-card'",
                paid_in: "= 'paid-in'",
                paid_out: "= 'paid-out'",
                drops: "= 'drop'",
              })
                .map(
                  ([it, kinds]) =>
                    `coalesce(sum(amount_cents) filter (where kind ${kinds}), 0) as ${it}_cents`,
                )
                .join(',\n              ')},
              sum(amount_cents) as expected_cents
         from drawer_movements
        where organization_id = :organizationId and session_id = any(:sessionIds)
        group by session_id, is_cash, type_id, order_id) m
     left join payment_types t on t.organization_id = :organizationId and t.id = m.type_id
    group by m.session_id, m.is_cash, m.type_id
    order by m.session_id, m.is_cash desc, payment_type_id`,
);

export interface DrawerSalesRow {
  orders: number;
  gross_cents: number;
  discounts_cents: number;
  overrides_cents: number;
  tax_cents: number;
  total_cents: number;
  rounding_cents: number;
  returns: number;
  refunds_cents: number;
  voids: number;
}

/**
 * What was sold in a session, its voided sales left out, and what was returned. Overrides: what prices and reductions by hand took off
 * the price of the menu; a price break also makes a unit cheaper, so only the options that staff named count.
 */
export const selectDrawerSales = statement<{ sessionId: number }, DrawerSalesRow>(
  'select_drawer_sales',
  `with moved as (
     select kind, order_id, order_return_id, amount_cents from drawer_movements
      where organization_id = :organizationId and session_id = :sessionId and order_id is not null
   ), sold as (
     select distinct order_id from moved where kind = 'sale'
     except select order_id from moved where kind = 'sale-voided'
   )
   select count(*)::integer as orders, coalesce(sum(l.gross_cents), 0)::bigint as gross_cents,
          coalesce(sum(l.gross_cents - o.merchandise_cents), 0)::bigint as discounts_cents,
          coalesce(sum(l.overrides_cents), 0)::bigint as overrides_cents,
          coalesce(sum(x.tax_cents), 0)::bigint as tax_cents,
          coalesce(sum(o.customer_grand_total_cents), 0)::bigint as total_cents,
          coalesce(sum(p.rounding_cents), 0)::bigint as rounding_cents,
          (select count(*) from (
             select order_return_id from moved where kind = 'refund'
             except select order_return_id from moved where kind = 'refund-voided') back)::integer as returns,
          (select coalesce(sum(-amount_cents), 0) from moved where kind in ('refund', 'refund-voided'))::bigint as refunds_cents,
          (select count(distinct order_id) from moved where kind = 'sale-voided')::integer as voids
     from sold s
     join orders o on o.organization_id = :organizationId and o.id = s.order_id
    cross join lateral (
      select coalesce(sum(subtotal_price_cents), 0) as gross_cents,
             sum((coalesce(option_sales_price_cents, option_price_cents) - unit_price_cents) * quantity) filter (
               where coalesce(option_sales_price_cents, option_price_cents) > unit_price_cents
                 and (o.asked -> 'priceOverrides' @> jsonb_build_array(jsonb_build_object('productOptionId', product_option_id))
                   or o.asked -> 'lineReductions' @> jsonb_build_array(jsonb_build_object('productOptionId', product_option_id)))
             ) as overrides_cents
        from order_line_items
       where organization_id = :organizationId and order_id = s.order_id) l
    cross join lateral (
      select coalesce(sum(amount_cents), 0) as tax_cents from order_taxes
       where organization_id = :organizationId and order_id = s.order_id) x
    cross join lateral (
      select coalesce(sum(rounding_cents), 0) as rounding_cents from order_payments
       where organization_id = :organizationId and order_id = s.order_id) p`,
);

export const selectDrawerCounts = statement<
  { sessionIds: readonly number[] },
  {
    session_id: number;
    payment_type_id: number | null;
    name: string;
    expected_cents: number;
    counted_cents: number;
  }
>(
  'select_drawer_counts',
  `select c.session_id, c.payment_type_id, coalesce(t.name, 'Cash') as name, c.expected_cents, c.counted_cents
     from drawer_counts c
     left join payment_types t on t.organization_id = :organizationId and t.id = c.payment_type_id
    where c.organization_id = :organizationId and c.session_id = any(:sessionIds)
    order by c.session_id, c.position`,
);

/** The most that a session's document lists. */
export const handMovementsMax = 500;

interface HandMovementRow {
  id: number;
  kind: 'paid-in' | 'paid-out' | 'drop';
  amount_cents: number;
  reason: string;
  created_at: number;
  staff_id: number;
  first_name: string;
  last_name: string;
}

/** What staff paid in, paid out and dropped, in the order of time. */
export const selectHandMovements = statement<{ sessionId: number }, HandMovementRow>(
  'select_drawer_hand_movements',
  `select m.id, m.kind, m.amount_cents, m.reason, m.created_at, m.staff_id, s.first_name, s.last_name
     from drawer_movements m
     join staff_members s on s.organization_id = :organizationId and s.id = m.staff_id
    where m.organization_id = :organizationId and m.session_id = :sessionId and m.reason is not null
    order by m.created_at, m.id limit ${handMovementsMax}`,
);

export const countHandMovements = statement<{ sessionId: number }, { movements: number }>(
  'count_drawer_hand_movements',
  `select count(*)::integer as movements from drawer_movements
    where organization_id = :organizationId and session_id = :sessionId and reason is not null`,
);
