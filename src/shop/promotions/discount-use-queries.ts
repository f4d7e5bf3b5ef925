import { type BoundStatement, statement } from '../../platform/statements/statement.ts';

/**
 * Uses of discounts with a limit: a row for each discount, and one for each discount and customer. An order adds to
 * them in its commit without locking them first, and the tables' checks refuse a use beyond the limit.
 *
 * The limits at the commit decide which uses an order counts, not the limits that it read. An order refers to its
 * discounts by a foreign key before it counts, and setting a limit locks the discount against that: either the order
 * exists and is counted, or it sees the limit.
 */

interface DiscountUsesRow {
  discount_id: number;
  used: number;
}

export const selectDiscountUses = statement<{ ids: readonly number[] }, DiscountUsesRow>(
  'select_discount_uses',
  `select discount_id, used from discount_uses
    where organization_id = :organizationId and discount_id = any(:ids)`,
);

/**
 * Locks the counters of all discounts that the cart may use, in order of id, each after its discount, as
 * setting a limit does. For a second try: an order that lost a race for the last use then knows whether one is
 * left. And for edits, which lock stock before they count.
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

/** Counts so many more orders for these discounts. Queue it after the rows that refer to them. */
export const countDiscountUses = statement<{ ids: readonly number[]; counts: readonly number[] }, never>(
  'count_discount_uses',
  `insert into discount_uses (organization_id, discount_id, used, uses_max)
   select d.organization_id, d.id, more.count, d.uses_total
     from unnest(:ids::bigint[], :counts::integer[]) as more(id, count)
     join discounts d on d.organization_id = :organizationId and d.id = more.id and d.uses_total is not null
    order by d.id
   on conflict (organization_id, discount_id)
     do update set used = discount_uses.used + excluded.used, uses_max = excluded.uses_max`,
);

/** The same for customers, who are locked or new: one use of each discount by the customer beside it. */
export const countCustomerDiscountUses = statement<
  { ids: readonly number[]; userIds: readonly number[] },
  never
>(
  'count_customer_discount_uses',
  `insert into discount_customer_uses (organization_id, discount_id, user_id, used, uses_max)
   select d.organization_id, d.id, more.user_id, 1, d.uses_per_customer
     from unnest(:ids::bigint[], :userIds::bigint[]) as more(id, user_id)
     join discounts d on d.organization_id = :organizationId and d.id = more.id
                     and d.uses_per_customer is not null
    order by d.id, more.user_id
   on conflict (organization_id, discount_id, user_id)
     do update set used = discount_customer_uses.used + 1, uses_max = excluded.uses_max`,
);

/**
 * Those of the discounts that a customer, who is locked, can no longer have, for an order that used them before it was known whose it is: used
 * up by the customer, or for a first order.
 */
export const selectSpentDiscounts = statement<
  { ids: readonly number[]; userId: number; exceptOrderId: string },
  { name: string; is_first_order: boolean }
>(
  'select_spent_discounts',
  `select d.name, d.first_order as is_first_order
     from discounts d
     left join discount_customer_uses u
       on u.organization_id = :organizationId and u.discount_id = d.id and u.user_id = :userId
    where d.organization_id = :organizationId and d.id = any(:ids)
      and (u.used >= d.uses_per_customer
           or (d.first_order and exists (
             select from orders o
              where o.organization_id = :organizationId and o.user_id = :userId and o.id <> :exceptOrderId
                and o.status <> 'canceled' and not o.is_unproven)))
    order by d.id limit 1`,
);

/** The lock that an order's foreign key takes when it is placed, for a cancelation. */
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

/** Waits for orders that are using the discounts, and makes later ones wait. */
const lockDiscountsForLimits = statement<{ ids: readonly number[] }, { id: number }>(
  'lock_discounts_for_limits',
  `select id from discounts where organization_id = :organizationId and id = any(:ids)
    order by id for update`,
);

/*
 * Uses above a limit that is set later stay counted; the next use is refused, because it is checked against the
 * limit.
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
      and o.user_id is not null and not o.is_unproven
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
 * Adapts the counters of discounts to their current limits: counts the uses so far where a limit is new, and
 * removes counters without a limit. Queue it after a discount is set up or its limits change, in the same
 * transaction.
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

/** The guards that refuse a use beyond the limit; a transaction that fails one should run again. */
export const discountUsesGuards = [
  'discount_uses_within_limit',
  'discount_customer_uses_within_limit',
] as const;
