/** Whether each item comes after the one before it, and none is there twice. Most lists come so: a look costs less than sorting. */
export function isAscending<T>(items: readonly T[], compare: (a: T, b: T) => number): boolean {
  for (let index = 1; index < items.length; index++) {
    if (compare(items[index - 1]!, items[index]!) >= 0) return false;
  }
  return true;
}
