import type { QueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../../api.ts';
import type { Package } from './stock-words.ts';

/** The current version of one package. */
export const packageQuery = (packageId: number) => ({
  queryKey: ['packages', packageId] as const,
  queryFn: () => dataOf(api.GET('/staff/v1/packages/{packageId}', { params: { path: { packageId } } })),
});

/** Stores a package from a reply in the cache and invalidates all queries that show packages and their stock. */
export function keepPackage(queryClient: QueryClient, told: Package): void {
  queryClient.setQueryData(packageQuery(told.id).queryKey, told);
  for (const queryKey of [
    ['inventory'],
    ['inventory-ledger'],
    ['compliance-transfers'],
    ['packages', 'list'],
  ]) {
    void queryClient.invalidateQueries({ queryKey });
  }
}
