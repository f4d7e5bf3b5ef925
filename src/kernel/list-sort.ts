/* How lists are sorted: by one of a few named keys, from either end. The first of them is the order of the list by itself. */

export const sortDirections = ['ascending', 'descending'] as const;
export type SortDirection = (typeof sortDirections)[number];

/** The sorts of a list, each with the direction that it has by itself. */
export type SortTable<Sort extends string = string> = Readonly<Record<Sort, { readonly own: SortDirection }>>;

/** What a query says of the order. */
export interface SortQuery<Sort extends string = string> {
  readonly sortBy?: Sort | undefined;
  readonly sortDirection?: SortDirection | undefined;
}

/** What a query asks for. */
export interface AskedSort<Sort extends string> {
  readonly sort: Sort;
  readonly isDescending: boolean;
  /** Whether it is the order that the list has by itself. */
  readonly isOwn: boolean;
}

/** Reads the sort of a query. */
export function askedSort<Sort extends string>(
  sorts: SortTable<Sort>,
  { sortBy, sortDirection }: SortQuery<Sort>,
): AskedSort<Sort> {
  const [first] = Object.keys(sorts) as Sort[];
  const sort = sortBy ?? first!;
  const direction = sortDirection ?? sorts[sort].own;
  return {
    sort,
    isDescending: direction === 'descending',
    isOwn: sort === first && direction === sorts[sort].own,
  };
}
