import { keepPreviousData } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../../api.ts';
import { allPages } from '../../parts/all-pages.ts';

/** Names that have been seen: an option is known by its product only, and no operation finds it by its id. */
const seen = new Map<number, string>();

/** Remembers how options are called, of products that were shown. */
export function rememberOptions(products: readonly Schema['Product'][]): void {
  for (const { name, options } of products) {
    for (const option of options) seen.set(option.id, `${name}, ${option.name}`);
  }
}

/** Names of options by id. What was not seen yet is looked for through the catalog, as far as it takes. */
export function optionNamesQuery(optionIds: readonly number[]) {
  const ids = [...optionIds].sort((one, other) => one - other);
  return {
    queryKey: ['products', 'option-names', ids],
    queryFn: async () => {
      const areAllSeen = () => ids.every((id) => seen.has(id));
      if (!areAllSeen()) {
        await allPages<Schema['Product']>(async (startingAfter) => {
          const query = startingAfter === undefined ? {} : { startingAfter };
          const products = await dataOf(api.GET('/staff/v1/products', { params: { query } }));
          rememberOptions(products);
          return products;
        }, areAllSeen);
      }
      return new Map(ids.flatMap((id) => (seen.has(id) ? [[id, seen.get(id)!] as const] : [])));
    },
    staleTime: 300_000,
    placeholderData: keepPreviousData,
  };
}
