import type { Static } from 'typebox';
import { assert } from '../../kernel/assert.ts';
import { canonicalDecimalText, decimalText, zero } from '../../kernel/decimal.ts';
import { groupBy } from '../../kernel/group-by.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { selectTradedOptions, selectTradedProducts, TradedGoods } from '../inventory/stock.ts';
import { type AmountsOwed, amountsOwed } from './amount-owed.ts';
import {
  type PurchaseOrderLineRow,
  type PurchaseOrderPaymentRow,
  type PurchaseOrderRow,
  type ReceptionRow,
  selectPurchaseOrderLines,
  selectPurchaseOrderPayments,
  selectPurchaseOrders,
  selectReceptions,
} from './purchase-order-queries.ts';
import type { PurchaseOrder, PurchaseOrderLine, Vendor } from './purchase-order-schemas.ts';
import { selectVendors } from './vendor-queries.ts';
import { vendors } from './vendor-setting.ts';

/** How statements are sent: in a transaction, or as a separate read. */
type Send = TenantTransaction['run'];

/** Purchase orders as the API shows them, in the order of `ids`, those that are there: two round trips, whatever their number. */
export async function shownPurchaseOrders(
  send: Send,
  ids: readonly number[],
): Promise<Static<typeof PurchaseOrder>[]> {
  if (ids.length === 0) return [];
  const [orders, lines, receptions, payments] = await send(
    selectPurchaseOrders({ ids }),
    selectPurchaseOrderLines({ purchaseOrderIds: ids }),
    selectReceptions({ purchaseOrderIds: ids }),
    selectPurchaseOrderPayments({ purchaseOrderIds: ids }),
  );
  const [vendorRows, products, options] = await send(
    selectVendors({ ids: [...new Set(orders.map((order) => order.inventory_vendor_id))] }),
    selectTradedProducts({ ids: [...new Set(lines.map((line) => line.product_id))] }),
    selectTradedOptions({ ids: [...new Set(lines.flatMap((line) => line.product_option_id ?? []))] }),
  );
  const orderOf = new Map(orders.map((order) => [order.id, order]));
  const vendorOf = new Map(vendorRows.map((row) => [row.id, vendors.shown(row)]));
  const linesOf = groupBy(lines, (line) => line.purchase_order_id);
  const receptionsOf = groupBy(receptions, (reception) => reception.purchase_order_line_id);
  const paymentsOf = groupBy(payments, (row) => row.purchase_order_id);
  const goods = new TradedGoods(products, options);
  return ids.flatMap((id) => {
    const order = orderOf.get(id);
    if (order === undefined) return [];
    const vendor = vendorOf.get(order.inventory_vendor_id);
    assert(vendor !== undefined, 'a vendor is never deleted');
    const [ordered, settled] = [linesOf.get(id) ?? [], paymentsOf.get(id) ?? []];
    const owed = amountsOwed(order, ordered, (lineId) => receptionsOf.get(lineId) ?? [], settled);
    return shownOrder(
      order,
      vendor,
      ordered.map((line) => shownLine(line, receptionsOf.get(line.id) ?? [], goods, owed)),
      owed,
      settled,
    );
  });
}

/** The payment status: an order of which nothing is owed is paid. */
function paymentStatus(owed: AmountsOwed): 'paid' | 'unpaid' | 'partial' {
  if (owed.outstandingCents === 0) return 'paid';
  return owed.paidCents === 0 ? 'unpaid' : 'partial';
}

function shownOrder(
  order: PurchaseOrderRow,
  vendor: Static<typeof Vendor>,
  lineItems: Static<typeof PurchaseOrderLine>[],
  owed: AmountsOwed,
  settled: readonly PurchaseOrderPaymentRow[],
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
    paymentStatus: paymentStatus(owed),
    totalAmountReceived: sumOf(lineItems.map((line) => line.amountReceived)),
    caExciseTotal: lineItems.reduce((sum, line) => sum + line.caExciseTotal, 0),
    shippingHandlingFeeExcise: 0,
    amountOwed: owed.owedCents,
    amountPaid: owed.paidCents,
    amountCredited: owed.creditedCents,
    amountOutstanding: owed.outstandingCents,
    creditBalance: owed.overpaidCents,
    vendorCredits: settled.flatMap(({ credit_reason: reason, ...row }) =>
      reason === null
        ? []
        : {
            id: row.id,
            amount: row.amount_cents,
            reason,
            packageId: row.package_id,
            createdAt: isoTimestamp(row.created_at),
          },
    ),
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
  { lines: owed }: AmountsOwed,
): Static<typeof PurchaseOrderLine> {
  const product = goods.product(line.product_id);
  assert(product !== null, 'a product is never deleted');
  return {
    id: line.id,
    amount: canonicalDecimalText(line.amount),
    caExcisePerUnit: canonicalDecimalText(line.ca_excise_per_unit),
    caExciseTotal: line.ca_excise_cents,
    costPerUnit: canonicalDecimalText(line.cost_per_unit),
    invoicedCostPerUnit: line.invoiced_cost_per_unit && canonicalDecimalText(line.invoiced_cost_per_unit),
    amountOwed: owed.get(line.id)!.cameCents + owed.get(line.id)!.restCents,
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

function sumOf(amounts: readonly string[]): string {
  return decimalText(amounts.reduce((sum, amount) => sum.plus(amount), zero));
}
