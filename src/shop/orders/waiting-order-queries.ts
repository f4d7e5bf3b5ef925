import { statement } from '../../platform/statements/statement.ts';
import { orderTypes } from '../carts/cart-schemas.ts';

interface WaitingOrdersRow {
  type: 'delivery' | 'pickup' | 'in-store';
  status: 'draft' | 'new' | 'packed';
  orders: number;
  oldest_at: number;
}

const types = orderTypes.map((type) => `'${type}'`).join(', ');

/**
 * The orders that wait for staff, by type and status: a range of the index for each pair. With a location, those that took
 * stock there.
 */
export const selectWaitingOrders = statement<{ locationId: number | null }, WaitingOrdersRow>(
  'select_waiting_orders',
  `select t.type, t.status, w.orders, w.oldest_at
     from (select type, status from unnest(array[${types}]) type, unnest(array['draft', 'new', 'packed']) status) t
    cross join lateral (
      select count(*)::integer as orders, min(o.created_at) as oldest_at from orders o
       where o.organization_id = :organizationId and o.type = t.type and o.status = t.status
         and (:locationId::bigint is null or (
           select true from order_line_fulfillments f
            where f.organization_id = :organizationId and f.order_id = o.id and f.inventory_location_id = :locationId::bigint
            limit 1))) w
    where w.orders > 0`,
);

/** Orders that were placed before a moment and are not packed yet, whatever their type. */
export const selectLateOrders = statement<{ before: string }, { count: number; oldest_at: number | null }>(
  'select_late_orders',
  `select count(*)::integer as count, min(o.created_at) as oldest_at from orders o
    where o.organization_id = :organizationId and o.type = any(array[${types}])
      and o.status = any(array['draft', 'new']) and o.created_at < :before::timestamptz`,
);
