/**
 * Front door of returns. Owns the tables order_return*. A return refunds shares of its order's stored amounts (D39),
 * restocks goods, and can be voided. The order counts its lines' returned units and shows its returns.
 */

export { returnOrder } from './return-order.ts';
export { eraseTextsOfReturns, selectReturnsForExport } from './returns-of-customer.ts';
export { voidReturn } from './void-return.ts';
