import type { Static } from 'typebox';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { nameText } from '../../kernel/name-text.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { lineCents, refuseExcess, totalCents } from './line-amounts.ts';
import { matchVendor, type NamedVendor } from './match-vendor.ts';
import { checkOrderedItems, lineRowsJson } from './order-lines.ts';
import { paymentDueDate } from './payment-terms.ts';
import {
  insertPurchaseOrders,
  savePurchaseOrderLines,
  selectOrderOfTransfer,
} from './purchase-order-queries.ts';
import type { CreatePurchaseOrderRequest, PurchaseOrder, SentVendor } from './purchase-order-schemas.ts';
import { shownPurchaseOrders } from './purchase-order-view.ts';

/**
 * Creates a purchase order (D49). Of a transfer there is one: it is answered again. Resolves to the order as the API shows it. Fails with INVALID_PARAMS,
 * PURCHASE_ORDER_MISSING_CUSTOM_DATE, INVENTORY_VENDOR_NOT_FOUND, PRODUCT_NOT_FOUND, PRODUCT_OPTION_NOT_FOUND,
 * INVALID_CHILD_RESOURCE and INVALID_INVENTORY_TYPE.
 */
export async function createPurchaseOrder(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  request: CreatePurchaseOrderRequest,
  complianceTransferId: number | null = null,
): Promise<Static<typeof PurchaseOrder>> {
  const vendor = namedVendor(request);
  assert(vendor !== null, 'the schema requires a vendor');
  const terms = request.paymentTerms ?? null;
  const expectedAt = request.expectedAt ?? null;
  const dueDate = paymentDueDate(terms, expectedAt, request.paymentTermsDueDate);
  const lines = request.lineItems.map((line, index) => {
    const path = `lineItems[${index}]`;
    const caExcisePerUnit = line.caExcisePerUnit ?? '0';
    return {
      ...line,
      productOptionId: line.productOptionId ?? null,
      caExcisePerUnit,
      invoicedCostPerUnit: null,
      path,
      ...lineCents(line.amount, line.costPerUnit, caExcisePerUnit, path),
    };
  });
  const feeCents = request.shippingHandlingFee ?? 0;
  const finalTotalCents = totalCents(lines, feeCents);
  refuseExcess(finalTotalCents);
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  const [id, ...lineIds] = await context.ids.take(1 + lines.length);

  const create = async (tx: TenantTransaction) => {
    const [[known]] = await tx.run(
      complianceTransferId === null ? null : selectOrderOfTransfer({ transferId: complianceTransferId }),
    );
    if (known !== undefined) return (await shownPurchaseOrders(tx.run, [known.id]))[0]!;
    const vendorId = await matchVendor(tx, context, origin, nowMs, vendor);
    await checkOrderedItems(tx, lines);
    await tx.run(
      ...insertPurchaseOrders([
        {
          id: id!,
          status: 'open',
          inventoryVendorId: vendorId,
          expectedAt,
          notes: request.notes ?? null,
          paymentTerms: terms,
          paymentTermsDueDate: dueDate,
          externalInvoiceNumber: request.externalInvoiceNumber ?? null,
          shippingHandlingFeeCents: feeCents,
          createdAt: at,
          updatedAt: at,
          complianceTransferId,
        },
      ]),
      savePurchaseOrderLines({
        purchaseOrderId: id!,
        lines: lineRowsJson(lines.map((line, position) => ({ ...line, id: lineIds[position]!, position }))),
        at,
      }),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'purchase_order.created',
      subjectType: 'purchase_order',
      subjectId: id!,
      payload: { purchaseOrderId: id!, inventoryVendorId: vendorId },
      details: {
        purchaseOrderId: id,
        inventoryVendorId: vendorId,
        lines: lines.length,
        finalTotal: finalTotalCents,
      },
    });
    const [order] = await shownPurchaseOrders(tx.run, [id!]);
    return order!;
  };
  return context.database.write(organization, create, {
    retryOnConstraints: ['purchase_orders_of_transfer'],
  });
}

/** The vendor in a request, or null if there is none. Fails with INVALID_PARAMS when it has two. */
export function namedVendor(request: {
  readonly inventoryVendorId?: number;
  readonly inventoryVendor?: SentVendor;
}): NamedVendor | null {
  const { inventoryVendorId: id, inventoryVendor: sent } = request;
  if (id !== undefined && sent !== undefined) {
    throw failure('INVALID_PARAMS', 'inventoryVendor must be left out when inventoryVendorId is sent.');
  }
  if (id !== undefined) return { id };
  return sent === undefined ? null : { profile: vendorProfile(sent) };
}

/** The fields of a vendor; absent ones are null. */
export function vendorProfile(sent: SentVendor) {
  return {
    name: nameText(sent.name),
    email: sent.email ?? null,
    phone: sent.phone ?? null,
    notes: sent.notes ?? null,
    sellerPermitNumber: sent.sellerPermitNumber ?? null,
    street1: sent.street1 ?? null,
    street2: sent.street2 ?? null,
    city: sent.city ?? null,
    state: sent.state ?? null,
    postalCode: sent.postalCode ?? null,
  };
}
