import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { statement } from '../../platform/statements/statement.ts';
import { lockDiscountSetup } from './discount-setup-queries.ts';

/** In both lists of a discount: replaces the brand by the other one, without a duplicate. */
const replaceBrandInTargets = statement<{ from: number; into: number; at: string }, { id: number }>(
  'replace_brand_in_targets',
  `update discounts
      set brand_ids = array(select b from unnest(array_replace(brand_ids, :from::bigint, :into::bigint))
            with ordinality as u(b, at) group by b order by min(at)),
          buy_targets = case when buy_targets->'brandIds' @> to_jsonb(:from::bigint)
            then jsonb_set(buy_targets, '{brandIds}', (
              select jsonb_agg(b order by at) from (
                select case when e = to_jsonb(:from::bigint) then to_jsonb(:into::bigint) else e end as b, min(at) as at
                  from jsonb_array_elements(buy_targets->'brandIds') with ordinality as u(e, at) group by 1) as once))
            else buy_targets end,
          updated_at = :at
    where organization_id = :organizationId
      and (:from::bigint = any(brand_ids) or buy_targets->'brandIds' @> to_jsonb(:from::bigint))
    returning id`,
  {
    // Without functions that depend on the session, as those that make JSON of any type are said to.
    onDistributed: `update discounts
      set brand_ids = array(select b from unnest(array_replace(brand_ids, :from::bigint, :into::bigint))
            with ordinality as u(b, at) group by b order by min(at)),
          buy_targets = case when buy_targets->'brandIds' @> (:from::bigint)::text::jsonb
            then jsonb_set(buy_targets, '{brandIds}', (
              select ('[' || string_agg(b::text, ',' order by at) || ']')::jsonb from (
                select case when e = (:from::bigint)::text::jsonb then (:into::bigint)::text::jsonb else e end as b,
                       min(at) as at
                  from jsonb_array_elements(buy_targets->'brandIds') with ordinality as u(e, at) group by 1) as once))
            else buy_targets end,
          updated_at = :at
    where organization_id = :organizationId
      and (:from::bigint = any(brand_ids) or buy_targets->'brandIds' @> (:from::bigint)::text::jsonb)
    returning id`,
  },
);

/**
 * Moves the discounts of one brand to another, in the transaction that merges the two. Call it before that
 * writes: setting up discounts also takes its lock first.
 */
export async function moveBrandTargets(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  { from, into }: { readonly from: number; readonly into: number },
): Promise<void> {
  const [, moved] = await tx.run(
    lockDiscountSetup({}),
    replaceBrandInTargets({ from, into, at: isoTimestamp(nowMs) }),
  );
  await announce(
    tx,
    context,
    origin,
    nowMs,
    ...moved.map(({ id }) => ({
      event: 'discount.updated' as const,
      subjectType: 'discount' as const,
      subjectId: id,
      payload: { discountId: id },
      details: { discountId: id, brandId: { from, to: into } },
    })),
  );
}
