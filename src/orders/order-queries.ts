import type { TenantTransaction } from '../database/database.ts';
import {
  type BoundStatement,
  columnList,
  insertMany,
  type SqlParameters,
  statement,
} from '../database/statement.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { orderDocument } from './order-document.ts';
import type { StepOnStock } from './order-lifecycle.ts';
import type {
  OrderAdjustment,
  OrderFulfillment,
  OrderHead,
  OrderLine,
  OrderPayment,
  OrderRecord,
  OrderTax,
  StaffName,
} from './order-record.ts';

/** All SQL that writes and loads the tables that orders own; lists are in order-list-queries.ts. */

type Columns<Row> = { readonly [Key in keyof Row & string]: string };

const headColumns: Columns<OrderHead> = {
  id: 'id',
  userId: 'user_id',
  type: 'type',
  source: 'source',
  status: 'status',
  integratorId: 'integrator_id',
  apiConsumerName: 'api_consumer_name',
  idempotencyKey: 'idempotency_key',
  totalPriceCents: 'total_price_cents',
  netPriceCents: 'net_price_cents',
  customerGrandTotalCents: 'customer_grand_total_cents',
  merchandiseCents: 'merchandise_cents',
  discountsTotalCents: 'discounts_total_cents',
  paymentFeesCents: 'payment_fees_cents',
  deliveryFeeCents: 'delivery_fee_cents',
  deliveryFeeDescription: 'delivery_fee_description',
  deliveryNotes: 'delivery_notes',
  taxExempt: 'tax_exempt',
  isMedical: 'is_medical',
  customerName: 'customer_name',
  street1: 'street1',
  street2: 'street2',
  city: 'city',
  addressState: 'address_state',
  postalCode: 'postal_code',
  placedByStaffId: 'placed_by_staff_id',
  packedByStaffId: 'packed_by_staff_id',
  fulfilledByStaffId: 'fulfilled_by_staff_id',
  cancelAdminId: 'cancel_admin_id',
  cancelationReason: 'cancelation_reason',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  packedAt: 'packed_at',
  fulfilledAt: 'fulfilled_at',
  canceledAt: 'canceled_at',
};

const lineColumns: Columns<OrderLine> = {
  id: 'id',
  position: 'position',
  productOptionId: 'product_option_id',
  productId: 'product_id',
  quantity: 'quantity',
  productName: 'product_name',
  productUnit: 'product_unit',
  productStrainType: 'product_strain_type',
  productIsFeatured: 'product_is_featured',
  productCategoryId: 'product_category_id',
  productCategoryName: 'product_category_name',
  productCannabisType: 'product_cannabis_type',
  productSubCategoryIds: 'product_sub_category_ids',
  productBrand: 'product_brand',
  productBrandId: 'product_brand_id',
  optionName: 'option_name',
  optionAmount: 'option_amount',
  optionContent: 'option_content',
  optionPriceCents: 'option_price_cents',
  optionSalesPriceCents: 'option_sales_price_cents',
  inventoryType: 'inventory_type',
  unitPriceCents: 'unit_price_cents',
  subtotalPriceCents: 'subtotal_price_cents',
  finalPriceCents: 'final_price_cents',
  grossCents: 'gross_cents',
  taxAllocations: 'tax_allocations',
  productMovingAverageCost: 'product_moving_average_cost',
  optionMovingAverageCost: 'option_moving_average_cost',
  packageLineCost: 'package_line_cost',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

const fulfillmentColumns: Columns<OrderFulfillment> = {
  orderLineItemId: 'order_line_item_id',
  id: 'id',
  productId: 'product_id',
  productOptionId: 'product_option_id',
  locationId: 'inventory_location_id',
  packageId: 'package_id',
  packageLabel: 'package_label',
  packageUnit: 'package_unit',
  packageCostPerUnit: 'package_cost_per_unit',
  amount: 'amount',
};

const taxColumns: Columns<OrderTax> = {
  id: 'id',
  position: 'position',
  taxId: 'tax_id',
  description: 'description',
  rate: 'rate',
  normalRate: 'normal_rate',
  tier: 'tier',
  type: 'type',
  amountCents: 'amount_cents',
  amountBeforeExemptionCents: 'amount_before_exemption_cents',
  amountExemptedCents: 'amount_exempted_cents',
  feeAllocationCents: 'fee_allocation_cents',
  included: 'included',
  exemptable: 'exemptable',
  encompass: 'encompass',
  excludedCategoryIds: 'excluded_category_ids',
  nonExemptableCategoryIds: 'non_exemptable_category_ids',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

const adjustmentColumns: Columns<OrderAdjustment> = {
  id: 'id',
  position: 'position',
  amountCents: 'amount_cents',
  description: 'description',
  isTaxExemption: 'is_tax_exemption',
  taxId: 'tax_id',
  adminId: 'admin_id',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

const paymentColumns: Columns<OrderPayment> = {
  id: 'id',
  position: 'position',
  paymentTypeId: 'payment_type_id',
  name: 'name',
  amountCents: 'amount_cents',
  finalAmountCents: 'final_amount_cents',
  feeCents: 'fee_cents',
  feePercent: 'fee_percent',
  feeAmountCents: 'fee_amount_cents',
  feeDescription: 'fee_description',
  createdAt: 'created_at',
};

const instantKeys = new Set(['createdAt', 'updatedAt', 'packedAt', 'fulfilledAt', 'canceledAt']);

/** A row as the database takes it: instants as ISO text, the allocations as JSON text. */
function toSql(row: object): SqlParameters {
  const values: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(row)) {
    if (value !== null && instantKeys.has(key)) values[key] = isoTimestamp(value as number);
    else if (key === 'taxAllocations') values[key] = JSON.stringify(value);
    else values[key] = value;
  }
  return values as SqlParameters;
}

/** An insert of child rows, given with the id of their order. */
function childInsert<Row>(table: string, columns: Columns<Row>) {
  const insert = insertMany<SqlParameters>(table, { orderId: 'order_id', ...columns });
  return (rows: readonly (Row & { readonly orderId: string })[]) =>
    insert(rows.map((row) => toSql(row as object)));
}

const insertHeads = insertMany<SqlParameters>('orders', { ...headColumns, document: 'document' });
const insertLines = childInsert('order_line_items', lineColumns);
const insertFulfillments = childInsert('order_line_fulfillments', fulfillmentColumns);
const insertTaxes = childInsert('order_taxes', taxColumns);
const insertAdjustments = childInsert('order_adjustments', adjustmentColumns);
const insertPayments = childInsert('order_payments', paymentColumns);

function childrenOf<Row>(records: readonly OrderRecord[], rowsOf: (record: OrderRecord) => readonly Row[]) {
  return records.flatMap((record) => rowsOf(record).map((row) => ({ ...row, orderId: record.head.id })));
}

/** All rows of new orders. */
export function insertOrders(records: readonly OrderRecord[]): BoundStatement<unknown>[] {
  return [
    ...insertHeads(records.map((record) => ({ ...toSql(record.head), document: orderDocument(record) }))),
    ...insertLines(childrenOf(records, (record) => record.lines)),
    ...insertFulfillments(childrenOf(records, (record) => record.fulfillments)),
    ...insertTaxes(childrenOf(records, (record) => record.taxes)),
    ...insertAdjustments(childrenOf(records, (record) => record.adjustments)),
    ...insertPayments(childrenOf(records, (record) => record.payments)),
  ];
}

const updateHead = statement<
  {
    id: string;
    status: string;
    packedByStaffId: number | null;
    fulfilledByStaffId: number | null;
    cancelAdminId: number | null;
    cancelationReason: string | null;
    updatedAt: string;
    packedAt: string | null;
    fulfilledAt: string | null;
    canceledAt: string | null;
    document: string;
  },
  never
>(
  'update_order_head',
  `update orders
      set status = :status, packed_by_staff_id = :packedByStaffId, fulfilled_by_staff_id = :fulfilledByStaffId,
          cancel_admin_id = :cancelAdminId, cancelation_reason = :cancelationReason, updated_at = :updatedAt,
          packed_at = :packedAt, fulfilled_at = :fulfilledAt, canceled_at = :canceledAt, document = :document
    where organization_id = :organizationId and id = :id`,
);

const updateLineCosts = statement<
  {
    orderId: string;
    id: number;
    productMovingAverageCost: string | null;
    optionMovingAverageCost: string | null;
    packageLineCost: string | null;
    updatedAt: string;
  },
  never
>(
  'update_order_line_costs',
  `update order_line_items
      set product_moving_average_cost = :productMovingAverageCost,
          option_moving_average_cost = :optionMovingAverageCost, package_line_cost = :packageLineCost,
          updated_at = :updatedAt
    where organization_id = :organizationId and order_id = :orderId and id = :id`,
);

const deleteFulfillments = statement<{ orderId: string }, never>(
  'delete_order_fulfillments',
  `delete from order_line_fulfillments where organization_id = :organizationId and order_id = :orderId`,
);

/** What a step of the lifecycle changed: the head always, the held stock when it was taken or given back. */
export function updateOrder(record: OrderRecord, onStock: StepOnStock): BoundStatement<unknown>[] {
  const { head } = record;
  const statements: BoundStatement<unknown>[] = [
    updateHead({
      id: head.id,
      status: head.status,
      packedByStaffId: head.packedByStaffId,
      fulfilledByStaffId: head.fulfilledByStaffId,
      cancelAdminId: head.cancelAdminId,
      cancelationReason: head.cancelationReason,
      updatedAt: isoTimestamp(head.updatedAt),
      packedAt: head.packedAt === null ? null : isoTimestamp(head.packedAt),
      fulfilledAt: head.fulfilledAt === null ? null : isoTimestamp(head.fulfilledAt),
      canceledAt: head.canceledAt === null ? null : isoTimestamp(head.canceledAt),
      document: orderDocument(record),
    }),
  ];
  if (onStock === 'none') return statements;
  if (onStock === 'give-back') statements.push(deleteFulfillments({ orderId: head.id }));
  else statements.push(...insertFulfillments(childrenOf([record], ({ fulfillments }) => fulfillments)));
  for (const line of record.lines) {
    statements.push(
      updateLineCosts({
        orderId: head.id,
        id: line.id,
        productMovingAverageCost: line.productMovingAverageCost,
        optionMovingAverageCost: line.optionMovingAverageCost,
        packageLineCost: line.packageLineCost,
        updatedAt: isoTimestamp(head.updatedAt),
      }),
    );
  }
  return statements;
}

/** Serializes the steps of one order: whoever comes second waits, and then sees the new status (D24). */
const lockOrder = statement<{ id: string }, { id: string }>(
  'lock_order',
  `select id from orders where organization_id = :organizationId and id = :id for update`,
);

const selectHead = statement<
  { id: string },
  OrderHead & {
    placedBy: StaffName | null;
    fulfilledBy: StaffName | null;
    customerFullName: string | null;
  }
>(
  'select_order_head',
  `select ${columnList(headColumns, 'o')},
          (select json_build_object('id', s.id, 'email', s.email, 'firstName', s.first_name, 'lastName', s.last_name)
             from staff_members s where s.organization_id = o.organization_id and s.id = o.placed_by_staff_id)
            as "placedBy",
          (select json_build_object('id', s.id, 'email', s.email, 'firstName', s.first_name, 'lastName', s.last_name)
             from staff_members s where s.organization_id = o.organization_id and s.id = o.fulfilled_by_staff_id)
            as "fulfilledBy",
          (select c.first_name || ' ' || c.last_name
             from customers c where c.organization_id = o.organization_id and c.id = o.user_id)
            as "customerFullName"
     from orders o where o.organization_id = :organizationId and o.id = :id`,
);

function childSelect<Row>(name: string, table: string, columns: Columns<Row>, order: string) {
  return statement<{ orderId: string }, Row>(
    name,
    `select ${columnList(columns, 't')} from ${table} t
      where t.organization_id = :organizationId and t.order_id = :orderId order by ${order}`,
  );
}

const selectLines = childSelect('select_order_lines', 'order_line_items', lineColumns, 't.position');
const selectFulfillments = childSelect(
  'select_order_fulfillments',
  'order_line_fulfillments',
  fulfillmentColumns,
  't.order_line_item_id, t.id',
);
const selectTaxes = childSelect('select_order_taxes', 'order_taxes', taxColumns, 't.position');
const selectAdjustments = childSelect(
  'select_order_adjustments',
  'order_adjustments',
  adjustmentColumns,
  't.position',
);
const selectPayments = childSelect('select_order_payments', 'order_payments', paymentColumns, 't.position');

/** The whole order from its rows, or null. With `lock`, nobody else can step it until the commit. */
export async function loadOrder(
  tx: TenantTransaction,
  orderId: string,
  options: { readonly lock: boolean },
): Promise<OrderRecord | null> {
  if (options.lock) await tx.run(lockOrder({ id: orderId }));
  const [heads, lines, fulfillments, taxes, adjustments, payments] = await tx.run(
    selectHead({ id: orderId }),
    selectLines({ orderId }),
    selectFulfillments({ orderId }),
    selectTaxes({ orderId }),
    selectAdjustments({ orderId }),
    selectPayments({ orderId }),
  );
  const found = heads[0];
  if (found === undefined) return null;
  const { placedBy, fulfilledBy, customerFullName, ...head } = found;
  return {
    organizationId: tx.organizationId,
    head,
    lines,
    fulfillments,
    taxes,
    adjustments,
    payments,
    placedBy,
    fulfilledBy,
    customerFullName,
  };
}

/**
 * D22: the claim. Comes before all other work of the transaction; when another transaction holds the same
 * key, this waits for it, and then finds it taken (no row) or free (its holder rolled back).
 */
export const claimIdempotencyKey = statement<
  { integratorId: number; idempotencyKey: string; orderId: string },
  { order_id: string }
>(
  'claim_idempotency_key',
  `insert into order_idempotency_keys (organization_id, integrator_id, idempotency_key, order_id)
   values (:organizationId, :integratorId, :idempotencyKey, :orderId)
   on conflict do nothing returning order_id`,
);

/** For orders of the past, which nobody else is placing at the same time. */
export const insertIdempotencyKeys = insertMany<{
  integratorId: number;
  idempotencyKey: string;
  orderId: string;
}>('order_idempotency_keys', {
  integratorId: 'integrator_id',
  idempotencyKey: 'idempotency_key',
  orderId: 'order_id',
});

export const selectClaimedOrder = statement<
  { integratorId: number; idempotencyKey: string },
  { order_id: string }
>(
  'select_claimed_order',
  `select order_id from order_idempotency_keys
    where organization_id = :organizationId and integrator_id = :integratorId
      and idempotency_key = :idempotencyKey`,
);

export const insertTransitions = insertMany<{
  orderId: string;
  id: number;
  action: string;
  fromStatus: string | null;
  toStatus: string;
  actor: string;
  createdAt: string;
}>('order_transitions', {
  orderId: 'order_id',
  id: 'id',
  action: 'action',
  fromStatus: 'from_status',
  toStatus: 'to_status',
  actor: 'actor',
  createdAt: 'created_at',
});
