import { statement } from '../../platform/statements/statement.ts';
import {
  amounts,
  eventsWhere,
  groupedSales,
  list,
  ofChange,
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
       insert into book_sums (organization_id, generation, report, span, day, key, name, ${amounts.join(', ')})
         select :organizationId, ${state}.generation, g.report, s.span, s.day, g.key, max(g.name), ${summed(amounts)}
           from ${state}, grouped g ${spans}
          group by ${state}.generation, g.report, s.span, s.day, g.key
         on conflict (organization_id, generation, report, span, day, key) do update
           set name = greatest(book_sums.name, excluded.name),
               ${list(amounts, (it) => `${it} = book_sums.${it} + excluded.${it}`)}
     ), added_taxes as (
       insert into book_taxes (organization_id, generation, span, day, tax_id, description, rate, included,
                             ${taxAmounts.join(', ')})
         select :organizationId, ${state}.generation, s.span, s.day, g.tax_id, g.description, g.rate, g.included,
                ${summed(taxAmounts)}
           from ${state}, charged g ${spans}
          group by ${state}.generation, s.span, s.day, g.tax_id, g.description, g.rate, g.included
         on conflict (organization_id, generation, span, day, tax_id, description, rate, included) do update
           set ${list(taxAmounts, (it) => `${it} = book_taxes.${it} + excluded.${it}`)}
     )`;

const stateOf = `state as (
       select generation, time_zone, day_starts_at, counted_from from book_states where organization_id = :organizationId
     )`;
const termsOfState = {
  tz: '(select time_zone from state)',
  dayStartsAt: '(select day_starts_at from state)',
};
const parts = `${salesParts()}, ${taxParts(termsOfState)}, ${groupedSales(termsOfState)}`;

interface ReportStateRow {
  generation: number;
  /** The sums are of days of another time zone, or that began at another time. */
  is_of_other_days: boolean;
  /** All orders are in the sums. */
  is_complete: boolean;
}

const shownState = `s.generation, (s.time_zone, s.day_starts_at) <> (o.tz, o.business_day_starts_at) as is_of_other_days,
          s.counted_from = '-infinity' as is_complete
     from book_states s join organizations o on o.id = s.organization_id
    where s.organization_id = :organizationId`;

/** Whether there is something to do. No row: the sums were never made. */
export const selectReportBacklog = statement<
  Record<never, never>,
  ReportStateRow & { has_changes: boolean; has_former: boolean }
>(
  'select_report_backlog',
  `select exists (select from book_changes where organization_id = :organizationId) as has_changes,
          exists (select from book_sums where organization_id = :organizationId and generation < s.generation)
            as has_former,
          ${shownState}`,
);

export const insertReportState = statement<Record<never, never>, never>(
  'insert_report_state',
  `insert into book_states (organization_id, generation, time_zone, day_starts_at, counted_from)
     select id, 1, tz, business_day_starts_at, 'infinity' from organizations where id = :organizationId
   on conflict do nothing`,
);

/** Two processes that change the sums take turns here. */
export const lockReportState = statement<Record<never, never>, ReportStateRow>(
  'lock_report_state',
  `select ${shownState} for update of s`,
);

/** The sums of other days begin from nothing. */
export const restartReportSums = statement<Record<never, never>, never>(
  'restart_report_sums',
  `update book_states s
      set generation = s.generation + 1, time_zone = o.tz, day_starts_at = o.business_day_starts_at,
          counted_from = 'infinity'
     from organizations o where o.id = s.organization_id and s.organization_id = :organizationId`,
);

/**
 * Takes the events of some orders into the sums and deletes their changes, on one snapshot. Changes of events that are not counted yet
 * go, because those are counted when their time comes.
 */
export const foldReportChanges = statement<{ changesMax: number }, { changes: number }>(
  'fold_book_changes',
  `with ${stateOf}, chosen as (
       select order_id, id from book_changes where organization_id = :organizationId
        order by order_id fetch first :changesMax rows with ties
     ), taken as (
       delete from book_changes c using chosen
        where c.organization_id = :organizationId and c.order_id = chosen.order_id and c.id = chosen.id
       returning c.*
     ), counted as (
       select ${ofChange} from taken c where c.at >= (select counted_from from state)
     ), ${parts}, ${addParts('state')}
   select count(*)::int as changes from taken`,
  { isLong: true },
);

/** The latest events before those that are counted. */
const latest = (from: string, at: string, condition: string): string =>
  `select ${at} as at from ${from}
             where ${condition} and ${at} < (select counted_from from state)
             order by ${at} desc limit :eventsMax`;

/**
 * Counts some of the events that are not counted yet, latest first, and deletes their changes, on one snapshot as above.
 */
export const countSomeEvents = statement<{ eventsMax: number }, { is_complete: boolean }>(
  'count_some_events',
  `with ${stateOf}, edge as (
       select coalesce((
         select e.at from (
           (select o.at from unnest(${orderTypes}) t(type) cross join lateral (
             ${latest('orders o', 'o.fulfilled_at', `o.organization_id = :organizationId and o.type = t.type and o.status = 'fulfilled'`)}) o)
            union all
           (${latest('order_returns r', 'r.created_at', 'r.organization_id = :organizationId')})
            union all
           (${latest('order_returns r', 'r.voided_at', 'r.organization_id = :organizationId and r.voided_at is not null')})
         ) e order by e.at desc offset :eventsMax - 1 limit 1
       ), '-infinity') as counted_from
     ), counted as (
       ${eventsWhere((at) => `${at} >= (select counted_from from edge) and ${at} < (select counted_from from state)`)}
     ), taken as (
       delete from book_changes c
        where c.organization_id = :organizationId and c.at >= (select counted_from from edge)
          and c.at < (select counted_from from state)
     ), ${parts}, ${addParts('state')}, moved as (
       update book_states set counted_from = (select counted_from from edge) where organization_id = :organizationId
     )
   select counted_from = '-infinity' as is_complete from edge`,
  { isLong: true },
);

/** Some of the sums that do not count any more. */
const deleteFormer = (table: 'book_sums' | 'book_taxes') =>
  statement<{ rowsMax: number }, { deleted: number }>(
    `delete_former_${table}`,
    `with gone as (
       delete from ${table} where organization_id = :organizationId and ctid = any(array(
         select s.ctid from ${table} s join book_states t on t.organization_id = s.organization_id
          where s.organization_id = :organizationId and s.generation < t.generation limit :rowsMax))
       returning 1)
     select count(*)::int as deleted from gone`,
    { isLong: true },
  );
export const deleteFormerSales = deleteFormer('book_sums');
export const deleteFormerTaxes = deleteFormer('book_taxes');
