/** Whether the items are in strictly ascending order. Most lists are; the check costs less than sorting. */
export function isAscending<T>(items: readonly T[], compare: (a: T, b: T) => number): boolean {
  for (let index = 1; index < items.length; index++) {
    if (compare(items[index - 1]!, items[index]!) >= 0) return false;
  }
  return true;
}
