/**
 * Front door of inventory. Owns locations, packages, balances and the ledger. The ledger is append-only and
 * the truth; balances are its sums and never below zero (D47). Stock is kept per option or per product, at a
 * location, in a package or loose. Does not know what orders are: movements name their cause.
 */
export { allocateStock, maxQuantity, type StockNeed, type StockPick, stockNeedOf } from './allocate-stock.ts';
export * from './inventory-queries.ts';
export { InventoryLocation } from './location-routes.ts';
export { moveStock, type StockCause, type StockEffect, type StockMovement } from './move-stock.ts';
export { createLocations, type OpeningStock, openStock } from './open-stock.ts';
