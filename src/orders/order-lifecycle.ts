import type { OrderType } from '../carts/carts.ts';
import { failure } from '../kernel/failure.ts';
import type { OrderDispatchTask, OrderRecord, OrderStatus, StaffName } from './order-record.ts';

/** The steps that staff can take with an order (D24); editing, dispatching and returning are none. */
export type OrderAction = 'accept' | 'unaccept' | 'pack' | 'unpack' | 'fulfill' | 'cancel';

/** What a step does with the stock of an order. */
export type StepOnStock = 'none' | 'take' | 'give-back';

interface Transition {
  readonly from: readonly OrderStatus[];
  readonly to: OrderStatus;
  readonly stock: StepOnStock;
}

/** D24, whole: what is not here is refused. Giving back what a draft holds (nothing) is harmless. */
export const orderTransitions: Readonly<Record<OrderAction, Transition>> = {
  accept: { from: ['draft'], to: 'new', stock: 'take' },
  unaccept: { from: ['new'], to: 'draft', stock: 'give-back' },
  pack: { from: ['new'], to: 'packed', stock: 'none' },
  unpack: { from: ['packed'], to: 'new', stock: 'none' },
  fulfill: { from: ['new', 'packed'], to: 'fulfilled', stock: 'none' },
  cancel: { from: ['draft', 'new', 'packed'], to: 'canceled', stock: 'give-back' },
};

export const orderActions = Object.keys(orderTransitions) as readonly OrderAction[];

/** The steps that an order of this status can take (D24). */
export function allowedActions(status: OrderStatus): OrderAction[] {
  return orderActions.filter((action) => orderTransitions[action].from.includes(status));
}

/** While the amounts of an order can be changed (D25). */
export const editableStatuses: readonly OrderStatus[] = ['draft', 'new'];
/** While an order can be on its way: it has been packed, or is about to be. */
export const dispatchableStatuses: readonly OrderStatus[] = ['new', 'packed'];

/** All that staff can do with an order now: the steps, and what is none. */
export function actionsOf(order: {
  readonly status: OrderStatus;
  readonly type: OrderType;
  readonly isReturnable: boolean;
}): string[] {
  const { status, type, isReturnable } = order;
  return [
    ...allowedActions(status),
    ...(editableStatuses.includes(status) ? ['edit'] : []),
    ...(type === 'delivery' && dispatchableStatuses.includes(status) ? ['dispatch'] : []),
    ...(status === 'fulfilled' && isReturnable ? ['return'] : []),
  ];
}

/** Who takes a step, and why where the step asks for a reason. */
export interface StepBy {
  readonly staff: StaffName | null;
  readonly cancelationReason?: string;
}

/** Fails with INVALID_ORDER_TRANSITION unless something may be done with an order as it is. */
export function assertAllowed(
  { head: { status } }: OrderRecord,
  action: string,
  from: readonly OrderStatus[],
): void {
  if (from.includes(status)) return;
  throw failure('INVALID_ORDER_TRANSITION', `An order that is ${status} cannot be changed by ${action}`, {
    status,
    action,
  });
}

/** How a task that is still open ends with its order (D26): it was brought, or nobody brings it any more. */
const taskEnds: Partial<Record<OrderStatus, OrderDispatchTask['status']>> = {
  fulfilled: 'completed',
  canceled: 'failed',
};

function taskAfterStep(
  task: OrderDispatchTask | null,
  to: OrderStatus,
  nowMs: number,
): OrderDispatchTask | null {
  const status = taskEnds[to];
  if (task === null || status === undefined || task.status === 'completed' || task.status === 'failed') {
    return task;
  }
  return { ...task, status, completedAt: status === 'completed' ? nowMs : null, updatedAt: nowMs };
}

/**
 * The order after a step, but for its stock. Fails with INVALID_ORDER_TRANSITION when the table does not
 * allow it, and with INVALID_ORDER when an order that is not paid would be fulfilled.
 */
export function afterStep(order: OrderRecord, action: OrderAction, by: StepBy, nowMs: number): OrderRecord {
  const { from, to } = orderTransitions[action];
  assertAllowed(order, action, from);
  if (action === 'fulfill') assertPaid(order);
  return {
    ...order,
    fulfilledBy: action === 'fulfill' ? by.staff : order.fulfilledBy,
    dispatchTask: taskAfterStep(order.dispatchTask, to, nowMs),
    head: {
      ...order.head,
      status: to,
      updatedAt: nowMs,
      ...(action === 'pack' && { packedAt: nowMs, packedByStaffId: by.staff?.id ?? null }),
      ...(action === 'unpack' && { packedAt: null, packedByStaffId: null }),
      ...(action === 'fulfill' && { fulfilledAt: nowMs, fulfilledByStaffId: by.staff?.id ?? null }),
      ...(action === 'cancel' && {
        canceledAt: nowMs,
        cancelAdminId: by.staff?.id ?? null,
        cancelationReason: by.cancelationReason ?? null,
      }),
    },
  };
}

/** D24: an order is fulfilled when its payments cover it. */
function assertPaid(order: OrderRecord): void {
  if (order.payments.length === 0 && order.head.customerGrandTotalCents > 0) {
    throw failure(
      'INVALID_ORDER',
      `payments must say how ${order.head.customerGrandTotalCents} cents were paid: the order has none`,
    );
  }
  const paidCents = order.payments.reduce((sum, payment) => sum + payment.finalAmountCents, 0);
  if (paidCents !== order.head.customerGrandTotalCents) {
    throw failure(
      'INVALID_ORDER',
      `The payments come to ${paidCents} cents, the order to ${order.head.customerGrandTotalCents}`,
    );
  }
}
