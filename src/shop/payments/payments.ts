/**
 * Front door of payments: money that moves by a provider (D105): terminals at a counter, pay by bank. Owns the tables payment_connections,
 * payment_intents, payment_refunds, payment_ledger_entries and payment_tasks. A payment is committed before its provider hears of it,
 * and asked for once; what is not known is read until it is. Money is booked as the provider says it, once, and what no order
 * counts is given back or is a task of a person. Payments knows of an order only its state and what is due; orders decide how they
 * are paid. It keeps no drawers and no payment types.
 */

export {
  type ChargedRow,
  eraseFactsOfPayments,
  selectChargedOfOrder,
  selectPaymentsForExport,
} from './intent-queries.ts';
export { selectConnections } from './payment-connection-queries.ts';
export { paymentDeskOf } from './payment-desk.ts';
export { countOpenTasks, eraseNotesOfPayments } from './payment-task-queries.ts';
export { type PaymentWork, passPayments, startPayments } from './payment-worker.ts';
export { type PaymentAsTold, paymentsAsTold, type RefundAsTold } from './payments-as-told.ts';
export { keepMoneyOfReturn, refundToPayments, returnMoneyOfOrder } from './refund-intent.ts';
export { changeConnection, createConnection, resealPaymentSecrets } from './set-connection.ts';
export { assertNoMoneyAtProviders, assertNoOpenPayment, settleOrderMoney } from './settle-order.ts';
export { endOpenPayments } from './start-intent.ts';
