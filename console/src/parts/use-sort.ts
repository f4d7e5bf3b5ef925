import { useState } from 'react';
import type { Column } from './column.ts';
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

/**
 * The order of a table that its headers choose. A list whose rows are all loaded is sorted here; the service sorts one with
 * more pages, where it can.
 */
export function useSort<Row>(
  list: List<Row>,
  columns: readonly Column<Row>[],
  serverSort:
    | { columns: readonly string[]; sorted: string | null; onSort: (column: string | null) => void }
    | undefined,
): Sort<Row> {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const ofServer = (id: string) => serverSort?.columns.includes(id) ?? false;
  const sorted = list.hasMore ? null : chosen;
  const column = columns.find(({ id }) => id === sorted?.column);
  const isSorted = sorted !== null && column !== undefined;
  return {
    rows: isSorted ? sortedRows(list.rows, column, sorted.direction) : list.rows,
    column: isSorted ? sorted.column : (serverSort?.sorted ?? null),
    direction: isSorted ? sorted.direction : 'ascending',
    isSortable: (of) =>
      ofServer(of.id) || (!list.hasMore && typeof of.header === 'string' && hasKeys(list.rows, of)),
    toggle: ({ id }) => {
      if (ofServer(id)) serverSort?.onSort(serverSort.sorted === id ? null : id);
      else setChosen(nextOf(chosen, id));
    },
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

const inWords = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

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
