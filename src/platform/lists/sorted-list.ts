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
  /** For a key that no index of the list's rows has in order: the parts of a page, written by hand. */
  readonly byHand?: ByHand;
}

/** Parts of a page that are read in the order of the key; each says its plan in a comment. */
interface ByHand {
  /** The rows with a key, each part sorted and at most a page long. */
  readonly keyed: (page: PageParts) => readonly string[];
  /** The rows that have none; without it, they are those of `rows`. */
  readonly lacking?: string;
}

/** What the parts of a page are made of. */
export interface PageParts {
  /** One part: these rows behind the cursor, in the order of the key. `ids` are the list's, as these rows have them. */
  readonly keyed: (rows: string, ids?: readonly string[]) => string;
  readonly isAfter: boolean;
  readonly sign: '<' | '>';
  readonly way: '' | ' desc';
  /** A column of the cursor's row. */
  readonly bound: (column: string) => string;
  readonly boundIds: string;
  /** What orders rows with the same key: `thenBy`, then the ids. */
  readonly tail: readonly string[];
  readonly named: (tail: readonly string[]) => string;
  /** The names that `named` gives, of a table. */
  readonly idsOf: (table: string) => string[];
  /** A condition on the rows of the key behind the cursor. */
  readonly isBehindKey: (key: string, tail: readonly string[]) => string;
  readonly inOrder: (...by: readonly string[]) => string;
  /** The filters; the list's rows have them. */
  readonly conditions: string;
  /** Whether the part is read at all. */
  readonly gate: string;
  readonly limit: string;
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

/** What the parts of a page are made of. */
function partsOf<Sort extends string, Filter extends string>(
  list: SortedListSql<Sort, Filter>,
  { sort, isDescending, filters, isAfter }: Page<Sort, Filter>,
  gate: string,
): PageParts {
  const { key, thenBy = [], isNullable = false } = list.sorts[sort];
  const [sign, way] = isDescending ? (['<', ' desc'] as const) : (['>', ''] as const);
  const names = [...thenBy.map((_, at) => `then${at}`), ...list.ids.map((_, at) => `id${at}`)];
  const idsOf = (of: string) => names.map((name) => `${of}${name}`);
  const named = (ids: readonly string[]) => ids.map((column, at) => `${column} as ${names[at]}`).join(', ');
  const bound = (column: string) => `(select ${column} from bound)`;
  const boundIds = idsOf('').map(bound).join(', ');
  const limit = `limit ${list.rowsPerPage}`;
  const conditions = [list.only ?? '', ...filters.map((filter) => list.filters![filter])].join(' ');
  const inOrder = (...by: readonly string[]) => orderBy(by, way);
  const isBehindKey = (of: string, ids: readonly string[]) =>
    isAfter ? `and (${[of, ...ids].join(', ')}) ${sign} (${bound('sort_key')}, ${boundIds})` : '';
  const keyed = (rows: string, ids = list.ids) => {
    const tail = [...thenBy, ...ids];
    return `(select ${named(tail)}, ${key} as sort_key ${rows} ${isBehindKey(key, tail)} ${conditions} ${gate}
              ${isNullable ? `and ${key} is not null` : ''} ${inOrder(key, ...tail)} ${limit})`;
  };
  const tail = [...thenBy, ...list.ids];
  return {
    ...{ isAfter, sign, way, bound, boundIds, tail, named, idsOf, isBehindKey, inOrder },
    ...{ conditions, gate, limit, keyed },
  };
}

function sortedStatement<Sort extends string, Filter extends string>(
  list: SortedListSql<Sort, Filter>,
  asked: Page<Sort, Filter>,
): string {
  const { key, isNullable = false, rows = list.rows, byHand } = list.sorts[asked.sort];
  const { isAfter, sign, way, bound, boundIds, tail, idsOf, ...parts } = partsOf(list, asked, '');
  const { conditions, inOrder, isBehindKey, limit } = parts;
  const columns = `${parts.named(tail)}, ${key} as sort_key`;
  const isBehindIds = (ids: readonly string[]) =>
    isAfter
      ? `and (${bound('sort_key')} is not null or (${ids.join(', ')}) ${sign} (${boundIds}))
              and exists (select from bound)`
      : '';
  const withs: string[] = [];
  /** The rows with a key, then those without, which are read only where the former do not fill the page. */
  const walked = (gate: string): readonly string[] => {
    const gated = partsOf(list, asked, gate);
    const keyed = byHand?.keyed(gated) ?? [gated.keyed(rows)];
    if (!isNullable) return keyed;
    withs.push(`keyed as materialized (${keyed.join(' union all ')})`);
    return [
      'select * from keyed',
      `(select ${columns} ${byHand?.lacking ?? rows} ${conditions} ${gate} and ${key} is null ${isBehindIds(tail)}
              and (select count(*) from keyed) < ${list.rowsPerPage}
              ${inOrder(...tail)} ${limit})`,
    ];
  };
  if (isAfter) {
    const cursor = list.cursor ?? `${list.ids[0]} = :startingAfter`;
    withs.push(`bound as materialized (select ${columns} ${rows} and ${cursor})`);
  }
  const selects: string[] = [];
  if (list.few && asked.filters.length > 0) {
    withs.push(
      `found as materialized (${list.few(asked.filters, fewMax + 1)})`,
      `choice as materialized (select count(*) <= ${fewMax} as is_few from found)`,
    );
    const ids = idsOf('f.');
    const of = (further: string) => `(select f.* from found
              cross join lateral (select ${columns} ${rows} and ${list.ids[0]} = found.id limit 1) f
              where (select is_few from choice) ${further})`;
    selects.push(
      of(`${isNullable ? 'and f.sort_key is not null' : ''} ${isBehindKey('f.sort_key', ids)}`),
      ...(isNullable ? [of(`and f.sort_key is null ${isBehindIds(ids)}`)] : []),
      ...walked('and not (select is_few from choice)'),
    );
  } else {
    selects.push(...walked(''));
  }
  const last = `order by page.sort_key${way} nulls last, ${idsOf('page.')
    .map((id) => `${id}${way}`)
    .join(', ')}`;
  const page = `(select * from (${selects.join('\n        union all\n        ')}) page
              ${last} ${limit}) page`;
  return `${withs.length > 0 ? `with ${withs.join(',\n     ')}\n     ` : ''}${list.show(page)}
      ${last}`;
}

function orderBy(columns: readonly string[], way: '' | ' desc'): string {
  return `order by ${columns.map((column) => `${column}${way}`).join(', ')}`;
}
