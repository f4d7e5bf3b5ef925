import { Failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { selectMailsForExport } from '../../platform/mail/mail.ts';
import type { SealedFiles } from '../../platform/storage/sealed-files.ts';
import {
  customerNotFound,
  lockCustomer,
  selectCustomerDetail,
  selectMergedInto,
  selectPersonForExport,
  staffCustomerDetail,
} from '../customers/customers.ts';
import { selectDocumentsForExport, viewDocument } from '../documents/documents.ts';
import { selectFormerSalesForExport } from '../former-sales/former-sales.ts';
import { selectOfflineSalesForExport } from '../offline-sales/offline-sales.ts';
import { selectBoughtForOthers, selectOrdersForExport } from '../orders/orders.ts';
import { selectPaymentsForExport } from '../payments/payments.ts';
import { selectCreditsOfCustomer, selectPointsForExport } from '../promotions/promotions.ts';
import { selectQueueVisits } from '../queue/queue.ts';
import { selectReturnsForExport } from '../returns/returns.ts';
import { selectDeliveriesForExport } from '../webhooks/webhooks.ts';
import {
  exportedCredit,
  exportedDelivery,
  exportedDocument,
  exportedFormerAccount,
  exportedFormerSale,
  exportedForOthers,
  exportedMail,
  exportedOrder,
  exportedPoints,
} from './exported-rows.ts';
import { toldOf } from './told-of.ts';

/** The files of one export together; a document has 2.5 MB at most. */
const fileBytesMax = 32 * 1_048_576;

/**
 * Exports all data of one customer, and no data of others. The export is audited, and so is each file that is in it
 * (`documentFiles`; null: without files). Fails with USER_NOT_FOUND.
 */
export async function exportCustomer(
  context: Context,
  documentFiles: SealedFiles | null,
  origin: Origin,
  organization: OrganizationId,
  id: number,
) {
  const exported = await context.database.write(organization, (tx) => readAll(tx, context, origin, id));
  let left = documentFiles === null ? 0 : fileBytesMax;
  const documents = [];
  for (const row of exported.documents) {
    const fits = documentFiles !== null && row.byte_count <= left;
    if (fits) left -= row.byte_count;
    const content = fits ? await contentOf(context, documentFiles, origin, organization, id, row.id) : null;
    documents.push({ ...exportedDocument(row), content });
  }
  return { ...exported, documents };
}

async function readAll(tx: TenantTransaction, context: Context, origin: Origin, id: number) {
  const nowMs = context.clock.now();
  const sealer = await context.sealing.load();
  // The lock makes all parts consistent.
  const [
    ,
    [customer],
    merged,
    orders,
    points,
    credits,
    visits,
    documents,
    licenses,
    sessions,
    former,
    formerSales,
    forOthers,
  ] = await tx.run(
    lockCustomer({ id }),
    selectCustomerDetail({ id }),
    selectMergedInto({ id }),
    selectOrdersForExport({ userId: id }),
    selectPointsForExport({ userId: id }),
    selectCreditsOfCustomer({ userId: id }),
    selectQueueVisits({ userId: id }),
    selectDocumentsForExport({ userId: id }),
    ...selectPersonForExport(id),
    selectFormerSalesForExport({ userId: id }),
    selectBoughtForOthers({ userId: id }),
  );
  if (customer === undefined) throw customerNotFound();
  const orderIds = orders.map((row) => row.id);
  const ids = [id, ...merged.map((row) => row.id)];
  const [returns, payments, offlineSales, mails, deliveries] = await tx.run(
    selectReturnsForExport({ orderIds }),
    selectPaymentsForExport({ orderIds }),
    selectOfflineSalesForExport({ orderIds }),
    selectMailsForExport({ recipient: customer.email, about: orderIds }),
    selectDeliveriesForExport({ resources: toldOf({ ids, orderIds, points, entries: visits }) }),
  );
  await announce(tx, context, origin, nowMs, {
    event: 'customer.exported',
    subjectType: 'customer',
    subjectId: id,
    payload: { customerId: id },
  });
  return {
    exportedAt: isoTimestamp(nowMs),
    customer: withoutOthers(staffCustomerDetail(customer)),
    formerIds: merged.map((row) => row.id),
    formerAccounts: former.map(exportedFormerAccount),
    formerSales: formerSales.map(exportedFormerSale),
    orders: orders.map((row) =>
      exportedOrder(
        row,
        returns.filter((it) => it.order_id === row.id),
        payments.filter((it) => it.orderId === row.id),
        offlineSales.find((it) => it.order_id === row.id),
      ),
    ),
    boughtForOthers: forOthers.map(exportedForOthers),
    loyaltyEvents: points.map(exportedPoints),
    credits: credits.map(exportedCredit),
    visits: visits.map((row) => ({
      checkedInAt: isoTimestamp(row.checked_in_at),
      leftAt: row.left_at === null ? null : isoTimestamp(row.left_at),
      leftReason: row.left_reason,
    })),
    documents,
    scannedLicenses: licenses.map((row) => ({ recordedAt: isoTimestamp(row.recorded_at) })),
    sessions: sessions.map((row) => ({
      contact: row.contact,
      createdAt: isoTimestamp(row.created_at),
      expiresAt: isoTimestamp(row.expires_at),
    })),
    mails: mails.map((row) => exportedMail(row, sealer, tx.organizationId)),
    webhookDeliveries: deliveries.map(exportedDelivery),
  };
}

/** Patients and caregivers are other people: the export has which they are, and not their names. */
function withoutOthers(customer: ReturnType<typeof staffCustomerDetail>) {
  const unnamed = (people: typeof customer.patients) => people.map((person) => ({ ...person, name: '' }));
  return { ...customer, patients: unnamed(customer.patients), caregivers: unnamed(customer.caregivers) };
}

/** Null: its retention has ended meanwhile. */
async function contentOf(
  context: Context,
  files: SealedFiles,
  origin: Origin,
  organization: OrganizationId,
  customerId: number,
  id: number,
): Promise<string | null> {
  try {
    const { bytes } = await viewDocument(context, files, origin, organization, customerId, id);
    return bytes.toString('base64');
  } catch (error) {
    if (error instanceof Failure && error.code === 'DOCUMENT_NOT_FOUND') return null;
    throw error;
  }
}
