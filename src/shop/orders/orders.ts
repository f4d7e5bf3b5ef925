/**
 * Front door of orders. Owns the tables order*, and the document that lists show. The pricing engine decides
 * all amounts once, and the order keeps them (D25). A status changes only by the actions in actions/ (D24),
 * under a lock; stock follows in the same transaction. Does not decide carts (carts/), does not price
 * (pricing/), does not keep stock (inventory/), does not know menus.
 */

import './order-events.ts';

export { orderActions } from './actions/order-actions.ts';
export { compareLawOnOrders } from './compare-law.ts';
export { dispatchOrder } from './dispatch-order.ts';
export { editOrder } from './edit-order.ts';
export { hasPlacedOrderOf } from './has-placed-order-of.ts';
export { outOfStock } from './held-stock.ts';
export { importOrders } from './import-orders.ts';
export { judgeDeparture } from './judge-departure.ts';
export { loadOrder } from './loaded-order-queries.ts';
export { moveOrderStock } from './move-order-stock.ts';
export { digestOfOrders, timeZoneOfOrders } from './order-digest.ts';
export { shownAmountsOf } from './order-document.ts';
export { selectOrderIdsAfter } from './order-ids.ts';
export { selectDiscountOrders, selectOrderAtLocation } from './order-use-queries.ts';
export {
  eraseCustomerOfOrders,
  moveOrders,
  selectBoughtForOthers,
  selectHasOpenOrders,
  selectInactiveCustomers,
  selectOrdersForExport,
} from './orders-of-customer.ts';
export { assertSeesOrder } from './own-order-routes.ts';
export { placeOfflineSale } from './place-offline-sale.ts';
export { placeOrder, placingGuards } from './place-order.ts';
export { pruneExplanations } from './prune-explanations.ts';
export { reportOrder } from './report-order.ts';
export { updateReturns } from './returned-goods-queries.ts';
export { shownOrdersById } from './shown-orders.ts';
export { stepOrder } from './step-order.ts';
export { selectLateOrders, selectWaitingOrders } from './waiting-order-queries.ts';
