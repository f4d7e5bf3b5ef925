import { statement } from '../database/statement.ts';
import type { CannabisType } from '../kernel/cannabis-type.ts';

/** SQL on options with doubted content. */

export interface CheckedOptionRow {
  id: number;
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

/** The options on sale, after an id, in the order of their ids. */
export const selectOptionsToCheck = statement<{ after: number; count: number }, CheckedOptionRow>(
  'select_options_to_check',
  `select o.id, o.product_id, p.name as product_name, c.cannabis_type, p.unit, o.name, o.amount, o.content,
          not exists (select from product_options other
                       where other.organization_id = :organizationId and other.product_id = o.product_id
                         and other.id <> o.id and other.deleted_at is null) as is_only,
          exists (select from content_doubts d
                   where d.organization_id = :organizationId and d.product_option_id = o.id) as is_noted
     from product_options o
     join products p on p.organization_id = o.organization_id and p.id = o.product_id
     join product_categories c on c.organization_id = p.organization_id and c.id = p.primary_category_id
    where o.organization_id = :organizationId and o.deleted_at is null and p.deleted_at is null
      and o.id > :after
    order by o.id
    limit :count::bigint`,
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
