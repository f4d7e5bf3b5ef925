import { statement } from '../database/statement.ts';
import {
  amounts,
  fulfilledOrders,
  groupedSales,
  list,
  type RangeParameters,
  salesParts,
  spans,
  summed,
  taxAmounts,
  taxParts,
  uncounted,
} from './report-part-queries.ts';

/** SQL that counts all orders again and compares with the sums, on one snapshot. */

export interface ReportDriftRow {
  report: string;
  span: 'day' | 'month';
  day: string;
  /** A row of the report: by key, of taxes a list. */
  key: string;
  /** By column; null where there is no row. */
  kept: Readonly<Record<string, number | string>> | null;
  counted: Readonly<Record<string, number | string>> | null;
}

export const selectReportPeriod = statement<
  Record<never, never>,
  { tz: string; from_day: string | null; to_day: string | null }
>(
  'select_report_period',
  `select o.tz, (s.first at time zone o.tz)::date::text as from_day, (s.last at time zone o.tz)::date::text as to_day
     from organizations o cross join (
       select min(fulfilled_at) as first, max(fulfilled_at) as last
         from orders where organization_id = :organizationId and status = 'fulfilled'
     ) s where o.id = :organizationId`,
);

const everyOrder = `everyone as (${fulfilledOrders} and o.fulfilled_at >= :from and o.fulfilled_at < :until), noone as (
       select organization_id, id, fulfilled_at, null::bigint[] as returns_before from everyone where false
     )`;

const keptRows = (table: string) =>
  `${table} s where s.organization_id = :organizationId and s.generation = (select generation from state)
          and s.day >= :fromDay and s.day <= :toDay`;

const differences = (key: string, columns: readonly string[]) =>
  `select coalesce(k.report, c.report) as report, coalesce(k.span, c.span) as span,
          coalesce(k.day, c.day)::text as day, coalesce(${key.replaceAll('@', 'k')}, ${key.replaceAll('@', 'c')}) as key,
          case when k.report is not null then to_jsonb(k) - '{report,span,day}'::text[] end as kept,
          case when c.report is not null then to_jsonb(c) - '{report,span,day}'::text[] end as counted
     from kept k full join counted_again c on (k.report, k.span, k.day, ${key.replaceAll('@', 'k')})
       = (c.report, c.span, c.day, ${key.replaceAll('@', 'c')})
    where (${list(columns, (it) => `k.${it}`)}) is distinct from (${list(columns, (it) => `c.${it}`)})
    order by 1, 2, 3, 4 limit 100`;

/** The range is whole months: their rows are compared as well. */
export const selectSalesDrift = statement<RangeParameters, ReportDriftRow>(
  'select_sales_drift',
  `with ${uncounted}, ${everyOrder}, ${salesParts()}, ${groupedSales(':tz')},
     ${salesParts('all_sales', 'everyone', 'noone')}, ${groupedSales(':tz', 'all_grouped', 'all_sales')}, kept as (
       select report, span, day, key, max(name) as name, ${summed(amounts)} from (
         select report, span, day, key, name, ${amounts.join(', ')} from ${keptRows('sales_sums')}
          union all
         select g.report, s.span, s.day, g.key, g.name, ${list(amounts, (it) => `g.${it}`)} from grouped g ${spans}
       ) s group by report, span, day, key having sum(orders) <> 0
     ), counted_again as (
       select g.report, s.span, s.day, g.key, max(g.name) as name, ${summed(amounts)}
         from all_grouped g ${spans} group by g.report, s.span, s.day, g.key having sum(g.orders) <> 0
     )
   ${differences('@.key', ['name', ...amounts])}`,
  { isLong: true },
);

const taxKey = `tax_id, description, rate, included`;

export const selectTaxDrift = statement<RangeParameters, ReportDriftRow>(
  'select_tax_drift',
  `with ${uncounted}, ${everyOrder}, ${taxParts()}, ${taxParts('all_charged', 'everyone', 'noone')}, kept as (
       select 'taxes' as report, span, day, ${taxKey}, ${summed(taxAmounts)} from (
         select span, day, ${taxKey}, ${taxAmounts.join(', ')} from ${keptRows('tax_sums')}
          union all
         select s.span, s.day, ${taxKey}, ${taxAmounts.join(', ')}
           from (select *, (fulfilled_at at time zone :tz)::date as day from charged) g ${spans}
       ) s group by span, day, ${taxKey}
     ), counted_again as (
       select 'taxes' as report, s.span, s.day, ${taxKey}, ${summed(taxAmounts)}
         from (select *, (fulfilled_at at time zone :tz)::date as day from all_charged) g ${spans}
        group by s.span, s.day, ${taxKey}
     )
   ${differences("concat_ws(' ', @.tax_id, @.description, trim_scale(@.rate), @.included)", taxAmounts)}`,
  { isLong: true },
);
