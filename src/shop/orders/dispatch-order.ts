import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { StopStatus } from '../../kernel/stop-statuses.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { type Announcement, announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { judgeDeparture } from './judge-departure.ts';
import { loadOrder } from './loaded-order-queries.ts';
import { tellCustomer } from './mail-order.ts';
import { assertAllowed, dispatchableStatuses } from './order-lifecycle.ts';
import { updateDispatchTask, updateOrderHead } from './order-queries.ts';
import type { OrderDispatchTask, OrderRecord } from './order-record.ts';

/** The trip that takes a delivery along. */
export interface DispatchTrip {
  readonly tripId: number;
  readonly driverId: number;
  readonly vehicleId: number;
  /** From 0. */
  readonly stopPosition: number;
  readonly stopStatus: StopStatus;
}

const noTrip = { tripId: null, driverId: null, vehicleId: null, stopPosition: null, stopStatus: null };

/** A change of a delivery's progress; an undefined field stays as it is. */
export interface DispatchChange {
  readonly status: OrderDispatchTask['status'];
  readonly driverName?: string | null;
  readonly trackingUrl?: string | null;
  readonly estimatedArrivalAtMs?: number | null;
  /** The trip that takes it along, and its stop there; null: none does any more. */
  readonly trip?: DispatchTrip | null;
  /** When it left, told later; the law is judged by it. Default: now. */
  readonly occurredAtMs?: number;
  /** The driver comes to this order next: its customer hears of it once. */
  readonly isNext?: true;
}

/**
 * Stores who delivers an order, and its progress (D26). The order's status stays: fulfilling it is a separate
 * step. A delivery that leaves is judged by the law (`judgeDeparture`).
 */
export async function dispatchOrder(
  context: Context,
  origin: Origin,
  organizationId: OrganizationId,
  orderId: string,
  change: DispatchChange,
): Promise<void> {
  await context.database.write(organizationId, async (tx) => {
    const order = await loadOrder(tx, orderId, { lock: true });
    if (order === null) throw failure('ORDER_NOT_FOUND', 'There is no such order.');
    const nowMs = context.clock.now();
    const taskId = await context.ids.takeOne();
    const after = afterDispatch(order, change, taskId, nowMs);
    const isLeaving = change.status === 'active' && order.dispatchTask?.status !== 'active';
    if (isLeaving) {
      const driverName = after.dispatchTask?.driverName ?? null;
      await judgeDeparture(tx, context.law.current, order, driverName, change.occurredAtMs ?? nowMs);
    }
    tx.queue(...updateDispatchTask(after), ...updateOrderHead(after));
    await announce(tx, context, origin, nowMs, dispatchAnnouncement(order, after));
    if (isLeaving) await tellCustomer(tx, context, after, 'out-for-delivery', nowMs);
    if (change.isNext) await tellCustomer(tx, context, after, 'delivery-next', nowMs);
    if (change.status === 'failed' && order.dispatchTask?.status !== 'failed') {
      await tellCustomer(tx, context, after, 'delivery-failed', nowMs);
    }
  });
}

/**
 * Returns the order with its changed task. Fails with INVALID_ORDER for order types that are not delivered, and
 * with INVALID_ORDER_TRANSITION when the order is not out for delivery.
 */
export function afterDispatch(
  order: OrderRecord,
  change: DispatchChange,
  newId: number,
  nowMs: number,
): OrderRecord {
  const { type } = order.head;
  if (type !== 'delivery')
    throw failure('INVALID_ORDER', `dispatch is for deliveries, not for ${type} orders`);
  assertAllowed(order, 'dispatch', dispatchableStatuses);
  return {
    ...order,
    dispatchTask: taskAfter(order.dispatchTask, change, newId, nowMs),
    head: { ...order.head, updatedAt: nowMs },
  };
}

/** The event of a changed task; the order's status does not change. */
export function dispatchAnnouncement(
  before: OrderRecord,
  after: Pick<OrderRecord, 'dispatchTask'>,
): Announcement {
  const { id: orderId, status } = before.head;
  const dispatchStatus = after.dispatchTask?.status ?? null;
  return {
    event: 'order.dispatched',
    subjectType: 'order',
    subjectId: orderId,
    payload: { orderId, status, dispatchStatus },
    details: {
      orderId,
      from: before.dispatchTask?.status ?? null,
      to: dispatchStatus,
      ...changesOf(toldTask(before), toldTask(after), ['driverName', 'trackingUrl']),
    },
  };
}

/**
 * The task's fields besides its status. The driver is a person's data, and the tracking address shows their
 * location.
 */
function toldTask({ dispatchTask }: Pick<OrderRecord, 'dispatchTask'>) {
  const at = dispatchTask?.estimatedArrivalAt ?? null;
  return {
    driverName: dispatchTask?.driverName ?? null,
    trackingUrl: dispatchTask?.trackingUrl ?? null,
    estimatedArrivalAt: at === null ? null : isoTimestamp(at),
    tripId: dispatchTask?.tripId ?? null,
    stopStatus: dispatchTask?.stopStatus ?? null,
  };
}

function taskAfter(
  before: OrderDispatchTask | null,
  { status, driverName, trackingUrl, estimatedArrivalAtMs, trip }: DispatchChange,
  newId: number,
  nowMs: number,
): OrderDispatchTask {
  const wasCompletedAt = before?.completedAt ?? nowMs;
  const { tripId, driverId, vehicleId, stopPosition, stopStatus } =
    trip === undefined ? (before ?? noTrip) : (trip ?? noTrip);
  return {
    ...{ id: before?.id ?? newId, tripId, driverId, vehicleId, stopPosition, stopStatus },
    status,
    driverName: driverName === undefined ? (before?.driverName ?? null) : driverName,
    trackingUrl: trackingUrl === undefined ? (before?.trackingUrl ?? null) : trackingUrl,
    estimatedArrivalAt:
      estimatedArrivalAtMs === undefined ? (before?.estimatedArrivalAt ?? null) : estimatedArrivalAtMs,
    completedAt: status === 'completed' ? wasCompletedAt : null,
    createdAt: before?.createdAt ?? nowMs,
    updatedAt: nowMs,
  };
}
