/**
 * Front door of orders. Owns the tables order*, and the document that lists show. All amounts are decided by
 * the pricing engine once and frozen on the order (D25); a status changes only by the table in
 * order-lifecycle.ts (D24), under a lock; stock follows in the same transaction. Does not price, does not
 * keep stock, does not know menus.
 */

export { importOrders, type OrderHistory } from './import-orders.ts';
export { allowedActions, type OrderAction, orderActions, orderTransitions } from './order-lifecycle.ts';
export type { OrderRecord, OrderStatus, OrderType, StaffName } from './order-record.ts';
export { type OrderRequest, type Placement, placeOrder } from './place-order.ts';
export { readCart } from './price-request.ts';
export { stepOrder } from './step-order.ts';
