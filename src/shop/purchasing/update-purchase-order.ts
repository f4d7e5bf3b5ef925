import type { Static } from 'typebox';
import { assert } from '../../kernel/assert.ts';
import { canonicalDecimalText, decimal } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf, rowChangesOf } from '../../platform/events/changes-of.ts';
import { amountsOwed } from './amount-owed.ts';
import { namedVendor } from './create-purchase-order.ts';
import { type LineCents, lineCents, refuseExcess, totalCents } from './line-amounts.ts';
import { matchVendor } from './match-vendor.ts';
import { checkOrderedItems, lineRowsJson } from './order-lines.ts';
import { changedDueDate } from './payment-terms.ts';
import {
  deletePurchaseOrderLines,
  lockPurchaseOrder,
  type PurchaseOrderLineRow,
  type PurchaseOrderPaymentRow,
  type PurchaseOrderRow,
  type ReceptionRow,
  savePurchaseOrderLines,
  selectPurchaseOrderLines,
  selectPurchaseOrderPayments,
  selectReceptions,
  updatePurchaseOrderRow,
} from './purchase-order-queries.ts';
import type { PurchaseOrder, SentLine, UpdatePurchaseOrderRequest } from './purchase-order-schemas.ts';
import { shownPurchaseOrders } from './purchase-order-view.ts';

/** A line after the update; `former` is the row that it changes. */
interface PlannedLine extends LineCents {
  readonly former: PurchaseOrderLineRow | null;
  readonly path: string;
  readonly productId: number;
  readonly productOptionId: number | null;
  readonly amount: string;
  readonly costPerUnit: string;
  readonly caExcisePerUnit: string;
  readonly invoicedCostPerUnit: string | null;
}

/**
 * Changes the given fields of an open order (D50); `lineItems` is the full new set. Resolves to the order as the API
 * shows it. Fails as `createPurchaseOrder` does, with PURCHASE_ORDER_NOT_FOUND, PURCHASE_ORDER_CLOSED, and with
 * PURCHASE_ORDER_LINE_ITEM_RECEIVED for a line with received goods.
 */
export async function updatePurchaseOrder(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  sent: UpdatePurchaseOrderRequest,
): Promise<Static<typeof PurchaseOrder>> {
  const vendor = namedVendor(sent);
  refuseLinesOfTheSame(sent.lineItems ?? []);
  return context.database.write(organization, async (tx) => {
    const nowMs = context.clock.now();
    const at = isoTimestamp(nowMs);
    const [[order], lines, receptions, payments] = await tx.run(
      lockPurchaseOrder({ id }),
      selectPurchaseOrderLines({ purchaseOrderIds: [id] }),
      selectReceptions({ purchaseOrderIds: [id] }),
      selectPurchaseOrderPayments({ purchaseOrderIds: [id] }),
    );
    if (order === undefined) throw purchaseOrderNotFound();
    refuseStaleEdit(origin, order.updated_at);
    const head = plannedHead(order, sent);
    const planned = sent.lineItems && plannedLines(sent.lineItems, lines);
    const finalTotalCents = totalCents(
      planned ??
        lines.map((line) => ({ subtotalCents: line.subtotal_cents, caExciseCents: line.ca_excise_cents })),
      head.shippingHandlingFeeCents,
    );
    refuseExcess(finalTotalCents);
    const vendorId = vendor
      ? await matchVendor(tx, context, origin, nowMs, vendor)
      : order.inventory_vendor_id;
    await checkOrderedItems(tx, (planned ?? []).filter(namesNewItem));
    if (planned) refuseStrangeLines(planned);
    refuseClosed(order);
    const gone = planned ? lines.filter((line) => planned.every(({ former }) => former !== line)) : [];
    if (planned) refuseReceived(planned, gone, new Set(receptions.map((row) => row.purchase_order_line_id)));
    refuseLessThanPaid({ order, lines, receptions, payments }, planned, head.shippingHandlingFeeCents);

    const changes = changesOf(toldHead(headOf(order)), toldHead({ ...head, inventoryVendorId: vendorId }));
    const isSame = (line: PlannedLine, position: number) =>
      line.former?.position === position && !isEdited(line.former, line) && isInvoicedAs(line.former, line);
    const saved = (planned ?? []).flatMap((line, position) =>
      isSame(line, position) ? [] : [{ line, position }],
    );
    if (changes !== null || saved.length + gone.length > 0) {
      const newIds = await context.ids.take(saved.length);
      const idOf = new Map(saved.map(({ line }, index) => [line, line.former?.id ?? newIds[index]!]));
      const lineItems =
        planned &&
        rowChangesOf(
          lines.map(toldRow),
          planned.map((line) => toldLine(idOf.get(line) ?? line.former!.id, line)),
        );
      const [deleted] = await tx.run(
        gone.length === 0 ? null : deletePurchaseOrderLines({ ids: gone.map((line) => line.id) }),
        updatePurchaseOrderRow({ id, inventoryVendorId: vendorId, ...head, updatedAt: at }),
        saved.length === 0
          ? null
          : savePurchaseOrderLines({
              purchaseOrderId: id,
              lines: lineRowsJson(
                saved.map(({ line, position }) => ({ ...line, id: idOf.get(line)!, position })),
              ),
              at,
            }),
      );
      refuseKept(gone, deleted);
      await announce(tx, context, origin, nowMs, {
        event: 'purchase_order.updated',
        subjectType: 'purchase_order',
        subjectId: id,
        payload: { purchaseOrderId: id },
        details: { purchaseOrderId: id, ...changes, ...(lineItems && { lineItems }) },
      });
    }
    const [shown] = await shownPurchaseOrders(tx.run, [id]);
    return shown!;
  });
}

/** A line that is new, or has another product or option than before. */
function namesNewItem({ former, isStrange, ...line }: ReturnType<typeof plannedLines>[number]): boolean {
  return !isStrange && (former === null || isOfAnother(former, line));
}

/**
 * An edit of what was ordered does not bring what is owed below what was paid. The price of the invoice may: the rest is
 * then a credit (D90).
 */
function refuseLessThanPaid(
  { order, lines, receptions, payments }: PaidOrder,
  planned: readonly PlannedLine[] | undefined,
  feeCents: number,
): void {
  const receptionsOf = groupBy(receptions, (row) => row.purchase_order_line_id);
  const owedFor = (rows: readonly PurchaseOrderLineRow[], fee: number) =>
    amountsOwed(
      { ...order, shipping_handling_fee_cents: fee },
      rows,
      (lineId) => receptionsOf.get(lineId) ?? [],
      payments,
    );
  const before = owedFor(lines, order.shipping_handling_fee_cents);
  const after = owedFor(
    planned?.map((line, index) => ({
      ...(line.former ?? { ...lines[0]!, id: -index - 1, invoiced_cost_per_unit: null }),
      amount: line.amount,
      cost_per_unit: line.costPerUnit,
      ca_excise_per_unit: line.caExcisePerUnit,
    })) ?? lines,
    feeCents,
  );
  if (after.overpaidCents <= before.overpaidCents) return;
  throw totalBelowPaid(planned ? 'lineItems' : 'shippingHandlingFee', after.paidCents);
}

interface PaidOrder {
  readonly order: PurchaseOrderRow;
  readonly lines: readonly PurchaseOrderLineRow[];
  readonly receptions: readonly ReceptionRow[];
  readonly payments: readonly PurchaseOrderPaymentRow[];
}

function totalBelowPaid(field: string, paidCents: number) {
  return failure(
    'INVALID_PARAMS',
    `${field} must not bring the total below the paid amount: ${paidCents} cents.`,
  );
}

/** The error for an order that does not exist or belongs to another organization. */
export function purchaseOrderNotFound() {
  return failure('PURCHASE_ORDER_NOT_FOUND', 'There is no such purchase order.');
}

/** Fails with PURCHASE_ORDER_CLOSED. */
export function refuseClosed(order: PurchaseOrderRow): void {
  if (order.status === 'open') return;
  throw failure('PURCHASE_ORDER_CLOSED', 'The purchase order is closed: it cannot change.');
}

function refuseLinesOfTheSame(lines: readonly SentLine[]): void {
  const at = lines.findIndex(
    ({ id }, index) => id !== undefined && lines.findIndex((line) => line.id === id) < index,
  );
  if (at >= 0) {
    throw failure('INVALID_PARAMS', `lineItems[${at}].id must be unique in the list.`);
  }
}

function plannedHead(order: PurchaseOrderRow, sent: UpdatePurchaseOrderRequest) {
  const expectedAt = sent.expectedAt === undefined ? order.expected_at : sent.expectedAt;
  const terms = sent.paymentTerms === undefined ? order.payment_terms : sent.paymentTerms;
  const before = {
    terms: order.payment_terms,
    expectedAt: order.expected_at,
    dueDate: order.payment_terms_due_date,
  };
  return {
    expectedAt,
    notes: sent.notes === undefined ? order.notes : sent.notes,
    paymentTerms: terms,
    paymentTermsDueDate: changedDueDate(before, terms, expectedAt, sent.paymentTermsDueDate),
    externalInvoiceNumber:
      sent.externalInvoiceNumber === undefined ? order.external_invoice_number : sent.externalInvoiceNumber,
    shippingHandlingFeeCents: sent.shippingHandlingFee ?? order.shipping_handling_fee_cents,
  };
}

/** Lines with an unknown id have no `former`; they are refused after the lookups. */
function plannedLines(sent: readonly SentLine[], rows: readonly PurchaseOrderLineRow[]) {
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return sent.map((line, index): PlannedLine & { isStrange: boolean } => {
    const path = `lineItems[${index}]`;
    const former = (line.id !== undefined && rowOf.get(line.id)) || null;
    if (line.id !== undefined && former === null) {
      return { ...strangeLine, path, isStrange: true };
    }
    const productId = line.productId ?? former?.product_id;
    const amount = line.amount ?? (former && canonicalDecimalText(former.amount));
    const costPerUnit = line.costPerUnit ?? (former && canonicalDecimalText(former.cost_per_unit));
    const caExcisePerUnit =
      line.caExcisePerUnit ?? (former === null ? '0' : canonicalDecimalText(former.ca_excise_per_unit));
    assert(
      productId !== undefined && amount !== null && costPerUnit !== null,
      'a new line has all required fields',
    );
    // An option belongs to one product.
    const keptOption = former?.product_id === productId ? former.product_option_id : null;
    return {
      former,
      isStrange: false,
      path,
      productId,
      productOptionId: line.productOptionId === undefined ? keptOption : line.productOptionId,
      amount,
      costPerUnit,
      caExcisePerUnit,
      invoicedCostPerUnit:
        line.invoicedCostPerUnit === undefined
          ? ((former?.invoiced_cost_per_unit && canonicalDecimalText(former.invoiced_cost_per_unit)) ?? null)
          : line.invoicedCostPerUnit,
      ...lineCents(amount, costPerUnit, caExcisePerUnit, path),
    };
  });
}

const strangeLine = {
  former: null,
  productId: 0,
  productOptionId: null,
  amount: '1',
  costPerUnit: '0',
  caExcisePerUnit: '0',
  invoicedCostPerUnit: null,
  subtotalCents: 0,
  caExciseCents: 0,
};

function refuseStrangeLines(
  planned: readonly { readonly isStrange: boolean; readonly path: string }[],
): void {
  const strange = planned.find(({ isStrange }) => isStrange);
  if (strange === undefined) return;
  throw failure(
    'INVALID_CHILD_RESOURCE',
    `${strange.path}.id must be the id of a line of this purchase order.`,
  );
}

function isOfAnother(
  former: PurchaseOrderLineRow,
  line: Pick<PlannedLine, 'productId' | 'productOptionId'>,
): boolean {
  return former.product_id !== line.productId || former.product_option_id !== line.productOptionId;
}

function isEdited(former: PurchaseOrderLineRow, line: PlannedLine): boolean {
  return (
    isOfAnother(former, line) ||
    !decimal(former.amount).eq(line.amount) ||
    !decimal(former.cost_per_unit).eq(line.costPerUnit) ||
    !decimal(former.ca_excise_per_unit).eq(line.caExcisePerUnit)
  );
}

/** The invoice comes with the goods or after them: its price changes on a received line, too. */
function isInvoicedAs(former: PurchaseOrderLineRow, line: PlannedLine): boolean {
  const [before, after] = [former.invoiced_cost_per_unit, line.invoicedCostPerUnit];
  return before === null || after === null ? before === after : decimal(before).eq(after);
}

/** A line with received goods keeps its order data (D50). */
function refuseReceived(
  planned: readonly PlannedLine[],
  gone: readonly PurchaseOrderLineRow[],
  received: ReadonlySet<number>,
): void {
  const edited = planned.find(
    (line) => line.former !== null && received.has(line.former.id) && isEdited(line.former, line),
  );
  if (edited !== undefined) {
    throw failure(
      'PURCHASE_ORDER_LINE_ITEM_RECEIVED',
      `${edited.path} must be unchanged: some of it has been received.`,
    );
  }
  const left = gone.find((line) => received.has(line.id));
  if (left === undefined) return;
  throw failure(
    'PURCHASE_ORDER_LINE_ITEM_RECEIVED',
    `lineItems must contain line ${left.id}: some of it has been received.`,
  );
}

/** A delivery that was undone stays in the history of its line. */
function refuseKept(
  gone: readonly PurchaseOrderLineRow[],
  deleted: readonly { readonly id: number }[],
): void {
  const kept = gone.find((line) => deleted.every(({ id }) => id !== line.id));
  if (kept === undefined) return;
  throw failure(
    'PURCHASE_ORDER_LINE_ITEM_RECEIVED',
    `lineItems must contain line ${kept.id}: some of it was received, and taken back.`,
  );
}

type Head = ReturnType<typeof plannedHead> & { readonly inventoryVendorId: number };

function headOf(order: PurchaseOrderRow): Head {
  return {
    expectedAt: order.expected_at,
    notes: order.notes,
    paymentTerms: order.payment_terms,
    paymentTermsDueDate: order.payment_terms_due_date,
    externalInvoiceNumber: order.external_invoice_number,
    shippingHandlingFeeCents: order.shipping_handling_fee_cents,
    inventoryVendorId: order.inventory_vendor_id,
  };
}

/** The audit's values, with the API's field names. */
function toldHead({ shippingHandlingFeeCents, ...head }: Head) {
  return { ...head, shippingHandlingFee: shippingHandlingFeeCents };
}

function toldLine(id: number, line: Omit<PlannedLine, keyof LineCents | 'former' | 'path'>) {
  return {
    id,
    productId: line.productId,
    productOptionId: line.productOptionId,
    amount: canonicalDecimalText(line.amount),
    costPerUnit: canonicalDecimalText(line.costPerUnit),
    caExcisePerUnit: canonicalDecimalText(line.caExcisePerUnit),
    invoicedCostPerUnit: line.invoicedCostPerUnit && canonicalDecimalText(line.invoicedCostPerUnit),
  };
}

function toldRow(row: PurchaseOrderLineRow) {
  return toldLine(row.id, {
    productId: row.product_id,
    productOptionId: row.product_option_id,
    amount: row.amount,
    costPerUnit: row.cost_per_unit,
    caExcisePerUnit: row.ca_excise_per_unit,
    invoicedCostPerUnit: row.invoiced_cost_per_unit,
  });
}
