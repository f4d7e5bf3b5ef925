/**
 * Front door of orders. Owns the tables order*, and the document that lists show. The pricing engine decides
 * all amounts once, and the order keeps them (D25). A status changes only by the actions in actions/ (D24),
 * under a lock; stock follows in the same transaction. Does not decide carts (carts/), does not price
 * (pricing/), does not keep stock (inventory/), does not know menus.
 */

export { orderActions } from './actions/order-actions.ts';
export { compareLawOnOrders } from './compare-law.ts';
export { dispatchOrder } from './dispatch-order.ts';
export { editOrder } from './edit-order.ts';
export { hasPlacedOrderOf } from './has-placed-order-of.ts';
export { needsOfLines, outOfStock } from './held-stock.ts';
export { importOrders } from './import-orders.ts';
export { loadOrder } from './loaded-order-queries.ts';
export { offlineDoubts } from './offline-doubts.ts';
export { digestOfOrders, digestOfOwnOrders, timeZoneOfOrders } from './order-digest.ts';
export { shownAmountsOf } from './order-document.ts';
export { orderExample } from './order-examples.ts';
export { selectOrderIdsAfter, selectOwnOrderIdsAfter } from './order-ids.ts';
export { allowedActions } from './order-lifecycle.ts';
export { updateOrderHead } from './order-queries.ts';
export { dispatchStatuses } from './order-record.ts';
export {
  inventoryActions,
  OrderReturn,
  refundTypes,
  returnLinesMax,
  returnTypes,
} from './order-return-schema.ts';
export { Order, OrderId } from './order-schemas.ts';
export { selectDiscountOrders, selectOrderAtLocation } from './order-use-queries.ts';
export {
  eraseCustomerOfDispatchTasks,
  eraseCustomerOfOrders,
  eraseTextsOfOrders,
  moveOrders,
  selectHasOpenOrders,
  selectInactiveCustomers,
  selectIsInactive,
  selectOrdersForExport,
} from './orders-of-customer.ts';
export { assertSeesOrder } from './own-order-routes.ts';
export { placeOfflineSale } from './place-offline-sale.ts';
export { placeOrder, placingGuards } from './place-order.ts';
export { pruneExplanations } from './prune-explanations.ts';
export { moveReturnedQuantities } from './returned-goods-queries.ts';
export { shownOrdersById, shownOwnOrdersById } from './shown-orders.ts';
export { priceOverrideRoles } from './staff-allowance.ts';
export { stepOrder } from './step-order.ts';
export { selectLateOrders, selectWaitingOrders } from './waiting-order-queries.ts';
