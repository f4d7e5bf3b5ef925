import { Button, Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { locale, t } from '../words/words.ts';
import type { Column } from './column.ts';
import classes from './data-table.module.css';
import { EmptyState } from './empty-state.tsx';
import { LoadFailure } from './load-failure.tsx';
import type { List } from './use-list.ts';

export type { Column } from './column.ts';

import { type ServerSort, type Sort, useSort } from './use-sort.ts';

/** Minimum width of a text column, in pixels. A wider table scrolls sideways. */
const minTextWidth = 144;

/** Above this number of rows, only visible rows are rendered. */
const virtualFromRows = 100;
const rowHeight = 44;

interface DataTableProps<Row> {
  /** The accessible name of the list. */
  readonly label: string;
  readonly list: List<Row>;
  readonly columns: readonly Column<Row>[];
  /** Opens a row, on click or Enter. */
  readonly onOpen?: (row: Row) => void;
  readonly empty?: ReactNode;
  /** Sorts a list of several pages, which only the service can sort; `columns` have the ids of its orders. */
  readonly serverSort?: ServerSort | undefined;
  /** By default the table fills the page; with a height (in pixels) it scrolls within it. */
  readonly maxHeight?: number;
}

/**
 * A table of a list: loads more pages on scrolling, renders only visible rows of a long list, moves through rows with the arrow
 * keys (and j, k), opens with Enter, and shows loading, failure and empty states.
 */
export function DataTable<Row extends { readonly id: string | number }>(props: DataTableProps<Row>) {
  const { label, list, onOpen, empty, maxHeight } = props;
  const isNarrow = useMediaQuery('(max-width: 75em)', false, { getInitialValueInEffect: false });
  const isMiddling = useMediaQuery('(max-width: 94em)', false, { getInitialValueInEffect: false });
  const columns = props.columns.filter(({ wideOnly }) =>
    wideOnly === 'desktop' ? !isMiddling : !(wideOnly && isNarrow),
  );
  const scroller = useRef<HTMLElement>(null);
  const sort = useSort(list, columns, props.serverSort, maxHeight === undefined);
  const { rows } = sort;
  const shown = useShownRows({ ...list, rows }, scroller);
  const focus = useRowFocus(rows.length, scroller, shown.scrollTo);

  if (list.error) return <LoadFailure error={list.error} onRetry={list.retry} />;
  if (!list.isLoading && rows.length === 0) return empty ?? <EmptyState title={t`Nothing here yet`} />;

  return (
    <>
      <section
        ref={scroller}
        className={classes.scroller}
        style={maxHeight === undefined ? undefined : { maxHeight, flex: 'none' }}
        aria-label={label}
        onScroll={shown.onScroll}
      >
        <table
          className={classes.table}
          style={{ minWidth: minWidth(columns) }}
          aria-rowcount={list.hasMore ? -1 : rows.length + 1}
          aria-busy={list.isLoading}
        >
          <thead>
            <tr>
              {columns.map((column) => (
                <HeaderCell key={column.id} column={column} sort={sort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {list.isLoading && <LoadingRows columns={columns.length} />}
            {shown.before > 0 && <Gap height={shown.before} columns={columns.length} />}
            {rows.slice(shown.first, shown.last + 1).map((row, offset) => (
              <DataRow
                key={row.id}
                row={row}
                index={shown.first + offset}
                columns={columns}
                isInTabOrder={focus.isInTabOrder(shown.first + offset, shown.first)}
                onFocus={focus.onFocus}
                onMove={focus.move}
                onOpen={onOpen}
              />
            ))}
            {shown.after > 0 && <Gap height={shown.after} columns={columns.length} />}
          </tbody>
        </table>
        {list.hasMore && (
          <div className={classes.more}>
            <Button variant="subtle" size="compact-sm" loading={list.isLoadingMore} onClick={list.loadMore}>
              {t`Show more`}
            </Button>
          </div>
        )}
      </section>
      <ListCount list={list} />
    </>
  );
}

/** A header that sorts, if the column can be sorted: once up, once down, then as before. */
function HeaderCell<Row>({ column, sort }: { column: Column<Row>; sort: Sort<Row> }) {
  const direction = sort.column === column.id ? sort.direction : null;
  return (
    <th
      scope="col"
      data-align={column.align}
      style={{ width: column.width }}
      aria-sort={direction ?? undefined}
    >
      {sort.isSortable(column) ? (
        <button type="button" className={classes.sort} onClick={() => sort.toggle(column)}>
          {column.header}
          <span aria-hidden>{direction === null ? '' : direction === 'ascending' ? ' ↑' : ' ↓'}</span>
        </button>
      ) : (
        column.header
      )}
    </th>
  );
}

/** How many rows the list has: also those of pages that are not loaded. */
function ListCount({ list }: { list: List<unknown> }) {
  if (list.isLoading) return null;
  const { total, more } = list.count ?? { total: list.rows.length, more: list.hasMore };
  const number = Math.max(total, list.rows.length).toLocaleString(locale());
  return (
    <p className={classes.count}>{more && list.hasMore ? t`More than ${number}` : t`${number} in all`}</p>
  );
}

type Scroller = RefObject<HTMLElement | null>;

/** The rows to render, with the height of the others, and more pages on scrolling. */
function useShownRows(list: List<unknown>, scroller: Scroller) {
  const { rows } = list;
  const isVirtual = rows.length > virtualFromRows;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    enabled: isVirtual,
  });
  // There are no virtual items until the list is measured. The first rows then stay in place: removing them, even for one
  // frame, would lose what is typed in them while more pages load.
  const virtualItems = isVirtual ? virtualizer.getVirtualItems() : [];
  const [firstItem, lastItem] = [virtualItems[0], virtualItems.at(-1)];
  const last = lastItem?.index ?? Math.min(rows.length, virtualFromRows) - 1;

  const isNearEnd = rows.length > 0 && last >= rows.length - 15;
  useEffect(() => {
    if (isVirtual && isNearEnd && list.hasMore && !list.isLoadingMore) list.loadMore();
  });
  return {
    first: firstItem?.index ?? 0,
    last,
    /** Heights, in pixels. */
    before: firstItem?.start ?? 0,
    after: lastItem ? virtualizer.getTotalSize() - lastItem.end : 0,
    onScroll: () => {
      const it = scroller.current;
      if (!isVirtual && it && it.scrollHeight - it.scrollTop - it.clientHeight < 600) list.loadMore();
    },
    /** Null: all rows are rendered. */
    scrollTo: isVirtual ? (index: number) => virtualizer.scrollToIndex(index) : null,
  };
}

/** The current row: the only one in the tab order. Keys move it. */
function useRowFocus(count: number, scroller: Scroller, scrollTo: ((index: number) => void) | null) {
  const [current, setCurrent] = useState(0);
  const focusRow = (index: number) => {
    const target = Math.max(0, Math.min(count - 1, index));
    setCurrent(target);
    scrollTo?.(target);
    requestAnimationFrame(() => {
      scroller.current
        ?.querySelector<HTMLElement>(`tr[data-index="${target}"]`)
        ?.focus({ preventScroll: scrollTo !== null });
    });
  };
  return {
    /** If the current row is not rendered, the first rendered row takes its place. */
    isInTabOrder: (index: number, first: number) =>
      index === Math.min(current, count - 1) || (index === first && current < first),
    onFocus: setCurrent,
    move: (step: Move, index: number) =>
      focusRow(step === 'first' ? 0 : step === 'last' ? count - 1 : index + step),
  };
}

interface DataRowProps<Row> {
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly Column<Row>[];
  readonly isInTabOrder: boolean;
  readonly onFocus: (index: number) => void;
  readonly onMove: (step: Move, index: number) => void;
  readonly onOpen: ((row: Row) => void) | undefined;
}

function DataRow<Row>({ row, index, columns, isInTabOrder, onFocus, onMove, onOpen }: DataRowProps<Row>) {
  const onKeyDown = (event: KeyboardEvent) => {
    // A control in the row handles its own keys.
    if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey || event.altKey) return;
    const step = moves[event.key];
    if (step !== undefined) onMove(step, index);
    else if (event.key === 'Enter' && onOpen) onOpen(row);
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent) => {
    if ((event.target as HTMLElement).closest('a, button, input, label, [role="menu"]')) return;
    if (window.getSelection()?.toString()) return;
    onOpen?.(row);
  };
  return (
    <tr
      data-index={index}
      data-opens={onOpen ? true : undefined}
      aria-rowindex={index + 2}
      tabIndex={isInTabOrder ? 0 : -1}
      onFocus={() => onFocus(index)}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      {columns.map((column) => (
        <td key={column.id} data-align={column.align}>
          <Cell column={column} row={row} />
        </td>
      ))}
    </tr>
  );
}

/** A number of rows, or an end of the list. */
type Move = number | 'first' | 'last';

const moves: Readonly<Record<string, Move>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  PageDown: 10,
  PageUp: -10,
  Home: 'first',
  End: 'last',
};

function minWidth(columns: readonly Column<never>[]): number {
  return columns.reduce((sum, { width }) => sum + (typeof width === 'number' ? width : minTextWidth), 0);
}

/** Two lines of text have the height of a one-line row. */
function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const content = column.cell(row);
  const isWords = column.wraps ?? (typeof content === 'string' && column.align === undefined);
  return isWords ? <div className={classes.words}>{content}</div> : content;
}

/** A placeholder for the rows that are not rendered. */
function Gap({ height, columns }: { height: number; columns: number }) {
  return (
    <tr aria-hidden>
      <td data-gap colSpan={columns} style={{ height }} />
    </tr>
  );
}

function LoadingRows({ columns }: { columns: number }) {
  const widths = [72, 48, 64, 56, 80, 40, 60, 52];
  return widths.map((width) => (
    <tr key={width} aria-hidden>
      {Array.from({ length: columns }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cells of a skeleton are all alike
        <td key={index}>
          <Skeleton height={12} width={`${width}%`} radius="xl" />
        </td>
      ))}
    </tr>
  ));
}
