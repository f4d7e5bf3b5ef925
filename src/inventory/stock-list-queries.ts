import { type SearchPage, searchStatements } from '../database/search.ts';
import { type BoundStatement, type SqlParameters, statement } from '../database/statement.ts';
import { assert } from '../kernel/assert.ts';
import { subsetsOf } from '../kernel/subsets-of.ts';
import { isSellable } from './inventory-queries.ts';
import type { BalanceKey } from './lock-balances.ts';
import type { StockCause } from './move-stock.ts';
import type { PackageStatus } from './package-queries.ts';

/** Stock lists for staff: pages of balances and of the ledger. */

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
  package_trade_sample: boolean | null;
  package_expiration_date: string | null;
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
const stockLevels = (balances: string, condition: string): string =>
  `select b.product_id, b.product_option_id, b.inventory_location_id, b.package_id, b.on_hand,
          ${isSellable} as is_sellable, p.name as product_name, p.unit as product_unit, n.name as brand_name,
          o.name as option_name, o.amount as option_amount, o.upc as option_upc, l.name as location_name,
          k.label as package_label, k.status as package_status, k.on_hold as package_on_hold,
          k.trade_sample as package_trade_sample, k.expiration_date as package_expiration_date
     from ${balances} b
     join products p on p.organization_id = b.organization_id and p.id = b.product_id
     left join brands n on n.organization_id = p.organization_id and n.id = p.brand_id
     join inventory_locations l on l.organization_id = b.organization_id and l.id = b.inventory_location_id
     left join product_options o on o.organization_id = b.organization_id and o.id = b.product_option_id
     left join packages k on k.organization_id = b.organization_id and k.id = b.package_id
    where b.organization_id = :organizationId and ${isAfter} ${condition}
      and (b.on_hand > 0 or (p.deleted_at is null and l.archived_at is null
                             and (b.package_id = 0 or k.status = 'received')))
    ${byKey} limit ${stockRowsPerPage}`;

const isAfter = `(b.product_id, b.product_option_id, b.inventory_location_id, b.package_id)
          > (:afterProductId::bigint, :afterOptionId::bigint, :afterLocationId::bigint, :afterPackageId::bigint)
      and b.product_id >= :afterProductId::bigint`;
const byKey = 'order by b.product_id, b.product_option_id, b.inventory_location_id, b.package_id';

const firstBalances = (condition: string, count: number): string =>
  `(select * from stock_balances b
            where b.organization_id = :organizationId and ${isAfter} ${condition}
            ${byKey} limit ${count})`;

/** Those of the products and of the packages that can be meant; `union` or `union all`. */
const soughtBalances = (condition: string, union: string): string =>
  `select b.* from product_searches s
              cross join lateral (select * from stock_balances b
                     where b.organization_id = :organizationId and b.product_id = s.product_id
                       and ${isAfter} ${condition} offset 0) b
              where s.organization_id = :organizationId
             ${union}
             select b.* from package_searches s
              cross join lateral (select * from stock_balances b
                     where b.organization_id = :organizationId and b.package_id = s.package_id
                       and ${isAfter} ${condition} offset 0) b
              where s.organization_id = :organizationId`;

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
      search: searchStatements<StockLevelRow>(name, stockRowsPerPage, {
        foundAmong: (count) => stockLevels(firstBalances(condition, count), isFound),
        listed: (count) => firstBalances(condition, count),
        foundByTokens: stockLevels(
          `(select * from (${soughtBalances(condition, 'union')}) b ${byKey} offset 0)`,
          isFound,
        ),
        candidates: soughtBalances(condition, 'union all'),
      }),
    },
  ]),
);

function statementsOf({ locationId }: StockLevelFilter) {
  const statements = levelStatements.get(locationId !== null);
  assert(statements !== undefined, 'every combination of filters has its statements');
  return statements;
}

/** A page of the balances that a filter describes; null filters nothing. */
export function listStockLevels(filter: StockLevelFilter): BoundStatement<StockLevelRow> {
  return statementsOf(filter).page(filter);
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

export interface LedgerEntryRow {
  id: number;
  product_id: number;
  product_option_id: number;
  inventory_location_id: number;
  package_id: number;
  delta: string;
  cause: StockCause;
  actor: string;
  created_at: number;
  product_name: string;
  product_unit: 'gram' | 'item';
  option_name: string | null;
  option_amount: string | null;
  location_name: string;
  package_label: string | null;
  /** The order whose step caused it. */
  order_id: string | null;
  /** The staff operation that caused it. */
  operation_id: number | null;
  operation_reason: string | null;
  staff_first_name: string | null;
  staff_last_name: string | null;
  client_key_name: string | null;
}

/*
 * The ledger, newest first. One statement for each combination of filters, so that each is a plain index range:
 * optional conditions make a plan that sorts all entries. The index of a product begins with product and location; without
 * a location, a page of each location of the shop is sorted. An option or package filter implies the product. CASE and
 * not COALESCE, because PostgreSQL does not allow COALESCE in an index condition behind row-level security. Entries
 * with the same time are ordered by id.
 */
const productOfFilter = `case
        when :productId::bigint is not null then :productId
        when :optionId::bigint is not null then (select o.product_id from product_options o
          where o.organization_id = :organizationId and o.id = :optionId)
        else (select k.product_id from packages k
          where k.organization_id = :organizationId and k.id = :packageId::bigint) end`;

const ledgerFilters = {
  option: 'and e.product_option_id = :optionId',
  location: 'and e.inventory_location_id = :locationId',
  package: 'and e.package_id = :packageId',
} as const;
type LedgerPart = keyof typeof ledgerFilters;

function ledgerPage(ofProduct: boolean, parts: readonly LedgerPart[], after: string): string {
  const page = (further: string) => `(select * from stock_ledger_entries e
              where e.organization_id = :organizationId ${further}
                    ${parts.map((part) => ledgerFilters[part]).join(' ')} ${after}
              order by e.created_at desc, e.id desc limit ${stockRowsPerPage}) e`;
  if (!ofProduct) return page('');
  const ofThatProduct = `and e.product_id = ${productOfFilter}`;
  if (parts.includes('location')) return page(ofThatProduct);
  return `(select e.* from inventory_locations place
             cross join lateral ${page(`${ofThatProduct} and e.inventory_location_id = place.id`)}
             where place.organization_id = :organizationId
             order by e.created_at desc, e.id desc limit ${stockRowsPerPage}) e`;
}

function ledgerStatement(ofProduct: boolean, parts: readonly LedgerPart[], hasCursor: boolean) {
  const after = hasCursor
    ? `and (e.created_at, e.id) < (
         (select c.created_at from stock_ledger_entries c
           where c.organization_id = :organizationId and c.id = :startingAfter::bigint), :startingAfter::bigint)`
    : '';
  return statement<SqlParameters, LedgerEntryRow>(
    ['list_stock_ledger', ofProduct && 'product', ...parts, hasCursor && 'after'].filter(Boolean).join('_'),
    `select e.id, e.product_id, e.product_option_id, e.inventory_location_id, e.package_id, e.delta, e.cause,
            e.actor, e.created_at, p.name as product_name, p.unit as product_unit, o.name as option_name,
            o.amount as option_amount, l.name as location_name, k.label as package_label,
            t.order_id, s.id as operation_id, s.reason as operation_reason,
            m.first_name as staff_first_name, m.last_name as staff_last_name, ck.name as client_key_name
       from ${ledgerPage(ofProduct, parts, after)}
       join products p on p.organization_id = :organizationId and p.id = e.product_id
       join inventory_locations l on l.organization_id = :organizationId and l.id = e.inventory_location_id
       left join product_options o on o.organization_id = :organizationId and o.id = e.product_option_id
       left join packages k on k.organization_id = :organizationId and k.id = e.package_id
       left join order_transitions t on t.organization_id = :organizationId and t.id = e.cause_id
        and e.order_line_item_id is not null
       left join stock_operations s on s.organization_id = :organizationId and s.id = e.cause_id
        and e.cause in ('adjusted', 'counted', 'moved')
       left join staff_members m on m.organization_id = :organizationId
        and m.id = substring(e.actor from '^staff:([0-9]+)$')::bigint
       left join client_keys ck on ck.organization_id = :organizationId
        and ck.id = substring(e.actor from '^key:([0-9]+)$')::bigint
      order by e.created_at desc, e.id desc`,
  );
}

const ledgerStatements = new Map<string, ReturnType<typeof ledgerStatement>>();
for (const ofProduct of [false, true]) {
  for (const parts of subsetsOf(Object.keys(ledgerFilters) as LedgerPart[])) {
    for (const hasCursor of [false, true]) {
      const key = [ofProduct, ...parts, hasCursor].join();
      ledgerStatements.set(key, ledgerStatement(ofProduct, parts, hasCursor));
    }
  }
}

export interface LedgerFilter {
  readonly productId?: number | undefined;
  readonly productOptionId?: number | undefined;
  readonly inventoryLocationId?: number | undefined;
  /** 0: without a package. */
  readonly packageId?: number | undefined;
  readonly startingAfter?: number | undefined;
}

/** A page of the ledger; filters combine. */
export function listLedgerPage(filter: LedgerFilter): BoundStatement<LedgerEntryRow> {
  const namesProduct =
    filter.productId !== undefined || filter.productOptionId !== undefined || (filter.packageId ?? 0) > 0;
  const parts = [
    filter.productOptionId !== undefined && 'option',
    filter.inventoryLocationId !== undefined && 'location',
    filter.packageId !== undefined && 'package',
  ].filter(Boolean);
  const list = ledgerStatements.get([namesProduct, ...parts, filter.startingAfter !== undefined].join());
  assert(list !== undefined, 'every kind of page has its statement');
  return list({
    productId: filter.productId ?? null,
    optionId: filter.productOptionId ?? null,
    locationId: filter.inventoryLocationId ?? null,
    packageId: filter.packageId ?? null,
    startingAfter: filter.startingAfter ?? null,
  });
}

export const selectLedgerEntry = statement<{ id: number }, { id: number }>(
  'select_ledger_entry',
  `select id from stock_ledger_entries where organization_id = :organizationId and id = :id`,
);
