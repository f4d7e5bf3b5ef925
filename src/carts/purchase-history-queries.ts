import { statement } from '../database/statement.ts';
import type { Law } from '../jurisdictions/law-book.ts';
import type { CannabisType } from '../kernel/cannabis-type.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { daysOfWindow } from '../purchase-limits/limit-window.ts';
import type { PurchaseLimitRuleRow } from '../settings/terms-of-sale.ts';

/** What a customer bought of a type on a local day, all orders but canceled ones together (D36). */
export interface BoughtRow {
  customer_id: number;
  local_date: string;
  cannabis_type: Exclude<CannabisType, 'none'>;
  /** In the type's unit. */
  content: string;
}

/** How far back the limits of an edition can ask. */
interface Reach {
  /** How many days the widest window of each state reaches back. */
  readonly daysOfState: Readonly<Record<string, number>>;
  /** The same as JSON: so a statement can ask before anybody has read in which state the organization is. */
  readonly daysByState: string;
}

const reaches = new WeakMap<Law, Reach>();

/**
 * Reckoned once for each edition. The former edition counts too: a request that took it before the new one was taken up
 * may share a read with requests that came after.
 */
function reachOf(law: Law): Reach {
  const known = reaches.get(law);
  if (known !== undefined) return known;
  const daysOfState: Record<string, number> = {};
  for (const { jurisdictions } of [law.edition, ...(law.former === null ? [] : [law.former])]) {
    for (const { state, purchaseLimits } of jurisdictions) {
      const days = purchaseLimits.map(({ window }) => daysOfWindow(window));
      daysOfState[state] = Math.max(daysOfState[state] ?? 0, ...days);
    }
  }
  const reach = { daysOfState, daysByState: JSON.stringify(daysOfState) };
  reaches.set(law, reach);
  return reach;
}

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

/** `countedAt`: the moment of an order `o` that decides on which day it counts. */
const boughtOn = (countedAt: string) =>
  `select buyer.id as customer_id, (${countedAt} at time zone shop.tz)::date::text as local_date,
          l.product_cannabis_type as cannabis_type, sum(${contentOfUnit} * ${keptQuantity})::text as content
     from shop cross join buyer
     join orders o on o.organization_id = :organizationId and o.user_id = buyer.id and o.status <> 'canceled'`;

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
   ${boughtOn('o.created_at')} and o.created_at >= shop.since
     join ${linesAndDays}`,
);

const boughtByCustomer = statement<
  { customerId: number; exceptOrderId: string | null; at: string; daysByState: string },
  BoughtRow
>(
  'select_bought_by_customer',
  `with ${shop}, buyer as (select :customerId::bigint as id)
   ${boughtOn('coalesce(o.fulfilled_at, o.created_at)')} and o.id is distinct from :exceptOrderId::uuid
      and (o.created_at >= shop.since or o.fulfilled_at >= shop.since)
     join ${linesAndDays}`,
);

/**
 * What the people bought whom an email and a phone point at (D33), as far back as a limit can ask: one row for
 * each of them, local day and type. Read it behind the lock on them, or it may miss what is being placed.
 */
export function selectBoughtByContact(
  law: Law,
  { emailNormalized, phoneNormalized }: ByContact,
  nowMs: number,
) {
  const { daysByState } = reachOf(law);
  return boughtByContact({ emailNormalized, phoneNormalized, at: isoTimestamp(nowMs), daysByState });
}

/**
 * The same as a column of a customer `c`, where it is known when the organization's days begin (`:tz`) and from when on
 * orders can count (`:since`): local day, type and content of each row; null when there is none.
 */
export const boughtColumn = `(select json_agg(b) from (
            select json_build_array((o.created_at at time zone :tz)::date, l.product_cannabis_type,
                     sum(${contentOfUnit} * ${keptQuantity})::text) as b
              from orders o
              join order_line_items l on l.organization_id = :organizationId and l.order_id = o.id
               and l.product_cannabis_type <> 'none' and ${contentOfUnit} is not null
             where o.organization_id = :organizationId and o.user_id = c.id and o.created_at >= :since
               and o.status <> 'canceled'
             group by (o.created_at at time zone :tz)::date, l.product_cannabis_type) days) as bought`;

/** `boughtColumn`, and the customer of it. */
export interface CustomerWithPurchases {
  readonly id: number;
  readonly bought: readonly (readonly [BoughtRow['local_date'], BoughtRow['cannabis_type'], string])[] | null;
}

/** What these customers bought, a row each as `selectBoughtByContact` has them. */
export function boughtRows(customers: readonly CustomerWithPurchases[]): BoughtRow[] {
  const rows: BoughtRow[] = [];
  for (const { id, bought } of customers) {
    for (const [local_date, cannabis_type, content] of bought ?? []) {
      rows.push({ customer_id: id, local_date, cannabis_type, content });
    }
  }
  return rows;
}

const dayMs = 24 * 3_600_000;

/**
 * From when on orders of an organization can count, for `boughtColumn`: a day and an hour more than the widest window,
 * because today has begun already and a day can have 25 hours. The check leaves out what lies outside.
 */
export function countedSinceMs(
  law: Law,
  state: string,
  ownRules: readonly Pick<PurchaseLimitRuleRow, 'limit_window' | 'window_days'>[],
  nowMs: number,
): number {
  const days = Math.max(
    reachOf(law).daysOfState[state] ?? 0,
    ...ownRules.map(({ limit_window: kind, window_days: days }) =>
      daysOfWindow(kind === 'rolling-days' ? { kind, days: days! } : { kind }),
    ),
  );
  return days === 0 ? nowMs : nowMs - (days + 1) * dayMs - 3_600_000;
}

/**
 * What one customer bought, but for one order that is handed over now (null: all orders). What was handed over counts on the day when it was:
 * a day's worth that was ordered yesterday and another one ordered today do not leave the shop on one day.
 */
export function selectBoughtByCustomer(
  law: Law,
  customerId: number,
  exceptOrderId: string | null,
  nowMs: number,
) {
  const { daysByState } = reachOf(law);
  return boughtByCustomer({ customerId, exceptOrderId, at: isoTimestamp(nowMs), daysByState });
}

/** What an order has of a type, with who bought; of an order without cannabis one row without a type. */
export interface RecentPurchaseRow {
  order_id: string;
  number: number | null;
  customer_id: number | null;
  local_date: string;
  created_at: number;
  is_recent: boolean;
  birthday: string | null;
  medical_expiration: string | null;
  cannabis_type: BoughtRow['cannabis_type'] | null;
  content: string | null;
}

/**
 * The last orders since a moment, and whatever else their customers bought since an earlier one (`historySince`). Of orders
 * that were not canceled; oldest first.
 */
export const selectRecentPurchases = statement<
  { since: string; historySince: string; count: number },
  RecentPurchaseRow
>(
  'select_recent_purchases',
  `with shop as materialized (select tz from organizations where id = :organizationId),
        recent as materialized (
          select id, user_id from orders
           where organization_id = :organizationId and created_at >= :since and status <> 'canceled'
           order by created_at desc, id desc limit :count),
        chosen as materialized (
          select id from recent
           union
          select o.id from recent r
            join orders o on o.organization_id = :organizationId and o.user_id = r.user_id
                         and o.created_at >= :historySince and o.status <> 'canceled')
   select o.id as order_id, o.number, o.user_id as customer_id, o.created_at,
          (o.created_at at time zone shop.tz)::date::text as local_date,
          o.id in (select id from recent) as is_recent,
          c.birthday::text, c.medical_expiration::text, l.product_cannabis_type as cannabis_type,
          sum(${contentOfUnit} * ${keptQuantity})::text as content
     from shop cross join chosen
     join orders o on o.organization_id = :organizationId and o.id = chosen.id
     left join customers c on c.organization_id = :organizationId and c.id = o.user_id
     left join order_line_items l on l.organization_id = :organizationId and l.order_id = o.id
      and l.product_cannabis_type <> 'none' and ${contentOfUnit} is not null
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    order by o.created_at, o.id`,
  { isLong: true },
);
