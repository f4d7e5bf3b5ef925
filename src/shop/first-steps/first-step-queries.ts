import { statement } from '../../platform/statements/statement.ts';

/** What an organization has of what a shop needs, each as a yes or no. */
export interface StandingRow {
  first_steps_hidden: boolean;
  has_license: boolean;
  has_taxes: boolean;
  has_locations: boolean;
  /** Each offered order type takes goods from a location that is in use. */
  has_order_locations: boolean;
  has_payment_types: boolean;
  has_categories: boolean;
  has_products: boolean;
  has_stock: boolean;
  has_colleagues: boolean;
  has_registers: boolean;
  has_keys: boolean;
}

/**
 * One row. Each part ends at the first row that it finds, so a shop of any size answers at once. A balance stays when its stock is
 * sold: the step of a shop that sold everything remains done.
 */
export const selectStanding = statement<{ at: string }, StandingRow>(
  'select_standing',
  `select o.first_steps_hidden, o.license_number <> '' as has_license,
          exists (select from taxes t
                   where t.organization_id = :organizationId and (t.ends_at is null or t.ends_at > :at)) as has_taxes,
          exists (select from inventory_locations l
                   where l.organization_id = :organizationId and l.archived_at is null) as has_locations,
          not exists (
            select from (values ('delivery', o.has_delivery), ('pickup', o.has_pickup), ('in-store', o.has_in_store))
                     as offered (order_type, is_offered)
             where offered.is_offered and not exists (
               select from order_type_locations d
                 join inventory_locations l on l.organization_id = d.organization_id and l.id = d.inventory_location_id
                where d.organization_id = :organizationId and d.order_type = offered.order_type
                  and l.archived_at is null)) as has_order_locations,
          exists (select from payment_types p
                   where p.organization_id = :organizationId and p.archived_at is null) as has_payment_types,
          exists (select from product_categories c
                   where c.organization_id = :organizationId and c.deleted_at is null) as has_categories,
          exists (select from products p
                   where p.organization_id = :organizationId and p.deleted_at is null) as has_products,
          exists (select from stock_balances b where b.organization_id = :organizationId) as has_stock,
          exists (select from staff_members m
                   where m.organization_id = :organizationId and m.disabled_at is null offset 1) as has_colleagues,
          exists (select from registers r
                   where r.organization_id = :organizationId and r.archived_at is null) as has_registers,
          exists (select from client_keys k
                   where k.organization_id = :organizationId and k.revoked_at is null
                     and (k.expires_at is null or k.expires_at > :at)) as has_keys
     from organizations o where o.id = :organizationId`,
);

/** The names of members of staff, by id. */
export const selectDoers = statement<
  { ids: readonly number[] },
  { id: number; first_name: string; last_name: string }
>(
  'select_doers',
  `select id, first_name, last_name from staff_members where organization_id = :organizationId and id = any(:ids::bigint[])`,
);
