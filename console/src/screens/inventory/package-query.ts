import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { Package } from './stock-words.ts';

const packageKey = (id: number) => ['packages', id] as const;

/**
 * What the service said of a package when it was last added, imported, received or changed here; undefined before that:
 * staff have no operation that reads one.
 */
export function useToldPackage(id: number): Package | undefined {
  return useQuery<Package>({
    queryKey: packageKey(id),
    // Never asked for; what is told is put here.
    queryFn: () => Promise.reject(new Error('not asked')),
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 3_600_000,
  }).data;
}

/** Keeps what a reply told of a package. */
export function keepPackage(queryClient: QueryClient, told: Package): void {
  queryClient.setQueryData(packageKey(told.id), told);
}
