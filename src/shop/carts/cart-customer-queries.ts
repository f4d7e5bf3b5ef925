import { type CannabisType, cannabisTypes } from '../../engines/goods/cannabis-type.ts';
import type { Law } from '../../engines/jurisdictions/law-book.ts';
import { daysOfWindow } from '../../engines/purchase-limits/check-purchase-limits.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { statement } from '../../platform/statements/statement.ts';
import type { CustomerRow } from '../customers/customer-queries.ts';
import { customerColumns } from '../customers/customers.ts';
import type { AccountQuestions, CustomerAccountRow } from '../promotions/customer-account-queries.ts';
import { accountColumns, accountColumnsFor } from '../promotions/promotions.ts';
import type { PurchaseLimitRuleRow } from '../settings/purchase-limit-setting.ts';

/** The amount of a type that a customer bought on a local day, in all orders but canceled ones, and at a former till (D36). */
export interface BoughtRow {
  customer_id: number;
  local_date: string;
  /** `thc:` before it: milligrams of THC in products of the type. */
  cannabis_type: CountedKey;
  /** In the type's unit. */
  content: string;
}

type CountedType = Exclude<CannabisType, 'none'>;
type CountedKey = CountedType | `thc:${CountedType}`;

/** The longest period that an edition's limits look back. */
interface Reach {
  /** The days that each state's widest window looks back. */
  readonly daysOfState: Readonly<Record<string, number>>;
  /** The same as JSON, so that a statement can use it before the organization's state is known. */
  readonly daysByState: string;
}

const reaches = new WeakMap<Law, Reach>();

/**
 * Computed once per edition. It includes the former edition: a request that started under it may share a read with
 * later requests.
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

/** The quantity of a line that the customer kept. */
const keptQuantity = '(l.quantity - l.returned_quantity)';

/** Computes the same as `countedContent` for one unit. */
const contentOfUnit = `coalesce(l.option_content,
            case when l.product_cannabis_type = 'non-concentrated' and l.product_unit = 'gram' then l.option_amount end)`;

/** Computes the same as `countedThc` for one unit of a stored line. */
const thcOfUnit = `coalesce(l.option_thc_mg,
            case when l.product_cannabis_type in ('concentrated', 'inhalables') then l.option_content end)`;

/**
 * The earliest moment at which orders can count; null when none can. It is a day more than the widest window, because
 * a window's first midnight can occur twice; the check excludes what lies outside. Materialized, so that it is the
 * start of an index range and not a filter on the customer's whole history.
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

/**
 * What buyers bought, by day and type. `countedAt`: the moment of an order `o` that decides on which day it counts. Sales of a
 * former till count on their day.
 */
const boughtOn = (countedAt: string, since: string) =>
  `select customer_id, local_date::text as local_date, cannabis_type, sum(content)::text as content
     from (select buyer.id as customer_id, (${countedAt} at time zone shop.tz)::date as local_date,
                  kept.key as cannabis_type, kept.value::numeric as content
             from shop cross join buyer
             join orders o on o.organization_id = :organizationId and o.user_id = buyer.id and o.status <> 'canceled'
              and ${since}
            cross join lateral jsonb_each_text(o.counted_contents) kept
            union all
           select buyer.id, f.local_date, kept.key, kept.value::numeric
             from shop cross join buyer
             join former_sales f on f.organization_id = :organizationId and f.user_id = buyer.id
              and f.sold_at >= shop.since
            cross join lateral jsonb_each_text(f.counted_contents) kept) bought
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
   ${boughtOn('o.created_at', 'o.created_at >= shop.since')}`,
);

const boughtByCustomer = statement<
  { customerId: number; exceptOrderId: string | null; at: string; daysByState: string },
  BoughtRow
>(
  'select_bought_by_customer',
  `with ${shop}, buyer as (select :customerId::bigint as id)
   ${boughtOn(
     'coalesce(o.fulfilled_at, o.created_at)',
     'o.id is distinct from :exceptOrderId::uuid and (o.created_at >= shop.since or o.fulfilled_at >= shop.since)',
   )}`,
);

/**
 * The purchases of the customers matched by an email and a phone (D33), as far back as a limit can look: one row per
 * customer, local day and type. Read it after locking the customers; otherwise it can miss an order that is being
 * placed.
 */
export function selectBoughtByContact(
  law: Law,
  { emailNormalized, phoneNormalized }: ByContact,
  nowMs: number,
) {
  const { daysByState } = reachOf(law);
  return boughtByContact({ emailNormalized, phoneNormalized, at: isoTimestamp(nowMs), daysByState });
}

const countedTypes = cannabisTypes.filter((type) => type !== 'none');
/** Asked for only where a limit counts THC: each is a sum more. */
const countedKeys = (withThc: boolean): readonly CountedKey[] =>
  withThc ? [...countedTypes, ...countedTypes.map((type) => `thc:${type}` as const)] : countedTypes;

/**
 * The same as a column of a customer `c`, if the organization's time zone (`:tz`) and the earliest counting moment
 * (`:since`) are known. Each row has a local day and the content of each of `countedTypes`; null if there is none. One sum for
 * each type takes a third of the time of rows by type, which a function would have to make for each order.
 */
const boughtColumn = (withThc: boolean) => `(select json_agg(b) from (
            select json_build_array(day, ${countedKeys(withThc)
              .map((key) => `sum((kept ->> '${key}')::numeric)::text`)
              .join(', ')}) as b
              from (select (o.created_at at time zone :tz)::date as day, o.counted_contents as kept
                      from orders o
                     where o.organization_id = :organizationId and o.user_id = c.id and o.created_at >= :since
                       and o.status <> 'canceled'
                     union all
                    select f.local_date, f.counted_contents from former_sales f
                     where f.organization_id = :organizationId and f.user_id = c.id and f.sold_at >= :since
                    offset 0) contents
             group by day) days)`;

/** `boughtColumn`, with the customer's id. */
export interface CustomerWithPurchases {
  readonly id: number;
  readonly bought: readonly (readonly [day: string, ...contents: (string | null)[]])[] | null;
}

/** The purchases of these customers, in rows like those of `selectBoughtByContact`. */
export function boughtRows(customers: readonly CustomerWithPurchases[]): BoughtRow[] {
  const rows: BoughtRow[] = [];
  for (const { id, bought } of customers) {
    for (const [local_date, ...contents] of bought ?? []) {
      for (const [at, cannabis_type] of countedKeys(contents.length > countedTypes.length).entries()) {
        const content = contents[at]!;
        if (content !== null) rows.push({ customer_id: id, local_date, cannabis_type, content });
      }
    }
  }
  return rows;
}

const dayMs = 24 * 3_600_000;

/**
 * The earliest moment at which an organization's orders can count, for `boughtColumn`: a day and an hour more than the
 * widest window, because today has already begun and a day can have 25 hours. The check excludes what lies outside.
 */
export function countedSinceMs(
  law: Law,
  state: string,
  ownRules: readonly Pick<PurchaseLimitRuleRow, 'window' | 'windowDays'>[],
  nowMs: number,
): number {
  const days = Math.max(
    reachOf(law).daysOfState[state] ?? 0,
    ...ownRules.map(({ window: kind, windowDays: days }) =>
      daysOfWindow(kind === 'rolling-days' ? { kind, days: days! } : { kind }),
    ),
  );
  return days === 0 ? nowMs : nowMs - (days + 1) * dayMs - 3_600_000;
}

/**
 * The purchases of one customer, except one order that is being fulfilled (null: all orders). A fulfilled order counts
 * on the day of its fulfillment: a day's limit ordered yesterday and another ordered today cannot both leave the shop
 * on one day.
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

/** The amount of a type in an order, with the customer; an order without cannabis has one row without a type. */
export interface RecentPurchaseRow {
  order_id: string;
  number: number | null;
  customer_id: number | null;
  local_date: string;
  created_at: number;
  is_recent: boolean;
  birthday: string | null;
  medical_expiration: string | null;
  residence: string | null;
  cannabis_type: CountedType | null;
  content: string | null;
  thc_mg: string | null;
}

/**
 * The latest orders since a moment, and their customers' other purchases since an earlier moment (`historySince`).
 * Without canceled orders; oldest first.
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
          c.birthday::text, c.medical_expiration::text, c.residence, l.product_cannabis_type as cannabis_type,
          sum(${contentOfUnit} * ${keptQuantity})::text as content,
          sum(${thcOfUnit} * ${keptQuantity})::text as thc_mg
     from shop cross join chosen
     join orders o on o.organization_id = :organizationId and o.id = chosen.id
     left join customers c on c.organization_id = :organizationId and c.id = o.user_id
     left join order_line_items l on l.organization_id = :organizationId and l.order_id = o.id
      and l.product_cannabis_type <> 'none' and ${contentOfUnit} is not null
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    order by o.created_at, o.id`,
  { isLong: true },
);

/** A customer with everything that prices a cart. */
export interface CartCustomerRow extends CustomerRow, CustomerAccountRow {}

/**
 * The customers matched by an email and a phone (D33); several people may have the phone (D85). All their data comes in one
 * round trip, before it is known which of them is meant. The query uses two lookups by key and no OR: PostgreSQL may answer
 * an OR by reading all customers. The lookups are arrays and not a union, whose sort costs as much as both lookups. Null
 * parameters match nothing.
 */
export const selectCartCustomers = statement<
  { emailNormalized: string | null; phoneNormalized: string | null; at: string },
  CartCustomerRow
>(
  'select_cart_customers',
  `select ${customerColumns}, ${accountColumns}
     from unnest(array(select e.id from customers e
                        where e.organization_id = :organizationId and e.email_normalized = :emailNormalized)
                 || array(select p.id from customers p
                           where p.organization_id = :organizationId and p.phone_normalized = :phoneNormalized
                             and not coalesce(p.email_normalized = :emailNormalized, false))) as pointed_at(id)
     join customers c on c.organization_id = :organizationId and c.id = pointed_at.id`,
);

/** What a cart has of a customer who is only claimed: the profile, to which the order belongs, and nothing of its account. */
const strangersAccount = `array[]::bigint[] as group_ids, false as has_ordered, null::json as uses, null::json as credits,
          null::text as points, null::json as bought`;

/** The customers matched by the emails and phones of carts of unproven callers: as much work for those who bought much (D62a). */
export const selectClaimedCustomers = statement<
  { emails: readonly string[]; phones: readonly string[] },
  BuyingCustomerRow
>(
  'select_claimed_customers',
  `select ${customerColumns}, ${strangersAccount}
     from (select e.* from customers e
            where e.organization_id = :organizationId and e.email_normalized = any(:emails)
            union all
           select p.* from customers p
            where p.organization_id = :organizationId and p.phone_normalized = any(:phones)
              and (p.email_normalized is null or p.email_normalized <> all(:emails))) c`,
);

/** A matched customer with the purchases that limits count (D36). */
export type BuyingCustomerRow = CartCustomerRow & CustomerWithPurchases;

type Among = {
  emails: readonly string[];
  phones: readonly string[];
  at: string;
  tz: string;
  since: string;
};

/**
 * All customers matched by the emails and phones of several carts, each once. For carts without loyalty rewards whose
 * discounts need nothing more. One statement serves all carts, because starting a statement costs as much as running
 * it. Each branch gives whole rows: joined by their ids, the customers of a small shop were all read.
 */
const amongWith = (questions: AccountQuestions & { readonly thc: boolean }) =>
  statement<Among, BuyingCustomerRow>(
    ['select_buying_customers', ...asked(questions)].join('_'),
    `select ${customerColumns}, ${accountColumnsFor(questions)}, ${boughtColumn(questions.thc)} as bought
     from (select e.* from customers e
            where e.organization_id = :organizationId and e.email_normalized = any(:emails)
            union all
           select p.* from customers p
            where p.organization_id = :organizationId and p.phone_normalized = any(:phones)
              and (p.email_normalized is null or p.email_normalized <> all(:emails))) c`,
  );

const statementsAmong = new Map<string, ReturnType<typeof amongWith>>();
for (const groups of [false, true]) {
  for (const firstOrder of [false, true]) {
    for (const uses of [false, true]) {
      for (const thc of [false, true]) {
        const questions = { groups, firstOrder, uses, thc };
        statementsAmong.set(asked(questions).join(), amongWith(questions));
      }
    }
  }
}

function asked(questions: AccountQuestions & { readonly thc: boolean }): string[] {
  return Object.entries(questions).flatMap(([question, isAsked]) => (isAsked ? question.toLowerCase() : []));
}

/**
 * The customers matched by the contacts of some carts, with the purchases since given moments that discounts and
 * limits count; `thc`: also its milligrams of THC.
 */
export function selectBuyingCustomers(questions: AccountQuestions, thc: boolean, among: Among) {
  return statementsAmong.get(asked({ ...questions, thc }).join())!(among);
}

/** Customers by id, without erased ones. */
export const selectCartCustomersOf = statement<{ ids: readonly number[]; at: string }, CartCustomerRow>(
  'select_cart_customers_of',
  `select ${customerColumns}, ${accountColumns}
     from customers c where c.organization_id = :organizationId and c.id = any(:ids) and c.erased_at is null`,
);

/** The data of one customer that limits need, without the purchases. Days are YYYY-MM-DD. */
export const selectLimitedCustomer = statement<
  { customerId: number },
  { birthday: string | null; medical_expiration: string | null; residence: string | null }
>(
  'select_limited_customer',
  `select birthday::text as birthday, medical_expiration::text as medical_expiration, residence
     from customers where organization_id = :organizationId and id = :customerId`,
);
