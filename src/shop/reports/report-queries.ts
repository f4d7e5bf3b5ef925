import { statement } from '../../platform/statements/statement.ts';
import {
  amounts,
  countedAtLocation,
  groupedSales,
  isAnything,
  list,
  onDays,
  type RangeParameters,
  salesParts,
  summed,
  taxAmounts,
  taxParts,
  uncounted,
} from './report-part-queries.ts';

/* SQL of the reports. Those of sales and taxes add what is not in the sums yet to the sums. */

/** What makes the days of reports: the time zone, and when a day begins, as `HH:MM`. */
export const selectReportDays = statement<Record<never, never>, { tz: string; day_starts_at: string }>(
  'select_report_days',
  `select tz, to_char(business_day_starts_at, 'HH24:MI') as day_starts_at from organizations where id = :organizationId`,
);

/** The kept sums of a range: its whole months, and the days before and after them. */
const keptSums = (table: string, columns: string, condition: string, months: readonly [string, string]) =>
  [
    `'month' and s.day >= ${months[0]} and s.day < ${months[1]}`,
    `'day' and s.day >= :fromDay and s.day < ${months[0]}`,
    `'day' and s.day >= ${months[1]} and s.day <= :toDay`,
  ]
    .map(
      (part) =>
        `select ${columns} from ${table} s
        where s.organization_id = :organizationId and s.generation = (select generation from state)
          ${condition} and s.span = ${part}`,
    )
    .join('\n        union all\n       ');

const months = [':monthsFrom::date', ':monthsUntil::date'] as const;
/** No whole months: a row for each day. */
const noMonths = [':fromDay::date', ':fromDay::date'] as const;

export interface SalesRow {
  /** The last row: the total of all rows. */
  is_total: boolean;
  key: string | null;
  name: string | null;
  orders: number;
  units: number;
  gross_cents: number;
  net_cents: number;
  cost_cents: number;
  adjustments_cents: number;
  credits_cents: number;
  tax_cents: number;
  paid_cents: number;
  returns: number;
  refunds_cents: number;
  refunded_adjustments_cents: number;
  refunded_credits_cents: number;
  refunded_tax_cents: number;
  other_refunds_cents: number;
  paid_back_cents: number;
  later_returns: number;
  later_refunds_cents: number;
  later_refunded_adjustments_cents: number;
  later_refunded_credits_cents: number;
  later_refunded_tax_cents: number;
  later_other_refunds_cents: number;
  later_paid_back_cents: number;
}

const salesColumns = (key: string, name: string) =>
  `${key} as key, ${name} as name, ${list(amounts, (it) => `s.${it}`)}`;

/**
 * An order counts in each group that it has goods of, and once in the total, which is therefore that of the days. A name is
 * the last one in the alphabet of those that were sold under the key; a member of staff and a location have the present one.
 */
const readSales = (
  { key, name, shownMonths }: { key: string; name: string; shownMonths: readonly [string, string] },
  report: string,
): string =>
  `with ${uncounted}, ${salesParts()}, ${groupedSales()}, found as (
       ${keptSums('book_sums', `false as is_total, ${salesColumns(key, name)}`, `and s.report = ${report}`, shownMonths)}
        union all
       select false, ${salesColumns(key, name)} from grouped s where s.report = ${report} and ${onDays('s')}
        union all
       ${keptSums('book_sums', `true, ${salesColumns('null', 'null')}`, `and s.report = 'day'`, months)}
        union all
       select true, ${salesColumns('null', 'null')} from grouped s where s.report = 'day' and ${onDays('s')}
     ), shown as (
       select is_total, key, max(name) as name, ${summed(amounts)} from found group by is_total, key
     )`;

/** Without sales, the total is no row. */
const shownSales = (name: string): string =>
  `select is_total, key, ${name} as name, ${amounts.join(', ')} from shown
    where is_total or ${isAnything(amounts)} order by is_total, key = '', key`;

export const selectSalesByDay = statement<RangeParameters, SalesRow>(
  'select_sales_by_day',
  `${readSales({ key: 's.day::text', name: 's.day::text', shownMonths: noMonths }, `'day'`)} ${shownSales('name')}`,
  { isLong: true },
);

/** By hour, category, product, type, source or payment. */
export const selectSalesBy = statement<RangeParameters & { report: string }, SalesRow>(
  'select_sales_by',
  `${readSales({ key: 's.key', name: 's.name', shownMonths: months }, ':report')} ${shownSales('name')}`,
  { isLong: true },
);

export const selectSalesByStaff = statement<RangeParameters, SalesRow>(
  'select_sales_by_staff',
  `${readSales({ key: 's.key', name: 's.name', shownMonths: months }, `'staff'`)}
   ${shownSales(`case when key = '' then 'Without staff' else (
      select m.first_name || ' ' || m.last_name from staff_members m
       where m.organization_id = :organizationId and m.id = key::bigint) end`)}`,
  { isLong: true },
);

/** Locations have their present names. */
export const selectSalesByLocation = statement<RangeParameters, SalesRow>(
  'select_sales_by_location',
  `${readSales({ key: 's.key', name: 's.name', shownMonths: months }, `'location'`)}
   ${shownSales(`case key when '' then name when 'none' then 'Without location' when 'several' then 'Several locations'
      else (select l.name from inventory_locations l where l.organization_id = :organizationId and l.id = key::bigint) end`)}`,
  { isLong: true },
);

/** The sales of orders that took stock from a location, by any part; each order with all its amounts. */
export const selectSalesAtLocation = statement<
  Omit<RangeParameters, 'monthsFrom' | 'monthsUntil'> & { report: string; locationId: number },
  SalesRow
>(
  'select_sales_at_location',
  `with ${countedAtLocation}, ${salesParts()}, ${groupedSales()}, found as (
       select false as is_total, ${salesColumns(`case :report when 'day' then s.day::text else s.key end`, 's.name')}
         from grouped s where s.report = :report and ${onDays('s')}
        union all
       select true, ${salesColumns('null', 'null')} from grouped s where s.report = 'day' and ${onDays('s')}
     ), shown as (
       select is_total, key, max(name) as name, ${summed(amounts)} from found group by is_total, key
     )
   ${shownSales(`case
      when :report = 'day' then key
      when :report = 'staff' and key = '' then 'Without staff'
      when :report = 'staff' then (select m.first_name || ' ' || m.last_name from staff_members m
        where m.organization_id = :organizationId and m.id = key::bigint)
      when :report = 'location' and key = 'none' then 'Without location'
      when :report = 'location' and key = 'several' then 'Several locations'
      when :report = 'location' and key <> '' then (select l.name from inventory_locations l
        where l.organization_id = :organizationId and l.id = key::bigint)
      else name end`)}`,
  { isLong: true },
);

export interface TaxRow {
  is_total: boolean;
  tax_id: number | null;
  description: string | null;
  rate: string | null;
  included: boolean | null;
  orders: number;
  taxable_cents: number;
  goods_cents: number;
  fees_cents: number;
  exempted_cents: number;
  refunded_cents: number;
  later_refunded_cents: number;
}

const taxColumns = `s.tax_id, s.description, s.rate, s.included, ${list(taxAmounts, (it) => `s.${it}`)}`;

export const selectTaxes = statement<RangeParameters, TaxRow>(
  'select_taxes_charged',
  `with ${uncounted}, ${taxParts()}, found as (
       ${keptSums('book_taxes', taxColumns, '', months)}
        union all
       select ${taxColumns} from charged s where ${onDays('s')}
     )
   select tax_id = 0 as is_total, tax_id, description, trim_scale(rate)::text as rate, included, ${summed(taxAmounts)}
     from found s group by tax_id, description, rate, included
   having tax_id = 0 or ${isAnything(taxAmounts, (it) => `sum(s.${it})`)}
    order by is_total, tax_id, description, rate, included`,
  { isLong: true },
);

export interface InventoryValueRow {
  is_total: boolean;
  location_id: number | null;
  name: string | null;
  value: string;
  items: number;
  without_cost: number;
}

/** Stock that is kept per product (option 0) has the product's cost, other stock its option's. */
export const selectInventoryValue = statement<Record<never, never>, InventoryValueRow>(
  'select_inventory_value',
  `with lying as (
     select l.id as location_id, l.name, b.on_hand * c.cost as value, c.cost is null as lacks_cost,
            b.product_id, b.product_option_id
       from stock_balances b
       join inventory_locations l on l.organization_id = b.organization_id and l.id = b.inventory_location_id
       join products p on p.organization_id = b.organization_id and p.id = b.product_id
       left join product_options v on v.organization_id = b.organization_id and v.id = b.product_option_id
       cross join lateral (
         select case when b.product_option_id = 0 then p.moving_average_cost_per_unit
                     else v.moving_average_cost_per_unit end as cost) c
      where b.organization_id = :organizationId and b.on_hand > 0
   )
   select grouping(location_id) = 1 as is_total, location_id, max(name) as name,
          trim_scale(coalesce(sum(value), 0))::text as value, count(distinct (product_id, product_option_id)) as items,
          count(distinct (product_id, product_option_id)) filter (where lacks_cost) as without_cost
     from lying group by grouping sets ((location_id), ()) order by is_total, location_id`,
  { isLong: true },
);
