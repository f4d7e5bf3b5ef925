import type { QueryClient } from '@tanstack/react-query';

export type Ask = <Data>(
  queryKey: readonly unknown[],
  get: (signal: AbortSignal) => Promise<Data>,
) => Promise<Data>;

/**
 * Requests that end by one deadline, counted from this call: with their data or an error. The tries after an error and the
 * pauses between them are included, also those of a hidden tab, which otherwise wait until it is shown. Offline they fail at
 * once.
 */
export function askWithin(queryClient: QueryClient, deadlineMs: number): Ask {
  const deadline = AbortSignal.timeout(deadlineMs);
  return async ([resource, ...rest], get) => {
    // Independent of list queries: a list that unmounts cancels its query.
    const queryKey = [resource, 'look-up', ...rest];
    const giveUp = () => queryClient.cancelQueries({ queryKey, exact: true }, { revert: false });
    deadline.addEventListener('abort', giveUp);
    try {
      return await queryClient.fetchQuery({
        queryKey,
        queryFn: ({ signal }) => get(AbortSignal.any([signal, deadline])),
        staleTime: 10_000,
        networkMode: 'always',
      });
    } finally {
      deadline.removeEventListener('abort', giveUp);
    }
  };
}
