/** How lists with pages are counted. */

/** The largest number of rows that a list counts: counting a million takes longer than the page. */
export const countedMax = 1_000;

/** How many rows a list has; `more`: it has more rows than that. */
export interface ListCount {
  readonly total: number;
  readonly more: boolean;
}

/** Of rows that were counted up to one more than `countedMax`. */
export function totalOf(count: number): ListCount {
  return { total: Math.min(count, countedMax), more: count > countedMax };
}

/** Of a page of a list that is not counted: at least its rows, and all of them if it is the only page. */
export function totalOfPage(rows: number, rowsPerPage: number, isFirst: boolean): ListCount {
  return { total: rows, more: !isFirst || rows >= rowsPerPage };
}

/** SQL that counts the rows of a query, up to one more than `countedMax`. */
export function countOfRows(rows: string): string {
  return `select count(*)::integer as count from (${rows} limit ${countedMax + 1}) counted`;
}

/** The same of a query that already ends after a page, in each of its places. */
export function countOfPage(page: string, rowsPerPage: number): string {
  const longer = page.replaceAll(`limit ${rowsPerPage}`, `limit ${countedMax + 1}`);
  return `select count(*)::integer as count from (${longer}) counted`;
}
