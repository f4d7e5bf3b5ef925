import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';

/** The service's page size for all staff lists except settings, which are returned whole. */
const pageSize = 50;

interface Page<Row> {
  readonly rows: readonly Row[];
  readonly count: { readonly total: number; readonly more: boolean };
}

/** A page from the reply of a list. */
export async function pageOf<Row>(
  reply: Promise<{ data?: { data: readonly Row[]; meta: { total: number; more: boolean } } }>,
): Promise<Page<Row>> {
  const { data } = await reply;
  if (data === undefined) throw new TypeError('a list answers with data, or its call fails');
  return { rows: data.data, count: data.meta };
}

/** A list for `DataTable`. */
export interface List<Row> {
  readonly rows: readonly Row[];
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
  /** How many rows there are, if it is known; `more`: at least. */
  readonly count?: { readonly total: number; readonly more: boolean } | undefined;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  readonly retry: () => void;
}

/**
 * Loads a list page by page. `queryKey` begins with the resource and contains every filter; `page` requests the rows after an
 * id. Lists without pages (settings) use `isWhole`.
 */
export function useList<Row extends { readonly id: string | number }>({
  queryKey,
  page,
  isWhole = false,
  enabled = true,
}: {
  queryKey: QueryKey;
  page: (startingAfter: Row['id'] | undefined, signal: AbortSignal) => Promise<Page<Row>>;
  isWhole?: boolean;
  enabled?: boolean;
}): List<Row> {
  const query = useInfiniteQuery({
    queryKey: [...queryKey, 'pages'],
    queryFn: ({ pageParam, signal }) => page(pageParam as Row['id'] | undefined, signal),
    initialPageParam: undefined as unknown,
    getNextPageParam: (last) => (isWhole || last.rows.length < pageSize ? undefined : last.rows.at(-1)?.id),
    enabled,
  });
  return {
    rows: query.data?.pages.flatMap(({ rows }) => rows) ?? [],
    count: query.data?.pages[0]?.count,
    isLoading: query.isPending && enabled,
    error: query.data ? null : query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void (query.hasNextPage && !query.isFetching && query.fetchNextPage()),
    retry: () => void query.refetch(),
  };
}
