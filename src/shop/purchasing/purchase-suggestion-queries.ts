import { statement } from '../../platform/statements/statement.ts';

/** SQL on what was bought before, for suggestions. */

interface BoughtItemRow {
  product_id: number;
  product_option_id: number | null;
  /** Ordered on open orders and not received yet. */
  on_order: string;
  /** The vendor of the newest order with the item; null: archived since. */
  vendor_id: number | null;
  vendor_name: string | null;
  cost_per_unit: string;
  ordered_at: number;
}

/** So many of the newest orders are looked through. */
export const ordersLookedThrough = 500;

/**
 * What the newest orders say of each item: from whom it was bought last, at what cost, and how much of it is still to come. Ties
 * of one order go to its last line.
 */
export const selectBoughtItems = statement<
  { productIds: readonly number[]; ordersMax: number },
  BoughtItemRow
>(
  'select_bought_items',
  `with newest as (
       select o.id, o.status, o.inventory_vendor_id, o.created_at from purchase_orders o
        where o.organization_id = :organizationId
        order by o.created_at desc, o.id desc limit :ordersMax
     ), bought as (
       select n.status, n.inventory_vendor_id, n.created_at, n.id as purchase_order_id, l.id, l.product_id,
              l.product_option_id, l.cost_per_unit,
              greatest(l.amount - coalesce((
                select sum(r.amount) from purchase_order_receptions r
                 where r.organization_id = :organizationId and r.purchase_order_id = n.id
                   and r.purchase_order_line_id = l.id), 0), 0) as lacking
         from newest n
         join purchase_order_lines l on l.organization_id = :organizationId and l.purchase_order_id = n.id
        where l.product_id = any(:productIds)
     ), coming as (
       select b.product_id, b.product_option_id, sum(b.lacking) filter (where b.status = 'open') as amount
         from bought b group by b.product_id, b.product_option_id
     ), last as (
       select distinct on (b.product_id, b.product_option_id) b.product_id, b.product_option_id, b.cost_per_unit,
              b.inventory_vendor_id, b.created_at
         from bought b
        order by b.product_id, b.product_option_id, b.created_at desc, b.purchase_order_id desc, b.id desc
     )
   select a.product_id, a.product_option_id, trim_scale(coalesce(c.amount, 0))::text as on_order, v.id as vendor_id,
          v.name as vendor_name, trim_scale(a.cost_per_unit)::text as cost_per_unit, a.created_at as ordered_at
     from last a
     join coming c on c.product_id = a.product_id and c.product_option_id is not distinct from a.product_option_id
     left join inventory_vendors v on v.organization_id = :organizationId and v.id = a.inventory_vendor_id
      and v.archived_at is null`,
);

export const selectShopZone = statement<Record<never, never>, { tz: string }>(
  'select_zone_of_purchases',
  'select tz from organizations where id = :organizationId',
);
