/** Every choice from a list, the items of each in the order of the list: for a statement of each combination of filters. */
export function subsetsOf<Item>([first, ...rest]: readonly Item[]): Item[][] {
  if (first === undefined) return [[]];
  const without = subsetsOf(rest);
  return [...without, ...without.map((set) => [first, ...set])];
}
