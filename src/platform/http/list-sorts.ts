import Type, { type TOptional, type TUnsafe } from 'typebox';
import {
  askedSort,
  type SortDirection as Direction,
  type SortQuery,
  type SortTable,
  sortDirections,
} from '../../kernel/list-sort.ts';
import { plainText } from '../../kernel/plain-text.ts';
import { Named, OneOf } from './schemas.ts';

/* A list with pages sorts in SQL (database/sorted-list.ts); one that answers all its rows is sorted here. */

/** The direction of a list, beside `sortBy`. */
const SortDirection = Named(
  'SortDirection',
  OneOf(sortDirections, {
    description:
      'By default the direction that the sort has by itself. Rows without a value come last in both',
  }),
);

/** The fields of a query that choose a sort; `note` says when they do not apply. */
export function sortFields<Sort extends string>(
  sorts: SortTable<Sort>,
  note = '',
): {
  sortBy: TOptional<TUnsafe<Sort>>;
  sortDirection: TOptional<typeof SortDirection>;
} {
  const names = Object.keys(sorts) as Sort[];
  const inWords = names.map((name) => `\`${name}\` ${sorts[name].own}`).join(', ');
  return {
    sortBy: Type.Optional(
      OneOf(names, {
        description: `By default \`${names[0]}\`. By themselves: ${inWords}${note && `. ${note}`}`,
      }),
    ),
    sortDirection: Type.Optional(SortDirection),
  };
}

/** What a row is sorted by: texts without case and accents. Rows without a key come last, in either direction. */
type SortKey = string | number | boolean | null | undefined;

/** The sorts of a list that answers all its rows: by the field of that name, or by a key made of the row. */
export type RowSorts<Row> = Readonly<
  Record<string, Direction | { readonly own: Direction; readonly key: (row: Row) => SortKey }>
>;

/** The directions of such sorts. */
export function directionsOf(sorts: RowSorts<never>): SortTable {
  return Object.fromEntries(
    Object.entries(sorts).map(([name, sort]) => [name, typeof sort === 'string' ? { own: sort } : sort]),
  );
}

/** All rows of a list in the order that a query asks for; rows with the same key stay in the list's own order. */
export function sortRows<Row>(sorts: RowSorts<Row>, rows: readonly Row[], query: SortQuery): readonly Row[] {
  const { sort, isDescending, isOwn } = askedSort(directionsOf(sorts), query);
  if (isOwn) return rows;
  const chosen = sorts[sort]!;
  const keyOf = (row: Row): SortKey =>
    typeof chosen === 'string' ? (row as Readonly<Record<string, SortKey>>)[sort] : chosen.key(row);
  const keyed = rows.map((row) => ({ row, key: comparable(keyOf(row)) }));
  const sign = isDescending ? -1 : 1;
  return keyed
    .toSorted((a, b) => {
      if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
      return sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
    })
    .map(({ row }) => row);
}

function comparable(key: SortKey): string | number | null {
  if (typeof key === 'string') return plainText(key);
  return typeof key === 'boolean' ? Number(key) : (key ?? null);
}
