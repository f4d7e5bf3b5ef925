import { assert } from '../../kernel/assert.ts';
import { askedSort, type SortQuery } from '../../kernel/list-sort.ts';
import { subsetsOf } from '../../kernel/subsets-of.ts';
import { countOfRows } from '../../platform/lists/counted-rows.ts';
import { equalByRange } from '../../platform/lists/equal-by-range.ts';
import { type PageParts, type SortOf, sortedList } from '../../platform/lists/sorted-list.ts';
import { wordSearch } from '../../platform/lists/word-search.ts';
import { type BoundStatement, type SqlParameters, statement } from '../../platform/statements/statement.ts';

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
const rangeOfCategory = `and ${equalByRange('p.primary_category_id', ':categoryId::bigint')}`;
type ProductPart = keyof typeof productFilters | 'subCategory' | 'after';
const allProductParts: readonly ProductPart[] = [
  ...(Object.keys(productFilters) as (keyof typeof productFilters)[]),
  ...(['subCategory', 'after'] as const),
];
const isPossible = (parts: readonly string[]): boolean =>
  !(parts.includes('active') && parts.includes('inactive'));

const isAfter = (at: string, id: string): string => `and (${at}, ${id}) < (
      (select c.created_at from products c where c.organization_id = :organizationId and c.id = :startingAfter),
      :startingAfter::bigint)`;

/**
 * The list with these filters, newest first; of a sub-category by the table of its products. Of a category ordered by it, too, which is
 * one value: or an index of all products in this order would do, and all were read for a category that has few.
 */
function newestFirst(parts: readonly ProductPart[]): string {
  const isOfCategory = parts.includes('category') && !parts.includes('subCategory');
  const filters = isOfCategory ? { ...productFilters, category: rangeOfCategory } : productFilters;
  const conditions = parts
    .map((part) => (part in filters ? filters[part as keyof typeof filters] : ''))
    .join(' ');
  const after = (at: string, id: string): string => (parts.includes('after') ? isAfter(at, id) : '');
  return parts.includes('subCategory')
    ? `from sub_category_products s
     cross join lateral (select * from products p
            where p.organization_id = :organizationId and p.id = s.product_id and p.deleted_at is null ${conditions}
            limit 1) p
    where s.organization_id = :organizationId and s.sub_category_id = :subCategoryId::bigint
      ${after('s.created_at', 's.product_id')}
    order by s.created_at desc, s.product_id desc`
    : `from products p
    where p.organization_id = :organizationId and p.deleted_at is null ${conditions} ${after('p.created_at', 'p.id')}
    order by ${isOfCategory ? 'p.primary_category_id, ' : ''}p.created_at desc, p.id desc`;
}

/** A page of the list, and the number of its rows. */
function productPage(parts: readonly ProductPart[]) {
  const name = ['products', ...parts].join('_').toLowerCase();
  return {
    page: statement<SqlParameters, { id: number }>(
      name,
      `select p.id ${newestFirst(parts)} limit ${productsPerPage}`,
    ),
    count: parts.includes('after')
      ? null
      : statement<SqlParameters, { count: number }>(
          `${name}_count`,
          countOfRows(`select ${newestFirst(parts)}`),
        ),
  };
}

// One statement for each combination: a generic plan cannot choose an index by the filters.
const productPages = new Map(
  subsetsOf(allProductParts)
    .filter(isPossible)
    .map((parts) => [parts.join(), productPage(parts)]),
);

const sortFilters = {
  ...productFilters,
  subCategory: 'and :subCategoryId::bigint = any(p.sub_category_ids)',
} as const;

/** The stock of the product `id`: its sum, or its balances while the sum lacks changes of it. */
const stockOf = (id: string): string => `(select case
                when exists (select from product_stock_changes w where w.organization_id = :organizationId and w.product_id = ${id})
                then (select stock_millionths(sum(b.on_hand)) from stock_balances b
                       where b.organization_id = :organizationId and ${equalByRange('b.product_id', id)})
                else (select k.on_hand_millionths from product_stocks k
                       where k.organization_id = :organizationId and k.product_id = ${id}) end)`;

/** Rows that have the keys, and the products that take them from there. */
interface Parents {
  /** `from brands b where b.organization_id = :organizationId` */
  readonly rows: string;
  readonly id: string;
  readonly key: string;
  /** The column of products that has it: an index has it, `thenBy` and the ids. */
  readonly of: string;
  /** Whether that index has the column in the other direction than the rest. */
  readonly isOpposite?: true;
}

/**
 * Few parents have the keys of many products: the begin of each one's products is read by its index, until they fill a page. Behind a
 * cursor: what is left of its own parent, and the parents behind that one. Ordered by the column of the parent first, which is one
 * value: or an index in the order of the rest would do, too, and all rows were read for a parent that has few.
 */
function productsOfParents(page: PageParts, parents: Parents): string[] {
  const { isAfter, sign, way, tail, idsOf, named, bound, boundIds, limit, inOrder, conditions, gate } = page;
  const places = isAfter
    ? [
        [`and ${parents.key} = ${bound('sort_key')}`, `and (${tail.join(', ')}) ${sign} (${boundIds})`],
        [`and ${parents.key} ${sign} ${bound('sort_key')}`, ''],
      ]
    : [['', '']];
  const ofWay = (way === '') === (parents.isOpposite === true) ? ' desc' : '';
  return places.map(
    ([parent, child]) => `(select c.*, parent.sort_key
              from (select ${parents.id} as id, ${parents.key} as sort_key ${parents.rows} ${parent} ${gate}
                     ${inOrder(parents.key)} offset 0) parent
              cross join lateral (select ${named(tail)}
                     ${productRows} and ${equalByRange(parents.of, 'parent.id')}
                     ${conditions} ${child} order by ${parents.of}${ofWay}, ${tail.map((by) => `${by}${way}`).join(', ')} ${limit}) c
              ${inOrder('parent.sort_key', ...idsOf('c.'))} ${limit})`,
  );
}

const productRows = 'from products p where p.organization_id = :organizationId';

/**
 * The same in other orders. Names are compared without case and accents, those of brands and categories without case. A price is
 * the lowest of a product's options.
 */
export const productList = sortedList<
  { id: number },
  'createdAt' | 'name' | 'brand' | 'category' | 'price' | 'stock',
  keyof typeof sortFilters
>({
  name: 'products',
  rows: productRows,
  ids: ['p.id'],
  only: 'and p.deleted_at is null',
  sorts: {
    createdAt: { key: 'p.created_at', own: 'descending' },
    name: {
      key: 't.name_key',
      own: 'ascending',
      rows: `from products p
              join product_texts t on t.organization_id = :organizationId and t.product_id = p.id
              where p.organization_id = :organizationId`,
      // The index of the names, and each one's product: a join could be planned as a sort of all names.
      byHand: {
        keyed: (page) => [
          page.keyed(
            `from product_texts t
              cross join lateral (select * from products p
                where p.organization_id = :organizationId and p.id = t.product_id limit 1) p
              where t.organization_id = :organizationId`,
            ['t.product_id'],
          ),
        ],
      },
    },
    brand: {
      key: 'b.name_key collate "C"',
      own: 'ascending',
      isNullable: true,
      rows: `from products p
              left join brands b on b.organization_id = :organizationId and b.id = p.brand_id
              where p.organization_id = :organizationId`,
      byHand: {
        keyed: (page) =>
          productsOfParents(page, {
            rows: 'from brands b where b.organization_id = :organizationId',
            id: 'b.id',
            key: 'b.name_key collate "C"',
            of: 'p.brand_id',
          }),
        lacking: `from products p
              left join brands b on b.organization_id = :organizationId and b.id = p.brand_id
              where p.organization_id = :organizationId and p.brand_id is null`,
      },
    },
    category: {
      key: 'c.name_key collate "C"',
      own: 'ascending',
      rows: `from products p
              join product_categories c on c.organization_id = :organizationId and c.id = p.primary_category_id
              where p.organization_id = :organizationId`,
      thenBy: ['p.created_at'],
      byHand: {
        keyed: (page) =>
          productsOfParents(page, {
            rows: 'from product_categories c where c.organization_id = :organizationId',
            id: 'c.id',
            key: 'c.name_key collate "C"',
            of: 'p.primary_category_id',
            isOpposite: true,
          }),
      },
    },
    // An option orders its product if it is the cheapest one, of equal ones the first: as a value that the planner cannot look into,
    // which it takes for half of them. For an equality it would read all options instead of those of a page.
    price: {
      key: 'o.price_cents',
      own: 'ascending',
      isNullable: true,
      rows: `from products p
              left join lateral (select min(o.price_cents) as price_cents from product_options o
                where o.organization_id = :organizationId and o.product_id = p.id and o.deleted_at is null) o on true
              where p.organization_id = :organizationId`,
      byHand: {
        keyed: (page) => [
          page.keyed(
            `from product_options o
              cross join lateral (select l.id = o.id as is_lowest from product_options l
                where l.organization_id = :organizationId and l.product_id = o.product_id and l.deleted_at is null
                order by l.price_cents, l.id limit 1) l
              cross join lateral (select * from products p
                where p.organization_id = :organizationId and p.id = o.product_id limit 1) p
              where o.organization_id = :organizationId and o.deleted_at is null and l.is_lowest`,
            ['o.product_id'],
          ),
        ],
      },
    },
    // The sums in their order without the products that have changes, and these: after some sales they are few. Whether there is a
    // change is a count, which the planner cannot make a join of: for one it would read all sums instead of those of a page.
    stock: {
      key: 's.on_hand_millionths',
      own: 'descending',
      rows: `from products p
              cross join lateral (select coalesce(${stockOf('p.id')}, 0) as on_hand_millionths) s
              where p.organization_id = :organizationId`,
      byHand: {
        keyed: (page) => [
          page.keyed(
            `from product_stocks s
              cross join lateral (select * from products p
                where p.organization_id = :organizationId and p.id = s.product_id limit 1) p
              where s.organization_id = :organizationId
                and (select count(*) from product_stock_changes w
                      where w.organization_id = :organizationId and w.product_id = s.product_id) = 0`,
            ['s.product_id'],
          ),
          page.keyed(
            `from (select w.product_id, (select stock_millionths(sum(b.on_hand)) from stock_balances b
                       where b.organization_id = :organizationId and ${equalByRange('b.product_id', 'w.product_id')}) as on_hand_millionths
                from (select distinct product_id from product_stock_changes
                       where organization_id = :organizationId) w offset 0) s
              cross join lateral (select * from products p
                where p.organization_id = :organizationId and p.id = s.product_id limit 1) p
              where true`,
            ['s.product_id'],
          ),
        ],
      },
    },
  },
  filters: sortFilters,
  isPossible,
  few: (parts, limit) => `select p.id ${newestFirst(parts)} limit ${limit}`,
  rowsPerPage: productsPerPage,
  show: (page) => `select page.id0 as id from ${page}`,
});

/** Filters of the staff's list; a null filter is ignored. */
interface ProductFilter {
  readonly active: boolean | null;
  readonly categoryId: number | null;
  readonly subCategoryId: number | null;
}

/** The order and the place of a page. */
export interface ProductOrder extends SortQuery<SortOf<typeof productList>> {
  readonly startingAfter?: number | undefined;
}

type FilterPart = Exclude<ProductPart, 'after'>;

function partsOf({ active, categoryId, subCategoryId }: ProductFilter): FilterPart[] {
  const parts: (FilterPart | false)[] = [
    active !== null && (active ? 'active' : 'inactive'),
    categoryId !== null && 'category',
    subCategoryId !== null && 'subCategory',
  ];
  return parts.filter((part) => part !== false);
}

/** A page of the products that a filter describes. */
export function listProductPage(filter: ProductFilter, order: ProductOrder): BoundStatement<{ id: number }> {
  const { active: _, ...values } = filter;
  const { startingAfter } = order;
  if (!askedSort(productList.sorts, order).isOwn) return productList.page(order, values, partsOf(filter));
  const parts = [...partsOf(filter), ...(startingAfter === undefined ? [] : ['after'])];
  const statements = productPages.get(parts.join());
  assert(statements !== undefined, 'every combination of filters has its statements');
  return statements.page({ ...values, startingAfter: startingAfter ?? null });
}

/** The stock of each product that has some. */
export const selectStockOfProducts = statement<
  { ids: readonly number[] },
  { product_id: number; on_hand: string }
>(
  'select_stock_of_products',
  `select b.product_id, sum(b.on_hand) as on_hand
     from (select distinct unnest(:ids::bigint[]) as id) i
     join stock_balances b on b.organization_id = :organizationId and ${equalByRange('b.product_id', 'i.id')}
    group by b.product_id`,
);

/** How many they are, up to the bound of counting. */
export function countProducts(filter: ProductFilter): BoundStatement<{ count: number }> {
  const count = productPages.get(partsOf(filter).join())?.count;
  assert(count, 'a list is counted from its start, with every combination of filters');
  const { active: _, ...values } = filter;
  return count(values);
}

const textsOf = 't.product_id as id, t.created_at as at, t.texts, t.codes';

/** The search of the list. A package's label, as a whole, finds its product. */
export const productSearch = wordSearch('search_products', {
  listed: (count, behind) => `select ${textsOf} from product_texts t
          where t.organization_id = :organizationId ${behind}
          order by t.created_at desc, t.product_id desc limit ${count}`,
  sought: (count) => `select s.product_id as id, s.created_at as at from product_searches s
          where s.organization_id = :organizationId limit ${count}`,
  place: ['t.created_at', 't.product_id'],
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
  kept: (id) => `cross join lateral (select from products p
            where p.organization_id = :organizationId and p.id = ${id} and p.deleted_at is null
              and (:active::boolean is null or p.is_active = :active::boolean)
              and (:categoryId::bigint is null or p.primary_category_id = :categoryId::bigint)
              and (:subCategoryId::bigint is null or :subCategoryId::bigint = any(p.sub_category_ids))
            limit 1) p`,
  narrow: {
    by: 'categoryId',
    ids: (count) => `select p.id from products p
          where p.organization_id = :organizationId and p.primary_category_id = :categoryId::bigint limit ${count}`,
  },
});

/** `at` in microseconds, as in a search. */
export const selectProductCursor = statement<{ id: number }, { id: number; at: number }>(
  'select_product_cursor',
  'select id, (extract(epoch from created_at) * 1000000)::bigint as at from products where organization_id = :organizationId and id = :id',
);
