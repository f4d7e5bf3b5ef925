import {
  customerNotFound,
  lockCustomer,
  selectCustomerDetail,
  staffCustomer,
} from '../customers/customers.ts';
import type { Context, Origin } from '../database/context.ts';
import { selectDocumentsForExport } from '../documents/documents.ts';
import { announce } from '../events/announce.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { type ExportedOrderRow, selectOrdersForExport } from '../orders/orders.ts';
import { selectCreditsOfCustomer, selectPointsForExport } from '../promotions/promotions.ts';
import { selectQueueVisits } from '../queue/queue.ts';

/** Exports all data of one customer, and no data of others. The export is audited. Fails with USER_NOT_FOUND. */
export async function exportCustomer(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
) {
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    // The lock makes all parts consistent.
    const [, [customer], orders, points, credits, visits, documents] = await tx.run(
      lockCustomer({ id }),
      selectCustomerDetail({ id }),
      selectOrdersForExport({ userId: id }),
      selectPointsForExport({ userId: id }),
      selectCreditsOfCustomer({ userId: id }),
      selectQueueVisits({ userId: id }),
      selectDocumentsForExport({ userId: id }),
    );
    if (customer === undefined) throw customerNotFound();
    await announce(tx, context, origin, nowMs, {
      event: 'customer.exported',
      subjectType: 'customer',
      subjectId: id,
      payload: { customerId: id },
    });
    return {
      exportedAt: isoTimestamp(nowMs),
      customer: staffCustomer(customer),
      orders: orders.map(exportedOrder),
      loyaltyEvents: points.map((row) => ({
        id: row.id,
        type: row.type,
        pointsAmount: Number(row.points_amount),
        reason: row.reason,
        orderId: row.order_id,
        createdAt: isoTimestamp(row.created_at),
      })),
      credits: credits.map((row) => ({
        id: row.id,
        type: row.type,
        description: row.description,
        amount: row.amount_cents,
        remaining: row.remaining_cents,
        percent: row.percent === null ? null : Number(row.percent),
        expiresAt: timestampOrNull(row.expires_at),
        createdAt: isoTimestamp(row.created_at),
      })),
      visits: visits.map((row) => ({
        checkedInAt: isoTimestamp(row.checked_in_at),
        leftAt: timestampOrNull(row.left_at),
        leftReason: row.left_reason,
      })),
      documents: documents.map((row) => ({
        id: row.id,
        type: row.type,
        status: row.status,
        expiresOn: row.expires_on,
        uploadedAt: isoTimestamp(row.uploaded_at),
      })),
    };
  });
}

function exportedOrder(row: ExportedOrderRow) {
  const { street1, street2, city, address_state: state, postal_code: postalCode } = row;
  return {
    id: row.id,
    createdAt: isoTimestamp(row.created_at),
    fulfilledAt: timestampOrNull(row.fulfilled_at),
    canceledAt: timestampOrNull(row.canceled_at),
    type: row.type,
    source: row.source,
    status: row.status,
    netPrice: row.net_price_cents,
    customerGrandTotal: row.customer_grand_total_cents,
    refundTotal: row.refund_total_cents,
    deliveryNotes: row.delivery_notes,
    address:
      street1 === null
        ? null
        : { street1, street2, city: city ?? '', state: state ?? '', postalCode: postalCode ?? '' },
    lineItems: row.lines,
    payments: row.payments,
  };
}

function timestampOrNull(instantMs: number | null): string | null {
  return instantMs === null ? null : isoTimestamp(instantMs);
}
