import { keepPreviousData } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../../api.ts';
import { allPages } from '../../parts/all-pages.ts';

/** Option names seen so far: options are found only by their product; no operation finds one by its id. */
const seen = new Map<number, string>();

/** Remembers the option names of shown products. */
export function rememberOptions(products: readonly Schema['Product'][]): void {
  for (const { name, options } of products) {
    for (const option of options) seen.set(option.id, `${name}, ${option.name}`);
  }
}

/** Option names by id. Unknown ids are searched for in the catalog, page by page. */
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
