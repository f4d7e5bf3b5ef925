import type { TenantTransaction } from '../../platform/database/database.ts';
import { columnList, statement } from '../../platform/statements/statement.ts';
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
import type { OrderHead, OrderRecord, StaffName } from './order-record.ts';
import type { ShownReturn } from './order-return-schema.ts';
import { assertAllocations } from './order-totals.ts';
import { selectReturnDocuments } from './returned-goods-queries.ts';

/** The SQL that locks an order and reads all its rows, for a write that changes it. */

/** Serializes the steps of one order: a second transaction waits, and then sees the new status (D24). */
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
const selectDiscounts = childSelect(
  'select_order_discounts',
  'order_discounts',
  discountColumns,
  't.position',
);
const selectCredits = childSelect('select_order_credits', 'order_credits', creditColumns, 't.position');
const selectRedemptions = childSelect(
  'select_order_loyalty_redemptions',
  'order_loyalty_redemptions',
  redemptionColumns,
  't.position',
);
const selectDispatchTask = childSelect(
  'select_order_dispatch_task',
  'order_dispatch_tasks',
  dispatchTaskColumns,
  't.id',
);

/**
 * Loads the whole order from its rows, or null. With `lock`, no other transaction can change it until the
 * commit.
 */
export async function loadOrder(
  tx: Pick<TenantTransaction, 'organizationId' | 'run'>,
  orderId: string,
  options: { readonly lock: boolean },
): Promise<OrderRecord | null> {
  if (options.lock) await tx.run(lockOrder({ id: orderId }));
  const [heads, lines, fulfillments, taxes, adjustments, payments, discounts, ...rest] = await tx.run(
    selectHead({ id: orderId }),
    selectLines({ orderId }),
    selectFulfillments({ orderId }),
    selectTaxes({ orderId }),
    selectAdjustments({ orderId }),
    selectPayments({ orderId }),
    selectDiscounts({ orderId }),
    selectCredits({ orderId }),
    selectRedemptions({ orderId }),
    selectDispatchTask({ orderId }),
    selectReturnDocuments({ orderId }),
  );
  const [credits, loyaltyRedemptions, [dispatchTask = null], returns] = rest;
  const found = heads[0];
  if (found === undefined) return null;
  const { placedBy, fulfilledBy, customerFullName, ...head } = found;
  const record = {
    organizationId: tx.organizationId,
    head,
    lines,
    fulfillments,
    taxes,
    adjustments,
    payments,
    discounts,
    credits,
    loyaltyRedemptions,
    dispatchTask,
    // Only returns write these documents, in this shape.
    returns: returns.map(({ document }) => JSON.parse(document) as ShownReturn),
    placedBy,
    fulfilledBy,
    customerFullName,
  };
  assertAllocations(record);
  return record;
}

/** Whether a customer has placed another order that was not canceled. */
export const selectHasOtherOrders = statement<
  { userId: number; exceptOrderId: string },
  { has_ordered: boolean }
>(
  'select_has_other_orders',
  `select exists (select from orders
                   where organization_id = :organizationId and user_id = :userId and id <> :exceptOrderId
                     and status <> 'canceled' and not is_unproven) as has_ordered`,
);
