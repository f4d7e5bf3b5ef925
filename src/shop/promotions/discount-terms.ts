import type {
  DiscountConditions,
  DiscountTargets,
} from '../../engines/pricing/discounts/discount-settings.ts';
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
  | 'customer_type'
  | 'minimum_subtotal_cents'
  | 'minimum_quantity'
  | 'counts_whole_cart'
  | 'exclude_sale_items'
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
      customerType: row.customer_type,
      minimumSubtotalCents: row.minimum_subtotal_cents,
      minimumQuantity: row.minimum_quantity,
      countsWholeCart: row.counts_whole_cart,
      excludeSaleItems: row.exclude_sale_items,
      firstOrder: row.first_order,
      birthdayMonth: row.birthday_month,
      schedule: row.schedule,
      startsAtMs: row.starts_at,
      endsAtMs: row.ends_at,
    },
  };
}
