import type { DiscountKind } from '../../engines/pricing/discounts/discount-kinds.ts';
import type {
  CartOrderType,
  DiscountAudience,
  ScheduleWindow,
} from '../../engines/pricing/discounts/discount-settings.ts';
import type { ChosenReward } from '../../engines/pricing/pricing-facts.ts';
import { insertMany, statement } from '../../platform/statements/statement.ts';
import { type OwnColumns, type OwnTermsRow, ownColumnNames, ownTermNames } from './own-terms.ts';

/** All SQL on discounts, account credits and loyalty, without the statements that count and change them. */

export interface DiscountRow extends OwnTermsRow {
  id: number;
  name: string;
  kind: DiscountKind;
  type: 'flat' | 'percent';
  /** Decimal text: whole cents or percent. */
  amount: string;
  per_unit: boolean;
  maximum_amount_cents: number | null;
  product_ids: number[];
  product_option_ids: number[];
  category_ids: number[];
  brand_ids: number[];
  tag_ids: number[];
  order_types: CartOrderType[];
  customer_group_ids: number[];
  customer_type: DiscountAudience | null;
  minimum_subtotal_cents: number | null;
  minimum_quantity: number | null;
  counts_whole_cart: boolean;
  exclude_sale_items: boolean;
  first_order: boolean;
  birthday_month: boolean;
  schedule: ScheduleWindow[];
  starts_at: number | null;
  ends_at: number | null;
  trigger: 'automatic' | 'code' | 'manual';
  stackable: boolean;
  priority: number;
  uses_per_order: number | null;
  uses_per_customer: number | null;
  uses_total: number | null;
  created_at: number;
  updated_at: number;
}

const codeKeysColumn = `case when d.trigger = 'code' then
            array(select c.code_key from discount_codes c
                   where c.organization_id = d.organization_id and c.discount_id = d.id
                     and c.code_key = any(:codeKeys) order by c.code_key)
          else '{}' end as code_keys`;

const ownColumns = ownTermNames.map((name) => `d.${ownColumnNames[name]}`).join(', ');

/** Columns of `DiscountRow`, of a table or alias `d`. */
export const discountColumns = `d.id, d.name, d.kind, d.type, d.amount, d.per_unit, d.maximum_amount_cents,
          d.product_ids, d.product_option_ids, d.category_ids, d.brand_ids, d.tag_ids, d.order_types,
          d.customer_group_ids, d.customer_type, d.minimum_subtotal_cents, d.minimum_quantity, d.counts_whole_cart,
          d.exclude_sale_items, d.first_order, d.birthday_month, d.schedule,
          d.starts_at, d.ends_at, d.trigger, d.stackable, d.priority, d.uses_per_order, d.uses_per_customer,
          d.uses_total, ${ownColumns}, d.created_at, d.updated_at`;

/** A discount that a cart may use. */
export interface OfferedDiscountRow extends DiscountRow {
  /** Its codes among the requested ones, normalized. */
  code_keys: string[];
  /** The number of orders that used it; null where it is not counted. */
  used: number | null;
  /** The lines that may have it; absent: all. */
  only_option_ids?: readonly number[];
}

/**
 * The discounts that a cart may use: every automatic discount that has not ended, those of the sent codes (also
 * ended ones: the refusal says so), and the chosen manual ones.
 */
export const selectOfferedDiscounts = statement<
  { codeKeys: readonly string[]; chosenIds: readonly number[]; at: string },
  OfferedDiscountRow
>(
  'select_offered_discounts',
  `select ${discountColumns},
          ${codeKeysColumn},
          case when d.uses_total is not null then
            (select u.used from discount_uses u
              where u.organization_id = d.organization_id and u.discount_id = d.id)
          end as used
     from discounts d
    where d.organization_id = :organizationId
      and ((d.trigger = 'automatic' and (d.ends_at is null or d.ends_at > :at))
        or (d.trigger = 'code' and d.id in (
             select c.discount_id from discount_codes c
              where c.organization_id = :organizationId and c.code_key = any(:codeKeys)))
        or (d.trigger = 'manual' and d.id = any(:chosenIds)))
    order by d.priority, d.id`,
);

/** Discounts by id, also ended ones, with the sent codes that are theirs. */
export const selectDiscountsById = statement<
  { ids: readonly number[]; codeKeys: readonly string[] },
  OfferedDiscountRow
>(
  'select_discounts_by_id',
  `select ${discountColumns},
          ${codeKeysColumn}, null::integer as used
     from discounts d where d.organization_id = :organizationId and d.id = any(:ids)
    order by d.priority, d.id`,
);

export type NewDiscountRow = OwnColumns & {
  id: number;
  name: string;
  kind: string;
  type: string;
  amount: string;
  perUnit: boolean;
  maximumAmountCents: number | null;
  productIds: readonly number[];
  productOptionIds: readonly number[];
  categoryIds: readonly number[];
  brandIds: readonly number[];
  tagIds: readonly number[];
  orderTypes: readonly string[];
  customerGroupIds: readonly number[];
  customerType: string | null;
  minimumSubtotalCents: number | null;
  minimumQuantity: number | null;
  countsWholeCart: boolean;
  excludeSaleItems: boolean;
  firstOrder: boolean;
  birthdayMonth: boolean;
  /** JSON text. */
  schedule: string;
  startsAt: string | null;
  endsAt: string | null;
  trigger: string;
  stackable: boolean;
  priority: number;
  usesPerOrder: number | null;
  usesPerCustomer: number | null;
  usesTotal: number | null;
  createdAt: string;
  updatedAt: string;
};

export const insertDiscounts = insertMany<NewDiscountRow>('discounts', {
  id: 'id',
  name: 'name',
  kind: 'kind',
  type: 'type',
  amount: 'amount',
  perUnit: 'per_unit',
  maximumAmountCents: 'maximum_amount_cents',
  productIds: 'product_ids',
  productOptionIds: 'product_option_ids',
  categoryIds: 'category_ids',
  brandIds: 'brand_ids',
  tagIds: 'tag_ids',
  orderTypes: 'order_types',
  customerGroupIds: 'customer_group_ids',
  customerType: 'customer_type',
  minimumSubtotalCents: 'minimum_subtotal_cents',
  minimumQuantity: 'minimum_quantity',
  countsWholeCart: 'counts_whole_cart',
  excludeSaleItems: 'exclude_sale_items',
  firstOrder: 'first_order',
  birthdayMonth: 'birthday_month',
  schedule: 'schedule',
  startsAt: 'starts_at',
  endsAt: 'ends_at',
  trigger: 'trigger',
  stackable: 'stackable',
  priority: 'priority',
  usesPerOrder: 'uses_per_order',
  usesPerCustomer: 'uses_per_customer',
  usesTotal: 'uses_total',
  ...ownColumnNames,
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

/** `codeKey` is `normalizeCode(code)`. */
export const insertDiscountCodes = insertMany<{ discountId: number; code: string; codeKey: string }>(
  'discount_codes',
  { discountId: 'discount_id', code: 'code', codeKey: 'code_key' },
);

export interface CustomerCreditRow {
  id: number;
  user_id: number;
  type: 'promo-code' | 'store-credit';
  description: string;
  amount_cents: number | null;
  remaining_cents: number | null;
  percent: string | null;
  remaining_uses: number | null;
  expires_at: number | null;
  created_at: number;
  updated_at: number;
}

export const insertCustomerCredits = insertMany<{
  id: number;
  userId: number;
  type: string;
  description: string;
  amountCents: number | null;
  remainingCents: number | null;
  percent: string | null;
  remainingUses: number | null;
  expiresAt: string | null;
  createdAt: string;
  updatedAt: string;
}>('customer_credits', {
  id: 'id',
  userId: 'user_id',
  type: 'type',
  description: 'description',
  amountCents: 'amount_cents',
  remainingCents: 'remaining_cents',
  percent: 'percent',
  remainingUses: 'remaining_uses',
  expiresAt: 'expires_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

export interface LoyaltyRewardRow {
  id: number;
  name: string;
  type: ChosenReward['type'];
  points_requirement: string;
  /** Cents per point, cents or percent by type. */
  discount_amount: string | null;
  product_option_id: number | null;
  created_at: number;
  updated_at: number;
  ended_at: number | null;
}

/** Rewards that have not ended. */
export const selectLoyaltyRewards = statement<{ ids: readonly number[]; at: string }, LoyaltyRewardRow>(
  'select_loyalty_rewards',
  `select id, name, type, points_requirement, discount_amount, product_option_id, created_at, updated_at, ended_at
     from loyalty_rewards
    where organization_id = :organizationId and id = any(:ids) and (ended_at is null or ended_at > :at)
    order by id`,
);

export const insertLoyaltyRewards = insertMany<{
  id: number;
  name: string;
  type: string;
  pointsRequirement: string;
  discountAmount: string | null;
  productOptionId: number | null;
  createdAt: string;
  updatedAt: string;
}>('loyalty_rewards', {
  id: 'id',
  name: 'name',
  type: 'type',
  pointsRequirement: 'points_requirement',
  discountAmount: 'discount_amount',
  productOptionId: 'product_option_id',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

/** The earning rule; no row: no points are earned. */
export const selectLoyaltyProgram = statement<Record<never, never>, { points_per_dollar: string }>(
  'select_loyalty_program',
  `select points_per_dollar from loyalty_programs where organization_id = :organizationId`,
);

export interface LoyaltyProgramRow {
  points_per_dollar: string;
  updated_at: number;
}

/** The earning rule and when it was set; a rule that was never set is as old as the organization. */
export const selectProgramSetup = statement<Record<never, never>, LoyaltyProgramRow>(
  'select_program_setup',
  `select coalesce(p.points_per_dollar, 0)::text as points_per_dollar,
          coalesce(p.updated_at, o.created_at) as updated_at
     from organizations o left join loyalty_programs p on p.organization_id = o.id
    where o.id = :organizationId`,
);

/** Until the commit, no other transaction sets the rule; an advisory lock, because it may have no row yet. */
export const lockProgramSetup = statement<Record<never, never>, never>(
  'lock_program_setup',
  `select pg_advisory_xact_lock(hashtextextended('loyalty program of ' || (:organizationId::bigint)::text, 0))`,
);

/** Sets the earning rule from now on. */
export const putLoyaltyProgram = statement<{ pointsPerDollar: string; at: string }, never>(
  'put_loyalty_program',
  `insert into loyalty_programs (organization_id, points_per_dollar, updated_at)
   values (:organizationId, :pointsPerDollar, :at)
   on conflict (organization_id) do update set points_per_dollar = excluded.points_per_dollar,
     updated_at = excluded.updated_at`,
);

/** What the shop owes to customers as store credit. */
export const sumStoreCredits = statement<{ at: string }, { cents: number }>(
  'sum_store_credits',
  `select coalesce(sum(remaining_cents), 0)::bigint as cents from customer_credits
    where organization_id = :organizationId and type = 'store-credit' and (expires_at is null or expires_at > :at)`,
);
