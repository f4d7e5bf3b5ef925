/** How lists with pages are counted. */

/** The largest number of rows that a list counts: counting a million takes longer than the page. */
export const countedMax = 1_000;

/** How many rows a list has; `more`: it has more rows than that. */
export interface ListCount {
  readonly total: number;
  readonly more: boolean;
}

/** The count of rows that were counted up to one more than `countedMax`. */
export function totalOf(count: number): ListCount {
  return { total: Math.min(count, countedMax), more: count > countedMax };
}

/** The count of a list that only a page of is known: its rows, and all of them if it is the only page. */
export function totalOfPage(rows: number, rowsPerPage: number, isFirst: boolean): ListCount {
  return { total: rows, more: !isFirst || rows >= rowsPerPage };
}
