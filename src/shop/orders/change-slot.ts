import { selectOrganization } from '../../access/organizations/organizations.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { postalCodePatterns, selectDeliveryZone } from '../settings/terms-of-sale.ts';
import type { OfferedSlot, SlotTime } from '../slots/slot-times.ts';
import { offeredSlots, slotForOrder, slotReads, upcomingSlotReads } from '../slots/slots.ts';
import { slotColumnsOf } from './build-order.ts';
import { loadOrder } from './loaded-order-queries.ts';
import { tellCustomer } from './mail-order.ts';
import { slotOf } from './order-document.ts';
import { assertAllowed } from './order-lifecycle.ts';
import { updateOrderHead } from './order-queries.ts';
import type { OrderRecord, OrderStatus } from './order-record.ts';

type ShownSlot = { readonly from: string; readonly to: string };

const movableStatuses: readonly OrderStatus[] = ['draft', 'new', 'packed'];

/**
 * Moves an open order to another time slot, or (null) to none, and mails it to the customer. A slot that the order has already stays
 * as it is, without a mail. Returns the slot as replies show it. Fails with ORDER_NOT_FOUND, INVALID_ORDER_TRANSITION, INVALID_ORDER for goods sold over the counter, and
 * TIME_SLOT_NOT_AVAILABLE.
 */
export async function changeSlot(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  orderId: string,
  fromMs: number | null,
): Promise<ShownSlot | null> {
  return context.database.write(organization, async (tx) => {
    const order = await movableOrder(tx, orderId, true);
    const { head } = order;
    if (head.slotFrom === fromMs) return shownSlot(order);
    const nowMs = context.clock.now();
    const chosen = fromMs === null ? null : await freeSlot(tx, context, order, fromMs, nowMs);
    const after = { ...order, head: { ...head, ...slotColumnsOf(chosen), updatedAt: nowMs } };
    tx.queue(...updateOrderHead(after));
    const [before, now] = [shownSlot(order), shownSlot(after)];
    await announce(tx, context, origin, nowMs, {
      event: 'order.slot_changed',
      subjectType: 'order',
      subjectId: orderId,
      payload: { orderId, status: head.status, slotFrom: now?.from ?? null, slotTo: now?.to ?? null },
      details: { orderId, slot: { from: before, to: now } },
    });
    await tellCustomer(tx, context, after, 'slot-changed', nowMs);
    return now;
  });
}

/** The slots that an open order can be moved to, by time. Fails as `changeSlot`. */
export async function slotsForOrder(
  context: Context,
  organization: OrganizationId,
  orderId: string,
): Promise<OfferedSlot[]> {
  const nowMs = context.clock.now();
  const run: TenantTransaction['run'] = (...statements) => context.database.read(organization, ...statements);
  const tx = { organizationId: organization, run };
  const order = await movableOrder(tx, orderId, false);
  const calendar = await calendarOf(tx, context, order, nowMs, upcomingSlotReads(nowMs, orderId));
  const { type } = order.head;
  return offeredSlots(calendar).filter(
    ({ slot }) =>
      slot.order_type === type &&
      (slot.delivery_zone_ids.length === 0 ||
        (calendar.zoneId !== null && slot.delivery_zone_ids.includes(calendar.zoneId))),
  );
}

type Reading = Pick<TenantTransaction, 'organizationId' | 'run'>;

async function movableOrder(tx: Reading, orderId: string, lock: boolean): Promise<OrderRecord> {
  const order = await loadOrder(tx, orderId, { lock });
  if (order === null) throw failure('ORDER_NOT_FOUND', 'There is no such order.');
  if (order.head.type === 'in-store') {
    throw failure('INVALID_ORDER', 'Time slots are for pickups and deliveries, not for in-store orders');
  }
  assertAllowed(order, 'change the time slot of', movableStatuses);
  return order;
}

async function freeSlot(
  tx: Reading,
  context: Context,
  order: OrderRecord,
  fromMs: number,
  nowMs: number,
): Promise<SlotTime> {
  const { id, type } = order.head;
  assert(type !== 'in-store', 'the order can be moved');
  const reads = slotReads(fromMs, { lock: true, exceptOrderId: id });
  const calendar = await calendarOf(tx, context, order, nowMs, reads);
  return slotForOrder(calendar, { orderType: type, zoneId: calendar.zoneId, fromMs });
}

async function calendarOf(
  tx: Reading,
  context: Context,
  { head: { postalCode } }: OrderRecord,
  nowMs: number,
  reads: ReturnType<typeof slotReads>,
) {
  const [slots, closedDays, taken, [organization], [zone]] = await tx.run(
    ...reads,
    selectOrganization({}),
    selectDeliveryZone({ patterns: postalCodePatterns(postalCode ?? '') }),
  );
  assert(organization !== undefined, 'the organization of an order exists');
  const law = context.law.current;
  return { slots, closedDays, taken, organization, law, nowMs, zoneId: zone?.id ?? null };
}

const shownSlot = ({ head }: OrderRecord) => slotOf(head).slot ?? null;

/** A slot as staff choose it. */
export function shownOfferedSlot({ fromMs, toMs, left }: OfferedSlot) {
  return { from: isoTimestamp(fromMs), to: isoTimestamp(toMs), left };
}
