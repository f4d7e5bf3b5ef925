/**
 * Front door of the catalog: products, options, brands, categories, sub-categories, tags and photos. Owns those
 * tables. A product has one category, whose cannabis type decides the unit of an option's content. Photos are fetched
 * in the background from their submitted addresses. The catalog only checks whether stock exists, because nothing is
 * deleted while it does; it does not know carts and menus.
 */
export * from './catalog-queries.ts';
export { ProductCategory } from './category-routes.ts';
export { findContentDoubts, startContentCheck } from './check-contents.ts';
export { drawnPhotoSizes, findPhotoFault, storeDrawing } from './drawn-photos.ts';
export { exportedProduct } from './exported-product.ts';
export { photoFetching } from './fetch-product-photo.ts';
export { importCatalog } from './import-catalog.ts';
export { importProductRows, productRowKeys, readProductRow } from './import-product-rows.ts';
export { readPotency } from './imported-potency.ts';
export { flowerWords, isStrainWord } from './imported-words.ts';
export { setOptionCosts, setProductCosts } from './moving-average-costs.ts';
export { optionLabel, unitPlural } from './option-label.ts';
export { unwrappedCell, whyNoCode } from './product-codes.ts';
export { digestOfProducts } from './product-digest.ts';
export { selectProductIdsAfter } from './product-ids.ts';
export { selectLostPhotos } from './product-photo-queries.ts';
export { photoBytesMax, photoMediaTypes, photoSizes, storeUploadedPhoto } from './product-photo-sizes.ts';
export { photosByOwner } from './product-photos.ts';
export { selectAnyOption, selectOptionsOfProducts } from './product-queries.ts';
export {
  brandView,
  categoryView,
  joinedBrand,
  optionView,
  photosView,
  productStatements,
  productView,
  shownProductView,
  showProducts,
} from './product-view.ts';
export { replaceOptions } from './replace-options.ts';
export * from './sellable-option-queries.ts';
export { productsToRetire, retireProduct, syncProduct } from './sync-product.ts';
export { startTendingPhotos } from './tend-photos.ts';
export { restoreProduct, showAgain, withdrawProduct } from './undo-product.ts';
