/**
 * Front door of offline sales (D75): the owner's limits, the terms on which a register sells while it cannot reach the service, and
 * the sales that it sends afterwards. Owns offline_sale_limits and offline_sales. A sale is placed once, whatever is sent again, and
 * at the amounts that were charged; what the service would have decided otherwise is kept as reasons until staff settle it. Prices
 * with the engines that the console has, too (offline-pricing/); orders and registers write their own rows.
 */

export {
  eraseNotesOfOfflineSales,
  selectOfflineSalesForExport,
  selectOfflineSalesToReview,
} from './offline-sale-queries.ts';
export { settleOfflineSale } from './settle-offline-sale.ts';
