import { plainText } from '../../kernel/plain-text.ts';
import type { MenuItem, NamedThing } from './menu-items.ts';

/** How a menu can be sorted; without one it is in the order of the products' ids (D16). */
export const menuSorts = ['name', 'price', 'price-descending', 'newest'] as const;

export interface MenuQuery {
  /** Id or name, as for `brand` and `tag`. */
  readonly category?: string;
  readonly brand?: string;
  readonly strainType?: string;
  readonly tag?: string;
  readonly search?: string;
  /** Cents, inclusive: some option costs at least this. */
  readonly minPrice?: number;
  readonly maxPrice?: number;
  readonly onSale?: boolean;
  readonly inStock?: boolean;
  readonly sort?: (typeof menuSorts)[number];
}

/** The products that a query asks for, in its order. */
export function selectItems(items: readonly MenuItem[], query: MenuQuery): readonly MenuItem[] {
  const selected = items.filter(itemFilter(query));
  return query.sort === undefined ? selected : selected.toSorted(itemOrder(query.sort));
}

/** The items after one of them in the order of a query. `last` need not fit the query any more. */
export function itemsAfter(
  selected: readonly MenuItem[],
  last: MenuItem,
  sort: MenuQuery['sort'],
): readonly MenuItem[] {
  const compare = sort === undefined ? byId : itemOrder(sort);
  return selected.filter((item) => compare(item, last) > 0);
}

function itemFilter(query: MenuQuery): (item: MenuItem) => boolean {
  const { category, brand, strainType, tag, search, onSale, inStock } = query;
  const { minPrice = 0, maxPrice = Number.POSITIVE_INFINITY } = query;
  const words = search === undefined ? [] : plainText(search).split(/\s+/);
  const asksForPrice = query.minPrice !== undefined || query.maxPrice !== undefined;
  return (item) =>
    (category === undefined || isNamed(item.category, category)) &&
    (brand === undefined || (item.brand !== null && isNamed(item.brand, brand))) &&
    (strainType === undefined || item.strainType === strainType) &&
    (tag === undefined || item.tags.some((it) => isNamed(it, tag))) &&
    (onSale === undefined || item.isOnSale === onSale) &&
    (inStock === undefined || item.inStock === inStock) &&
    (!asksForPrice || item.prices.some((cents) => minPrice <= cents && cents <= maxPrice)) &&
    words.every((word) => item.searchText.includes(word));
}

/** By id, or by name without regard to case and accents. */
function isNamed({ id, name }: NamedThing, idOrName: string): boolean {
  return String(id) === idOrName || plainText(name) === plainText(idOrName);
}

type Order = (a: MenuItem, b: MenuItem) => number;

const byId: Order = (a, b) => a.id - b.id;
const names = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** Products without an option come last in both orders by price. */
function itemOrder(sort: NonNullable<MenuQuery['sort']>): Order {
  const orders: Record<typeof sort, Order> = {
    name: (a, b) => names.compare(a.name, b.name),
    price: (a, b) => lowestPrice(a, Infinity) - lowestPrice(b, Infinity) || 0,
    'price-descending': (a, b) => lowestPrice(b, -1) - lowestPrice(a, -1),
    newest: (a, b) => b.createdAtMs - a.createdAtMs,
  };
  return (a, b) => orders[sort](a, b) || byId(a, b);
}

function lowestPrice({ prices }: MenuItem, without: number): number {
  return prices.length === 0 ? without : Math.min(...prices);
}
