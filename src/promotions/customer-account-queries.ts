import type { DiscountRow } from './promotion-queries.ts';

/** What a customer brings to a cart, as of an instant. */
export interface CustomerAccountRow {
  group_ids: number[];
  /** Has an order that was placed and not canceled. */
  has_ordered: boolean;
  /** Orders that used a discount, by its id; of discounts that limit uses per customer. Null: none. */
  uses: Readonly<Record<string, number>> | null;
  /** Not expired, and something left. Null: none. */
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
                     and o.status <> 'canceled') as has_ordered`;

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

/** What the conditions of some discounts ask about whoever buys. */
export interface AccountQuestions {
  readonly groups: boolean;
  readonly firstOrder: boolean;
  readonly uses: boolean;
}

/** What must be known of a customer before it can be said which of these discounts they get. */
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
 * The same for carts without loyalty rewards, where the discounts ask no more than that: what nobody asks for stands
 * there as it is of somebody who is new, unread.
 */
export function accountColumnsFor({ groups, firstOrder, uses }: AccountQuestions): string {
  return `${groups ? groupsColumn : 'array[]::bigint[] as group_ids'},
          ${firstOrder ? hasOrderedColumn : 'false as has_ordered'},
          ${uses ? usesColumn : 'null::json as uses'},
          ${creditsColumn},
          null::text as points`;
}
