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

/** What conditions of discounts ask about a customer `c`. */
const conditionColumns = `array(select m.customer_group_id from customer_group_members m
                 where m.organization_id = :organizationId and m.user_id = c.id) as group_ids,
          exists (select from orders o
                   where o.organization_id = :organizationId and o.user_id = c.id
                     and o.status <> 'canceled') as has_ordered,
          (select json_object_agg(u.discount_id, u.used) from discount_customer_uses u
            where u.organization_id = :organizationId and u.user_id = c.id) as uses`;

const creditsColumn = `(select json_agg(json_build_object('id', k.id, 'type', k.type, 'description', k.description,
                    'remainingCents', k.remaining_cents, 'percent', k.percent::text,
                    'expiresAt', k.expires_at))
             from customer_credits k
            where k.organization_id = :organizationId and k.user_id = c.id
              and (k.expires_at is null or k.expires_at > :at)
              and (k.remaining_cents > 0 or k.remaining_uses > 0)) as credits`;

/** Columns of `CustomerAccountRow`, of a customer `c` as of `:at`. */
export const accountColumns = `${conditionColumns},
          ${creditsColumn},
          (select b.points from loyalty_balances b
            where b.organization_id = :organizationId and b.user_id = c.id) as points`;

/** The same for carts without loyalty rewards: nothing else asks for points. */
export const rewardlessAccountColumns = `${conditionColumns},
          ${creditsColumn},
          null::text as points`;

/** The same for carts without loyalty rewards where there is no discount either: credits are all that counts. */
export const creditAccountColumns = `array[]::bigint[] as group_ids, false as has_ordered, null::json as uses,
          ${creditsColumn},
          null::text as points`;
