import type { DiscountConditions, DiscountTargets } from '../pricing/discounts/discount-settings.ts';
import type { DiscountRow } from './promotion-queries.ts';

/** The columns of a discount's targets and conditions. */
type TermsRow = Pick<
  DiscountRow,
  | 'product_ids'
  | 'product_option_ids'
  | 'category_ids'
  | 'brand_ids'
  | 'tag_ids'
  | 'order_types'
  | 'customer_group_ids'
  | 'minimum_subtotal_cents'
  | 'first_order'
  | 'birthday_month'
  | 'schedule'
  | 'starts_at'
  | 'ends_at'
>;

/** A discount's targets and conditions from its row: the same for carts and for setup. */
export function targetsAndConditions(row: TermsRow): {
  targets: DiscountTargets;
  conditions: DiscountConditions;
} {
  return {
    targets: {
      productIds: row.product_ids,
      optionIds: row.product_option_ids,
      categoryIds: row.category_ids,
      brandIds: row.brand_ids,
      tagIds: row.tag_ids,
    },
    conditions: {
      orderTypes: row.order_types,
      customerGroupIds: row.customer_group_ids,
      minimumSubtotalCents: row.minimum_subtotal_cents,
      firstOrder: row.first_order,
      birthdayMonth: row.birthday_month,
      schedule: row.schedule,
      startsAtMs: row.starts_at,
      endsAtMs: row.ends_at,
    },
  };
}
