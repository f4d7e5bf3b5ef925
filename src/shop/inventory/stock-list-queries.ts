import type { StateBlock } from '../../engines/state-reports/state-package.ts';
import { assert } from '../../kernel/assert.ts';
import { askedSort, type SortQuery } from '../../kernel/list-sort.ts';
import { countOfPage } from '../../platform/lists/counted-rows.ts';
import { equalByRange } from '../../platform/lists/equal-by-range.ts';
import { type SearchPage, searchStatements } from '../../platform/lists/search.ts';
import { type SortOf, sortedList } from '../../platform/lists/sorted-list.ts';
import { type BoundStatement, type SqlParameters, statement } from '../../platform/statements/statement.ts';
import { isSellable } from './inventory-queries.ts';
import type { BalanceKey } from './lock-balances.ts';
import type { PackageStatus } from './package-queries.ts';

/** The list of stock for staff: pages of balances. */

/** D14. */
export const stockRowsPerPage = 50;

export interface StockLevelRow {
  product_id: number;
  product_option_id: number;
  inventory_location_id: number;
  package_id: number;
  on_hand: string;
  is_sellable: boolean;
  product_name: string;
  product_unit: 'gram' | 'item';
  brand_name: string | null;
  option_name: string | null;
  option_amount: string | null;
  option_upc: string | null;
  location_name: string;
  package_label: string | null;
  package_status: PackageStatus | null;
  package_on_hold: boolean | null;
  package_state_block: StateBlock | null;
  package_trade_sample: boolean | null;
  package_expiration_date: string | null;
  is_quarantine: boolean;
}

const ofLocation = 'and b.inventory_location_id = :locationId';
const isFound = `and (position(lower(:search) in lower(concat_ws(E'\\n', p.name, n.name, o.name, o.upc, k.label))) > 0
           or b.product_option_id = 0 and exists (
                select from product_options any_option
                 where any_option.organization_id = :organizationId and any_option.product_id = b.product_id
                   and any_option.deleted_at is null
                   and position(lower(:search) in lower(concat_ws(E'\\n', any_option.name, any_option.upc))) > 0))`;

/**
 * A page of balances in key order, after a key (or after zeros). Empty balances are included, so that sold-out items
 * are visible, except those of finished packages. The text search covers names, UPCs and package labels,
 * case-insensitive; any option of a product finds stock that is kept per product.
 */
const shownLevel = `select b.product_id, b.product_option_id, b.inventory_location_id, b.package_id, b.on_hand,
          ${isSellable} as is_sellable, p.name as product_name, p.unit as product_unit, n.name as brand_name,
          o.name as option_name, o.amount as option_amount, o.upc as option_upc, l.name as location_name, l.is_quarantine,
          k.label as package_label, k.status as package_status, k.on_hold as package_on_hold,
          k.state_block as package_state_block,
          k.trade_sample as package_trade_sample, k.expiration_date as package_expiration_date`;
const withProduct = 'join products p on p.organization_id = b.organization_id and p.id = b.product_id';
const withLocation =
  'join inventory_locations l on l.organization_id = b.organization_id and l.id = b.inventory_location_id';
const withPackage = 'left join packages k on k.organization_id = b.organization_id and k.id = b.package_id';
const withOthers = `left join brands n on n.organization_id = p.organization_id and n.id = p.brand_id
     left join product_options o on o.organization_id = b.organization_id and o.id = b.product_option_id`;
const isShown = `and (b.on_hand > 0 or (p.deleted_at is null and l.archived_at is null
                             and (b.package_id = 0 or k.status = 'received')))`;

const stockLevels = (balances: string, condition: string): string =>
  `${shownLevel}
     from ${balances} b
     ${withProduct}
     ${withLocation}
     ${withPackage}
     ${withOthers}
    where b.organization_id = :organizationId and ${isAfter} ${condition}
      ${isShown}
    ${byKey} limit ${stockRowsPerPage}`;

const isAfter = `(b.product_id, b.product_option_id, b.inventory_location_id, b.package_id)
          > (:afterProductId::bigint, :afterOptionId::bigint, :afterLocationId::bigint, :afterPackageId::bigint)
      and b.product_id >= :afterProductId::bigint`;
const byKey = 'order by b.product_id, b.product_option_id, b.inventory_location_id, b.package_id';

const firstBalances = (condition: string, count: number): string =>
  `(select * from stock_balances b
            where b.organization_id = :organizationId and ${isAfter} ${condition}
            ${byKey} limit ${count})`;

/**
 * Those of the products and of the packages that can be meant. A product or package is looked up first, then its balances:
 * the condition on the cursor stays outside, or it would draw the look-up to another index.
 */
const balancesOf = (sought: string, condition: string): string =>
  `(select b.* from (select * from stock_balances b where b.organization_id = :organizationId and ${sought} offset 0) b
                     where ${isAfter} ${condition})`;
const ofProduct = equalByRange('b.product_id', 's.product_id');
const ofPackage = equalByRange('b.package_id', 's.package_id');

const soughtBalances = (condition: string): string =>
  `select b.* from product_searches s
              cross join lateral ${balancesOf(ofProduct, condition)} b
              where s.organization_id = :organizationId
             union
             select b.* from package_searches s
              cross join lateral ${balancesOf(ofPackage, condition)} b
              where s.organization_id = :organizationId`;

/**
 * At most so many of them, and of products and packages that have none: finding out that there are many takes no longer.
 * Materialized: what is looked for comes from the index of tokens, whatever the limit of the whole makes of it.
 */
const someSought = (condition: string, count: number): string =>
  `with sought_products as materialized (
               select s.product_id from product_searches s where s.organization_id = :organizationId limit ${count}),
             sought_packages as materialized (
               select s.package_id from package_searches s where s.organization_id = :organizationId limit ${count})
             select true from sought_products s left join lateral ${balancesOf(ofProduct, condition)} b on true
             union all
             select true from sought_packages s left join lateral ${balancesOf(ofPackage, condition)} b on true
             limit ${count}`;

type StockLevelFilter = {
  at: string;
  locationId: number | null;
  afterProductId: number;
  afterOptionId: number;
  afterLocationId: number;
  afterPackageId: number;
};

const levelStatements = new Map(
  [
    { name: 'select_stock_level_page', hasLocation: false, condition: '' },
    { name: 'select_stock_level_page_location', hasLocation: true, condition: ofLocation },
  ].map(({ name, hasLocation, condition }) => [
    hasLocation,
    {
      page: statement<SqlParameters, StockLevelRow>(name, stockLevels('stock_balances', condition)),
      count: statement<SqlParameters, { count: number }>(
        `${name}_count`,
        countOfPage(stockLevels('stock_balances', condition), stockRowsPerPage),
      ),
      search: searchStatements<StockLevelRow>(name, stockRowsPerPage, {
        foundAmong: (count) => stockLevels(firstBalances(condition, count), isFound),
        listed: (count) => firstBalances(condition, count),
        foundByTokens: stockLevels(
          `(select * from (${soughtBalances(condition)}) b ${byKey} offset 0)`,
          isFound,
        ),
        candidates: (count) => someSought(condition, count),
      }),
    },
  ]),
);

/** The balances and what they are joined with. */
const levelsJoinedWith = (further: string): string => `from stock_balances b
              ${withProduct}
              ${withLocation}
              ${withPackage}
              ${further}
              where b.organization_id = :organizationId`;
const keyColumns = ['b.product_id', 'b.product_option_id', 'b.inventory_location_id', 'b.package_id'];

/**
 * The list in other orders, without a search. Except by product it reads all levels of the organization or location: an index of
 * what every sale changes would slow each sale down.
 */
export const stockLevelList = sortedList<
  StockLevelRow,
  'productId' | 'productName' | 'locationName' | 'onHand' | 'expirationDate',
  'location'
>({
  name: 'sort_stock_levels',
  rows: levelsJoinedWith(''),
  ids: keyColumns,
  only: isShown,
  cursor: `b.product_id = :afterProductId and b.product_option_id = :afterOptionId
              and b.inventory_location_id = :afterLocationId and b.package_id = :afterPackageId`,
  sorts: {
    productId: { key: 'b.product_id', own: 'ascending' },
    productName: {
      key: 't.name_key',
      own: 'ascending',
      rows: levelsJoinedWith(
        'join product_texts t on t.organization_id = :organizationId and t.product_id = b.product_id',
      ),
    },
    locationName: { key: 'search_key(l.name) collate "C"', own: 'ascending' },
    onHand: { key: 'b.on_hand', own: 'descending' },
    expirationDate: { key: 'k.expiration_date', own: 'ascending', isNullable: true },
  },
  filters: { location: ofLocation },
  rowsPerPage: stockRowsPerPage,
  show: (page) => `${shownLevel}
     from ${page}
     join stock_balances b on b.organization_id = :organizationId and b.product_id = page.id0
      and b.product_option_id = page.id1 and b.inventory_location_id = page.id2 and b.package_id = page.id3
     ${withProduct}
     ${withLocation}
     ${withPackage}
     ${withOthers}`,
});

function statementsOf({ locationId }: StockLevelFilter) {
  const statements = levelStatements.get(locationId !== null);
  assert(statements !== undefined, 'every combination of filters has its statements');
  return statements;
}

/** A page of the balances that a filter describes; null filters nothing. `isAfter`: behind the balance that it names. */
export function listStockLevels(
  filter: StockLevelFilter,
  order: SortQuery<SortOf<typeof stockLevelList>>,
  isAfter: boolean,
): BoundStatement<StockLevelRow> {
  if (askedSort(stockLevelList.sorts, order).isOwn) return statementsOf(filter).page(filter);
  const place = isAfter ? { startingAfter: filter.afterProductId } : {};
  return stockLevelList.page({ ...order, ...place }, filter, filter.locationId === null ? [] : ['location']);
}

/** How many they are, wherever the page starts. */
export function countStockLevels(filter: StockLevelFilter): BoundStatement<{ count: number }> {
  const fromStart = { afterProductId: 0, afterOptionId: 0, afterLocationId: 0, afterPackageId: 0 };
  return statementsOf(filter).count({ ...filter, ...fromStart });
}

/** The levels among them in which a text is found. */
export function searchStockLevels(text: string, filter: StockLevelFilter): SearchPage<StockLevelRow> {
  return statementsOf(filter).search(text, { ...filter, search: text });
}

/** Whether a balance exists: a cursor may name one that the list no longer shows. */
export const selectBalance = statement<Readonly<Record<keyof BalanceKey, number>>, { product_id: number }>(
  'select_balance',
  `select product_id from stock_balances
    where organization_id = :organizationId and product_id = :productId and product_option_id = :optionId
      and inventory_location_id = :locationId and package_id = :packageId`,
);

export interface SellablePackageRow {
  product_id: number;
  product_option_id: number;
  package_id: number;
  label: string;
  sellable: string;
  expiration_date: string | null;
}

/** Packages of products that can be sold at the locations of an order type, the one that is sold first first. */
export const selectSellablePackages = statement<
  { productIds: readonly number[]; orderType: string; at: string },
  SellablePackageRow
>(
  'select_sellable_packages',
  `select b.product_id, b.product_option_id, b.package_id, k.label, k.expiration_date, trim_scale(sum(b.on_hand))::text as sellable
     from stock_balances b
     join packages k on k.organization_id = b.organization_id and k.id = b.package_id
     join order_type_locations t on t.organization_id = b.organization_id and t.order_type = :orderType
      and t.inventory_location_id = b.inventory_location_id
    where b.organization_id = :organizationId and b.product_id = any(:productIds) and b.on_hand > 0 and ${isSellable}
    group by b.product_id, b.product_option_id, b.package_id, k.label, k.expiration_date, k.received_at
    order by k.received_at, b.package_id limit 500`,
);

/** What can be sold of products at the locations of an order type. A product without a balance has no row; one that is sold out has 0. */
export const selectSellableOfProducts = statement<
  { productIds: readonly number[]; orderType: string; at: string },
  { product_id: number; product_option_id: number; sellable: string }
>(
  'select_sellable_of_products',
  `select b.product_id, b.product_option_id,
          trim_scale(coalesce(sum(b.on_hand) filter (where ${isSellable} and exists (
            select from order_type_locations t
             where t.organization_id = :organizationId and t.order_type = :orderType
               and t.inventory_location_id = b.inventory_location_id)), 0))::text as sellable
     from stock_balances b
     left join packages k on k.organization_id = b.organization_id and k.id = b.package_id
    where b.organization_id = :organizationId and b.product_id = any(:productIds)
    group by b.product_id, b.product_option_id
    order by b.product_id, b.product_option_id`,
);
