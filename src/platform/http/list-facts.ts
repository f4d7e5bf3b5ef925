type OrderValue = string | number | boolean | null | undefined;

/** What rows are ordered by: a field that they show, or what is made of them. */
export type RowKey<Row> = (keyof Row & string) | ((row: Row) => OrderValue);

/** By the first key that tells two rows apart. */
export type RowOrder<Row> =
  | { readonly ascending: readonly RowKey<Row>[] }
  | { readonly descending: readonly RowKey<Row>[] };

/**
 * What cannot be read off the schemas of a list. Contract tests, the bench and the export read it here, and keep no tables of
 * lists: a list that lacks what they need fails there with the name of the field.
 */
export interface ListFacts<Row = never, Query = never> {
  /** Why its rows stay few, where it has no pages. */
  readonly staysSmall?: string;
  /** The meaning of its order, where it has pages or filters and takes no `sortBy`. */
  readonly order?: RowOrder<Row> | ((query: Query) => RowOrder<Row>);
  /** The sorts that are not by the field of their name, where it takes `sortBy`. */
  readonly keys?: Readonly<Record<string, RowKey<Row> | readonly RowKey<Row>[]>>;
  /** What orders rows with the same key, where it takes `sortBy` and has pages; by default the id. */
  readonly ties?: readonly RowKey<Row>[];
  /** The order of what `search` found, where it is not that of `sortBy`. */
  readonly found?: RowOrder<Row>;
  /** Why staff cannot sort it. */
  readonly unsorted?: string;
  /** The table of which its example is a row, under the names of the API: where nothing else makes one, tests begin with it. */
  readonly exampleIn?: string;
  /** Sorts that read all rows of an organization, or all that a filter keeps, and why these stay few enough. */
  readonly readsAll?: Readonly<Record<string, string>>;
  /** Sorts of pages that no table of the console offers, and why. */
  readonly notInConsole?: Readonly<Record<string, string>>;
}
