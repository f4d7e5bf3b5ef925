import { plain, type Row } from './search-meaning.ts';

/*
 * What the sorts of staff's lists mean, said once more in plain TypeScript: by the field that the sort is named after, texts
 * without case and accents, rows without a value last.
 */

type Value = string | number | boolean;
export type Query = Readonly<Record<string, Value>>;
/** Which of two rows comes first, as for `sort`. */
export type Comparator = (a: Row, b: Row) => number;

type Key = (row: Row) => Value | null | undefined;
type Direction = 'ascending' | 'descending';

interface Sorts {
  /** The order of the list by itself. */
  readonly first: string;
  /** Its direction, and that of other sorts, where it is not the usual one of the kind of the value. */
  readonly own?: Readonly<Record<string, Direction>>;
  /** Keys that are not the field of that name. */
  readonly keys?: Readonly<Record<string, Key | readonly Key[]>>;
  /** What orders rows with the same value, in a list with pages. A whole list keeps its own order then. */
  readonly ties?: readonly Key[];
}

/** By themselves names begin with A, what ends soon comes first, and times and numbers begin with the latest or largest. */
function usual(sort: string): Direction {
  const isName =
    /(name|label|email|url|description|status|state|role|type|recipient|subject|brand|category)$/i;
  const isEnd = /^(endsAt|endsOn|expiresAt|expiresOn|expirationDate|id|integratorId|tier|order|priority)$/;
  return isName.test(sort) || isEnd.test(sort) ? 'ascending' : 'descending';
}

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

function comparable(value: ReturnType<Key>): string | number | null {
  if (typeof value === 'string') return plain(value);
  return typeof value === 'boolean' ? Number(value) : (value ?? null);
}

/** The order that a query asks for. */
export function sortedBy({ first, own = {}, keys = {}, ties = [] }: Sorts): {
  by: (query: Query) => Comparator;
} {
  return {
    by: ({ sortBy = first, sortDirection }) => {
      const sort = String(sortBy);
      const direction = sortDirection ?? own[sort] ?? usual(sort);
      const sign = direction === 'descending' ? -1 : 1;
      const chosen = keys[sort] ?? ((row: Row) => row[sort]);
      const all = [...(typeof chosen === 'function' ? [chosen] : chosen), ...ties];
      return (a, b) => {
        for (const key of all) {
          const [ofA, ofB] = [comparable(key(a)), comparable(key(b))];
          if (ofA === null && ofB === null) continue;
          if (ofA === null || ofB === null) return ofA === null ? 1 : -1;
          const order = compare(ofA, ofB);
          if (order !== 0) return sign * order;
        }
        return 0;
      };
    },
  };
}
