/**
 * Parts of the statements that keep, read and compare the sums of reports (D78): what orders contribute to them. What one
 * order contributes is a function of the database, because the triggers that note changes need it too.
 */

export const amounts = [
  ...['orders', 'units', 'gross_cents', 'net_cents', 'adjustments_cents', 'credits_cents', 'tax_cents'],
  ...['refunds_cents', 'refunded_adjustments_cents', 'refunded_credits_cents', 'refunded_tax_cents'],
  'other_refunds_cents',
];
export const taxAmounts = ['orders', 'goods_cents', 'fees_cents', 'exempted_cents', 'refunded_cents'];

export const list = (columns: readonly string[], of: (column: string) => string): string =>
  columns.map(of).join(', ');
export const summed = (columns: readonly string[]): string =>
  list(columns, (column) => `coalesce(sum(${column}), 0)::bigint as ${column}`);

export const orderTypes = `array['delivery', 'pickup', 'in-store']`;

/** Fulfilled orders, to be narrowed to a range of time: of each type, a range of the index. */
export const fulfilledOrders = `select o.organization_id, o.id, o.fulfilled_at from orders o
        where o.organization_id = :organizationId and o.status = 'fulfilled' and o.type = any(${orderTypes})`;

/**
 * Orders with changes `c` that are not in the sums, to be ordered by `inFirstPlace`: each with what the sums have of it, which
 * is what its first change says.
 */
export const firstChanges =
  'select distinct on (c.order_id) c.organization_id, c.order_id as id, c.fulfilled_at, c.returns_before from';
/** Without `c`, `id` is the column of the result, which is the order's, and any change of an order may be first. */
export const inFirstPlace = 'order by c.order_id, c.id';

/**
 * The returns of order `c` that refunded something. A row of its own: PostgreSQL does not take functions with a query as their
 * argument into the statement.
 */
const presentReturns = `cross join lateral (
         select array(
           select r.id from order_returns r
            where r.organization_id = c.organization_id and r.order_id = c.id
              and r.voided_at is null and r.refund_type <> 'none') as ids
        ) back`;

/**
 * What the orders of `counted` contribute now, less what those of `waiting` contributed before: CTEs `sales` and `charged`,
 * one row for each order, report and key.
 */
export const salesParts = (
  sales = 'sales',
  counted = 'counted',
  waiting = 'waiting',
): string => `${sales} as (
       select c.organization_id, c.id, c.fulfilled_at, p.report, p.key, p.name, ${list(amounts, (it) => `p.${it}`)}
         from ${counted} c ${presentReturns}
        cross join lateral report_sales_of_order(c.organization_id, c.id, back.ids) p
        union all
       select w.organization_id, w.id, w.fulfilled_at, p.report, p.key, p.name, ${list(amounts, (it) => `-p.${it}`)}
         from ${waiting} w cross join lateral report_sales_of_order(w.organization_id, w.id, w.returns_before) p
        where w.returns_before is not null
     )`;
export const taxParts = (
  charged = 'charged',
  counted = 'counted',
  waiting = 'waiting',
): string => `${charged} as (
       select c.fulfilled_at, p.tax_id, p.description, p.rate, p.included, ${list(taxAmounts, (it) => `p.${it}`)}
         from ${counted} c ${presentReturns}
        cross join lateral report_taxes_of_order(c.organization_id, c.id, back.ids) p
        union all
       select w.fulfilled_at, p.tax_id, p.description, p.rate, p.included, ${list(taxAmounts, (it) => `-p.${it}`)}
         from ${waiting} w cross join lateral report_taxes_of_order(w.organization_id, w.id, w.returns_before) p
        where w.returns_before is not null
     )`;

/**
 * The same for every report. A whole order belongs to a day, an hour, a type … with all amounts. By product, category and location its
 * own amounts (adjustments, credits, tax on the delivery fee) belong to no group, and stand in a row without key.
 *
 * An order that was paid in several ways cannot be divided among them to the cent, so it stands in a row of its own.
 */
export const groupedSales = (
  timeZone: string,
  grouped = 'grouped',
  sales = 'sales',
): string => `${grouped} as (
       select g.report, (s.fulfilled_at at time zone ${timeZone})::date as day, g.key, g.name,
              ${list(amounts, (it) => `s.${it}`)}
         from ${sales} s
         cross join lateral (
           select s.report, s.key, s.name where s.report in ('product', 'category', 'location')
            union all
           select r.report, s.key, s.name from (values ('product'), ('category'), ('location')) r(report)
            where s.report = 'whole'
            union all
           select r.report, r.key, r.name
             from orders o
             cross join lateral (
               select count(distinct p.payment_type_id) as number, min(p.payment_type_id) as id, min(p.name) as name
                 from order_payments p where p.organization_id = o.organization_id and p.order_id = o.id
             ) paid
             cross join lateral (values
               ('day', '', ''),
               ('hour', to_char(s.fulfilled_at at time zone ${timeZone}, 'HH24'),
                to_char(s.fulfilled_at at time zone ${timeZone}, 'HH24":00"')),
               ('type', o.type, o.type),
               ('source', o.source, o.source),
               ('staff', coalesce(o.fulfilled_by_staff_id::text, ''), ''),
               ('payment', case paid.number when 0 then '' when 1 then paid.id::text else 'several' end,
                case paid.number when 0 then 'Without payment' when 1 then paid.name else 'Several payment types' end)
             ) r(report, key, name)
            where s.report = 'order' and o.organization_id = s.organization_id and o.id = s.id
         ) g
     )`;

export const spans = `cross join lateral (values ('day', g.day), ('month', date_trunc('month', g.day)::date)) s(span, day)`;

/**
 * The fulfilled orders of a range that took stock from a location, as `counted`; nothing waits. Sums are not kept by location and
 * hour, payment or staff, so these orders are read: for short ranges.
 */
export const countedAtLocation = `counted as (
       ${fulfilledOrders} and o.fulfilled_at >= :from and o.fulfilled_at < :until
          and (select true from order_line_fulfillments f
                where f.organization_id = o.organization_id and f.order_id = o.id
                  and f.inventory_location_id = :locationId
                limit 1)
     ), waiting as (
       select organization_id, id, fulfilled_at, null::bigint[] as returns_before from counted where false
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
};

/**
 * What is not in the sums: orders before those that are counted (all, if the sums are by days of another time zone), and
 * orders with changes.
 */
export const uncounted = `state as (
       select generation, counted_from from report_states
        where organization_id = :organizationId and time_zone = :tz
     ), edge as (
       select least(:until::timestamptz, coalesce((select counted_from from state), 'infinity')) as until
     ), waiting as (
       ${firstChanges} report_changes c
        where c.organization_id = :organizationId and c.fulfilled_at >= :from
          and c.fulfilled_at >= (select until from edge) and c.fulfilled_at < :until
        ${inFirstPlace}
     ), counted as (
       ${fulfilledOrders} and o.fulfilled_at >= :from and o.fulfilled_at < (select until from edge)
        union all
       select organization_id, id, fulfilled_at from waiting
     )`;
