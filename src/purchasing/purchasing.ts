/**
 * Front door of purchasing. Owns vendors and purchase orders with their lines, receptions and payments. What has been
 * received or paid is never taken back here, and a closed order does not change. Keeps no stock: what comes in is
 * handed to inventory, which names the reception as the cause.
 */
export { createPurchaseOrder } from './create-purchase-order.ts';
export { receivePurchaseOrder } from './receive-purchase-order.ts';
export { payPurchaseOrder, setPurchaseOrderOpen } from './settle-purchase-order.ts';
export { shownPurchaseOrdersById } from './shown-purchase-orders-by-id.ts';
