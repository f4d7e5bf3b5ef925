import type { ReactNode } from 'react';

/** A column of a table. */
export interface Column<Row> {
  readonly id: string;
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Pixels or a CSS width; by default the remaining space. */
  readonly width?: number | string;
  /** Amounts and counts are right-aligned, with tabular digits. */
  readonly align?: 'end';
  /** Allows a second line instead of truncating; plain text wraps by default. */
  readonly wraps?: true;
  /** Hidden on a tablet, `desktop`: also on a small desktop, for lack of space; the opened row shows it. */
  readonly wideOnly?: true | 'desktop';
  /** What the rows are sorted by; by default what the cell shows, if that is a text or a number. */
  readonly sortBy?: (row: Row) => string | number | null | undefined;
}
