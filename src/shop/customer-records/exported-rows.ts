import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Sealer } from '../../platform/database/sealing.ts';
import { type selectMailsForExport, shownMailText } from '../../platform/mail/mail.ts';
import type { selectPersonForExport } from '../customers/customers.ts';
import type { selectDocumentsForExport } from '../documents/documents.ts';
import type { selectFormerSalesForExport } from '../former-sales/former-sales.ts';
import type { selectOfflineSalesForExport } from '../offline-sales/offline-sales.ts';
import type { selectBoughtForOthers } from '../orders/orders.ts';
import type { ExportedOrderRow } from '../orders/orders-of-customer.ts';
import type { selectPaymentsForExport } from '../payments/payments.ts';
import type { selectCreditsOfCustomer, selectPointsForExport } from '../promotions/promotions.ts';
import type { selectReturnsForExport } from '../returns/returns.ts';
import type { selectDeliveriesForExport } from '../webhooks/webhooks.ts';

/* Rows of the slices, as a customer's export shows them. Pure. */

/** The rows of a statement. */
type RowOf<Make extends (...given: never) => { readonly row?: unknown }> = NonNullable<
  ReturnType<Make>['row']
>;

type ReturnRow = RowOf<typeof selectReturnsForExport>;
type PaymentRow = RowOf<typeof selectPaymentsForExport>;
type OfflineSaleRow = RowOf<typeof selectOfflineSalesForExport>;

/** An order with its payments at providers, its returns and, if a register made it alone, how it came in. */
export function exportedOrder(
  row: ExportedOrderRow,
  returns: readonly ReturnRow[],
  payments: readonly PaymentRow[],
  offlineSale: OfflineSaleRow | undefined,
) {
  const { street1, street2, city, address_state: state, postal_code: postalCode } = row;
  return {
    id: row.id,
    number: row.number,
    createdAt: isoTimestamp(row.created_at),
    fulfilledAt: timestampOrNull(row.fulfilled_at),
    canceledAt: timestampOrNull(row.canceled_at),
    type: row.type,
    source: row.source,
    apiConsumerName: row.api_consumer_name,
    status: row.status,
    isMedical: row.is_medical,
    netPrice: row.net_price_cents,
    customerGrandTotal: row.customer_grand_total_cents,
    refundTotal: row.refund_total_cents,
    customerName: row.customer_name,
    deliveryNotes: row.delivery_notes,
    internalNotes: row.internal_notes,
    cancelationReason: row.cancelation_reason,
    trackingUrl: row.tracking_url,
    address:
      street1 === null
        ? null
        : { street1, street2, city: city ?? '', state: state ?? '', postalCode: postalCode ?? '' },
    lineItems: row.lines,
    payments: row.payments,
    providerPayments: payments.map(exportedPayment),
    returns: returns.map(exportedReturn),
    offlineSale:
      offlineSale === undefined
        ? null
        : {
            number: offlineSale.number,
            soldAt: isoTimestamp(offlineSale.sold_at),
            receivedAt: isoTimestamp(offlineSale.received_at),
            note: offlineSale.note,
          },
  };
}

function exportedPayment({ createdAt, status, facts, ...row }: PaymentRow) {
  return {
    ...{ createdAt: isoTimestamp(createdAt), status, captured: row.capturedCents, tip: row.tipCents },
    ...{ refunded: row.refundedCents, returned: row.returnedCents },
    ...{ payerName: facts.payerName ?? null, lastFour: facts.lastFour ?? null },
  };
}

function exportedReturn(row: ReturnRow) {
  return {
    id: row.id,
    createdAt: isoTimestamp(row.created_at),
    refundType: row.refund_type,
    paymentTypeName: row.payment_type_name,
    refundTotal: row.refund_total_cents,
    adjustmentDescription: row.adjustment_description,
    voidedAt: timestampOrNull(row.voided_at),
    voidedReason: row.voided_reason,
    lineItems: row.lines,
  };
}

/** An order that the customer bought for a patient. */
export function exportedForOthers(row: RowOf<typeof selectBoughtForOthers>) {
  return { id: row.id, number: row.number, createdAt: isoTimestamp(row.created_at) };
}

/** An entry of the points ledger. */
export function exportedPoints(row: RowOf<typeof selectPointsForExport>) {
  return {
    id: row.id,
    type: row.type,
    pointsAmount: Number(row.points_amount),
    reason: row.reason,
    orderId: row.order_id,
    createdAt: isoTimestamp(row.created_at),
  };
}

/** A credit of any state. */
export function exportedCredit(row: RowOf<typeof selectCreditsOfCustomer>) {
  return {
    id: row.id,
    type: row.type,
    description: row.description,
    amount: row.amount_cents,
    remaining: row.remaining_cents,
    percent: row.percent === null ? null : Number(row.percent),
    expiresAt: timestampOrNull(row.expires_at),
    createdAt: isoTimestamp(row.created_at),
  };
}

/** A number at a former till, with what came along. */
export function exportedFormerAccount(row: ReturnType<typeof selectPersonForExport>[2]['row'] & object) {
  return {
    ...{ till: row.till, number: row.former_id, pointsAmount: Number(row.points), credit: row.credit_cents },
    importedAt: isoTimestamp(row.imported_at),
  };
}

/** A sale of a former till. */
export function exportedFormerSale(row: RowOf<typeof selectFormerSalesForExport>) {
  return {
    ...{ till: row.till, number: row.number, soldAt: isoTimestamp(row.sold_at) },
    refundOf: row.refund_of,
    ...{ net: row.net_cents, tax: row.tax_cents, lines: row.lines },
  };
}

/** Without the file. */
export function exportedDocument(row: RowOf<typeof selectDocumentsForExport>) {
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    expiresOn: row.expires_on,
    reviewReason: row.review_reason,
    mime: row.mime,
    bytes: row.byte_count,
    uploadedAt: isoTimestamp(row.uploaded_at),
  };
}

/** A mail; its text is gone once it was sent. Staff hand the export over, so links and codes are left out. */
export function exportedMail(
  row: RowOf<typeof selectMailsForExport>,
  sealer: Sealer,
  organization: OrganizationId,
) {
  return {
    id: row.id,
    kind: row.kind,
    recipient: row.recipient,
    subject: row.subject,
    text: shownMailText(sealer, organization, row, { links: false, codes: false }),
    createdAt: isoTimestamp(row.created_at),
    sentAt: timestampOrNull(row.sent_at),
  };
}

/** To whom a change was told, and the beginning of the answer. */
export function exportedDelivery(row: RowOf<typeof selectDeliveriesForExport>) {
  return {
    id: row.id,
    type: row.type,
    about: row.resource,
    url: row.url,
    createdAt: isoTimestamp(row.created_at),
    deliveredAt: timestampOrNull(row.delivered_at),
    answer: row.answer,
  };
}

function timestampOrNull(instantMs: number | null): string | null {
  return instantMs === null ? null : isoTimestamp(instantMs);
}
