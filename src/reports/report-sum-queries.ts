import { statement } from '../database/statement.ts';
import {
  amounts,
  firstChanges,
  fulfilledOrders,
  groupedSales,
  inFirstPlace,
  list,
  orderTypes,
  salesParts,
  spans,
  summed,
  taxAmounts,
  taxParts,
} from './report-part-queries.ts';

/** SQL of the steps that keep the sums of reports (D78). */

/** Adds the parts to the sums. One row for each key: no key twice in one insert. */
const addParts = (state: string): string => `added_sales as (
       insert into sales_sums (organization_id, generation, report, span, day, key, name, ${amounts.join(', ')})
         select :organizationId, ${state}.generation, g.report, s.span, s.day, g.key, max(g.name), ${summed(amounts)}
           from ${state}, grouped g ${spans}
          group by ${state}.generation, g.report, s.span, s.day, g.key
         on conflict (organization_id, generation, report, span, day, key) do update
           set name = greatest(sales_sums.name, excluded.name),
               ${list(amounts, (it) => `${it} = sales_sums.${it} + excluded.${it}`)}
     ), added_taxes as (
       insert into tax_sums (organization_id, generation, span, day, tax_id, description, rate, included,
                             ${taxAmounts.join(', ')})
         select :organizationId, ${state}.generation, s.span, s.day, g.tax_id, g.description, g.rate, g.included,
                ${summed(taxAmounts)}
           from ${state}, (select t.*, (t.fulfilled_at at time zone ${state}.time_zone)::date as day
                             from charged t, ${state}) g ${spans}
          group by ${state}.generation, s.span, s.day, g.tax_id, g.description, g.rate, g.included
         on conflict (organization_id, generation, span, day, tax_id, description, rate, included) do update
           set ${list(taxAmounts, (it) => `${it} = tax_sums.${it} + excluded.${it}`)}
     )`;

const stateOf = `state as (
       select generation, time_zone, counted_from from report_states where organization_id = :organizationId
     )`;
const zoneOfState = '(select time_zone from state)';

export interface ReportStateRow {
  generation: number;
  /** The sums are by days of another time zone. */
  is_of_other_zone: boolean;
  /** All orders are in the sums. */
  is_complete: boolean;
}

const shownState = `s.generation, s.time_zone <> o.tz as is_of_other_zone,
          s.counted_from = '-infinity' as is_complete
     from report_states s join organizations o on o.id = s.organization_id
    where s.organization_id = :organizationId`;

/** Whether there is something to do. No row: the sums were never made. */
export const selectReportBacklog = statement<
  Record<never, never>,
  ReportStateRow & { has_changes: boolean; has_former: boolean }
>(
  'select_report_backlog',
  `select exists (select from report_changes where organization_id = :organizationId) as has_changes,
          exists (select from sales_sums where organization_id = :organizationId and generation < s.generation)
            as has_former,
          ${shownState}`,
);

export const insertReportState = statement<Record<never, never>, never>(
  'insert_report_state',
  `insert into report_states (organization_id, generation, time_zone, counted_from)
     select id, 1, tz, 'infinity' from organizations where id = :organizationId
   on conflict do nothing`,
);

/** Two processes that change the sums take turns here. */
export const lockReportState = statement<Record<never, never>, ReportStateRow>(
  'lock_report_state',
  `select ${shownState} for update of s`,
);

/** The sums by days of another time zone begin from nothing. */
export const restartReportSums = statement<Record<never, never>, never>(
  'restart_report_sums',
  `update report_states s
      set generation = s.generation + 1, time_zone = o.tz, counted_from = 'infinity'
     from organizations o where o.id = s.organization_id and s.organization_id = :organizationId`,
);

/**
 * Takes the changes of some orders into the sums and deletes them, on one snapshot: what an order contributes now, and the
 * changes that led to it. A change that is committed later says what the order contributed at this snapshot. Changes of
 * orders that are not counted yet go, because those are counted as they are then.
 */
export const foldReportChanges = statement<{ changesMax: number }, { changes: number }>(
  'fold_report_changes',
  `with ${stateOf}, chosen as (
       select order_id, id from report_changes where organization_id = :organizationId
        order by order_id fetch first :changesMax rows with ties
     ), taken as (
       delete from report_changes c using chosen
        where c.organization_id = :organizationId and c.order_id = chosen.order_id and c.id = chosen.id
       returning c.*
     ), waiting as (
       ${firstChanges} taken c where c.fulfilled_at >= (select counted_from from state) ${inFirstPlace}
     ), counted as (
       select organization_id, id, fulfilled_at from waiting
     ), ${salesParts()}, ${taxParts()}, ${groupedSales(zoneOfState)}, ${addParts('state')}
   select count(*)::int as changes from taken`,
  { isLong: true },
);

/**
 * Counts some of the orders that are not counted yet, latest first, and deletes their changes, on one snapshot as above.
 */
export const countSomeSales = statement<{ ordersMax: number }, { is_complete: boolean }>(
  'count_some_sales',
  `with ${stateOf}, edge as (
       select coalesce((
         select o.fulfilled_at from unnest(${orderTypes}) t(type) cross join lateral (
           select o.fulfilled_at from orders o
            where o.organization_id = :organizationId and o.type = t.type and o.status = 'fulfilled'
              and o.fulfilled_at < (select counted_from from state)
            order by o.fulfilled_at desc, o.id desc limit :ordersMax
         ) o order by o.fulfilled_at desc offset :ordersMax - 1 limit 1
       ), '-infinity') as counted_from
     ), counted as (
       ${fulfilledOrders} and o.fulfilled_at >= (select counted_from from edge)
          and o.fulfilled_at < (select counted_from from state)
     ), taken as (
       delete from report_changes c
        where c.organization_id = :organizationId and c.fulfilled_at >= (select counted_from from edge)
          and c.fulfilled_at < (select counted_from from state)
     ), waiting as (
       select null::bigint as organization_id, null::uuid as id, null::timestamptz as fulfilled_at, null::bigint[] as returns_before
        where false
     ), ${salesParts()}, ${taxParts()}, ${groupedSales(zoneOfState)}, ${addParts('state')}, moved as (
       update report_states set counted_from = (select counted_from from edge) where organization_id = :organizationId
     )
   select counted_from = '-infinity' as is_complete from edge`,
  { isLong: true },
);

/** Some of the sums that do not count any more. */
const deleteFormer = (table: 'sales_sums' | 'tax_sums') =>
  statement<{ rowsMax: number }, { deleted: number }>(
    `delete_former_${table}`,
    `with gone as (
       delete from ${table} where organization_id = :organizationId and ctid = any(array(
         select s.ctid from ${table} s join report_states t on t.organization_id = s.organization_id
          where s.organization_id = :organizationId and s.generation < t.generation limit :rowsMax))
       returning 1)
     select count(*)::int as deleted from gone`,
    { isLong: true },
  );
export const deleteFormerSales = deleteFormer('sales_sums');
export const deleteFormerTaxes = deleteFormer('tax_sums');
