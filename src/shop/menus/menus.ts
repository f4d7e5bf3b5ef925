/**
 * Front door of the menus: what can be bought now, and the whole catalog with its stock. Owns no table: products belong
 * to the catalog, stock to inventory. Pages are kept while nothing changes; single products are read each time.
 */
export { catalogProductsById } from './catalog-product.ts';
export { allProductsExample } from './menu-examples.ts';
export { CatalogProduct } from './menu-schemas.ts';
