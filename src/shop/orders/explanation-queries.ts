import { statement } from '../../platform/statements/statement.ts';

/** SQL on how long the steps of an order's arithmetic are kept (D31, D76). The mark says which orders have been looked at. */

/** What an order was decided by (D31, D97). Steps are null once they were pruned; the edition of the law is null for imported orders. */
export interface ExplanationRow {
  steps: string | null;
  lawEdition: string | null;
}

export const selectExplanation = statement<{ orderId: string }, ExplanationRow>(
  'select_order_explanation',
  `select e.steps, o.law_edition as "lawEdition" from order_explanations e
     join orders o on o.organization_id = :organizationId and o.id = :orderId
    where e.organization_id = :organizationId and e.order_id = :orderId
      and (e.steps is not null or e.steps_pruned_at is not null)`,
);

interface MarkRow {
  placed_at: string;
  order_id: string;
}

/** The text of times is exact to the microsecond. Every seventh day it begins with the first order again. */
export const lockExplanationMark = statement<{ at: string }, MarkRow>(
  'lock_explanation_mark',
  `insert into explanation_marks as m (organization_id, placed_at, order_id, begun_at)
   values (:organizationId, '-infinity', '00000000-0000-0000-0000-000000000000', :at)
   on conflict (organization_id) do update
     set placed_at = case when m.begun_at < :at::timestamptz - interval '7 days' then '-infinity' else m.placed_at end,
         begun_at = case when m.begun_at < :at::timestamptz - interval '7 days' then :at::timestamptz else m.begun_at end
     where m.organization_id = :organizationId
   returning m.placed_at::text as placed_at, m.order_id::text as order_id`,
  {
    // Only functions without a look at the session may set columns and make the result there.
    onDistributed: `with mark as (
   insert into explanation_marks as m (organization_id, placed_at, order_id, begun_at)
   values (:organizationId, '-infinity', '00000000-0000-0000-0000-000000000000', :at)
   on conflict (organization_id) do update
     set placed_at = case when excluded.begun_at - m.begun_at > interval '7 days' then '-infinity' else m.placed_at end,
         begun_at = case when excluded.begun_at - m.begun_at > interval '7 days' then excluded.begun_at else m.begun_at end
   returning m.placed_at, m.order_id)
   select placed_at::text as placed_at, order_id::text as order_id from mark`,
  },
);

/**
 * Looks at some orders behind the mark, oldest first, that are older than the organization keeps explanations, takes their steps
 * away and moves the mark. What the order's document shows stays in the row.
 */
export const pruneSomeSteps = statement<
  { placedAt: string; orderId: string; at: string; limit: number },
  { looked: number; pruned: number }
>(
  'prune_some_order_steps',
  `with aged as materialized (
     select r.id, r.created_at from orders r
      where r.organization_id = :organizationId and (r.created_at, r.id) > (:placedAt::text::timestamptz, :orderId::uuid)
        and r.created_at < :at::timestamptz - (
          select make_interval(days => explanation_retention_days) from organizations where id = :organizationId)
      order by r.created_at, r.id limit :limit
   ), pruned as (
     update order_explanations e set steps = null, steps_pruned_at = :at from aged
      where e.organization_id = :organizationId and e.order_id = aged.id and e.steps is not null
     returning e.order_id
   ), moved as (
     update explanation_marks m set placed_at = last.created_at, order_id = last.id
       from (select created_at, id from aged order by created_at desc, id desc limit 1) last
      where m.organization_id = :organizationId
   )
   select (select count(*) from aged)::int as looked, (select count(*) from pruned)::int as pruned`,
);
