import { statement } from '../../platform/statements/statement.ts';
import {
  amounts,
  countedAgain,
  groupedSales,
  isAnything,
  list,
  onDays,
  type RangeParameters,
  salesParts,
  spans,
  summed,
  taxAmounts,
  taxParts,
  termsAsked,
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

/** The first and the last day of events. */
export const selectReportPeriod = statement<
  Record<never, never>,
  { tz: string; day_starts_at: string; from_day: string | null; to_day: string | null }
>(
  'select_report_period',
  `select o.tz, to_char(o.business_day_starts_at, 'HH24:MI') as day_starts_at,
          business_day(s.first, o.tz, o.business_day_starts_at)::text as from_day,
          business_day(s.last, o.tz, o.business_day_starts_at)::text as to_day
     from organizations o cross join (
       select least(s.first, r.first) as first, greatest(s.last, r.last, r.end) as last
         from (select min(fulfilled_at) as first, max(fulfilled_at) as last
                 from orders where organization_id = :organizationId and status = 'fulfilled') s,
              (select min(created_at) as first, max(created_at) as last, max(voided_at) as end
                 from order_returns where organization_id = :organizationId) r
     ) s where o.id = :organizationId`,
);

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

const taxKey = `tax_id, description, rate, included`;

/** The range is whole months: their rows are compared as well. */
export const selectSalesDrift = statement<RangeParameters, ReportDriftRow>(
  'select_sales_drift',
  `with ${uncounted}, ${countedAgain}, ${salesParts()}, ${groupedSales()},
     ${salesParts('all_sales', 'everyone')}, ${groupedSales(termsAsked, 'all_grouped', 'all_sales')}, kept as (
       select report, span, day, key, max(name) as name, ${summed(amounts)} from (
         select report, span, day, key, name, ${amounts.join(', ')} from ${keptRows('book_sums')}
          union all
         select g.report, s.span, s.day, g.key, g.name, ${list(amounts, (it) => `g.${it}`)}
           from grouped g ${spans} where ${onDays('g')}
       ) s group by report, span, day, key having ${isAnything(amounts, (it) => `sum(${it})`)}
     ), counted_again as (
       select g.report, s.span, s.day, g.key, max(g.name) as name, ${summed(amounts)}
         from all_grouped g ${spans} where ${onDays('g')} group by g.report, s.span, s.day, g.key
       having ${isAnything(amounts, (it) => `sum(g.${it})`)}
     )
   ${differences('@.key', ['name', ...amounts])}`,
  { isLong: true },
);

export const selectTaxDrift = statement<RangeParameters, ReportDriftRow>(
  'select_tax_drift',
  `with ${uncounted}, ${countedAgain}, ${taxParts()}, ${taxParts(termsAsked, 'all_charged', 'everyone')}, kept as (
       select 'taxes' as report, span, day, ${taxKey}, ${summed(taxAmounts)} from (
         select span, day, ${taxKey}, ${taxAmounts.join(', ')} from ${keptRows('book_taxes')}
          union all
         select s.span, s.day, ${taxKey}, ${taxAmounts.join(', ')}
           from charged g ${spans} where ${onDays('g')}
       ) s group by span, day, ${taxKey} having ${isAnything(taxAmounts, (it) => `sum(${it})`)}
     ), counted_again as (
       select 'taxes' as report, s.span, s.day, ${taxKey}, ${summed(taxAmounts)}
         from all_charged g ${spans} where ${onDays('g')} group by s.span, s.day, ${taxKey}
       having ${isAnything(taxAmounts, (it) => `sum(${it})`)}
     )
   ${differences("concat_ws(' ', @.tax_id, @.description, trim_scale(@.rate), @.included)", taxAmounts)}`,
  { isLong: true },
);
