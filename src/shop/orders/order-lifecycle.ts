import { failure } from '../../kernel/failure.ts';
import type { StopStatus } from '../../kernel/stop-statuses.ts';
import type { OrderType } from '../carts/cart-schemas.ts';
import type { OrderAction, StepBy, StepSettings } from './actions/order-action.ts';
import { type OrderActionId, orderActionOf, orderActions } from './actions/order-actions.ts';
import type { OrderDispatchTask, OrderRecord, OrderStatus } from './order-record.ts';

/** The actions that are allowed in this status (D24). */
export function allowedActions(status: OrderStatus): OrderActionId[] {
  return orderActions.filter(({ from }) => from.includes(status)).map(({ id }) => id);
}

/** Statuses in which the amounts of an order can be changed (D25). */
export const editableStatuses: readonly OrderStatus[] = ['draft', 'new'];
/** Statuses in which an order can be out for delivery: it is packed, or about to be. */
export const dispatchableStatuses: readonly OrderStatus[] = ['new', 'packed'];

/** Staff's actions on an order: those that change its status, and the others. */
export const offeredActions = [...orderActions.map(({ id }) => id), 'edit', 'dispatch', 'return'] as const;

/** The actions that staff can take on this order now. */
export function actionsOf(order: {
  readonly status: OrderStatus;
  readonly type: OrderType;
  readonly isReturnable: boolean;
  readonly hasReturns: boolean;
}): (typeof offeredActions)[number][] {
  const { status, type, isReturnable, hasReturns } = order;
  return [
    ...allowedActions(status).filter((action) => action !== 'void' || !hasReturns),
    ...(editableStatuses.includes(status) ? (['edit'] as const) : []),
    ...(type === 'delivery' && dispatchableStatuses.includes(status) ? (['dispatch'] as const) : []),
    ...(status === 'fulfilled' && isReturnable ? (['return'] as const) : []),
  ];
}

/** Fails with INVALID_ORDER_TRANSITION unless the order's status allows the action. */
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

function dispatchTaskAfter(
  task: OrderDispatchTask | null,
  { endsDispatchTask: status }: OrderAction,
  stopStatus: StopStatus | undefined,
  nowMs: number,
): OrderDispatchTask | null {
  if (task === null || status === null || task.status === 'completed' || task.status === 'failed')
    return task;
  return {
    ...{ ...task, status, completedAt: status === 'completed' ? nowMs : null, updatedAt: nowMs },
    ...(stopStatus !== undefined && task.tripId !== null && { stopStatus }),
  };
}

/**
 * The order after an action, without its stock. Fails with INVALID_ORDER_TRANSITION when the status does not
 * allow the action, and with INVALID_ORDER when the order is not ready for it.
 */
export function afterStep(
  order: OrderRecord,
  id: OrderActionId,
  by: StepBy,
  nowMs: number,
  settings: StepSettings = {},
): OrderRecord {
  const action = orderActionOf(id);
  assertAllowed(order, id, action.from);
  const recorded = action.record(order, by, nowMs, settings);
  return {
    ...recorded,
    dispatchTask: dispatchTaskAfter(order.dispatchTask, action, settings.stopStatus, nowMs),
    head: { ...recorded.head, status: action.to, updatedAt: nowMs },
  };
}
