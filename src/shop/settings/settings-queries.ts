import type { ReadLease } from '../../platform/database/read-lease.ts';
import { statement } from '../../platform/statements/statement.ts';

/**
 * The lease: previews use a version of the terms for this long after reading it, and a change of the terms is answered
 * only after that. Short, because staff wait for it at every change; 200 reads a second are enough for any number of
 * previews. Triggers count the changes of the tables.
 */
export const termsLease: ReadLease = {
  ms: 5,
  tables: new Set([
    'organizations',
    'products',
    'product_options',
    'product_tags',
    'brands',
    'product_categories',
    'taxes',
    'delivery_zones',
    'delivery_zone_postal_codes',
    'payment_types',
    'discounts',
    'discount_codes',
    'loyalty_rewards',
    'purchase_limit_rules',
    'sandboxes',
  ]),
};

/**
 * The version of the terms in force; every change of a price input increments it (by triggers, so it cannot be
 * forgotten). No row: nothing has changed since versions are counted.
 */
export const selectTermsVersion = statement<Record<never, never>, { version: number }>(
  'select_terms_version',
  `select version from terms_versions where organization_id = :organizationId`,
);

/** Endpoints that warnings name. */
const switchedOffMax = 20;

/** Webhook endpoints that only failed, or want no more; the oldest first. */
export const selectSwitchedOffWebhooks = statement<
  Record<never, never>,
  { id: number; url: string; switched_off_at: number }
>(
  'select_switched_off_webhooks',
  `select id, url, switched_off_at from webhook_endpoints
    where organization_id = :organizationId and switched_off_at is not null and deleted_at is null
    order by switched_off_at, id limit ${switchedOffMax}`,
);

/** The maximum number of items that warnings name and count. */
export const doubtedProductsMax = 101;

/** The products with an option whose content contradicts its size; the catalog stores them. */
export const selectDoubtedProducts = statement<Record<never, never>, { id: number; name: string }>(
  'select_doubted_products',
  `select p.id, p.name from products p
    where p.organization_id = :organizationId and p.deleted_at is null and p.id in (
      select d.product_id from content_doubts d
        join product_options o on o.organization_id = d.organization_id and o.id = d.product_option_id
       where d.organization_id = :organizationId and o.deleted_at is null)
    order by p.id
    limit ${doubtedProductsMax}`,
);

/** The first discounts that depend on the sale of another item and have not ended; includes future ones. */
export const selectTiedDiscounts = statement<{ at: string }, { name: string }>(
  'select_tied_discounts',
  `select name from discounts
    where organization_id = :organizationId and (ends_at is null or ends_at > :at)
      and (kind in ('buy-x-get-y', 'bundle')
           or (kind = 'order'
               and product_ids || product_option_ids || category_ids || brand_ids || tag_ids <> '{}'))
    order by priority, id
    limit 10`,
);
