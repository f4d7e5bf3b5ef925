/**
 * Front door of purchasing. Owns vendors and purchase orders with their lines, receptions and payments. Receptions and
 * payments cannot be undone here, and a closed order does not change. Purchasing keeps no stock: receptions go to
 * inventory, which names them as the cause.
 */

export { createPurchaseOrder } from './create-purchase-order.ts';
export { exportedVendor, importVendors, readVendorRow } from './import-vendors.ts';
export { orderTransfer } from './order-transfer.ts';
export { digestOfPurchaseOrders } from './purchase-order-digest.ts';
export { selectPurchaseOrderIdsAfter } from './purchase-order-ids.ts';
export { PurchaseOrder, purchaseOrderExample } from './purchase-order-schemas.ts';
export { receivePurchaseOrder } from './receive-purchase-order.ts';
export { setPurchaseOrderOpen, settlePurchaseOrder } from './settle-purchase-order.ts';
export { shownPurchaseOrdersById } from './shown-purchase-orders-by-id.ts';
