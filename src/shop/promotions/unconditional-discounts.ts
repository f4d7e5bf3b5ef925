import { statement } from '../../platform/statements/statement.ts';
import { discountColumns, type OfferedDiscountRow } from './promotion-queries.ts';

/** The discounts of registers that sell alone (D75). */

/**
 * Discounts that ask nothing of a customer and count no uses, so that no look-up is needed: automatic ones, and those that staff
 * give.
 */
export const selectUnconditionalDiscounts = statement<{ at: string }, OfferedDiscountRow>(
  'select_unconditional_discounts',
  `select ${discountColumns}, '{}'::text[] as code_keys, null::integer as used
     from discounts d
    where d.organization_id = :organizationId and d.trigger in ('automatic', 'manual')
      and (d.ends_at is null or d.ends_at > :at)
      and d.uses_total is null and d.uses_per_customer is null
      and d.customer_group_ids = '{}' and not d.first_order and not d.birthday_month
    order by d.id`,
);

/** Discounts by their ids, whatever became of them. */
export const selectNamedDiscounts = statement<{ ids: readonly number[] }, OfferedDiscountRow>(
  'select_named_discounts',
  `select ${discountColumns}, '{}'::text[] as code_keys, null::integer as used
     from discounts d where d.organization_id = :organizationId and d.id = any(:ids)`,
);
