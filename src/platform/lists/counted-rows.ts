import { countedMax } from '../../kernel/list-count.ts';

/* SQL that counts the rows of a list, for statements that are declared with it. */

/** SQL that counts the rows of a query, up to one more than `countedMax`. */
export function countOfRows(rows: string): string {
  return `select count(*)::integer as count from (${rows} limit ${countedMax + 1}) counted`;
}

/** The same of a query that already ends after a page, in each of its places. */
export function countOfPage(page: string, rowsPerPage: number): string {
  const longer = page.replaceAll(`limit ${rowsPerPage}`, `limit ${countedMax + 1}`);
  return `select count(*)::integer as count from (${longer}) counted`;
}
