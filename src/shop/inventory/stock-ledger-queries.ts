import { assert } from '../../kernel/assert.ts';
import { subsetsOf } from '../../kernel/subsets-of.ts';
import { countOfPage } from '../../platform/lists/counted-rows.ts';
import { idsOfActor } from '../../platform/statements/ids-of-actor.ts';
import { type BoundStatement, type SqlParameters, statement } from '../../platform/statements/statement.ts';
import type { StockCause } from './move-stock.ts';
import { stockRowsPerPage } from './stock-list-queries.ts';

/** The stock ledger for staff: pages of entries. */

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
 * The ledger by time. One statement for each combination of filters, so that each reads ranges of one index: that of
 * the filter that leaves the fewest entries. Each index ends with location and time; where a filter before them is not
 * sent, a page of each of its few values is sorted. Entries with the same time are ordered by id.
 *
 * A range is a comparison of whole rows, in the order of its index, and not one of each column: where nearly all entries
 * are of one product, PostgreSQL would look for those of another in all entries of the location, because a page of the busy
 * one is soon found there.
 */
const ledgerFilters = {
  product: 'and e.product_id = :productId',
  option: 'and e.product_option_id = :optionId',
  location: 'and e.inventory_location_id = :locationId',
  package: 'and e.package_id = :packageId',
  unpackaged: 'and e.package_id = 0',
} as const;
type LedgerPart = keyof typeof ledgerFilters;

const filtersOf = (parts: readonly LedgerPart[]): string =>
  parts.map((part) => ledgerFilters[part]).join(' ');
const isOfItem = (part: LedgerPart): boolean => part === 'product' || part === 'option';

/** Where a page begins, and in which direction it goes on. */
interface Place {
  readonly isContinued: boolean;
  readonly isOldestFirst: boolean;
}
const inOrder = ({ isOldestFirst }: Place): string =>
  isOldestFirst ? 'order by e.created_at, e.id' : 'order by e.created_at desc, e.id desc';

/** The order of the list. */
export const ledgerSorts = { createdAt: { own: 'descending' } } as const;
const locationOf = (parts: readonly LedgerPart[]): string =>
  parts.includes('location') ? ':locationId::bigint' : 'place.id';

/**
 * The entries with these values of the first columns of an index, in the order of the list, from the cursor on or from the
 * beginning. Each value is SQL.
 */
function rangeOf(columns: Readonly<Record<string, string>>, { isContinued, isOldestFirst }: Place) {
  const names = Object.keys(columns).map((column) => `e.${column}`);
  const values = Object.values(columns).join(', ');
  const row = `(${names.join(', ')}, e.created_at, e.id)`;
  const cursor = `(${values}, (select c.created_at from stock_ledger_entries c
                 where c.organization_id = :organizationId and c.id = :startingAfter::bigint), :startingAfter::bigint)`;
  const first = `>= (${values}, '-infinity'::timestamptz, 0)`;
  const last = `<= (${values}, 'infinity'::timestamptz, 9223372036854775807)`;
  const way = isOldestFirst ? '' : ' desc';
  return {
    condition: `and ${row} ${isContinued && isOldestFirst ? `> ${cursor}` : first} and ${row} ${
      isContinued && !isOldestFirst ? `< ${cursor}` : last
    }`,
    inOrder: `order by ${[...names, 'e.created_at', 'e.id'].map((name) => `${name}${way}`).join(', ')}`,
  };
}

/** What an entry is of beside the filters: its values come from the tables that `ranges` names. */
interface Range {
  readonly ranges: readonly string[];
  /** A page of the entries, one time for each combination of the ranges. */
  readonly page: string;
}

const eachLocation = '(select id from inventory_locations where organization_id = :organizationId) place';

/**
 * A page of a package. What a filter says of the item is compared afterwards: an index of the item would be taken
 * otherwise. The few balances of the package say whether it was ever of the item.
 */
function rangeOfPackage(parts: readonly LedgerPart[], place: Place): Range {
  const items = filtersOf(parts.filter(isOfItem));
  const hasLocation = parts.includes('location');
  const range = rangeOf(
    { package_id: ':packageId::bigint', inventory_location_id: locationOf(parts) },
    place,
  );
  const page = `(select * from (select * from stock_ledger_entries e
                where e.organization_id = :organizationId ${range.condition}
                ${range.inOrder} offset 0) e
              where exists (select from (select * from stock_balances
                where organization_id = :organizationId and package_id = :packageId offset 0) e where true ${items})
                ${items} limit ${stockRowsPerPage}) e`;
  return { ranges: hasLocation ? [] : [eachLocation], page };
}

/** A page of an item, of a location, of both, or of everything. */
function rangeOfItem(parts: readonly LedgerPart[], place: Place): Range {
  const [hasProduct, hasOption, hasLocation] = (['product', 'option', 'location'] as const).map((part) =>
    parts.includes(part),
  );
  const isOfChoice = hasProduct && !hasOption;
  const product = hasOption
    ? `(select o.product_id from product_options o
                where o.organization_id = :organizationId and o.id = :optionId)`
    : ':productId::bigint';
  const option = hasOption ? ':optionId::bigint' : 'choice.id';
  const location = locationOf(parts);
  const isUnpackagedThere = `and e.package_id = 0 and exists (select from stock_balances b
                where b.organization_id = :organizationId and b.product_id = ${product} and b.package_id = 0
                  and b.product_option_id = ${option} and b.inventory_location_id = ${location})`;
  const isUnpackaged = parts.includes('unpackaged');
  const isOfAnItem = hasProduct || hasOption;
  const range = rangeOf(
    {
      ...(isOfAnItem && { product_id: product, product_option_id: option }),
      ...(isUnpackaged && !isOfAnItem && { package_id: '0' }),
      inventory_location_id: location,
    },
    place,
  );
  const conditions = [
    range.condition,
    // Another product than the option's has no entry; all of the option would be read.
    ...(hasOption && hasProduct ? [`and :productId::bigint = ${product}`] : []),
    ...(isUnpackaged && isOfAnItem ? [isUnpackagedThere] : []),
  ];
  const eachOption = `(select 0 as id union all select o.id from product_options o
              where o.organization_id = :organizationId and o.product_id = :productId) choice`;
  return {
    ranges: [...(isOfChoice ? [eachOption] : []), ...(hasLocation ? [] : [eachLocation])],
    page: `(select * from stock_ledger_entries e
              where e.organization_id = :organizationId ${conditions.join(' ')}
              ${range.inOrder} limit ${stockRowsPerPage}) e`,
  };
}

function ledgerPage(parts: readonly LedgerPart[], place: Place): string {
  const { ranges, page } = parts.includes('package')
    ? rangeOfPackage(parts, place)
    : rangeOfItem(parts, place);
  if (ranges.length === 0) return page;
  return `(select e.* from ${ranges.join(' cross join ')} cross join lateral ${page}
              ${inOrder(place)} limit ${stockRowsPerPage}) e`;
}

function ledgerStatement(parts: readonly LedgerPart[], place: Place) {
  return statement<SqlParameters, LedgerEntryRow>(
    ['list_ledger', ...parts, place.isOldestFirst && 'oldest', place.isContinued && 'after']
      .filter(Boolean)
      .join('_'),
    `select e.id, e.product_id, e.product_option_id, e.inventory_location_id, e.package_id, e.delta, e.cause,
            e.actor, e.created_at, p.name as product_name, p.unit as product_unit, o.name as option_name,
            o.amount as option_amount, l.name as location_name, k.label as package_label,
            a.subject_id as order_id, s.id as operation_id, s.reason as operation_reason,
            m.first_name as staff_first_name, m.last_name as staff_last_name, ck.name as client_key_name
       from ${ledgerPage(parts, place)}
       join products p on p.organization_id = :organizationId and p.id = e.product_id
       join inventory_locations l on l.organization_id = :organizationId and l.id = e.inventory_location_id
       left join product_options o on o.organization_id = :organizationId and o.id = e.product_option_id
       left join packages k on k.organization_id = :organizationId and k.id = e.package_id
       left join audit_entries a on a.organization_id = :organizationId and a.id = e.cause_id
        and e.order_line_item_id is not null and a.subject_type = 'order'
       left join stock_operations s on s.organization_id = :organizationId and s.id = e.cause_id
        and e.cause in ('adjusted', 'counted', 'moved')
       ${idsOfActor('e.actor')}
       left join staff_members m on m.organization_id = :organizationId and m.id = acting.staff_id
       left join client_keys ck on ck.organization_id = :organizationId and ck.id = acting.key_id
      ${inOrder(place)}`,
  );
}

function ledgerCount(parts: readonly LedgerPart[]) {
  return statement<SqlParameters, { count: number }>(
    ['count_stock_ledger', ...parts].join('_'),
    countOfPage(
      `select from ${ledgerPage(parts, { isContinued: false, isOldestFirst: false })}`,
      stockRowsPerPage,
    ),
  );
}

const ledgerCounts = new Map<string, ReturnType<typeof ledgerCount>>();
const ledgerStatements = new Map<string, ReturnType<typeof ledgerStatement>>();
for (const parts of subsetsOf(Object.keys(ledgerFilters) as LedgerPart[])) {
  if (parts.includes('package') && parts.includes('unpackaged')) continue;
  ledgerCounts.set(parts.join(), ledgerCount(parts));
  for (const isContinued of [false, true]) {
    for (const isOldestFirst of [false, true]) {
      const key = [...parts, isContinued, isOldestFirst].join();
      ledgerStatements.set(key, ledgerStatement(parts, { isContinued, isOldestFirst }));
    }
  }
}

interface LedgerFilter {
  readonly productId?: number | undefined;
  readonly productOptionId?: number | undefined;
  readonly inventoryLocationId?: number | undefined;
  /** 0: without a package. */
  readonly packageId?: number | undefined;
  readonly isOldestFirst?: boolean;
  readonly startingAfter?: number | undefined;
}

/** A page of the ledger; filters combine. */
export function listLedgerPage(filter: LedgerFilter): BoundStatement<LedgerEntryRow> {
  const { startingAfter, isOldestFirst = false } = filter;
  const list = ledgerStatements.get([...partsOf(filter), startingAfter !== undefined, isOldestFirst].join());
  assert(list !== undefined, 'every kind of page has its statement');
  return list(valuesOf(filter));
}

/** How many entries they are, wherever the page starts. */
export function countLedger(filter: LedgerFilter): BoundStatement<{ count: number }> {
  const count = ledgerCounts.get(partsOf(filter).join());
  assert(count !== undefined, 'every combination of filters has a count');
  return count(valuesOf(filter));
}

function partsOf(filter: LedgerFilter): readonly unknown[] {
  return [
    filter.productId !== undefined && 'product',
    filter.productOptionId !== undefined && 'option',
    filter.inventoryLocationId !== undefined && 'location',
    filter.packageId !== undefined && (filter.packageId > 0 ? 'package' : 'unpackaged'),
  ].filter(Boolean);
}

function valuesOf(filter: LedgerFilter): SqlParameters {
  return {
    productId: filter.productId ?? null,
    optionId: filter.productOptionId ?? null,
    locationId: filter.inventoryLocationId ?? null,
    packageId: filter.packageId ?? null,
    startingAfter: filter.startingAfter ?? null,
  };
}

export const selectLedgerEntry = statement<{ id: number }, { id: number }>(
  'select_ledger_entry',
  `select id from stock_ledger_entries where organization_id = :organizationId and id = :id`,
);
