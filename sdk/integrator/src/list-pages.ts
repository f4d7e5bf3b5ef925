import type { Answer, Query, RequestOptions } from './client-options.ts';

/** How a list continues: see `operations`. */
export type Paging = 'id' | 'change' | 'cursor' | 'after' | 'one';

interface Row {
  readonly id: string | number;
  readonly updatedAt?: string;
}

type Page = Answer<readonly Row[]>;

/** The query of the next page; null: there is none. */
const nextPage: Readonly<Record<Paging, (page: Page) => Query | null>> = {
  id: ({ data }) => ifAny(data, ({ id }) => ({ startingAfter: id })),
  change: ({ data }) =>
    ifAny(data, ({ id, updatedAt }) => ({ startingAfterUpdatedAt: updatedAt, startingAfterId: id })),
  cursor: ({ meta }) => (meta.hasMore === true ? { after: String(meta.cursor) } : null),
  after: ({ data }) => ifAny(data, ({ id }) => ({ after: id })),
  one: () => null,
};

function ifAny(data: readonly Row[], queryOf: (last: Row) => Query): Query | null {
  const last = data.at(-1);
  return last === undefined ? null : queryOf(last);
}

/** All records of a list, page by page; the next page is read when it is asked for. */
export async function* rowsOf(
  read: (sent: RequestOptions) => Promise<Answer<unknown>>,
  paging: Paging,
  sent: RequestOptions,
): AsyncGenerator<unknown, void, undefined> {
  for (let next: Query | null = {}; next !== null; ) {
    const page = (await read({ ...sent, query: { ...sent.query, ...next } })) as Page;
    yield* page.data;
    next = nextPage[paging](page);
  }
}
