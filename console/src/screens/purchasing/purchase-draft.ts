import type { StockItem } from '../../parts/stock-item-picker.tsx';
import { t } from '../../words/words.ts';
import { lineName, type PurchaseOrder } from './purchase-words.ts';

/** A line being edited. */
export interface LineDraft {
  /** The React key. */
  readonly key: string;
  readonly id?: number;
  readonly item: StockItem | null;
  readonly amount: string;
  /** In dollars. */
  readonly costPerUnit: string;
}

/** The editable part of a purchase order. */
export interface PurchaseDraft {
  readonly inventoryVendorId: number | null;
  readonly expectedAt: string | null;
  readonly paymentTerms: PurchaseOrder['paymentTerms'];
  readonly paymentTermsDueDate: string | null;
  readonly externalInvoiceNumber: string;
  readonly notes: string;
  readonly shippingHandlingFee: number;
  readonly lineItems: LineDraft[];
}

export const blankPurchase: PurchaseDraft = {
  inventoryVendorId: null,
  expectedAt: null,
  paymentTerms: null,
  paymentTermsDueDate: null,
  externalInvoiceNumber: '',
  notes: '',
  shippingHandlingFee: 0,
  lineItems: [{ key: 'first', item: null, amount: '', costPerUnit: '' }],
};

export function purchaseDraftOf(order: PurchaseOrder): PurchaseDraft {
  return {
    inventoryVendorId: order.inventoryVendorId,
    expectedAt: order.expectedAt,
    paymentTerms: order.paymentTerms,
    // Other terms determine the due date, and the service would refuse it.
    paymentTermsDueDate: order.paymentTerms === 'custom' ? order.paymentTermsDueDate : null,
    externalInvoiceNumber: order.externalInvoiceNumber ?? '',
    notes: order.notes ?? '',
    shippingHandlingFee: order.shippingHandlingFee,
    lineItems: order.lineItems.map((line) => ({
      key: String(line.id),
      id: line.id,
      item: { productId: line.productId, productOptionId: line.productOptionId, label: lineName(line) },
      amount: line.amount,
      costPerUnit: line.costPerUnit,
    })),
  };
}

/** The request body; missing fields are left out, so the service names them. */
export function purchaseBody(changes: Partial<PurchaseDraft>) {
  const { inventoryVendorId, expectedAt, paymentTermsDueDate, externalInvoiceNumber, notes, lineItems } =
    changes;
  const { paymentTerms, shippingHandlingFee } = changes;
  return {
    ...(paymentTerms !== undefined && { paymentTerms }),
    ...(paymentTermsDueDate != null && { paymentTermsDueDate }),
    ...(shippingHandlingFee !== undefined && { shippingHandlingFee }),
    ...(inventoryVendorId != null && { inventoryVendorId }),
    ...(expectedAt !== undefined && { expectedAt }),
    ...(externalInvoiceNumber !== undefined && {
      externalInvoiceNumber: externalInvoiceNumber.trim() || null,
    }),
    ...(notes !== undefined && { notes: notes.trim() || null }),
    ...(lineItems && { lineItems: lineItems.map(lineBody) }),
  };
}

function lineBody({ id, item, amount, costPerUnit }: LineDraft) {
  return {
    ...(id !== undefined && { id }),
    ...(item && { productId: item.productId, productOptionId: item.productOptionId }),
    // In an existing line, leaving it out would keep the old value.
    ...((amount !== '' || id !== undefined) && { amount }),
    ...((costPerUnit !== '' || id !== undefined) && { costPerUnit }),
  } as {
    id?: number;
    productId: number;
    productOptionId: number | null;
    amount: string;
    costPerUnit: string;
  };
}

const labels: Readonly<Record<keyof PurchaseDraft, string>> = {
  inventoryVendorId: t`Vendor`,
  expectedAt: t`Expected`,
  paymentTerms: t`Terms`,
  paymentTermsDueDate: t`Due`,
  externalInvoiceNumber: t`Invoice number`,
  notes: t`Notes`,
  shippingHandlingFee: t`Shipping and handling`,
  lineItems: t`Goods`,
};

/** A field's label and value, for an edit conflict. */
export function purchaseLabel(name: keyof PurchaseDraft): string {
  return labels[name];
}
