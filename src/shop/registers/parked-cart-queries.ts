import { insertMany, statement } from '../../platform/statements/statement.ts';

/** SQL on parked carts. */

/** More than the counters of a shop leave open; the list has no pages. */
export const parkedCartsMax = 300;

export interface ParkedCartRow {
  id: number;
  inventory_location_id: number;
  name: string;
  item_count: number;
  parked_at: number;
  expires_at: number;
  parked_by_staff_id: number;
  first_name: string;
  last_name: string;
}

/** Newest first; those that have expired are gone, whether their rows are there or not. */
export const selectParkedCarts = statement<{ at: string }, ParkedCartRow>(
  'select_parked_carts',
  `select c.id, c.inventory_location_id, c.name, c.item_count, c.parked_at, c.expires_at, c.parked_by_staff_id,
          m.first_name, m.last_name
     from parked_carts c
     join staff_members m on m.organization_id = :organizationId and m.id = c.parked_by_staff_id
    where c.organization_id = :organizationId and c.expires_at > :at
    order by c.parked_at desc, c.id desc limit ${parkedCartsMax}`,
);

export const countParkedCarts = statement<{ at: string }, { count: number }>(
  'count_parked_carts',
  `select count(*)::int as count from parked_carts
    where organization_id = :organizationId and expires_at > :at`,
);

/** Parking a cart also clears away those that were not taken up in time: a few rows a day. */
export const dropExpiredCarts = statement<{ at: string }, never>(
  'drop_expired_parked_carts',
  'delete from parked_carts where organization_id = :organizationId and expires_at <= :at',
);

/** Some of those that were not taken up by that time: a shop that parks no more has none left behind. */
export const deleteExpiredCarts = statement<{ before: string; limit: number }, { id: number }>(
  'delete_expired_parked_carts',
  `delete from parked_carts where organization_id = :organizationId and id in (
     select id from parked_carts where organization_id = :organizationId and expires_at < :before
      order by expires_at limit :limit for update skip locked)
   returning id`,
);

export const insertParkedCarts = insertMany<{
  id: number;
  inventoryLocationId: number;
  name: string;
  itemCount: number;
  content: string;
  parkedByStaffId: number;
  parkedAt: string;
  expiresAt: string;
}>('parked_carts', {
  id: 'id',
  inventoryLocationId: 'inventory_location_id',
  name: 'name',
  itemCount: 'item_count',
  content: 'content',
  parkedByStaffId: 'parked_by_staff_id',
  parkedAt: 'parked_at',
  expiresAt: 'expires_at',
});

/** The delete locks the row: of two registers that take up one cart, the second finds none. */
export const takeParkedCart = statement<
  { id: number; at: string },
  { name: string; content: string; inventory_location_id: number; item_count: number }
>(
  'take_parked_cart',
  `delete from parked_carts where organization_id = :organizationId and id = :id and expires_at > :at
   returning name, content, inventory_location_id, item_count`,
);
