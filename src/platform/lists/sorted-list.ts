import { assert } from '../../kernel/assert.ts';
import { type AskedSort, askedSort, type SortDirection, type SortQuery } from '../../kernel/list-sort.ts';
import { subsetsOf } from '../../kernel/subsets-of.ts';
import {
  type BoundStatement,
  registerLater,
  type SqlParameters,
  type Statement,
  statement,
} from '../statements/statement.ts';
import { equalByRange } from './equal-by-range.ts';

/*
 * Pages of a list by one of several keys, from either end: one value for each list says its rows, keys and filters, and the
 * statements are made of it. A page begins behind the place where its cursor's row stands now, in the order of key and ids, so
 * that rows with the same key are neither lost nor doubled. Rows without a key come last, in either direction.
 */

/** A key: SQL of a row. */
interface SortKey {
  readonly key: string;
  /** Further keys, for rows with the same one; each row has them. */
  readonly thenBy?: readonly string[];
  /** The direction that it has by itself. */
  readonly own: SortDirection;
  /** Whether rows may have none. */
  readonly isNullable?: true;
  /** Instead of the list's rows: the same ones, joined with what has the key. */
  readonly rows?: string;
  /** Instead of these, in the order of the key: only the rows that have one. */
  readonly walk?: string;
  /** Rows that `walk` leaves out: few, sorted each time. */
  readonly beside?: string;
  /** The ids as `walk` has them, where its index has them from another table. */
  readonly walkIds?: readonly string[];
  /** Instead of `walk`, where few rows of another table have the keys of many: the begin of each one's rows is read, until they fill a page. */
  readonly parents?: Parents;
  /** Instead of `rows`, for those that have no key: only these. */
  readonly lacking?: string;
  /** Further conditions, each a range of the index of the key; together they are all rows. */
  readonly ranges?: readonly string[];
}

/** Rows that have the keys, and those that take them from there. */
interface Parents {
  /** `from brands b where b.organization_id = :organizationId` */
  readonly rows: string;
  readonly id: string;
  readonly key: string;
  /** The column of the list's rows that has it: an index has it, `thenBy` and the ids. */
  readonly of: string;
  /** Whether that index has the column in the other direction than the rest. */
  readonly isOpposite?: true;
}

/** A list that is sorted in SQL. */
interface SortedListSql<Sort extends string, Filter extends string> {
  /** Begins the names of its statements. */
  readonly name: string;
  /** `from things t where t.organization_id = :organizationId` */
  readonly rows: string;
  /** The columns that tell its rows apart, `t.id`; they order rows with the same key. */
  readonly ids: readonly string[];
  /** The row of the cursor, among rows without filters. */
  readonly cursor?: string;
  /** A condition on the rows that are shown; a cursor may be another one. */
  readonly only?: string;
  readonly sorts: Readonly<Record<Sort, SortKey>>;
  /** Conditions; each may be asked for or not. */
  readonly filters?: Readonly<Record<Filter, string>>;
  /** Filters that exclude each other. */
  readonly isPossible?: (filters: readonly Filter[]) => boolean;
  /**
   * For a list that may be very long: its rows with these filters by an index of the filters, at most `limit`, as `id`: its only one. If a filter
   * keeps few rows, these are sorted; if it keeps many, the index of the key soon has a page of them.
   */
  readonly few?: (filters: readonly Filter[], limit: number) => string;
  readonly rowsPerPage: number;
  /** What is selected `from` a page, `(…) page`, which has the ids: `select … from (…) page join things t on …`. */
  readonly show: (page: string) => string;
}

interface Page<Sort extends string, Filter extends string> extends Omit<AskedSort<Sort>, 'isOwn'> {
  readonly filters: readonly Filter[];
  /** Whether it begins behind the cursor. */
  readonly isAfter: boolean;
}

/** A list with the statements of its pages. */
interface SortedList<Row, Sort extends string, Filter extends string> {
  /** The first is the order of the list by itself. */
  readonly sorts: Readonly<Record<Sort, SortKey>>;
  /** A page in the order that a query asks for, behind `startingAfter` if that is given. */
  page(
    query: SortQuery<Sort> & { readonly startingAfter?: string | number | undefined },
    values?: SqlParameters,
    filters?: readonly Filter[],
  ): BoundStatement<Row>;
}

/** With more rows than this, a filter has many. */
const fewMax = 2_000;

/** The names of a list's sorts. */
export type SortOf<List> = List extends { readonly sorts: Readonly<Record<infer Sort, unknown>> }
  ? Sort & string
  : never;

/**
 * Declares a sorted list. Each of its statements is declared when it is first asked for: lists have two thousand of them, which would be
 * four megabytes of text and a tenth of the start, and most shops ask for few.
 */
export function sortedList<Row, Sort extends string, Filter extends string = never>(
  list: SortedListSql<Sort, Filter>,
): SortedList<Row, Sort, Filter> {
  const declared = new Map<string, Statement<SqlParameters, Row>>();
  const statementOf = (page: Page<Sort, Filter>): Statement<SqlParameters, Row> => {
    const { sort, isDescending, filters, isAfter } = page;
    const parts = [list.name, sort, isDescending ? 'down' : 'up', ...filters, ...(isAfter ? ['after'] : [])];
    const name = parts.join('_').toLowerCase().replaceAll('-', '_');
    const known = declared.get(name);
    if (known !== undefined) return known;
    const made = statement<SqlParameters, Row>(name, sortedStatement(list, page));
    declared.set(name, made);
    return made;
  };
  registerLater(() => pagesOf(list).forEach(statementOf));
  return {
    sorts: list.sorts,
    page: ({ startingAfter, ...query }, values = {}, filters = []) => {
      const isAfter = startingAfter !== undefined;
      const asked = filtersOf(list).filter((filter) => filters.includes(filter));
      const isPossible = asked.length === filters.length && (list.isPossible?.(asked) ?? true);
      assert(isPossible, () => `${list.name} has no page with ${filters}`);
      const { sort, isDescending } = askedSort(list.sorts, query);
      const page = statementOf({ sort, isDescending, filters: asked, isAfter });
      return page(isAfter ? { ...values, startingAfter } : values);
    },
  };
}

/** In the order in which they stand in the names and texts of statements. */
function filtersOf<Filter extends string>({ filters }: SortedListSql<string, Filter>): readonly Filter[] {
  return Object.keys(filters ?? {}) as Filter[];
}

function pagesOf<Sort extends string, Filter extends string>(
  list: SortedListSql<Sort, Filter>,
): Page<Sort, Filter>[] {
  const possible = subsetsOf(filtersOf(list)).filter(list.isPossible ?? (() => true));
  return (Object.keys(list.sorts) as Sort[]).flatMap((sort) =>
    [false, true].flatMap((isDescending) =>
      [false, true].flatMap((isAfter) =>
        possible.map((asked) => ({ sort, isDescending, isAfter, filters: asked })),
      ),
    ),
  );
}

/** What the parts of a statement are made of. */
function wordsOf<Sort extends string, Filter extends string>(
  list: SortedListSql<Sort, Filter>,
  { sort, isDescending, filters, isAfter }: Page<Sort, Filter>,
) {
  const sorted = list.sorts[sort];
  const { key, thenBy = [], isNullable = false, rows = list.rows, walkIds = list.ids } = sorted;
  const { walk = rows, lacking = rows, parents, ranges, beside } = sorted;
  const [sign, way] = isDescending ? (['<', ' desc'] as const) : (['>', ''] as const);
  /** What orders rows with the same key. */
  const tail = [...thenBy, ...list.ids];
  const names = [...thenBy.map((_, at) => `then${at}`), ...list.ids.map((_, at) => `id${at}`)];
  const idsOf = (of: string) => names.map((name) => `${of}${name}`);
  const named = (ids: readonly string[]) => ids.map((column, at) => `${column} as ${names[at]}`).join(', ');
  const bound = (column: string) => `(select ${column} from bound)`;
  const boundIds = idsOf('').map(bound).join(', ');
  return {
    ...{ key, isNullable, isAfter, rows, walk, beside, lacking, parents, ranges, ownRows: list.rows },
    ...{ sign, way, tail, idsOf, named, bound, boundIds },
    walkTail: [...thenBy, ...walkIds],
    columns: `${named(tail)}, ${key} as sort_key`,
    limit: `limit ${list.rowsPerPage}`,
    inOrder: (...by: readonly string[]) => orderBy(by, way),
    conditions: [list.only ?? '', ...filters.map((filter) => list.filters![filter])].join(' '),
    isBehindKey: (of: string, ids: readonly string[]) =>
      isAfter ? `and (${[of, ...ids].join(', ')}) ${sign} (${bound('sort_key')}, ${boundIds})` : '',
    isBehindIds: (ids: readonly string[]) =>
      isAfter
        ? `and (${bound('sort_key')} is not null or (${ids.join(', ')}) ${sign} (${boundIds}))
              and exists (select from bound)`
        : '',
  };
}

type Words = ReturnType<typeof wordsOf>;

/** The rows with a key, in its order. */
function keyedRows(words: Words, gate: string): string[] {
  const { key, isNullable, walk, beside, walkTail, parents, ranges } = words;
  const { named, limit, inOrder, conditions } = words;
  if (parents) return rowsOfParents(words, parents, gate);
  const behind = words.isBehindKey(key, walkTail);
  const order = inOrder(key, ...walkTail);
  const merged = ranges && mergedRanges(walk, ranges, behind, order);
  return [merged ?? `${walk} ${behind}`, ...(beside ? [`${beside} ${behind}`] : [])].map(
    (from) => `(select ${named(walkTail)}, ${key} as sort_key ${from} ${conditions} ${gate}
              ${isNullable ? `and ${key} is not null` : ''} ${order} ${limit})`,
  );
}

/**
 * The ranges merged in the order of the key, and only then filtered: a range that has no row with a filter would be read to its end,
 * if it were filtered by itself.
 */
function mergedRanges(walk: string, ranges: readonly string[], behind: string, order: string): string {
  const [, table] = /^from \w+ (\w+) /.exec(walk)!;
  const parts = ranges.map((range) => `(select * ${walk} ${range} ${behind} ${order})`);
  return `from (select * from (${parts.join(' union all ')}) ${table} ${order} offset 0) ${table} where true`;
}

/**
 * Behind a cursor: what is left of its own parent, and the parents behind that one. Ordered by the column of the parent first, which
 * is one value: or an index in the order of the rest would do, too, and all rows were read for a parent that has few.
 */
function rowsOfParents(
  { isAfter, sign, way, ownRows, tail, idsOf, named, bound, boundIds, limit, inOrder, conditions }: Words,
  parents: Parents,
  gate: string,
): string[] {
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
                     ${ownRows} and ${equalByRange(parents.of, 'parent.id')}
                     ${conditions} ${child} order by ${parents.of}${ofWay}, ${tail.map((by) => `${by}${way}`).join(', ')} ${limit}) c
              ${inOrder('parent.sort_key', ...idsOf('c.'))} ${limit})`,
  );
}

function sortedStatement<Sort extends string, Filter extends string>(
  list: SortedListSql<Sort, Filter>,
  asked: Page<Sort, Filter>,
): string {
  const words = wordsOf(list, asked);
  const { key, isNullable, isAfter, rows, lacking, way, tail, columns, idsOf, limit, inOrder } = words;
  const { conditions, isBehindKey, isBehindIds } = words;
  const withs: string[] = [];
  /** The rows with a key, then those without, which are read only where the former do not fill the page. */
  const walked = (gate: string): string[] => {
    const keyed = keyedRows(words, gate);
    if (!isNullable) return keyed;
    withs.push(`keyed as materialized (${keyed.join(' union all ')})`);
    return [
      'select * from keyed',
      `(select ${columns} ${lacking} ${conditions} ${gate} and ${key} is null ${isBehindIds(tail)}
              and (select count(*) from keyed) < ${list.rowsPerPage}
              ${inOrder(...tail)} ${limit})`,
    ];
  };
  if (isAfter) {
    const cursor = list.cursor ?? `${list.ids[0]} = :startingAfter`;
    withs.push(`bound as materialized (select ${columns} ${rows} and ${cursor})`);
  }
  const parts: string[] = [];
  if (list.few && asked.filters.length > 0) {
    withs.push(
      `found as materialized (${list.few(asked.filters, fewMax + 1)})`,
      `choice as materialized (select count(*) <= ${fewMax} as is_few from found)`,
    );
    const ids = idsOf('f.');
    const of = (further: string) => `(select f.* from found
              cross join lateral (select ${columns} ${rows} and ${list.ids[0]} = found.id limit 1) f
              where (select is_few from choice) ${further})`;
    parts.push(
      of(`${isNullable ? 'and f.sort_key is not null' : ''} ${isBehindKey('f.sort_key', ids)}`),
      ...(isNullable ? [of(`and f.sort_key is null ${isBehindIds(ids)}`)] : []),
      ...walked('and not (select is_few from choice)'),
    );
  } else {
    parts.push(...walked(''));
  }
  const last = `order by page.sort_key${way} nulls last, ${idsOf('page.')
    .map((id) => `${id}${way}`)
    .join(', ')}`;
  const page = `(select * from (${parts.join('\n        union all\n        ')}) page
              ${last} ${limit}) page`;
  return `${withs.length > 0 ? `with ${withs.join(',\n     ')}\n     ` : ''}${list.show(page)}
      ${last}`;
}

function orderBy(columns: readonly string[], way: '' | ' desc'): string {
  return `order by ${columns.map((column) => `${column}${way}`).join(', ')}`;
}
