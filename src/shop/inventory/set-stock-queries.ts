import { statement } from '../../platform/statements/statement.ts';

/** SQL of counts that integrators send. */

export const selectStockSetting = statement<Record<never, never>, { integrators_set_stock: boolean }>(
  'select_stock_setting',
  'select integrators_set_stock from organizations where id = :organizationId',
);

/** The option with an id, or with an id of the integrator. */
export const selectOptionToSet = statement<
  { integratorId: number; externalId: string | null; productOptionId: number | null },
  { id: number; product_id: number }
>(
  'select_option_to_set',
  `select o.id, o.product_id from product_options o
    where o.organization_id = :organizationId and o.deleted_at is null
      and o.id = case when :productOptionId::bigint is not null then :productOptionId::bigint else (
            select e.product_option_id from product_option_external_ids e
             where e.organization_id = :organizationId and e.integrator_id = :integratorId
               and e.external_id = :externalId::text) end`,
);

/** What was moved of loose stock since a count, other than by counts, and whether it was counted since. */
export const selectMovesSinceCount = statement<
  { productId: number; optionId: number; locationId: number; countedAt: string },
  { moved: string; is_counted_since: boolean }
>(
  'select_moves_since_count',
  `select coalesce(sum(delta) filter (where cause <> 'counted'), 0) as moved,
          coalesce(bool_or(cause = 'counted'), false) as is_counted_since
     from stock_ledger_entries
    where organization_id = :organizationId and product_id = :productId and product_option_id = :optionId
      and package_id = 0 and inventory_location_id = :locationId and created_at > :countedAt::timestamptz`,
);
