import { api, dataOf, type Schema } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';

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
  'non-concentrated': 'Flower',
  concentrated: 'Concentrated',
  'mi-infused-solids': 'Infused solids, by weight',
  'mi-infused-fluids': 'Infused fluids, by volume',
  edibles: 'Edibles',
  'immature-plant': 'Plants',
  seeds: 'Seeds',
  inhalables: 'Inhalable products',
  'low-dose-drinks': 'Low-dose drinks',
  'other-units': 'Other infused units',
  none: 'No cannabis',
};

export const strainLabels: Readonly<Record<Product['strainType'], string>> = {
  sativa: 'Sativa',
  indica: 'Indica',
  hybrid: 'Hybrid',
  'hybrid-sativa': 'Sativa-dominant hybrid',
  'hybrid-indica': 'Indica-dominant hybrid',
  cbd: 'CBD',
  mixed: 'Mixed',
  none: 'None',
};

export const inventoryLabels: Readonly<Record<Product['inventoryType'], string>> = {
  option: 'Per option',
  product: 'Per product, by amount',
  none: 'Not tracked',
};

/** `$12.00` or `$8.00 – $25.30`: the current price range of the options. */
export function priceRange(product: Product): string {
  const prices = product.options.map((option) => option.salesPrice ?? option.price);
  if (prices.length === 0) return 'No options';
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
