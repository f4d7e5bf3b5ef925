/**
 * Front door of orders. Owns the tables order*, and the document that lists show. All amounts are decided by
 * the pricing engine once and frozen on the order (D25); a status changes only by the table in
 * order-lifecycle.ts (D24), under a lock; stock follows in the same transaction. What comes back is refunded by
 * shares of what is stored (D39). Does not price, does not keep stock, does not know menus.
 */

export type { OrderRequest, Placement } from './build-order.ts';
export { readCart } from './cart-request.ts';
export type { OrderType } from './cart-schemas.ts';
export { compareLawOnOrders, type LawOnOrders } from './compare-law.ts';
export type { ReturnRequest } from './decide-return.ts';
export { type DispatchChange, dispatchOrder } from './dispatch-order.ts';
export { editOrder } from './edit-order.ts';
export { type HistoryStep, type ImportedLines, importOrders, type OrderHistory } from './import-orders.ts';
export { allowedActions, type OrderAction, orderActions, orderTransitions } from './order-lifecycle.ts';
export type { OrderRecord, OrderStatus, StaffName } from './order-record.ts';
export {
  type ExportedOrderRow,
  eraseCustomerOfDispatchTasks,
  eraseCustomerOfOrders,
  moveOrders,
  selectHasOpenOrders,
  selectOrdersForExport,
} from './orders-of-customer.ts';
export { placeOrder } from './place-order.ts';
export { returnOrder } from './return-order.ts';
export { stepOrder } from './step-order.ts';
export { voidReturn } from './void-return.ts';
