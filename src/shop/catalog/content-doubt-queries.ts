import type { CannabisType } from '../../engines/goods/cannabis-type.ts';
import { statement } from '../../platform/statements/statement.ts';

/** SQL on options with doubted content. */

/** An option on sale; its fields are null in the row of a product that has none. */
export interface CheckedOptionRow {
  id: number | null;
  product_id: number;
  product_name: string;
  cannabis_type: CannabisType;
  unit: 'gram' | 'item';
  name: string | null;
  amount: string;
  content: string | null;
  /** Whether the product has no other option. */
  is_only: boolean;
  is_noted: boolean;
}

/** How many products one statement looks at. */
export const productsPerCheck = 250;

/**
 * The options on sale of the products after an id, in the order of their ids. The options and the notes of a page are a range of
 * their indexes by product, read once: a look-up for each of them reads some thirty times as many blocks.
 */
export const selectOptionsToCheck = statement<{ after: number }, CheckedOptionRow>(
  'select_options_to_check',
  `with page as materialized (
     select p.id, p.name, p.unit, p.primary_category_id
       from products p
      where p.organization_id = :organizationId and p.deleted_at is null and p.id > :after
      order by p.id
      limit ${productsPerCheck}),
   options as materialized (
     select o.id, o.product_id, o.name, o.amount, o.content, count(*) over (partition by o.product_id) = 1 as is_only
       from product_options o
      where o.organization_id = :organizationId and o.deleted_at is null
        and o.product_id > :after and o.product_id <= (select max(page.id) from page)),
   noted as materialized (
     select d.product_option_id
       from content_doubts d
      where d.organization_id = :organizationId
        and d.product_id > :after and d.product_id <= (select max(page.id) from page))
   select o.id, page.id as product_id, page.name as product_name, c.cannabis_type, page.unit, o.name, o.amount, o.content, o.is_only,
          noted.product_option_id is not null as is_noted
     from page
     join product_categories c on c.organization_id = :organizationId and c.id = page.primary_category_id
     left join options o on o.product_id = page.id
     left join noted on noted.product_option_id = o.id
    order by page.id, o.id`,
);

/** Replaces those of a product. */
export const replaceContentDoubts = statement<{ productId: number; optionIds: readonly number[] }>(
  'replace_content_doubts',
  `with gone as (
     delete from content_doubts
      where organization_id = :organizationId and product_id = :productId
        and not product_option_id = any(:optionIds::bigint[]))
   insert into content_doubts (organization_id, product_option_id, product_id)
   select :organizationId::bigint, id, :productId::bigint from unnest(:optionIds::bigint[]) as doubted(id)
   on conflict do nothing`,
);

export const insertContentDoubts = statement<{ optionIds: readonly number[] }>(
  'insert_content_doubts',
  `insert into content_doubts (organization_id, product_option_id, product_id)
   select o.organization_id, o.id, o.product_id from product_options o
    where o.organization_id = :organizationId and o.id = any(:optionIds)
   on conflict do nothing`,
);

export const deleteContentDoubts = statement<{ optionIds: readonly number[] }>(
  'delete_content_doubts',
  'delete from content_doubts where organization_id = :organizationId and product_option_id = any(:optionIds)',
);
