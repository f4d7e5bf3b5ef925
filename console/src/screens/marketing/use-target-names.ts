import { useQueries, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api.ts';
import { shopTime } from '../../parts/shop-time.tsx';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import type { Discount, DiscountDraft } from './discount-draft.ts';
import type { TargetNames } from './discount-sentence.ts';
import { optionNamesQuery } from './option-names.ts';

/** The lists of possible discount targets. */
export function useTargetLists() {
  const categories = useQuery({
    queryKey: ['product-categories'],
    queryFn: () => dataOf(api.GET('/staff/v1/product-categories')),
  });
  const brands = useQuery({ queryKey: ['brands'], queryFn: () => dataOf(api.GET('/staff/v1/brands')) });
  const tags = useQuery({ queryKey: ['tags'], queryFn: () => dataOf(api.GET('/staff/v1/tags')) });
  const groups = useQuery({
    queryKey: ['customer-groups'],
    queryFn: () => dataOf(api.GET('/staff/v1/customer-groups')),
  });
  return { categories: categories.data, brands: brands.data, tags: tags.data, groups: groups.data };
}

type Named = Pick<Discount | DiscountDraft, 'targets' | 'buyTargets'>;

/** The names for the ids in these discounts; the ids until the names are loaded. */
export function useTargetNames(discounts: readonly Named[]): TargetNames {
  const { tz } = useSession().organization;
  const { categories, brands, tags, groups } = useTargetLists();
  const targets = discounts.flatMap(({ targets, buyTargets }) =>
    buyTargets ? [targets, buyTargets] : [targets],
  );
  const productIds = [...new Set(targets.flatMap(({ productIds }) => productIds))];
  const optionIds = [...new Set(targets.flatMap(({ optionIds }) => optionIds))];
  const products = useQueries({
    queries: productIds.map((productId) => productQuery(productId)),
    combine: (results) => new Map(results.flatMap(({ data }) => (data ? [[data.id, data.name]] : []))),
  });
  const options = useQuery({ ...optionNamesQuery(optionIds), enabled: optionIds.length > 0 });
  const among = (list: readonly { id: number; name: string }[] | undefined) => (id: number) =>
    list?.find((row) => row.id === id)?.name ?? `#${id}`;
  return {
    product: (id) => products.get(id) ?? t`product #${id}`,
    option: (id) => options.data?.get(id) ?? t`option #${id}`,
    category: among(categories),
    brand: among(brands),
    tag: among(tags),
    group: among(groups),
    moment: (iso) => shopTime(iso, tz, 'short'),
  };
}

function productQuery(productId: number) {
  return {
    queryKey: ['products', productId],
    queryFn: () => dataOf(api.GET('/staff/v1/products/{productId}', { params: { path: { productId } } })),
    staleTime: 60_000,
  };
}
