import { countOfRows } from '../../platform/lists/counted-rows.ts';
import { sortedList } from '../../platform/lists/sorted-list.ts';
import { insertMany, statement } from '../../platform/statements/statement.ts';
import type { PaymentTerms } from './payment-terms.ts';

/** SQL on purchase orders, their lines, receptions and payments. */

export interface PurchaseOrderRow {
  id: number;
  organization_id: number;
  status: 'open' | 'closed';
  inventory_vendor_id: number;
  expected_at: string | null;
  notes: string | null;
  payment_terms: PaymentTerms | null;
  payment_terms_due_date: string | null;
  external_invoice_number: string | null;
  shipping_handling_fee_cents: number;
  created_at: number;
  updated_at: number;
}

export interface PurchaseOrderLineRow {
  id: number;
  purchase_order_id: number;
  position: number;
  product_id: number;
  product_option_id: number | null;
  amount: string;
  cost_per_unit: string;
  subtotal_cents: number;
  ca_excise_per_unit: string;
  ca_excise_cents: number;
  /** Dollars; null: as ordered. */
  invoiced_cost_per_unit: string | null;
  created_at: number;
  updated_at: number;
}

export interface ReceptionRow {
  id: number;
  purchase_order_id: number;
  purchase_order_line_id: number;
  inventory_location_id: number;
  package_id: number | null;
  amount: string;
  /** The price of this delivery, in dollars: its own, or as ordered; null: that of the invoice of its line. */
  cost_per_unit: string | null;
  created_at: number;
}

const orderColumns = `id, organization_id, status, inventory_vendor_id, expected_at, notes, payment_terms,
  payment_terms_due_date, external_invoice_number, shipping_handling_fee_cents, created_at, updated_at`;

/** In no particular order. */
export const selectPurchaseOrders = statement<{ ids: readonly number[] }, PurchaseOrderRow>(
  'select_purchase_orders',
  `select ${orderColumns} from purchase_orders where organization_id = :organizationId and id = any(:ids)`,
);

/** Every change of an order happens under this lock. */
export const lockPurchaseOrder = statement<{ id: number }, PurchaseOrderRow>(
  'lock_purchase_order',
  `select ${orderColumns} from purchase_orders where organization_id = :organizationId and id = :id for update`,
);

export const selectPurchaseOrderLines = statement<
  { purchaseOrderIds: readonly number[] },
  PurchaseOrderLineRow
>(
  'select_purchase_order_lines',
  `select id, purchase_order_id, position, product_id, product_option_id, amount, cost_per_unit, subtotal_cents,
          ca_excise_per_unit, ca_excise_cents, invoiced_cost_per_unit, created_at, updated_at
     from purchase_order_lines
    where organization_id = :organizationId and purchase_order_id = any(:purchaseOrderIds)
    order by purchase_order_id, position, id`,
);

/** Those that stand: without the ones that were undone. */
export const selectReceptions = statement<{ purchaseOrderIds: readonly number[] }, ReceptionRow>(
  'select_receptions',
  `select r.id, r.purchase_order_id, r.purchase_order_line_id, r.inventory_location_id, r.package_id, r.amount,
          r.cost_per_unit, r.created_at
     from purchase_order_receptions r
    where r.organization_id = :organizationId and r.purchase_order_id = any(:purchaseOrderIds) and r.undoes_id is null
      and not exists (select from purchase_order_receptions u
                       where u.organization_id = :organizationId and u.undoes_id = r.id)
    order by r.purchase_order_id, r.id`,
);

/** The purchase order that a reception is of, if it is one. */
export const selectReceptionOrder = statement<{ id: number }, { purchase_order_id: number }>(
  'select_purchase_order_of_reception',
  `select purchase_order_id from purchase_order_receptions
    where organization_id = :organizationId and id = :id`,
);

export interface PurchaseOrderPaymentRow {
  id: number;
  purchase_order_id: number;
  amount_cents: number;
  /** Null: a payment; otherwise a credit of the vendor. */
  credit_reason: string | null;
  /** The rejected package of a credit. */
  package_id: number | null;
  created_at: number;
}

/** Payments and credits. */
export const selectPurchaseOrderPayments = statement<
  { purchaseOrderIds: readonly number[] },
  PurchaseOrderPaymentRow
>(
  'select_purchase_order_payments',
  `select id, purchase_order_id, amount_cents, credit_reason, package_id, created_at from purchase_order_payments
    where organization_id = :organizationId and purchase_order_id = any(:purchaseOrderIds)
    order by purchase_order_id, id`,
);

/** D14. */
export const purchaseOrdersPerPage = 50;

/** How many there are, up to the bound of counting. */
export const countPurchaseOrders = statement<Record<never, never>, { count: number }>(
  'count_purchase_orders',
  countOfRows('select from purchase_orders where organization_id = :organizationId'),
);

export const purchaseOrderList = sortedList<
  { id: number },
  'createdAt' | 'updatedAt' | 'expectedAt' | 'status' | 'vendorName' | 'finalTotal'
>({
  name: 'list_purchase_orders',
  rows: 'from purchase_orders o where o.organization_id = :organizationId',
  ids: ['o.id'],
  sorts: {
    createdAt: { key: 'o.created_at', own: 'descending' },
    updatedAt: { key: 'o.updated_at', own: 'descending' },
    expectedAt: { key: 'o.expected_at', own: 'descending', isNullable: true },
    status: { key: 'o.status collate "C"', own: 'ascending' },
    vendorName: {
      key: 'v.name_key collate "C"',
      own: 'ascending',
      rows: `from purchase_orders o
              join inventory_vendors v on v.organization_id = :organizationId and v.id = o.inventory_vendor_id
              where o.organization_id = :organizationId`,
    },
    finalTotal: {
      key: 'o.shipping_handling_fee_cents + l.total_cents',
      own: 'descending',
      rows: `from purchase_orders o
              cross join lateral (
                select coalesce(sum(l.subtotal_cents + l.ca_excise_cents), 0)::bigint as total_cents
                  from purchase_order_lines l
                 where l.organization_id = :organizationId and l.purchase_order_id = o.id) l
              where o.organization_id = :organizationId`,
    },
  },
  rowsPerPage: purchaseOrdersPerPage,
  show: (page) => `select page.id0 as id from ${page}`,
});

export const selectPurchaseOrderCursor = statement<{ id: number }, { id: number }>(
  'select_purchase_order_cursor',
  'select id from purchase_orders where organization_id = :organizationId and id = :id',
);

export interface OrderableProductRow {
  id: number;
  name: string;
  inventory_type: 'option' | 'product' | 'none';
}

/** Products that can be ordered: every product that is not deleted, active or not. */
export const selectOrderableProducts = statement<{ ids: readonly number[] }, OrderableProductRow>(
  'select_orderable_products',
  `select id, name, inventory_type from products
    where organization_id = :organizationId and id = any(:ids) and deleted_at is null`,
);

export const selectOrderableOptions = statement<
  { ids: readonly number[] },
  { id: number; product_id: number }
>(
  'select_orderable_options',
  `select id, product_id from product_options
    where organization_id = :organizationId and id = any(:ids) and deleted_at is null`,
);

export const insertPurchaseOrders = insertMany<{
  id: number;
  status: 'open';
  inventoryVendorId: number;
  expectedAt: string | null;
  notes: string | null;
  paymentTerms: string | null;
  paymentTermsDueDate: string | null;
  externalInvoiceNumber: string | null;
  shippingHandlingFeeCents: number;
  createdAt: string;
  updatedAt: string;
  complianceTransferId: number | null;
}>('purchase_orders', {
  id: 'id',
  status: 'status',
  inventoryVendorId: 'inventory_vendor_id',
  expectedAt: 'expected_at',
  notes: 'notes',
  paymentTerms: 'payment_terms',
  paymentTermsDueDate: 'payment_terms_due_date',
  externalInvoiceNumber: 'external_invoice_number',
  shippingHandlingFeeCents: 'shipping_handling_fee_cents',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  complianceTransferId: 'compliance_transfer_id',
});

/** The order of a transfer: there is one at most. */
export const selectOrderOfTransfer = statement<{ transferId: number }, { id: number }>(
  'select_purchase_order_of_transfer',
  `select id from purchase_orders
    where organization_id = :organizationId and compliance_transfer_id = :transferId`,
);

export const updatePurchaseOrderRow = statement<
  {
    id: number;
    inventoryVendorId: number;
    expectedAt: string | null;
    notes: string | null;
    paymentTerms: string | null;
    paymentTermsDueDate: string | null;
    externalInvoiceNumber: string | null;
    shippingHandlingFeeCents: number;
    updatedAt: string;
  },
  never
>(
  'update_purchase_order_row',
  `update purchase_orders
      set inventory_vendor_id = :inventoryVendorId, expected_at = :expectedAt, notes = :notes,
          payment_terms = :paymentTerms, payment_terms_due_date = :paymentTermsDueDate,
          external_invoice_number = :externalInvoiceNumber, shipping_handling_fee_cents = :shippingHandlingFeeCents,
          updated_at = :updatedAt
    where organization_id = :organizationId and id = :id`,
);

export const setPurchaseOrderStatus = statement<{ id: number; status: string; updatedAt: string }, never>(
  'set_purchase_order_status',
  `update purchase_orders set status = :status, updated_at = :updatedAt
    where organization_id = :organizationId and id = :id`,
);

export const touchPurchaseOrder = statement<{ id: number; updatedAt: string }, never>(
  'touch_purchase_order',
  `update purchase_orders set updated_at = :updatedAt where organization_id = :organizationId and id = :id`,
);

/** A line of which goods came stays, also if they were taken back. */
export const deletePurchaseOrderLines = statement<{ ids: readonly number[] }, { id: number }>(
  'delete_purchase_order_lines',
  `delete from purchase_order_lines l
    where l.organization_id = :organizationId and l.id = any(:ids)
      and not exists (select from purchase_order_receptions r
                       where r.organization_id = :organizationId and r.purchase_order_id = l.purchase_order_id
                         and r.purchase_order_line_id = l.id)
   returning l.id`,
);

/** Updates any number of lines in one statement. `lines`: JSON rows with the columns' names. */
export const savePurchaseOrderLines = statement<
  { purchaseOrderId: number; lines: string; at: string },
  never
>(
  'save_purchase_order_lines',
  `insert into purchase_order_lines (organization_id, purchase_order_id, id, position, product_id, product_option_id,
                                     amount, cost_per_unit, subtotal_cents, ca_excise_per_unit,
                                     ca_excise_cents, invoiced_cost_per_unit, created_at, updated_at)
   select :organizationId::bigint, :purchaseOrderId::bigint, l.id, l.position, l.product_id, l.product_option_id,
          l.amount, l.cost_per_unit, l.subtotal_cents, l.ca_excise_per_unit, l.ca_excise_cents,
          l.invoiced_cost_per_unit, :at::timestamptz, :at::timestamptz
     from jsonb_to_recordset(:lines::jsonb) as l(id bigint, position integer, product_id bigint,
          product_option_id bigint, amount numeric, cost_per_unit numeric, subtotal_cents bigint,
          ca_excise_per_unit numeric, ca_excise_cents bigint, invoiced_cost_per_unit numeric)
   on conflict (organization_id, id) do update
      set position = excluded.position, product_id = excluded.product_id,
          product_option_id = excluded.product_option_id, amount = excluded.amount,
          cost_per_unit = excluded.cost_per_unit, subtotal_cents = excluded.subtotal_cents,
          ca_excise_per_unit = excluded.ca_excise_per_unit, ca_excise_cents = excluded.ca_excise_cents,
          invoiced_cost_per_unit = excluded.invoiced_cost_per_unit, updated_at = excluded.updated_at`,
);

export const insertReceptions = insertMany<{
  id: number;
  purchaseOrderId: number;
  purchaseOrderLineId: number;
  inventoryLocationId: number;
  packageId: number | null;
  amount: string;
  costPerUnit: string | null;
  actor: string;
  createdAt: string;
  undoesId: number | null;
}>('purchase_order_receptions', {
  id: 'id',
  purchaseOrderId: 'purchase_order_id',
  purchaseOrderLineId: 'purchase_order_line_id',
  inventoryLocationId: 'inventory_location_id',
  packageId: 'package_id',
  amount: 'amount',
  costPerUnit: 'cost_per_unit',
  actor: 'actor',
  createdAt: 'created_at',
  undoesId: 'undoes_id',
});

export const insertPurchaseOrderPayments = insertMany<{
  id: number;
  purchaseOrderId: number;
  amountCents: number;
  creditReason: string | null;
  packageId: number | null;
  actor: string;
  createdAt: string;
}>('purchase_order_payments', {
  id: 'id',
  purchaseOrderId: 'purchase_order_id',
  amountCents: 'amount_cents',
  creditReason: 'credit_reason',
  packageId: 'package_id',
  actor: 'actor',
  createdAt: 'created_at',
});
