import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';

/** The service's page size for all staff lists except settings, which are returned whole. */
const pageSize = 50;

/** A list for `DataTable`. */
export interface List<Row> {
  readonly rows: readonly Row[];
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
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
  page: (startingAfter: Row['id'] | undefined, signal: AbortSignal) => Promise<readonly Row[]>;
  isWhole?: boolean;
  enabled?: boolean;
}): List<Row> {
  const query = useInfiniteQuery({
    queryKey: [...queryKey, 'pages'],
    queryFn: ({ pageParam, signal }) => page(pageParam as Row['id'] | undefined, signal),
    initialPageParam: undefined as unknown,
    getNextPageParam: (last) => (isWhole || last.length < pageSize ? undefined : last.at(-1)?.id),
    enabled,
  });
  return {
    rows: query.data?.pages.flat() ?? [],
    isLoading: query.isPending && enabled,
    error: query.data ? null : query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void (query.hasNextPage && !query.isFetching && query.fetchNextPage()),
    retry: () => void query.refetch(),
  };
}
