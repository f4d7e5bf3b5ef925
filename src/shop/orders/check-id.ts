import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { loadOrder } from './loaded-order-queries.ts';
import { assertAllowed } from './order-lifecycle.ts';
import { updateOrderHead } from './order-queries.ts';
import type { IdCheckHow, OrderStatus } from './order-record.ts';
import { seenId } from './seen-id.ts';

const openStatuses: readonly OrderStatus[] = ['draft', 'new', 'packed'];

/**
 * Keeps that a member of staff saw the ID of who takes an open order (D94): who, when and how; the last time counts. Fails with
 * ORDER_NOT_FOUND, and with INVALID_ORDER_TRANSITION once the order is fulfilled or canceled.
 */
export async function checkId(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  orderId: string,
  staffId: number,
  how: IdCheckHow,
): Promise<void> {
  await context.database.write(organization, async (tx) => {
    const order = await loadOrder(tx, orderId, { lock: true });
    if (order === null) throw failure('ORDER_NOT_FOUND', 'There is no such order.');
    assertAllowed(order, 'check the ID for', openStatuses);
    const nowMs = context.clock.now();
    const head = { ...order.head, ...seenId(how, staffId, nowMs), updatedAt: nowMs };
    tx.queue(...updateOrderHead({ ...order, head }));
    await announce(tx, context, origin, nowMs, {
      event: 'order.updated',
      subjectType: 'order',
      subjectId: orderId,
      payload: { orderId, status: order.head.status },
      details: { orderId, idCheck: { from: order.head.idCheckHow, to: how } },
    });
  });
}
