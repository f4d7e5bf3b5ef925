import { assert } from '../../src/kernel/assert.ts';
import type { SortDirection } from '../../src/kernel/list-sort.ts';
import type { AnyEndpoint } from '../../src/platform/http/endpoint.ts';
import type { ListFacts, RowKey, RowOrder } from '../../src/platform/http/list-facts.ts';
import { hasOtherFilters, hasWords, plain, productTexts, type Row, rankOf } from './search-meaning.ts';

/*
 * The order of each list, and where its pages begin, in plain TypeScript: as its declaration and the description of `sortBy`
 * say it, texts without case and accents, rows without a value last.
 */

export type Value = string | number | boolean;
export type Query = Readonly<Record<string, Value>>;
/** Which of two rows comes first, as for `sort`. */
export type Comparator = (a: Row, b: Row) => number;
type Key = RowKey<Row>;

export interface ListMeaning {
  /** The order of the rows as a query asks for it. */
  orderOf(query: Query): Comparator;
  /** What shows all rows. */
  readonly everything: Query;
  /** The cursor to continue after a row. */
  cursor(row: Row): Query;
  /** Whether a page can begin after a row, also one that the filters leave out. */
  isCursor(row: Row, query: Query): boolean;
  /** What tells its rows apart. */
  identity(row: Row): string | number;
}

const compare = (a: Value, b: Value): number => (a < b ? -1 : a > b ? 1 : 0);
const valueBy = (key: Key, row: Row) => (typeof key === 'string' ? row[key] : key(row));

function comparable(value: Value | null | undefined): string | number | null {
  if (typeof value === 'string') return plain(value);
  return typeof value === 'boolean' ? Number(value) : (value ?? null);
}

/** By the first key that tells two rows apart; rows without it come last, in either direction. */
function byKeys(direction: SortDirection, keys: readonly Key[]): Comparator {
  const sign = direction === 'descending' ? -1 : 1;
  return (a, b) => {
    for (const key of keys) {
      const [ofA, ofB] = [comparable(valueBy(key, a)), comparable(valueBy(key, b))];
      if (ofA === null && ofB === null) continue;
      if (ofA === null || ofB === null) return ofA === null ? 1 : -1;
      const order = compare(ofA, ofB);
      if (order !== 0) return sign * order;
    }
    return 0;
  };
}

function inOrder(order: RowOrder<Row>): Comparator {
  return 'ascending' in order ? byKeys('ascending', order.ascending) : byKeys('descending', order.descending);
}

/** What one unit of an option costs. */
export const unitPrice = (option: Row): number => option.displayPrice;
const lowestPrice: Key = (row) => Math.min(...row.options.map(unitPrice));
const byId = byKeys('ascending', ['id']);
const menuOrders: Readonly<Record<string, Comparator>> = {
  name: (a, b) => plain(a.name).localeCompare(plain(b.name), 'en', { numeric: true }) || byId(a, b),
  price: byKeys('ascending', [lowestPrice, 'id']),
  'price-descending': (a, b) => byKeys('descending', [lowestPrice])(a, b) || byId(a, b),
  newest: (a, b) => byKeys('descending', ['createdAt'])(a, b) || byId(a, b),
};

/** Orders that no key of a row says: a language's, and how well a row fits the words of a search. */
const ownOrders: Readonly<Record<string, (query: Query) => Comparator | undefined>> = {
  getMenu: ({ sort }) => menuOrders[String(sort)] ?? byId,
  staffListProducts: ({ search }) =>
    isBlank(search)
      ? undefined
      : (a, b) =>
          compare(rankOf(a, String(search)), rankOf(b, String(search))) ||
          byKeys('descending', ['createdAt', 'id'])(a, b),
};

/** Lists that refuse to begin a page after a row that they would not show. */
const cursors: Readonly<Record<string, ListMeaning['isCursor']>> = {
  listOrders: (row, query) => query.fulfilledOnly !== true || row.status === 'fulfilled',
  staffListProducts: (row, query) =>
    query.search === undefined ||
    (hasWords(productTexts(row), String(query.search)) && hasOtherFilters(row, query)),
};

interface ListQuery {
  readonly properties?: Readonly<
    Record<string, { readonly enum?: readonly string[]; readonly description?: string }>
  >;
}

/** What a list means by its declaration; undefined: it does not say how it is ordered. */
export function meaningOfList(endpoint: AnyEndpoint): ListMeaning | undefined {
  const { id, query } = endpoint;
  const parameters = (query as ListQuery | undefined)?.properties ?? {};
  const facts = (endpoint.list ?? {}) as ListFacts<Row, Query>;
  const { order } = facts;
  const isOrdered = order !== undefined || 'sortBy' in parameters || Object.hasOwn(ownOrders, id);
  if (!isOrdered) return undefined;
  const ordered = (asked: Query): Comparator => {
    if (order !== undefined) return inOrder(typeof order === 'function' ? order(asked) : order);
    return facts.found && !isBlank(asked.search) ? inOrder(facts.found) : sorted(endpoint, facts, asked);
  };
  const twoPartCursor = 'startingAfterUpdatedAt' in parameters;
  return {
    orderOf: (asked) => ownOrders[id]?.(asked) ?? ordered(asked),
    everything: 'ended' in parameters ? { ended: true } : {},
    cursor: (row) =>
      twoPartCursor
        ? { startingAfterUpdatedAt: row.updatedAt, startingAfterId: row.id }
        : { startingAfter: row.id },
    isCursor: cursors[id] ?? (() => true),
    identity: (row) => row.id ?? JSON.stringify(row),
  };
}

/** The order that `sortBy` and `sortDirection` ask for; the description names the direction that each sort has by itself. */
function sorted(endpoint: AnyEndpoint, facts: ListFacts<Row, Query>, asked: Query): Comparator {
  const { sortBy } = (endpoint.query as ListQuery).properties!;
  const sort = String(asked.sortBy ?? sortBy!.enum![0]);
  const own = new RegExp(`\`${sort}\` (ascending|descending)`).exec(sortBy!.description!)?.[1];
  assert(own !== undefined, `${endpoint.id} says the direction of ${sort}`);
  const direction = (asked.sortDirection ?? own) as SortDirection;
  const rowSort = 'sorts' in endpoint ? endpoint.sorts?.[sort] : undefined;
  const key = typeof rowSort === 'object' ? (rowSort.key as Key) : (facts.keys?.[sort] ?? sort);
  const isPaged = Object.keys((endpoint.query as ListQuery).properties!).some((name) =>
    name.startsWith('startingAfter'),
  );
  // A whole list keeps its own order among rows with the same key.
  const ties = isPaged ? (facts.ties ?? ['id']) : [];
  return byKeys(direction, [...(Array.isArray(key) ? key : [key as Key]), ...ties]);
}

function isBlank(search: Value | undefined): boolean {
  return String(search ?? '').trim() === '';
}
