/**
 * Front door of inventory. Owns locations, packages, balances, the ledger and staff operations on stock. The ledger is
 * append-only and the truth; balances are its sums and never below zero (D47). Stock is kept per option or per
 * product, at a location, in a package or loose. Inventory decides nothing about orders: movements name their cause.
 */
export { adjustStock } from './adjust-stock.ts';
export { allocateStock, maxQuantity, stockNeedOf } from './allocate-stock.ts';
export * from './apply-state-facts.ts';
export { countStock } from './count-stock.ts';
export { requireRejectedPackage, voidPackage } from './end-package.ts';
export { importComplianceTransfers } from './import-compliance-transfers.ts';
export { importPackages } from './import-packages.ts';
export * from './inventory-queries.ts';
export { startKeepingProductStocks } from './keep-product-stocks.ts';
export { InventoryLocation } from './location-routes.ts';
export { lockedBalances } from './lock-balances.ts';
export { makeUpStock } from './make-up-stock.ts';
export { moveStock, observeStock, stockFacts } from './move-stock.ts';
export { selectNamedPackages } from './named-package-queries.ts';
export { createLocations, openStock } from './open-stock.ts';
export { digestOfPackages, selectUnsummedPackages, takeUnsummedPackages } from './package-digest.ts';
export { selectPackageIdsAfter } from './package-ids.ts';
export { readPackageUnit } from './package-units.ts';
export { packagesById } from './packages-by-id.ts';
export * from './place-of-goods-back.ts';
export { quarantineLocation } from './quarantine-location.ts';
export { receivePackage } from './receive-package.ts';
export * from './receive-stock.ts';
export { findStockDrift, repairStock } from './reconcile-stock.ts';
export { assertPackagesKnown, refusedPackage } from './refused-package.ts';
export { shownPackagesById } from './shown-packages-by-id.ts';
export * from './state-facts-queries.ts';
export { selectStockNeeds } from './stock-needs-queries.ts';
export { holdOpenLocations } from './stock-operation-queries.ts';
export * from './take-back-receptions.ts';
export * from './traded-product.ts';
export { selectTradedOptions, selectTradedProducts } from './traded-product-queries.ts';
export * from './transfer-goods.ts';
export { transferStock } from './transfer-stock.ts';
