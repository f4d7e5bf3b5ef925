import type { ReadLease } from '../database/database.ts';
import { statement } from '../database/statement.ts';

/**
 * Previews go on for so long with a version of the terms that they have asked for, and a change of the terms is answered
 * only after that. Short, because staff wait for it at every change; 200 questions a second are enough for any number
 * of previews. The tables are those whose changes are counted by triggers.
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
  ]),
};

/**
 * Which version of the terms is in force; grows with every change of what prices a cart (by triggers, so it
 * cannot be forgotten). No row: nothing has changed since versions are counted.
 */
export const selectTermsVersion = statement<Record<never, never>, { version: number }>(
  'select_terms_version',
  `select version from terms_versions where organization_id = :organizationId`,
);

/** Warnings name some of them and count no more than so many. */
export const doubtedProductsMax = 101;

/** The products with an option whose content contradicts its size; the catalog notes them. */
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

/** The first of the discounts that have not ended and hang on the sale of something else; coming ones too. */
export const selectTiedDiscounts = statement<{ at: string }, { name: string }>(
  'select_tied_discounts',
  `select name from discounts
    where organization_id = :organizationId and kind = 'buy-x-get-y' and (ends_at is null or ends_at > :at)
    order by priority, id
    limit 10`,
);
