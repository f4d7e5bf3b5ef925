import { type BoundStatement, statement } from '../database/statement.ts';

/**
 * Uses of discounts that limit them: a row per discount, and one per discount and customer. An order adds to them
 * in its commit without having locked them, and the tables' checks refuse one too many.
 *
 * What an order counts is decided by the limits as they are when it commits, not as it read them: it refers to the
 * discounts that it used by a foreign key before it counts, and who sets a limit locks the discount against that,
 * so either the order is there to be recounted or it sees the limit.
 */

export interface DiscountUsesRow {
  discount_id: number;
  used: number;
}

export const selectDiscountUses = statement<{ ids: readonly number[] }, DiscountUsesRow>(
  'select_discount_uses',
  `select discount_id, used from discount_uses
    where organization_id = :organizationId and discount_id = any(:ids)`,
);

/**
 * Locks the counters of everything that the cart may have, in order of id, each after its discount, as whoever sets
 * a limit does. For a second try: who has lost a race for the last use then knows for certain whether one is left. And
 * for edits, which lock stock before they count.
 */
export const lockDiscountUses = statement<
  { codeKeys: readonly string[]; chosenIds: readonly number[]; at: string },
  { discount_id: number }
>(
  'lock_discount_uses',
  `with held as (
     select d.id from discounts d
      where d.organization_id = :organizationId and d.uses_total is not null
        and ((d.trigger = 'automatic' and (d.ends_at is null or d.ends_at > :at)) or d.id = any(:chosenIds)
          or d.id in (select c.discount_id from discount_codes c
                       where c.organization_id = :organizationId and c.code_key = any(:codeKeys)))
      order by d.id
        for key share)
   select u.discount_id from discount_uses u
    where u.organization_id = :organizationId and u.discount_id in (select held.id from held)
    order by u.discount_id
      for no key update`,
);

/** One more order has used these discounts. To be queued after the rows that refer to them. */
export const countDiscountUses = statement<{ ids: readonly number[] }, never>(
  'count_discount_uses',
  `insert into discount_uses (organization_id, discount_id, used, uses_max)
   select d.organization_id, d.id, 1, d.uses_total from discounts d
    where d.organization_id = :organizationId and d.id = any(:ids) and d.uses_total is not null
    order by d.id
   on conflict (organization_id, discount_id)
     do update set used = discount_uses.used + 1, uses_max = excluded.uses_max`,
);

/** The same for their customer, who is locked or new. */
export const countCustomerDiscountUses = statement<{ ids: readonly number[]; userId: number }, never>(
  'count_customer_discount_uses',
  `insert into discount_customer_uses (organization_id, discount_id, user_id, used, uses_max)
   select d.organization_id, d.id, :userId, 1, d.uses_per_customer from discounts d
    where d.organization_id = :organizationId and d.id = any(:ids) and d.uses_per_customer is not null
    order by d.id
   on conflict (organization_id, discount_id, user_id)
     do update set used = discount_customer_uses.used + 1, uses_max = excluded.uses_max`,
);

/** What an order's foreign key does when it is placed, for when it is canceled. */
export const holdDiscounts = statement<{ ids: readonly number[] }, { id: number }>(
  'hold_discounts',
  `select id from discounts where organization_id = :organizationId and id = any(:ids)
    order by id for key share`,
);

export const giveBackDiscountUses = statement<{ ids: readonly number[] }, never>(
  'give_back_discount_uses',
  `update discount_uses u set used = u.used - 1
    where u.organization_id = :organizationId and u.discount_id in (
      select l.discount_id from discount_uses l
       where l.organization_id = :organizationId and l.discount_id = any(:ids)
       order by l.discount_id for no key update)`,
);

export const giveBackCustomerDiscountUses = statement<{ ids: readonly number[]; userId: number }, never>(
  'give_back_customer_discount_uses',
  `update discount_customer_uses set used = used - 1
    where organization_id = :organizationId and user_id = :userId and discount_id = any(:ids)`,
);

/** Waits for the orders that use the discounts now, and makes later ones wait. */
const lockDiscountsForLimits = statement<{ ids: readonly number[] }, { id: number }>(
  'lock_discounts_for_limits',
  `select id from discounts where organization_id = :organizationId and id = any(:ids)
    order by id for update`,
);

/*
 * More uses than a limit that comes late allows stay counted; the next use is refused all the same, because it
 * is checked against the limit.
 */
const recountUses = statement<{ ids: readonly number[] }, never>(
  'recount_discount_uses',
  `insert into discount_uses (organization_id, discount_id, used, uses_max)
   select d.organization_id, d.id, used.count, greatest(used.count, d.uses_total)
     from discounts d
     cross join lateral (
       select count(distinct o.id) as count
         from order_discounts u
         join orders o on o.organization_id = u.organization_id and o.id = u.order_id and o.status <> 'canceled'
        where u.organization_id = d.organization_id and u.discount_id = d.id) as used
    where d.organization_id = :organizationId and d.id = any(:ids) and d.uses_total is not null
    order by d.id
   on conflict (organization_id, discount_id)
     do update set used = excluded.used, uses_max = excluded.uses_max`,
);

const recountCustomerUses = statement<{ ids: readonly number[] }, never>(
  'recount_customer_discount_uses',
  `insert into discount_customer_uses (organization_id, discount_id, user_id, used, uses_max)
   select d.organization_id, d.id, o.user_id, count(distinct o.id),
          greatest(count(distinct o.id), d.uses_per_customer)
     from discounts d
     join order_discounts u on u.organization_id = d.organization_id and u.discount_id = d.id
     join orders o on o.organization_id = u.organization_id and o.id = u.order_id and o.status <> 'canceled'
    where d.organization_id = :organizationId and d.id = any(:ids) and d.uses_per_customer is not null
      and o.user_id is not null
    group by d.organization_id, d.id, o.user_id
    order by d.id, o.user_id
   on conflict (organization_id, discount_id, user_id)
     do update set used = excluded.used, uses_max = excluded.uses_max`,
);

const dropUses = statement<{ ids: readonly number[] }, never>(
  'drop_discount_uses',
  `delete from discount_uses u
    where u.organization_id = :organizationId and u.discount_id in (
      select d.id from discounts d
       where d.organization_id = :organizationId and d.id = any(:ids) and d.uses_total is null)`,
);

const dropCustomerUses = statement<{ ids: readonly number[] }, never>(
  'drop_customer_discount_uses',
  `delete from discount_customer_uses u
    where u.organization_id = :organizationId and u.discount_id in (
      select d.id from discounts d
       where d.organization_id = :organizationId and d.id = any(:ids) and d.uses_per_customer is null)`,
);

/**
 * Makes the counters of discounts right for their limits as they now are: counts what limited ones have been used
 * so far, and no longer counts what nothing limits. To be queued by whoever has set up a discount or changed its
 * limits, after that and in the same transaction.
 */
export function recountDiscountUses(ids: readonly number[]): BoundStatement<unknown>[] {
  return [
    lockDiscountsForLimits({ ids }),
    recountUses({ ids }),
    dropUses({ ids }),
    recountCustomerUses({ ids }),
    dropCustomerUses({ ids }),
  ];
}

/** The guards that refuse one use too many; whoever trips one should look again. */
export const discountUsesGuards = [
  'discount_uses_within_limit',
  'discount_customer_uses_within_limit',
] as const;
