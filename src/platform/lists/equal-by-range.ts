/**
 * SQL: the column has the value of another row, and an index with the column finds it. PostgreSQL plans an equality by the values that
 * are frequent: where one product has nearly all packages, it read all of them for each other product, too. It knows nothing of
 * the size of a range.
 */
export function equalByRange(column: string, value: string): string {
  return `${column} between ${value} and ${value}`;
}
