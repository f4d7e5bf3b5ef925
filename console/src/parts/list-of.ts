import type { UseQueryResult } from '@tanstack/react-query';
import type { List } from './use-list.ts';

/** One complete reply as a list for `DataTable`, without pages. */
export function listOf<Data, Row>(
  query: UseQueryResult<Data>,
  rows: (data: Data) => readonly Row[],
): List<Row> {
  return {
    rows: query.data === undefined ? [] : rows(query.data),
    isLoading: query.isPending,
    error: query.data === undefined ? query.error : null,
    hasMore: false,
    isLoadingMore: false,
    loadMore: () => {},
    retry: () => void query.refetch(),
  };
}
