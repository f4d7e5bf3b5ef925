import { countOfRows } from '../database/counted-rows.ts';
import { type BoundStatement, type SqlParameters, statement } from '../database/statement.ts';
import { wordSearch } from '../database/word-search.ts';
import { assert } from '../kernel/assert.ts';
import { subsetsOf } from '../kernel/subsets-of.ts';

/** SQL of the staff's list of products: its pages, its count, its search. */

/** D14. */
export const productsPerPage = 50;

/**
 * The staff's list, newest first by (time, id): rows with the same time are ordered by id. The cursor's row is looked
 * up by key, even if deleted, so that a page can follow a product that was deleted meanwhile.
 */
const productFilters = {
  active: 'and p.is_active',
  inactive: 'and not p.is_active',
  category: 'and p.primary_category_id = :categoryId::bigint',
} as const;
type ProductPart = keyof typeof productFilters | 'subCategory' | 'byName' | 'turned' | 'after';
const allProductParts: readonly ProductPart[] = [
  ...(Object.keys(productFilters) as (keyof typeof productFilters)[]),
  ...(['subCategory', 'byName', 'turned', 'after'] as const),
];

const isAfter = (at: string, id: string, sign: '<' | '>'): string => `and (${at}, ${id}) ${sign} (
      (select c.created_at from products c where c.organization_id = :organizationId and c.id = :startingAfter),
      :startingAfter::bigint)`;

/**
 * A page of the list, and the number of its rows; of a sub-category by the table of its products. `turned`: oldest first, or names
 * from Z to A; an index is read from either end.
 */
function productPage(parts: readonly ProductPart[]) {
  const name = ['products', ...parts].join('_').toLowerCase();
  const conditions = parts
    .map((part) => (part in productFilters ? productFilters[part as keyof typeof productFilters] : ''))
    .join(' ');
  const ofSubCategory = parts.includes('subCategory');
  const isByName = parts.includes('byName');
  const isDown = parts.includes('turned') === isByName;
  const [sign, way] = isDown ? (['<', ' desc'] as const) : (['>', ''] as const);
  const after = (at: string, id: string): string => (parts.includes('after') ? isAfter(at, id, sign) : '');
  const afterName = parts.includes('after')
    ? `and (t.name_key, t.product_id) ${sign} (
      (select c.name_key from product_texts c
        where c.organization_id = :organizationId and c.product_id = :startingAfter), :startingAfter::bigint)`
    : '';
  const byName = `from product_texts t
     cross join lateral (select * from products p
            where p.organization_id = :organizationId and p.id = t.product_id and p.deleted_at is null ${conditions}
              ${ofSubCategory ? 'and :subCategoryId::bigint = any(p.sub_category_ids)' : ''}
            limit 1) p
    where t.organization_id = :organizationId ${afterName}
    order by t.name_key${way}, t.product_id${way}`;
  const byTime = ofSubCategory
    ? `from sub_category_products s
     cross join lateral (select * from products p
            where p.organization_id = :organizationId and p.id = s.product_id and p.deleted_at is null ${conditions}
            limit 1) p
    where s.organization_id = :organizationId and s.sub_category_id = :subCategoryId::bigint
      ${after('s.created_at', 's.product_id')}
    order by s.created_at${way}, s.product_id${way}`
    : `from products p
    where p.organization_id = :organizationId and p.deleted_at is null ${conditions} ${after('p.created_at', 'p.id')}
    order by p.created_at${way}, p.id${way}`;
  return {
    page: statement<SqlParameters, { id: number }>(
      name,
      `select p.id ${isByName ? byName : byTime} limit ${productsPerPage}`,
    ),
    count:
      parts.includes('after') || parts.includes('turned') || isByName
        ? null
        : statement<SqlParameters, { count: number }>(`${name}_count`, countOfRows(`select ${byTime}`)),
  };
}

// One statement for each combination: a generic plan cannot choose an index by the filters.
const productPages = new Map(
  subsetsOf(allProductParts)
    .filter((parts) => !(parts.includes('active') && parts.includes('inactive')))
    .map((parts) => [parts.join(), productPage(parts)]),
);

/** The orders of the staff's list: by time, newest first, or by name without case and accents, from A on. */
export const productSorts = ['createdAt', 'name'] as const;
type ProductSort = (typeof productSorts)[number];

/** Filters of the staff's list; a null filter is ignored. */
export interface ProductFilter {
  readonly active: boolean | null;
  readonly categoryId: number | null;
  readonly subCategoryId: number | null;
}

interface ProductOrder {
  readonly sortBy: ProductSort;
  /** Whether it is not in the direction that the sort has by itself. */
  readonly isTurned: boolean;
}

function statementsOf(
  { active, ...filter }: ProductFilter,
  { sortBy, isTurned }: ProductOrder,
  isAfterRow: boolean,
) {
  const parts: readonly (ProductPart | false)[] = [
    active !== null && (active ? 'active' : 'inactive'),
    filter.categoryId !== null && 'category',
    filter.subCategoryId !== null && 'subCategory',
    sortBy === 'name' && 'byName',
    isTurned && 'turned',
    isAfterRow && 'after',
  ];
  const statements = productPages.get(parts.filter(Boolean).join());
  assert(statements !== undefined, 'every combination of filters has its statements');
  return statements;
}

/** A page of the products that a filter describes. */
export function listProductPage(
  filter: ProductFilter,
  order: ProductOrder,
  startingAfter: number | null,
): BoundStatement<{ id: number }> {
  const { active: _, ...values } = filter;
  return statementsOf(filter, order, startingAfter !== null).page({ ...values, startingAfter });
}

/** How many they are, up to the bound of counting. */
export function countProducts(filter: ProductFilter): BoundStatement<{ count: number }> {
  const { count } = statementsOf(filter, { sortBy: 'createdAt', isTurned: false }, false);
  assert(count !== null, 'a list is counted from its start');
  const { active: _, ...values } = filter;
  return count(values);
}

const textsOf = 't.product_id as id, t.created_at as at, t.texts, t.codes';

/** The search of the list. A package's label, as a whole, finds its product. */
export const productSearch = wordSearch('search_products', {
  listed: (count) => `select ${textsOf} from product_texts t
          where t.organization_id = :organizationId
          order by t.created_at desc, t.product_id desc limit ${count}`,
  sought: (count) => `select s.product_id as id, s.created_at as at from product_searches s
          where s.organization_id = :organizationId limit ${count}`,
  textsOf:
    'select t.texts, t.codes from product_texts t where t.organization_id = :organizationId and t.product_id = c.id',
  begins: (count) => `select ${textsOf} from product_texts t
          where t.organization_id = :organizationId and t.name_key >= (select key from sought)
            and t.name_key < (select key || chr(1114111) from sought)
          limit ${count}`,
  coded: (count) => `select ${textsOf}
           from packages k
           join product_texts t on t.organization_id = :organizationId and t.product_id = k.product_id
          where k.organization_id = :organizationId
            and k.label in (:whole, (select whole from sought), (select upper(whole) from sought))
          limit ${count}`,
  kept: `cross join lateral (select from products p
            where p.organization_id = :organizationId and p.id = t.id and p.deleted_at is null
              and (:active::boolean is null or p.is_active = :active::boolean)
              and (:categoryId::bigint is null or p.primary_category_id = :categoryId::bigint)
              and (:subCategoryId::bigint is null or :subCategoryId::bigint = any(p.sub_category_ids))
            limit 1) p`,
});

/** `at` in microseconds, as in a search. */
export const selectProductCursor = statement<{ id: number }, { id: number; at: number }>(
  'select_product_cursor',
  'select id, (extract(epoch from created_at) * 1000000)::bigint as at from products where organization_id = :organizationId and id = :id',
);
