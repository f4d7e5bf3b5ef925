/**
 * Front door of former sales: what a shop sold with another till, before it moved here. Owns `former_sales`. They are read only: they
 * count for purchase limits and stand on customers' pages; reports of sales name their sums apart, as imported; they move
 * no stock, points or drawer, and are in no report to the state. A sale is known by till, number and local day, so an export that is read again adds nothing.
 */
export {
  eraseCustomerOfFormerSales,
  type FormerSalesSumRow,
  moveFormerSales,
  selectFormerSalesForExport,
  sumFormerSalesOfDays,
} from './former-sale-queries.ts';
export { FormerSaleLine } from './former-sale-schemas.ts';
export { formerSaleStaffRoutes } from './former-sale-staff-routes.ts';
export {
  formerSaleKeys,
  importFormerSales,
  localDayOfSale,
  readFormerSale,
} from './import-former-sales.ts';
export { SoldGoods, selectOptionsOf, signedSums } from './sold-goods.ts';
