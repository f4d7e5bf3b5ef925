import { api, dataOf, type Schema } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { priceOfOne } from '../../parts/sale-options.ts';
import { t } from '../../words/words.ts';

export type Product = Schema['Product'];

/** A product as the list shows it. */
export type ListedProduct = Schema['ListedProduct'];
export type Photo = Schema['ProductPhoto'];
export type ProductOption = Product['options'][number];
export type Category = Schema['StaffProductCategory'];
export type CannabisType = Category['cannabisType'];

/** The unit of an option's content; null: options have no content. */
export const contentUnit: Readonly<Record<CannabisType, string | null>> = {
  'non-concentrated': 'g',
  concentrated: 'mg',
  'mi-infused-solids': 'oz',
  'mi-infused-fluids': 'fl oz',
  edibles: 'mg',
  'immature-plant': 'plants',
  seeds: 'seeds',
  inhalables: 'mg',
  'low-dose-drinks': 'mg',
  'other-units': 'units',
  none: null,
};

export const cannabisTypeLabels: Readonly<Record<CannabisType, string>> = {
  'non-concentrated': t`Flower`,
  concentrated: t`Concentrated`,
  'mi-infused-solids': t`Infused solids, by weight`,
  'mi-infused-fluids': t`Infused fluids, by volume`,
  edibles: t`Edibles`,
  'immature-plant': t`Plants`,
  seeds: t`Seeds`,
  inhalables: t`Inhalable products`,
  'low-dose-drinks': t`Low-dose drinks`,
  'other-units': t`Other infused units`,
  none: t`No cannabis`,
};

export const strainLabels: Readonly<Record<Product['strainType'], string>> = {
  sativa: t`Sativa`,
  indica: t`Indica`,
  hybrid: t`Hybrid`,
  'hybrid-sativa': t`Sativa-dominant hybrid`,
  'hybrid-indica': t`Indica-dominant hybrid`,
  cbd: 'CBD',
  mixed: t`Mixed`,
  none: t`None`,
};

export const inventoryLabels: Readonly<Record<Product['inventoryType'], string>> = {
  option: t`Per option`,
  product: t`Per product, by amount`,
  none: t`Not tracked`,
};

/** `$12.00` or `$8.00 – $25.30`: the current price range of the options. */
export function priceRange(product: Product): string {
  const prices = product.options.map(priceOfOne);
  if (prices.length === 0) return t`No options`;
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  return low === high ? dollars(low) : `${dollars(low)} – ${dollars(high)}`;
}

export const productQuery = (id: number) => ({
  queryKey: ['products', id] as const,
  queryFn: () => dataOf(api.GET('/staff/v1/products/{productId}', { params: { path: { productId: id } } })),
});

export const categoriesQuery = {
  queryKey: ['product-categories'] as const,
  queryFn: () => dataOf(api.GET('/staff/v1/product-categories')),
  staleTime: 60_000,
};

export const brandsQuery = {
  queryKey: ['brands'] as const,
  queryFn: () => dataOf(api.GET('/staff/v1/brands')),
  staleTime: 60_000,
};

export const subCategoriesQuery = {
  queryKey: ['product-sub-categories'] as const,
  queryFn: () => dataOf(api.GET('/staff/v1/product-sub-categories')),
  staleTime: 60_000,
};

export const tagsQuery = {
  queryKey: ['tags'] as const,
  queryFn: () => dataOf(api.GET('/staff/v1/tags')),
  staleTime: 60_000,
};
