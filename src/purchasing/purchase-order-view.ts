import type { Static } from 'typebox';
import type { TenantTransaction } from '../database/database.ts';
import { selectTradedOptions, selectTradedProducts, TradedGoods } from '../inventory/stock.ts';
import { assert } from '../kernel/assert.ts';
import { canonicalDecimalText, decimalText, zero } from '../kernel/decimal.ts';
import { groupBy } from '../kernel/group-by.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import {
  type PurchaseOrderLineRow,
  type PurchaseOrderRow,
  type ReceptionRow,
  selectAmountsPaid,
  selectPurchaseOrderLines,
  selectPurchaseOrders,
  selectReceptions,
} from './purchase-order-queries.ts';
import type { PurchaseOrder, PurchaseOrderLine, Vendor } from './purchase-order-schemas.ts';
import { selectVendors, type VendorRow } from './vendor-queries.ts';

/** How statements are sent: in a transaction, or as a separate read. */
export type Send = TenantTransaction['run'];

/** Purchase orders as the API shows them, in the order of `ids`, those that are there: two round trips, whatever their number. */
export async function shownPurchaseOrders(
  send: Send,
  ids: readonly number[],
): Promise<Static<typeof PurchaseOrder>[]> {
  if (ids.length === 0) return [];
  const [orders, lines, receptions, paid] = await send(
    selectPurchaseOrders({ ids }),
    selectPurchaseOrderLines({ purchaseOrderIds: ids }),
    selectReceptions({ purchaseOrderIds: ids }),
    selectAmountsPaid({ purchaseOrderIds: ids }),
  );
  const [vendors, products, options] = await send(
    selectVendors({ ids: [...new Set(orders.map((order) => order.inventory_vendor_id))] }),
    selectTradedProducts({ ids: [...new Set(lines.map((line) => line.product_id))] }),
    selectTradedOptions({ ids: [...new Set(lines.flatMap((line) => line.product_option_id ?? []))] }),
  );
  const orderOf = new Map(orders.map((order) => [order.id, order]));
  const vendorOf = new Map(vendors.map((vendor) => [vendor.id, shownVendor(vendor)]));
  const linesOf = groupBy(lines, (line) => line.purchase_order_id);
  const receptionsOf = groupBy(receptions, (reception) => reception.purchase_order_line_id);
  const paidOf = new Map(paid.map((row) => [row.purchase_order_id, row.amount_cents]));
  const goods = new TradedGoods(products, options);
  return ids.flatMap((id) => {
    const order = orderOf.get(id);
    if (order === undefined) return [];
    const vendor = vendorOf.get(order.inventory_vendor_id);
    assert(vendor !== undefined, 'a vendor is never deleted');
    return shownOrder(
      order,
      vendor,
      (linesOf.get(id) ?? []).map((line) => shownLine(line, receptionsOf.get(line.id) ?? [], goods)),
      paidOf.get(id) ?? 0,
    );
  });
}

/** The payment status: an order that costs nothing is paid. */
export function paymentStatus(finalTotalCents: number, paidCents: number): 'paid' | 'unpaid' | 'partial' {
  if (paidCents >= finalTotalCents) return 'paid';
  return paidCents === 0 ? 'unpaid' : 'partial';
}

function shownOrder(
  order: PurchaseOrderRow,
  vendor: Static<typeof Vendor>,
  lineItems: Static<typeof PurchaseOrderLine>[],
  amountPaid: number,
): Static<typeof PurchaseOrder> {
  const subtotal = lineItems.reduce((sum, line) => sum + line.finalTotal, 0);
  const finalTotal = subtotal + order.shipping_handling_fee_cents;
  return {
    id: order.id,
    organizationId: order.organization_id,
    status: order.status,
    createdAt: isoTimestamp(order.created_at),
    updatedAt: isoTimestamp(order.updated_at),
    expectedAt: order.expected_at,
    finalTotal,
    subtotal,
    shippingHandlingFee: order.shipping_handling_fee_cents,
    totalAmount: sumOf(lineItems.map((line) => line.amount)),
    notes: order.notes,
    paymentTerms: order.payment_terms,
    paymentTermsDueDate: order.payment_terms_due_date,
    paymentStatus: paymentStatus(finalTotal, amountPaid),
    totalAmountReceived: sumOf(lineItems.map((line) => line.amountReceived)),
    caExciseTotal: lineItems.reduce((sum, line) => sum + line.caExciseTotal, 0),
    shippingHandlingFeeExcise: 0,
    amountPaid,
    amountOutstanding: finalTotal - amountPaid,
    externalInvoiceNumber: order.external_invoice_number,
    inventoryVendorId: vendor.id,
    inventoryVendor: vendor,
    vendor,
    lineItems,
  };
}

function shownLine(
  line: PurchaseOrderLineRow,
  receptions: readonly ReceptionRow[],
  goods: TradedGoods,
): Static<typeof PurchaseOrderLine> {
  const product = goods.product(line.product_id);
  assert(product !== null, 'a product is never deleted');
  return {
    id: line.id,
    amount: canonicalDecimalText(line.amount),
    caExcisePerUnit: canonicalDecimalText(line.ca_excise_per_unit),
    caExciseTotal: line.ca_excise_cents,
    costPerUnit: canonicalDecimalText(line.cost_per_unit),
    finalTotal: line.subtotal_cents + line.ca_excise_cents,
    subtotal: line.subtotal_cents,
    productId: line.product_id,
    productOptionId: line.product_option_id,
    product,
    productOption: line.product_option_id === null ? null : goods.option(line.product_option_id),
    createdAt: isoTimestamp(line.created_at),
    updatedAt: isoTimestamp(line.updated_at),
    amountReceived: sumOf(receptions.map((reception) => reception.amount)),
    receptions: receptions.map((reception) => ({
      inventoryLocationId: reception.inventory_location_id,
      amount: canonicalDecimalText(reception.amount),
      createdAt: isoTimestamp(reception.created_at),
    })),
  };
}

/** Maps a row to a vendor. */
export function shownVendor(row: VendorRow): Static<typeof Vendor> {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    phone: row.phone,
    notes: row.notes,
    createdAt: isoTimestamp(row.created_at),
    updatedAt: isoTimestamp(row.updated_at),
    archivedAt: row.archived_at === null ? null : isoTimestamp(row.archived_at),
    email: row.email,
    sellerPermitNumber: row.seller_permit_number,
    street1: row.street1,
    street2: row.street2,
    city: row.city,
    state: row.state,
    postalCode: row.postal_code,
  };
}

function sumOf(amounts: readonly string[]): string {
  return decimalText(amounts.reduce((sum, amount) => sum.plus(amount), zero));
}
