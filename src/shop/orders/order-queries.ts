import { countedContentsText } from '../../engines/purchase-limits/check-purchase-limits.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import {
  type BoundStatement,
  insertOwnedRows,
  insertRows,
  type SqlParameters,
  statement,
  structureText,
  TextArray,
} from '../../platform/statements/statement.ts';
import type { OrderType } from '../carts/cart-schemas.ts';
import type { StepOnStock } from './actions/order-action.ts';
import { limitedLines } from './limits-used.ts';
import {
  adjustmentColumns,
  type Columns,
  creditColumns,
  discountColumns,
  dispatchTaskColumns,
  fulfillmentColumns,
  headColumns,
  lineColumns,
  paymentColumns,
  redemptionColumns,
  taxColumns,
} from './order-columns.ts';
import { shownRowsOf } from './order-document.ts';
import type { OrderFulfillment, OrderHead, OrderRecord } from './order-record.ts';
import { assertAllocations } from './order-totals.ts';

/**
 * The SQL that writes the tables of orders. loaded-order-queries.ts reads a whole order, order-list-queries.ts the lists,
 * and order-key-queries.ts holds the idempotency keys.
 */

const instantKeys = new Set([
  'createdAt',
  'updatedAt',
  'packedAt',
  'fulfilledAt',
  'canceledAt',
  'estimatedArrivalAt',
  'completedAt',
  'orderCreatedAt',
  'idCheckedAt',
  'slotFrom',
  'slotTo',
]);
const jsonKeys = new Set(['taxAllocations', 'asked', 'countedContents']);

/** A row as the database takes it: instants as ISO text, structures as JSON text. */
function toSql(row: object): SqlParameters {
  const values: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(row)) {
    if (value !== null && instantKeys.has(key)) values[key] = isoTimestamp(value as number);
    else if (value !== null && jsonKeys.has(key)) values[key] = structureText(value);
    else values[key] = value;
  }
  return values as SqlParameters;
}

function orderRow(record: OrderRecord): OrderRow {
  return { ...record.head, countedContents: countedContentsOf(record) };
}

/** An insert of rows of orders. */
function childInsert<Row extends object>(table: string, rowType: string, columns: Columns<Row>) {
  return insertOwnedRows<Row>(table, rowType, columns, {
    ...{ instants: [...instantKeys], structures: [...jsonKeys], owner: 'order_id' },
  });
}

/** An order's row: its head, and what is made from its rows. */
interface OrderRow extends OrderHead {
  readonly countedContents: string;
}

const orderColumns: Columns<OrderRow> = {
  ...headColumns,
  countedContents: 'counted_contents',
};
const insertHeads = insertRows<OrderRow>('orders', 'order_row', orderColumns, {
  instants: [...instantKeys],
  structures: [...jsonKeys],
});
const insertLines = childInsert('order_line_items', 'order_line_item_row', lineColumns);
const insertFulfillmentRows = childInsert('order_line_fulfillments', 'order_line_fulfillment_row', {
  ...fulfillmentColumns,
  // For the lists of a location's orders by time.
  orderCreatedAt: 'order_created_at',
  orderType: 'order_type',
} as Columns<OrderFulfillment & { readonly orderCreatedAt: number; readonly orderType: OrderType }>);
const insertTaxes = childInsert('order_taxes', 'order_tax_row', taxColumns);
const insertAdjustments = childInsert('order_adjustments', 'order_adjustment_row', adjustmentColumns);
const insertPayments = childInsert('order_payments', 'order_payment_row', paymentColumns);
const insertDiscounts = childInsert('order_discounts', 'order_discount_row', discountColumns);
const insertCredits = childInsert('order_credits', 'order_credit_row', creditColumns);
const insertRedemptions = childInsert(
  'order_loyalty_redemptions',
  'order_loyalty_redemption_row',
  redemptionColumns,
);
const insertDispatchTasks = childInsert(
  'order_dispatch_tasks',
  'order_dispatch_task_row',
  dispatchTaskColumns,
);

const insertPapers = statement<
  { readonly orderIds: readonly string[]; readonly steps: TextArray; readonly shownRows: TextArray },
  never
>(
  'insert_order_explanations',
  `insert into order_explanations (organization_id, order_id, steps, shown_rows)
   select :organizationId, given.* from unnest(:orderIds::uuid[], :steps::text[], :shownRows::text[]) as given`,
);

/**
 * Kept with an order that has none yet. A row that says the same is neither written nor locked: `on conflict` would lock it at
 * each step, which is a page to write and an entry of the log. The order is locked: no other write changes them meanwhile.
 */
const keepShownRows = statement<{ orderId: string; shownRows: string }, never>(
  'keep_order_shown_rows',
  `with kept as materialized (
     select shown_rows from order_explanations where organization_id = :organizationId and order_id = :orderId
   ), changed as (
     update order_explanations set shown_rows = :shownRows
      where organization_id = :organizationId and order_id = :orderId
        and exists (select from kept where shown_rows is distinct from :shownRows)
   )
   insert into order_explanations (organization_id, order_id, shown_rows)
   select :organizationId, :orderId, :shownRows where not exists (select from kept)`,
  {
    // One task. What a conflict only refused to update would be locked, so equal rows are no conflict.
    onDistributed: `insert into order_explanations (organization_id, order_id, shown_rows)
   select o.id, :orderId::uuid, :shownRows::text from organizations o
    where o.id = :organizationId and not exists (
            select from order_explanations e
             where e.organization_id = :organizationId and e.order_id = :orderId and e.shown_rows = :shownRows)
   on conflict (organization_id, order_id) do update set shown_rows = excluded.shown_rows`,
  },
);

/** An order with the steps of its arithmetic (D31), as `storedSteps` has them. */
interface ExplainedOrder {
  readonly order: OrderRecord;
  readonly steps: string;
}

/** Texts of kilobytes: more than these in one statement would be megabytes. */
const papersPerStatementMax = 200;

/** What is read with an order, but for its head: the steps of its arithmetic, and the rows that its document shows. */
function insertExplained(explained: readonly ExplainedOrder[]): BoundStatement<unknown>[] {
  const statements: BoundStatement<unknown>[] = [];
  for (let start = 0; start < explained.length; start += papersPerStatementMax) {
    const chunk = explained.slice(start, start + papersPerStatementMax);
    statements.push(
      insertPapers({
        orderIds: chunk.map(({ order }) => order.head.id),
        steps: new TextArray(chunk.map(({ steps }) => steps)),
        shownRows: new TextArray(chunk.map(({ order }) => shownRowsOf(order))),
      }),
    );
  }
  return statements;
}

function childrenOf<Row>(records: readonly OrderRecord[], rowsOf: (record: OrderRecord) => readonly Row[]) {
  return records.map((record) => ({ owner: record.head.id, rows: rowsOf(record) }));
}

/** All rows of new orders. */
export function insertOrders(explained: readonly ExplainedOrder[]): BoundStatement<unknown>[] {
  const records = explained.map(({ order }) => order);
  for (const record of records) assertAllocations(record);
  return [
    ...insertHeads(records.map(orderRow)),
    ...insertExplained(explained),
    ...insertChildren(records),
    // Only imported orders have a dispatch task yet.
    ...insertDispatchTasks(childrenOf(records, ({ dispatchTask }) => (dispatchTask ? [dispatchTask] : []))),
  ];
}

function insertFulfillments(records: readonly OrderRecord[]): BoundStatement<unknown>[] {
  return insertFulfillmentRows(
    childrenOf(records, ({ head, fulfillments }) =>
      fulfillments.map((row) => ({ ...row, orderCreatedAt: head.createdAt, orderType: head.type })),
    ),
  );
}

function insertChildren(records: readonly OrderRecord[]): BoundStatement<unknown>[] {
  return [
    ...insertLines(childrenOf(records, (record) => record.lines)),
    ...insertFulfillments(records),
    ...insertTaxes(childrenOf(records, (record) => record.taxes)),
    ...insertAdjustments(childrenOf(records, (record) => record.adjustments)),
    ...insertPayments(childrenOf(records, (record) => record.payments)),
    ...insertDiscounts(childrenOf(records, (record) => record.discounts)),
    ...insertCredits(childrenOf(records, (record) => record.credits)),
    ...insertRedemptions(childrenOf(records, (record) => record.loyaltyRedemptions)),
  ];
}

const { id: _, ...changingColumns } = orderColumns;

/** Updates every column: PostgreSQL writes the whole row anyway, and no change can forget a column. */
const updateHead = statement<SqlParameters, never>(
  'update_order_head',
  `update orders
      set ${Object.entries(changingColumns)
        .map(([key, column]) => `${column} = :${key}`)
        .join(', ')}
    where organization_id = :organizationId and id = :id`,
);

/** The costs of all lines; an empty text is none. A line whose costs stay the same is not written. */
const updateLineCosts = statement<
  {
    orderId: string;
    ids: readonly number[];
    ofProducts: readonly string[];
    ofOptions: readonly string[];
    ofPackages: readonly string[];
    updatedAt: string;
  },
  never
>(
  'update_order_line_costs',
  `update order_line_items l
      set product_moving_average_cost = now.of_product, option_moving_average_cost = now.of_option,
          package_line_cost = now.of_packages, updated_at = :updatedAt
     from (select given.id, nullif(of_product, '')::numeric as of_product, nullif(of_option, '')::numeric as of_option,
                  nullif(of_packages, '')::numeric as of_packages
             from unnest(:ids::bigint[], :ofProducts::text[], :ofOptions::text[], :ofPackages::text[])
                    as given(id, of_product, of_option, of_packages)) now
    where l.organization_id = :organizationId and l.order_id = :orderId and l.id = now.id
      and (l.product_moving_average_cost, l.option_moving_average_cost, l.package_line_cost)
          is distinct from (now.of_product, now.of_option, now.of_packages)`,
);

function childDelete(name: string, table: string) {
  return statement<{ orderId: string }, never>(
    name,
    `delete from ${table} where organization_id = :organizationId and order_id = :orderId`,
  );
}

const deleteFulfillments = childDelete('delete_order_fulfillments', 'order_line_fulfillments');
const deletePayments = childDelete('delete_order_payments', 'order_payments');
/** In this order, no row refers to a deleted one. */
const childDeletes = [
  deleteFulfillments,
  deletePayments,
  childDelete('delete_order_discounts', 'order_discounts'),
  childDelete('delete_order_credits', 'order_credits'),
  childDelete('delete_order_loyalty_redemptions', 'order_loyalty_redemptions'),
  childDelete('delete_order_taxes', 'order_taxes'),
  childDelete('delete_order_adjustments', 'order_adjustments'),
  childDelete('delete_order_lines', 'order_line_items'),
  childDelete('delete_order_explanation', 'order_explanations'),
];

/** How a payment was made in truth. A change of the type corrects the sums of reports, too. */
export const correctPaymentRow = statement<
  {
    orderId: string;
    id: number;
    paymentTypeId: number;
    name: string;
    roundingCents: number;
    tenderedCents: number | null;
  },
  never
>(
  'correct_order_payment',
  `update order_payments
      set payment_type_id = :paymentTypeId, name = :name, rounding_cents = :roundingCents, tendered_cents = :tenderedCents
    where organization_id = :organizationId and order_id = :orderId and id = :id`,
);

/** The current head, and what its document shows of the order's rows. */
export function updateOrderHead(record: OrderRecord): BoundStatement<unknown>[] {
  return [
    updateHead(toSql(orderRow(record))),
    keepShownRows({ orderId: record.head.id, shownRows: shownRowsOf(record) }),
  ];
}

/** Replaces all rows of an edited order; its dispatch task stays. */
export function replaceOrder(explained: ExplainedOrder): BoundStatement<unknown>[] {
  const record = explained.order;
  assertAllocations(record);
  return [
    ...childDeletes.map((remove) => remove({ orderId: record.head.id })),
    updateHead(toSql(orderRow(record))),
    ...insertExplained([explained]),
    ...insertChildren([record]),
  ];
}

/** Stores where the order's stock is now. */
export function replaceHeldStock(record: OrderRecord): BoundStatement<unknown>[] {
  return [
    deleteFulfillments({ orderId: record.head.id }),
    ...insertFulfillments([record]),
    ...updateOrderHead(record),
  ];
}

/** Stores the changes of a step: always the head; payments and held stock when they changed. */
export function updateOrder(
  record: OrderRecord,
  onStock: StepOnStock,
  newPayments = false,
): BoundStatement<unknown>[] {
  const { head } = record;
  const statements = updateOrderHead(record);
  if (newPayments) {
    statements.push(
      deletePayments({ orderId: head.id }),
      ...insertPayments(childrenOf([record], ({ payments }) => payments)),
    );
  }
  if (onStock === 'none') return statements;
  if (onStock === 'give-back') statements.push(deleteFulfillments({ orderId: head.id }));
  else statements.push(...insertFulfillments([record]));
  statements.push(
    updateLineCosts({
      orderId: head.id,
      ids: record.lines.map(({ id }) => id),
      ofProducts: record.lines.map((line) => line.productMovingAverageCost ?? ''),
      ofOptions: record.lines.map((line) => line.optionMovingAverageCost ?? ''),
      ofPackages: record.lines.map((line) => line.packageLineCost ?? ''),
      updatedAt: isoTimestamp(head.updatedAt),
    }),
  );
  return statements;
}

const upsertDispatchTask = statement<SqlParameters, never>(
  'upsert_order_dispatch_task',
  `insert into order_dispatch_tasks (organization_id, order_id, ${Object.values(dispatchTaskColumns).join(', ')})
   values (:organizationId, :orderId, ${Object.keys(dispatchTaskColumns)
     .map((key) => `:${key}`)
     .join(', ')})
   on conflict (organization_id, order_id) do update
     set status = excluded.status, driver_name = excluded.driver_name, tracking_url = excluded.tracking_url,
         estimated_arrival_at = excluded.estimated_arrival_at, completed_at = excluded.completed_at,
         trip_id = excluded.trip_id, driver_id = excluded.driver_id, vehicle_id = excluded.vehicle_id,
         stop_position = excluded.stop_position, stop_status = excluded.stop_status, updated_at = excluded.updated_at`,
);

/** The dispatch task of an order, if it has one; the caller updates the order's document. */
export function updateDispatchTask({ head, dispatchTask }: OrderRecord): readonly BoundStatement<unknown>[] {
  return dispatchTask === null ? [] : [upsertDispatchTask({ ...toSql(dispatchTask), orderId: head.id })];
}

/**
 * What limits count of an order (D36): the content of each cannabis type that the customer kept, as JSON text of decimals, so
 * that the purchases of a customer are read without the lines. An order of an unproven customer counts nothing: another
 * person may have placed it.
 */
export function countedContentsOf({
  head,
  lines,
  returns,
}: Pick<OrderRecord, 'head' | 'lines' | 'returns'>): string {
  if (head.isUnproven) return '{}';
  const cameBack = returns.filter(({ voidedAt }) => voidedAt === null).flatMap(({ lineItems }) => lineItems);
  const kept = lines.map((line) => {
    const ofLine = cameBack.filter(({ orderLineItemId }) => orderLineItemId === line.id);
    return { ...line, quantity: ofLine.reduce((left, back) => left - back.quantity, line.quantity) };
  });
  return countedContentsText(limitedLines(kept));
}
