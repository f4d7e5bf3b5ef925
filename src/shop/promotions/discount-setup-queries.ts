import { type BoundStatement, statement } from '../../platform/statements/statement.ts';
import { ownColumnNames, ownTermNames } from './own-terms.ts';
import { type DiscountRow, discountColumns, type NewDiscountRow } from './promotion-queries.ts';

/** All SQL of setting up discounts; pricing reads them by `promotion-queries.ts`. */

/** A discount with everything that staff see of it. */
export interface DiscountSetupRow extends DiscountRow {
  codes: string[];
}

const setupColumns = `${discountColumns},
          array(select c.code from discount_codes c
                 where c.organization_id = d.organization_id and c.discount_id = d.id
                 order by c.code_key collate "C") as codes`;

/** By priority, then id: the order in which they apply. */
export const selectDiscountSetups = statement<{ at: string; ended: boolean }, DiscountSetupRow>(
  'select_discount_setups',
  `select ${setupColumns} from discounts d
    where d.organization_id = :organizationId and (:ended::boolean or d.ends_at is null or d.ends_at > :at)
    order by d.priority, d.id`,
);

export const selectDiscountSetup = statement<{ id: number }, DiscountSetupRow>(
  'select_discount_setup',
  `select ${setupColumns} from discounts d where d.organization_id = :organizationId and d.id = :id`,
);

/** Locked until the commit; orders, which refer to the discount, do not wait. */
export const lockDiscount = statement<{ id: number }, DiscountSetupRow>(
  'lock_discount',
  `select ${setupColumns} from discounts d
    where d.organization_id = :organizationId and d.id = :id for no key update`,
);

interface DiscountOrdersRow {
  discount_id: number;
  total: number;
}

/**
 * Asks the orders slice how many orders used each discount. `app.ts` passes it in, because promotions must not
 * import orders.
 */
export type AskDiscountOrders = (parameters: { ids: readonly number[] }) => BoundStatement<DiscountOrdersRow>;

/**
 * Until the commit, no other transaction of the organization sets up a discount. Codes are unique among
 * discounts that have not ended, which no unique index can express.
 */
export const lockDiscountSetup = statement<Record<never, never>, never>(
  'lock_discount_setup',
  `select pg_advisory_xact_lock(hashtextextended('discount setup of ' || (:organizationId::bigint)::text, 0))`,
);

/** The first of the codes that belongs to another discount that has not ended. */
export const selectTakenCode = statement<
  { codeKeys: readonly string[]; exceptId: number; at: string },
  { code_key: string; name: string }
>(
  'select_taken_code',
  `select c.code_key, d.name
     from discount_codes c
     join discounts d on d.organization_id = c.organization_id and d.id = c.discount_id
    where c.organization_id = :organizationId and c.code_key = any(:codeKeys) and c.discount_id <> :exceptId
      and (d.ends_at is null or d.ends_at > :at)
    order by c.code_key, d.id limit 1`,
);

/** The customer groups among the ids, locked until the commit against deletion. */
export const lockGroupsOfDiscount = statement<{ ids: readonly number[] }, { id: number }>(
  'lock_groups_of_discount',
  `select g.id from customer_groups g
    where g.organization_id = :organizationId and g.id = any(:ids) and g.deleted_at is null
    order by g.id for share`,
);

/** The same without the lock, for a trial. */
export const selectGroupsOfDiscount = statement<{ ids: readonly number[] }, { id: number }>(
  'select_groups_of_discount',
  `select g.id from customer_groups g
    where g.organization_id = :organizationId and g.id = any(:ids) and g.deleted_at is null
    order by g.id`,
);

/** The ids that exist in the organization and are not deleted. */
export const selectKnownTargets = statement<
  {
    productIds: readonly number[];
    optionIds: readonly number[];
    categoryIds: readonly number[];
    brandIds: readonly number[];
    tagIds: readonly number[];
  },
  { list: 'productIds' | 'optionIds' | 'categoryIds' | 'brandIds' | 'tagIds'; id: number }
>(
  'select_known_targets',
  `select 'productIds' as list, p.id from products p
    where p.organization_id = :organizationId and p.id = any(:productIds) and p.deleted_at is null
    union all
   select 'optionIds', o.id from product_options o
    where o.organization_id = :organizationId and o.id = any(:optionIds) and o.deleted_at is null
    union all
   select 'categoryIds', c.id from product_categories c
    where c.organization_id = :organizationId and c.id = any(:categoryIds)
    union all
   select 'brandIds', b.id from brands b where b.organization_id = :organizationId and b.id = any(:brandIds)
    union all
   select 'tagIds', t.id from tags t where t.organization_id = :organizationId and t.id = any(:tagIds)`,
);

/** Whether one of these targets is cannabis today. */
export const selectReachesCannabis = statement<
  {
    productIds: readonly number[];
    optionIds: readonly number[];
    categoryIds: readonly number[];
    brandIds: readonly number[];
    tagIds: readonly number[];
  },
  { reaches: boolean }
>(
  'select_reaches_cannabis',
  `select exists (
     select from products p
       join product_categories c on c.organization_id = p.organization_id and c.id = p.primary_category_id
      where p.organization_id = :organizationId and p.deleted_at is null and c.cannabis_type <> 'none'
        and (p.id = any(:productIds) or p.primary_category_id = any(:categoryIds) or p.brand_id = any(:brandIds)
          or exists (select from product_options o
                      where o.organization_id = p.organization_id and o.product_id = p.id and o.id = any(:optionIds))
          or exists (select from product_tags t
                      where t.organization_id = p.organization_id and t.product_id = p.id and t.tag_id = any(:tagIds)))
   ) as reaches`,
);

const ownAssignments = ownTermNames.map((name) => `${ownColumnNames[name]} = :${name}`).join(', ');

export const updateDiscountRow = statement<Omit<NewDiscountRow, 'createdAt'>, never>(
  'update_discount_row',
  `update discounts
      set name = :name, kind = :kind, type = :type, amount = :amount, per_unit = :perUnit,
          maximum_amount_cents = :maximumAmountCents, product_ids = :productIds,
          product_option_ids = :productOptionIds, category_ids = :categoryIds, brand_ids = :brandIds,
          tag_ids = :tagIds, order_types = :orderTypes, customer_group_ids = :customerGroupIds,
          customer_type = :customerType, minimum_subtotal_cents = :minimumSubtotalCents,
          minimum_quantity = :minimumQuantity, counts_whole_cart = :countsWholeCart,
          exclude_sale_items = :excludeSaleItems, first_order = :firstOrder,
          birthday_month = :birthdayMonth, schedule = :schedule, starts_at = :startsAt, ends_at = :endsAt,
          trigger = :trigger, stackable = :stackable, priority = :priority, uses_per_order = :usesPerOrder,
          uses_per_customer = :usesPerCustomer, uses_total = :usesTotal, ${ownAssignments},
          updated_at = :updatedAt
    where organization_id = :organizationId and id = :id`,
);

export const removeDiscountCodes = statement<{ discountId: number }, never>(
  'remove_discount_codes',
  `delete from discount_codes where organization_id = :organizationId and discount_id = :discountId`,
);

/** A discount that is ended before its start loses its start. */
export const endDiscountRow = statement<{ id: number; at: string }, never>(
  'end_discount_row',
  `update discounts
      set ends_at = :at, starts_at = case when starts_at < :at then starts_at end, updated_at = :at
    where organization_id = :organizationId and id = :id`,
);
