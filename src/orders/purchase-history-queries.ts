import { statement } from '../database/statement.ts';
import { jurisdictions } from '../jurisdictions/jurisdictions.ts';
import type { CannabisType } from '../kernel/cannabis-type.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { daysOfWindow } from '../purchase-limits/limit-window.ts';

/** What a customer bought of a type on a local day, all orders but canceled ones together (D36). */
export interface BoughtRow {
  customer_id: number;
  local_date: string;
  cannabis_type: Exclude<CannabisType, 'none'>;
  /** In the type's unit. */
  content: string;
}

/**
 * How many days the widest window of each state reaches back, as JSON: an upper bound, so that a statement can ask
 * before anybody has read in which state the organization is.
 */
const daysByState = JSON.stringify(
  Object.fromEntries(
    jurisdictions.map(({ state, purchaseLimits }) => [
      state,
      Math.max(0, ...purchaseLimits.map(({ window }) => daysOfWindow(window))),
    ]),
  ),
);

/** What of a line the customer has kept. */
const keptQuantity = '(l.quantity - l.returned_quantity)';

/** As `countedContent` says of one unit. */
const contentOfUnit = `coalesce(l.option_content,
            case when l.product_cannabis_type = 'non-concentrated' and l.product_unit = 'gram' then l.option_amount end)`;

/**
 * From when on orders can count; null when none can. A day more than the widest window, because its first midnight
 * can come twice: the check leaves out what lies outside. Materialized, so that it is the start of a range of the
 * index and not a filter on everything that a customer ever bought.
 */
const shop = `shop as materialized (
        select tz, case when days > 0
                     then ((:at::timestamptz at time zone tz)::date - days)::timestamp at time zone tz end as since
          from (select z.tz, greatest(
                         (:daysByState::jsonb ->> z.state)::integer,
                         (select max(case r.limit_window when 'transaction' then 0 when 'local-day' then 1
                                          when 'calendar-month' then 31 else r.window_days end)
                            from purchase_limit_rules r where r.organization_id = :organizationId)) as days
                  from organizations z where z.id = :organizationId offset 0) reach)`;

const bought = `select buyer.id as customer_id, (o.created_at at time zone shop.tz)::date::text as local_date,
          l.product_cannabis_type as cannabis_type, sum(${contentOfUnit} * ${keptQuantity})::text as content
     from shop cross join buyer
     join orders o on o.organization_id = :organizationId and o.user_id = buyer.id and o.created_at >= shop.since
      and o.status <> 'canceled'`;

const linesAndDays = `order_line_items l on l.organization_id = :organizationId and l.order_id = o.id
      and l.product_cannabis_type <> 'none' and ${contentOfUnit} is not null
    group by 1, 2, 3`;

interface ByContact {
  readonly emailNormalized: string | null;
  readonly phoneNormalized: string | null;
}

const boughtByContact = statement<
  { emailNormalized: string | null; phoneNormalized: string | null; at: string; daysByState: string },
  BoughtRow
>(
  'select_bought_by_contact',
  `with ${shop},
        buyer as (
          select id from customers where organization_id = :organizationId and email_normalized = :emailNormalized
           union
          select id from customers where organization_id = :organizationId and phone_normalized = :phoneNormalized)
   ${bought}
     join ${linesAndDays}`,
);

const boughtAmong = statement<
  { emails: readonly string[]; phones: readonly string[]; at: string; daysByState: string },
  BoughtRow
>(
  'select_bought_among',
  `with ${shop},
        buyer as (
          select id from customers where organization_id = :organizationId and email_normalized = any(:emails)
           union
          select id from customers where organization_id = :organizationId and phone_normalized = any(:phones))
   ${bought}
     join ${linesAndDays}`,
);

const boughtByCustomer = statement<
  { customerId: number; exceptOrderId: string; at: string; daysByState: string },
  BoughtRow
>(
  'select_bought_by_customer',
  `with ${shop}, buyer as (select :customerId::bigint as id)
   ${bought} and o.id <> :exceptOrderId
     join ${linesAndDays}`,
);

/**
 * What the people bought whom an email and a phone point at (D33), as far back as a limit can ask: one row for
 * each of them, local day and type. Read it behind the lock on them, or it may miss what is being placed.
 */
export function selectBoughtByContact({ emailNormalized, phoneNormalized }: ByContact, nowMs: number) {
  return boughtByContact({ emailNormalized, phoneNormalized, at: isoTimestamp(nowMs), daysByState });
}

/** The same of several carts at once: of everybody whom an email or a phone of theirs points at. */
export function selectBoughtAmong(
  contacts: { readonly emails: readonly string[]; readonly phones: readonly string[] },
  nowMs: number,
) {
  return boughtAmong({ ...contacts, at: isoTimestamp(nowMs), daysByState });
}

/** The same of one customer, but for one order. */
export function selectBoughtByCustomer(customerId: number, exceptOrderId: string, nowMs: number) {
  return boughtByCustomer({ customerId, exceptOrderId, at: isoTimestamp(nowMs), daysByState });
}
