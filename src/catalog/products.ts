/**
 * Front door of the catalog: products, options, brands, categories, sub-categories, tags and photos. Owns
 * those tables. A product belongs to one category, whose cannabis type decides the unit of an option's
 * content. Knows nothing of stock, carts or menus.
 */
export * from './catalog-queries.ts';
export { cannabisTypes, ProductCategory } from './category-routes.ts';
export { type CatalogImport, type ImportedIds, importCatalog } from './import-catalog.ts';
export { optionLabel, unitPlural } from './option-label.ts';
