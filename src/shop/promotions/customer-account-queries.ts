import type { DiscountRow } from './promotion-queries.ts';

/** A customer's account at an instant, for a cart. */
export interface CustomerAccountRow {
  group_ids: number[];
  /** The customer has placed an order that was not canceled. */
  has_ordered: boolean;
  /**
   * The number of orders that used each discount, by discount id; for discounts that limit uses per customer.
   * Null: none.
   */
  uses: Readonly<Record<string, number>> | null;
  /** Credits that have not expired and are not used up. Null: none. */
  credits: readonly AccountCreditRow[] | null;
  /** Null: no points yet. */
  points: string | null;
}

interface AccountCreditRow {
  readonly id: number;
  readonly type: 'promo-code' | 'store-credit';
  readonly description: string;
  readonly remainingCents: number | null;
  /** Decimal text. */
  readonly percent: string | null;
  readonly expiresAt: string | null;
}

const groupsColumn = `array(select m.customer_group_id from customer_group_members m
                 where m.organization_id = :organizationId and m.user_id = c.id) as group_ids`;

const hasOrderedColumn = `exists (select from orders o
                   where o.organization_id = :organizationId and o.user_id = c.id
                     and o.status <> 'canceled' and not o.is_unproven) as has_ordered`;

const usesColumn = `(select json_object_agg(u.discount_id, u.used) from discount_customer_uses u
            where u.organization_id = :organizationId and u.user_id = c.id) as uses`;

const creditsColumn = `(select json_agg(json_build_object('id', k.id, 'type', k.type, 'description', k.description,
                    'remainingCents', k.remaining_cents, 'percent', k.percent::text,
                    'expiresAt', k.expires_at))
             from customer_credits k
            where k.organization_id = :organizationId and k.user_id = c.id
              and (k.expires_at is null or k.expires_at > :at)
              and (k.remaining_cents > 0 or k.remaining_uses > 0)) as credits`;

/** Columns of `CustomerAccountRow`, of a customer `c` as of `:at`. */
export const accountColumns = `${groupsColumn},
          ${hasOrderedColumn},
          ${usesColumn},
          ${creditsColumn},
          (select b.points from loyalty_balances b
            where b.organization_id = :organizationId and b.user_id = c.id) as points`;

/** The account data that the conditions of some discounts need. */
export interface AccountQuestions {
  readonly groups: boolean;
  readonly firstOrder: boolean;
  readonly uses: boolean;
}

/** The account data that decides which of these discounts the customer gets. */
export function questionsOf(
  discounts: readonly Pick<DiscountRow, 'customer_group_ids' | 'first_order' | 'uses_per_customer'>[],
): AccountQuestions {
  return {
    groups: discounts.some((row) => row.customer_group_ids.length > 0),
    firstOrder: discounts.some((row) => row.first_order),
    uses: discounts.some((row) => row.uses_per_customer !== null),
  };
}

/**
 * The same for carts without loyalty rewards: only the columns that the discounts need are read, the others
 * have the values of a new customer.
 */
export function accountColumnsFor({ groups, firstOrder, uses }: AccountQuestions): string {
  return `${groups ? groupsColumn : 'array[]::bigint[] as group_ids'},
          ${firstOrder ? hasOrderedColumn : 'false as has_ordered'},
          ${uses ? usesColumn : 'null::json as uses'},
          ${creditsColumn},
          null::text as points`;
}
