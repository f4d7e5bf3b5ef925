/**
 * Parts of the statements that keep, read and compare the sums of reports (D78, D87): what events add to them. An event is a sale, a
 * return, the end of a return, or the void of a sale, which takes away what the sale added. What one order contributes with some of its returns is a function of the database; a return adds the
 * difference that it makes, which never changes.
 */

/** The amounts of the sales of a day. */
const saleAmounts = [
  ...[
    'orders',
    'units',
    'gross_cents',
    'net_cents',
    'cost_cents',
    'adjustments_cents',
    'credits_cents',
    'tax_cents',
  ],
  'paid_cents',
];
/** The amounts of the returns of a day. */
const backAmounts = [
  ...['returns', 'refunds_cents', 'refunded_adjustments_cents', 'refunded_credits_cents'],
  ...['refunded_tax_cents', 'other_refunds_cents', 'paid_back_cents'],
];
/** The same of the returns of a day's sales, whenever they were made. */
const laterAmounts = backAmounts.map((it) => `later_${it}`);
export const amounts = [...saleAmounts, ...backAmounts, ...laterAmounts];
export const taxAmounts = [
  ...['orders', 'taxable_cents', 'goods_cents', 'fees_cents', 'exempted_cents', 'refunded_cents'],
  'later_refunded_cents',
];

export const list = (columns: readonly string[], of: (column: string) => string): string =>
  columns.map(of).join(', ');
export const summed = (columns: readonly string[]): string =>
  list(columns, (column) => `coalesce(sum(${column}), 0)::bigint as ${column}`);
/** A row that says something. */
export const isAnything = (columns: readonly string[], of = (column: string) => column): string =>
  `(${list(columns, of)}) is distinct from (${list(columns, () => '0')})`;

export const orderTypes = `array['delivery', 'pickup', 'in-store']`;

const eventColumns = (order: string, at: string, returnId = 'null::bigint', voids = 'false') =>
  `${order}.organization_id, ${order}.id, ${at} as at, ${order}.fulfilled_at, ${returnId} as return_id, ${voids} as voids,
   null::jsonb as voided_parts, null::jsonb as paid_parts`;
const sale = 'o.fulfilled_at';
const made = 'r.created_at';
const ended = 'r.voided_at';
const saleEvents = `select ${eventColumns('o', sale)} from orders o`;
const ofReturns = `from order_returns r
         join orders o on o.organization_id = r.organization_id and o.id = r.order_id`;
const returnsMade = `select ${eventColumns('o', made, 'r.id', 'false')} ${ofReturns}`;
const returnsEnded = `select ${eventColumns('o', ended, 'r.id', 'true')} ${ofReturns}`;

/**
 * The events of fulfilled orders, each kind to be narrowed to a range of time by its conditions: of sales `o.fulfilled_at`, of returns
 * `r.created_at`, of their ends `r.voided_at`. Returns are reached by their own time.
 */
export const eventsWhere = (condition: (at: string) => string): string =>
  `${saleEvents}
        where o.organization_id = :organizationId and o.status = 'fulfilled' and o.type = any(${orderTypes})
          and ${condition(sale)}
        union all
       ${returnEvents(made, condition(made))}
        union all
       ${returnEvents(ended, condition(ended))}`;

/** `order_returns` first: few rows of a range of its own index. */
const returnEvents = (at: typeof made | typeof ended, condition: string): string =>
  `${at === made ? returnsMade : returnsEnded}
        where r.organization_id = :organizationId and r.refund_type <> 'none' and o.status = 'fulfilled'
          and ${at} is not null and ${condition}`;

/** The place of an event of returns among those of its order. */
const place = (row: string, isEnd: string) =>
  `case when ${isEnd} then ${row}.voided_step else ${row}.made_step end`;

/** The returns that counted just before an event `e` of a return, without that return. */
const returnsBefore = `cross join lateral (
         select array(
           select r.id from order_returns r
            where r.organization_id = e.organization_id and r.order_id = e.id and r.id <> e.return_id
              and r.refund_type <> 'none' and ${place('r', 'false')} < ${place('own', 'e.voids')}
              and (r.voided_at is null or ${place('r', 'true')} > ${place('own', 'e.voids')})) as ids
           from order_returns own where own.organization_id = e.organization_id and own.id = e.return_id
        ) before`;
const sign = 'case when e.voids then -1 else 1 end';

/** `paid_cents` is of whole orders and their payments. */
const soldColumns = saleAmounts.filter((it) => it !== 'paid_cents');
const refundedColumns = backAmounts.filter((it) => it.endsWith('_cents') && it !== 'paid_back_cents');

/**
 * What the events of `counted` add: CTE `sales`, a row for each event, report and key. A return counts once in each part that it gives
 * something back of.
 */
export const salesParts = (sales = 'sales', counted = 'counted'): string => `${sales} as (
       select e.organization_id, e.id, e.at, e.fulfilled_at, e.return_id, e.voids, e.paid_parts, p.report, p.key, p.name,
              ${list(soldColumns, (it) => `((${sign}) * p.${it})::bigint as ${it}`)}, 0::bigint as returns, ${list(refundedColumns, (it) => `0::bigint as ${it}`)}
         from ${counted} e
        cross join lateral (
          select s.report, s.key, s.name, ${list(soldColumns, (it) => `s.${it}`)}
            from report_sales_of_order(e.organization_id, e.id, '{}'::bigint[]) s where not e.voids
           union all
          select v.report, v.key, v.name, ${list(soldColumns, (it) => `v.${it}`)}
            from jsonb_to_recordset(e.voided_parts)
                   as v(report text, key text, name text, ${list(soldColumns, (it) => `${it} bigint`)})
        ) p
        where e.return_id is null
        union all
       select e.organization_id, e.id, e.at, e.fulfilled_at, e.return_id, e.voids, e.paid_parts, p.report, p.key, p.name,
              ${list(soldColumns, () => '0::bigint')}, (${sign})::bigint, ${list(refundedColumns, (it) => `((${sign}) * p.${it})::bigint`)}
         from ${counted} e ${returnsBefore}
        cross join lateral (select before.ids || e.return_id as ids) after
        cross join lateral (
          select d.report, d.key, max(d.name) as name, ${list(refundedColumns, (it) => `sum(d.${it}) as ${it}`)}
            from (select p.report, p.key, p.name, ${list(refundedColumns, (it) => `p.${it}`)}
                    from report_sales_of_order(e.organization_id, e.id, after.ids) p
                   union all
                  select p.report, p.key, p.name, ${list(refundedColumns, (it) => `-p.${it}`)}
                    from report_sales_of_order(e.organization_id, e.id, before.ids) p) d
           group by d.report, d.key
          having d.report = 'order' or ${isAnything(refundedColumns, (it) => `sum(d.${it})`)}
        ) p
        where e.return_id is not null
     )`;

const taxKey = ['tax_id', 'description', 'rate', 'included'];
const chargedColumns = ['orders', 'taxable_cents', 'goods_cents', 'fees_cents', 'exempted_cents'];

/** The same for taxes, by day: a return counts on its own day, and, as refunded later, on that of the sale. */
export const taxParts = (
  { tz, dayStartsAt }: DayTerms = termsAsked,
  charged = 'charged',
  counted = 'counted',
): string => `${charged} as (
       select business_day(e.fulfilled_at, ${tz}, ${dayStartsAt}) as day, ${list(taxKey, (it) => `p.${it}`)},
              ${list(chargedColumns, (it) => `((${sign}) * p.${it})::bigint as ${it}`)}, 0::bigint as refunded_cents, 0::bigint as later_refunded_cents
         from ${counted} e cross join lateral report_taxes_of_order(e.organization_id, e.id, '{}'::bigint[]) p
        where e.return_id is null
        union all
       select business_day(b.at, ${tz}, ${dayStartsAt}), ${list(taxKey, (it) => `p.${it}`)},
              ${list(chargedColumns, () => '0::bigint')},
              case when b.is_later then 0 else (${sign}) * p.refunded_cents end,
              case when b.is_later then (${sign}) * p.refunded_cents else 0 end
         from ${counted} e
        cross join lateral report_taxes_of_order(e.organization_id, e.id, array[e.return_id]) p
        cross join lateral (values (e.at, false), (e.fulfilled_at, true)) b(at, is_later)
        where e.return_id is not null and p.refunded_cents <> 0
     )`;

/** What makes days: SQL of the time zone and of the time at which a day begins. */
interface DayTerms {
  readonly tz: string;
  readonly dayStartsAt: string;
}
export const termsAsked: DayTerms = { tz: ':tz', dayStartsAt: ':dayStartsAt::time' };

/**
 * The same for every report, by day. A whole order belongs to a day, an hour, a type … with all amounts. By product, category and location its
 * own amounts (adjustments, credits, tax on the delivery fee) belong to no group, and stand in a row without key.
 *
 * A return counts on its own day, by its own hour, by the person who made or voided it and by the payment type that gave the money back;
 * and, as refunded later, where its sale counts. An order that was paid in several ways is divided among them by amount: sums of whole
 * cents up to each payment, rounded, so that the parts add up to the order.
 */
export const groupedSales = (
  { tz, dayStartsAt }: DayTerms = termsAsked,
  grouped = 'grouped',
  sales = 'sales',
): string => `${grouped} as (
       select g.report, business_day(b.at, ${tz}, ${dayStartsAt}) as day, g.key, g.name,
              ${list(saleAmounts, (it) => partOf(it === 'paid_cents' ? 'g.paid_cents' : `s.${it}`, it))},
              ${list(backAmounts, (it) => `case when b.is_later then 0 else ${backPart(it)} end as ${it}`)},
              ${list(backAmounts, (it) => `case when b.is_later then ${backPart(it)} else 0 end as later_${it}`)}
         from ${sales} s
        cross join lateral (
          select s.fulfilled_at as at, false as is_later where s.return_id is null
           union all
          select t.at, t.is_later from (values (s.at, false), (s.fulfilled_at, true)) t(at, is_later)
           where s.return_id is not null
        ) b
        cross join lateral (
           select s.report, s.key, s.name, 0::numeric as share_from, 1::numeric as share_to, 0::bigint as paid_cents,
                  0::bigint as paid_back_cents
            where s.report in ('product', 'category', 'brand', 'location')
            union all
           select r.report, s.key, s.name, 0, 1, 0, 0 from (values ('product'), ('category'), ('brand'), ('location')) r(report)
            where s.report = 'whole'
            union all
           select r.report, r.key, r.name, r.share_from, r.share_to,
                  case when s.return_id is not null then 0 when s.voids then -r.paid_cents else r.paid_cents end,
                  case when s.voids then -r.paid_back_cents else r.paid_back_cents end
             from orders o
             left join order_returns back
               on back.organization_id = s.organization_id and back.id = s.return_id
            cross join lateral (
              select case when back.refund_type = 'payment-method' then -back.refund_total_cents else 0 end as cents
            ) paid_back
            cross join lateral (
              select v.report, v.key, v.name, 0::numeric as share_from, 1::numeric as share_to,
                     o.customer_grand_total_cents as paid_cents, coalesce(paid_back.cents, 0) as paid_back_cents
                from (values
                  ('day', '', ''),
                  ('hour', to_char(b.at at time zone ${tz}, 'HH24'), to_char(b.at at time zone ${tz}, 'HH24":00"')),
                  ('type', o.type, o.type),
                  ('source', o.source, o.source),
                  ('staff', coalesce((case when s.return_id is null or b.is_later then o.fulfilled_by_staff_id
                                           when s.voids then back.voided_by_staff_id
                                           else back.created_by_staff_id end)::text, ''), '')
                ) v(report, key, name)
               union all
              select 'payment', coalesce(back.payment_type_id::text, 'store-credit'),
                     case when back.payment_type_id is null then 'Store credit' else back.payment_type_name end,
                     0, 1, 0, paid_back.cents
               where s.return_id is not null and not b.is_later
               union all
              select 'payment', p.key, p.name, p.share_from, p.share_to, p.cents,
                     round(paid_back.cents * p.share_to) - round(paid_back.cents * p.share_from)
                from (${shares}) p
               where s.return_id is null or b.is_later
            ) r
            where s.report = 'order' and o.organization_id = s.organization_id and o.id = s.id
         ) g
     )`;

/** An amount that a payment has its share of; what counts orders counts in each. */
const partOf = (amount: string, name: string): string =>
  name === 'orders' || name === 'paid_cents' ? `${amount} as ${name}` : `${shareOf(amount)} as ${name}`;
const shareOf = (amount: string): string =>
  `(case when g.share_from = 0 and g.share_to = 1 then ${amount}
         else round(${amount} * g.share_to) - round(${amount} * g.share_from) end)::bigint`;
const backPart = (name: string): string => {
  if (name === 'paid_back_cents') return 'g.paid_back_cents';
  return name === 'returns' ? 's.returns' : shareOf(`s.${name}`);
};

/** The payments of order `o` by type, each with its share of the order as a stretch from 0 to 1: as they stand, or as `s` has them. */
const shares = `select t.key, t.name, t.cents,
                       case when t.total = 0 then t.place - 1 else (t.until - t.cents) / t.total end as share_from,
                       case when t.total = 0 then t.place else t.until / t.total end as share_to
                  from (select p.key, p.name, p.cents, sum(p.cents) over (order by p.id)::numeric as until,
                               sum(p.cents) over ()::numeric as total, row_number() over (order by p.id)::numeric as place
                          from (select p.payment_type_id as id, p.payment_type_id::text as key, min(p.name) as name,
                                       sum(p.final_amount_cents)::bigint as cents
                                  from (select op.payment_type_id, op.name, op.final_amount_cents from order_payments op
                                         where s.paid_parts is null
                                           and op.organization_id = o.organization_id and op.order_id = o.id
                                         union all
                                        select payment_type_id, name, final_amount_cents
                                          from jsonb_to_recordset(s.paid_parts)
                                                 as v(payment_type_id bigint, name text, final_amount_cents bigint)) p
                                 group by p.payment_type_id) p) t
                 where t.total <> 0 or t.place = 1
                 union all
                select '', 'Without payment', 0, 0, 1
                 where s.paid_parts is null
                   and not exists (select from order_payments p
                                    where p.organization_id = o.organization_id and p.order_id = o.id)`;

export const spans = `cross join lateral (values ('day', g.day), ('month', date_trunc('month', g.day)::date)) s(span, day)`;

/** An event that counts on a day of the range: on its own, or, of a return, on that of the sale. */
const inRange = (at: string) => `${at} >= :from and ${at} < :until`;
/** A return of a sale of the range that is not in the range itself. */
const laterOf = (at: string) => `${inRange(sale)} and not (${inRange(at)})`;

/** All events that count on days of a range. */
const eventsOfRange = `${eventsWhere(inRange)}
        union all
       ${returnEvents(made, laterOf(made))}
        union all
       ${returnEvents(ended, laterOf(ended))}`;
/** The same, as `everyone`. */
export const countedAgain = `everyone as (${eventsOfRange})`;

/**
 * The events of orders that took stock from a location, as `counted`; nothing waits. Sums are not kept by location and
 * hour, payment or staff, so these orders are read: for short ranges.
 */
export const countedAtLocation = `events as (${eventsOfRange}), counted as (
       select e.* from events e
        where (select true from order_line_fulfillments f
                where f.organization_id = e.organization_id and f.order_id = e.id
                  and f.inventory_location_id = :locationId
                limit 1)
     )`;

/** A range of days as instants and as days, with the whole months in it. */
export type RangeParameters = {
  from: string;
  until: string;
  fromDay: string;
  toDay: string;
  monthsFrom: string;
  /** The end of the last whole month; equal to `monthsFrom` if there is none. */
  monthsUntil: string;
  tz: string;
  /** `HH:MM`: when a day begins. */
  dayStartsAt: string;
};

/** The rows by day that are in the range. */
export const onDays = (row: string) => `${row}.day >= :fromDay::date and ${row}.day <= :toDay::date`;

export const ofChange =
  'c.organization_id, c.order_id as id, c.at, c.fulfilled_at, c.return_id, c.voids, c.voided_parts, c.paid_parts';

/**
 * The events of a range that are not in the sums, as `counted`: those before the ones that are counted (all, if the sums are of other
 * days), and those that wait.
 */
export const uncounted = `state as (
       select generation, counted_from from book_states
        where organization_id = :organizationId and time_zone = :tz and day_starts_at = :dayStartsAt::time
     ), edge as (
       select coalesce((select counted_from from state), 'infinity') as at
     ), counted as (
       ${eventsWhere((at) => `${inRange(at)} and ${at} < (select at from edge)`)}
        union all
       ${returnEvents(made, `${laterOf(made)} and ${made} < (select at from edge) and (select at > '-infinity' from edge)`)}
        union all
       ${returnEvents(ended, `${laterOf(ended)} and ${ended} < (select at from edge) and (select at > '-infinity' from edge)`)}
        union all
       select ${ofChange} from book_changes c
        where c.organization_id = :organizationId and c.at >= (select at from edge)
          and ((c.at >= :from and c.at < :until) or (c.fulfilled_at >= :from and c.fulfilled_at < :until))
     )`;
