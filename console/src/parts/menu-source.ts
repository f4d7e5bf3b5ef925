import type { UseQueryOptions } from '@tanstack/react-query';
import { createContext } from 'react';
import { api, dataOf, type Schema } from '../api.ts';
import type { Ask } from './ask-within.ts';
import { findGoods } from './find-goods.ts';
import { categoriesQuery, favoritesQuery, type MenuPage, menuQuery } from './menu-query.ts';
import type { SaleOption } from './sale-options.ts';

type Reading<Value> = Pick<UseQueryOptions<Value>, 'queryKey' | 'staleTime'> & {
  readonly queryFn: (asked: { signal: AbortSignal }) => Promise<Value>;
};

/** Where a search finds goods: in the service, or in what a register has kept of it. Each is a query with its key. */
export interface MenuSource {
  readonly menu: (search: string, category: number | null) => Reading<MenuPage>;
  /** Null: what sells best is not known here. */
  readonly favorites: Reading<MenuPage> | null;
  readonly categories: Reading<readonly Pick<Schema['ProductCategory'], 'id' | 'name'>[]>;
  /** `ids`: `3,5,8`. */
  readonly stock: (
    ids: string,
    orderType: Schema['StaffOrder']['type'],
  ) => Reading<{ readonly stock: readonly Schema['SellableStock'][] }>;
  /** What a scanned code or typed words stand for. */
  readonly find: (ask: Ask, text: string) => Promise<readonly SaleOption[]>;
}

/** The shop's own. */
export const serviceMenu: MenuSource = {
  menu: menuQuery,
  favorites: favoritesQuery,
  categories: categoriesQuery,
  stock: (products, orderType) => ({
    queryKey: ['inventory', 'sellable', orderType, products],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/staff/v1/inventory/sellable', { params: { query: { products, orderType } }, signal })),
  }),
  find: findGoods,
};

/** That of the searches below it. */
export const MenuSourceContext = createContext(serviceMenu);
