import { useState } from 'react';
import { locale } from '../words/words.ts';
import type { Column } from './column.ts';
import { useFilters } from './use-filters.ts';
import type { List } from './use-list.ts';

export interface Sort<Row> {
  /** The rows in their order. */
  readonly rows: readonly Row[];
  /** The sorted column. */
  readonly column: string | null;
  readonly direction: 'ascending' | 'descending';
  readonly isSortable: (column: Column<Row>) => boolean;
  readonly toggle: (column: Column<Row>) => void;
}

interface Chosen {
  readonly column: string;
  readonly direction: Sort<unknown>['direction'];
}

/** The order of a list with several pages, which the service sorts. */
export interface ServerSort {
  /** The ids of the columns that it can sort by. */
  readonly columns: readonly string[];
  readonly sorted: Chosen | null;
  /** Null: the order that the list has by itself. */
  readonly onSort: (sort: Chosen | null) => void;
}

/**
 * The order of a table that its headers choose. A list whose rows are all loaded is sorted here; the service sorts one with
 * more pages, where it can. The table of a whole page keeps its order in the address.
 */
export function useSort<Row>(
  list: List<Row>,
  columns: readonly Column<Row>[],
  serverSort: ServerSort | undefined,
  isInAddress: boolean,
): Sort<Row> {
  const ofServer = (id: string) => serverSort?.columns.includes(id) ?? false;
  const [chosen, setChosen] = useChosen(
    columns.flatMap(({ id }) => (ofServer(id) ? [] : [id])),
    isInAddress,
  );
  const sorted = list.hasMore ? null : chosen;
  const column = columns.find(({ id }) => id === sorted?.column);
  const isSorted = sorted !== null && column !== undefined;
  return {
    rows: isSorted ? sortedRows(list.rows, column, sorted.direction) : list.rows,
    column: isSorted ? sorted.column : (serverSort?.sorted?.column ?? null),
    direction: isSorted ? sorted.direction : (serverSort?.sorted?.direction ?? 'ascending'),
    isSortable: (of) =>
      ofServer(of.id) || (!list.hasMore && typeof of.header === 'string' && hasKeys(list.rows, of)),
    toggle: ({ id }) => {
      if (!ofServer(id)) return setChosen(nextOf(chosen, id));
      // The order of the loaded rows would stand above that of the service.
      setChosen(null);
      serverSort?.onSort(nextOf(isSorted ? null : serverSort.sorted, id));
    },
  };
}

/** The chosen column among these: in the address, or only here. */
function useChosen(ids: readonly string[], isInAddress: boolean) {
  const [filters, setFilters] = useFilters(['sort']);
  const state = useState<Chosen | null>(null);
  if (!isInAddress) return state;
  const choose = (sort: Chosen | null) => setFilters({ sort: sortForAddress(sort) });
  return [sortIn(filters.sort, ids), choose] as const;
}

/**
 * The order of a list that the service sorts: `sorts` has its sort for each column that has one. `isOff`: the list has an order of its
 * own now, as a search has. `order` belongs into the query.
 */
export function useListSort<Name extends string>(
  sorts: Readonly<Record<string, Name>>,
  isOff = false,
): {
  readonly order: { readonly sortBy?: Name; readonly sortDirection?: Chosen['direction'] };
  readonly serverSort: ServerSort | undefined;
} {
  const [filters, setFilters] = useFilters(['sort']);
  if (isOff) return { order: {}, serverSort: undefined };
  const columns = Object.keys(sorts);
  const sorted = sortIn(filters.sort, columns);
  return {
    order: sorted === null ? {} : { sortBy: sorts[sorted.column]!, sortDirection: sorted.direction },
    serverSort: { columns, sorted, onSort: (sort) => setFilters({ sort: sortForAddress(sort) }) },
  };
}

function nextOf(chosen: Chosen | null, column: string): Chosen | null {
  if (chosen?.column !== column) return { column, direction: 'ascending' };
  return chosen.direction === 'ascending' ? { column, direction: 'descending' } : null;
}

function keyOf<Row>({ sortBy, cell }: Column<Row>, row: Row): string | number | null {
  const key = sortBy ? sortBy(row) : cell(row);
  return typeof key === 'string' || typeof key === 'number' ? key : null;
}

/** Whether a column says what it is sorted by. */
function hasKeys<Row>(rows: readonly Row[], column: Column<Row>): boolean {
  return rows.length > 1 && (column.sortBy !== undefined || rows.some((row) => keyOf(column, row) !== null));
}

const inWords = new Intl.Collator(locale(), { numeric: true, sensitivity: 'base' });

/** Rows without a key come last, whatever the direction; equal ones keep their order. */
export function sortedRows<Row>(
  rows: readonly Row[],
  column: Column<Row>,
  direction: Sort<Row>['direction'],
): readonly Row[] {
  const sign = direction === 'ascending' ? 1 : -1;
  return rows
    .map((row) => ({ row, key: keyOf(column, row) }))
    .toSorted((a, b) => {
      if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
      if (typeof a.key === 'number' && typeof b.key === 'number') return sign * (a.key - b.key);
      return sign * inWords.compare(String(a.key), String(b.key));
    })
    .map(({ row }) => row);
}

/** The order that the address names, `name` or `-name`: a minus is for descending. Null where it names no column of these. */
export function sortIn(address: string | undefined, columns: readonly string[]): Chosen | null {
  const column = address?.replace(/^-/, '');
  if (column === undefined || !columns.includes(column)) return null;
  return { column, direction: address?.startsWith('-') ? 'descending' : 'ascending' };
}

/** The same for the address; empty for the order that the list has by itself. */
export function sortForAddress(sort: Chosen | null): string {
  return sort === null ? '' : `${sort.direction === 'descending' ? '-' : ''}${sort.column}`;
}
