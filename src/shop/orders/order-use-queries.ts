import { statement } from '../../platform/statements/statement.ts';

/* Statements for slices that cannot import orders: their callers pass these in. */

/**
 * The number of orders that used each discount, without canceled ones; also for discounts without a limit of
 * uses.
 */
export const selectDiscountOrders = statement<
  { ids: readonly number[] },
  { discount_id: number; total: number }
>(
  'select_discount_orders',
  `select u.discount_id, count(distinct u.order_id) as total
     from order_discounts u
     join orders o on o.organization_id = u.organization_id and o.id = u.order_id
    where u.organization_id = :organizationId and u.discount_id = any(:ids) and o.status <> 'canceled'
    group by u.discount_id`,
);

/** The oldest open order that holds stock of a location and would return it there. */
export const selectOrderAtLocation = statement<{ locationId: number }, { name: string }>(
  'select_order_at_location',
  `select o.id::text as name from orders o
     join order_line_fulfillments f on f.organization_id = o.organization_id and f.order_id = o.id
    where o.organization_id = :organizationId and o.status in ('new', 'packed')
      and f.inventory_location_id = :locationId
    order by o.created_at, o.id limit 1`,
);
