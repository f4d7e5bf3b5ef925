import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { lockOfflineSaleRow, settleOfflineSaleRow } from './offline-sale-queries.ts';

/**
 * Settles a flagged sale, with a note of what was done. Fails with OFFLINE_SALE_NOT_FOUND, OFFLINE_SALE_SETTLED, and
 * OFFLINE_SALE_IS_OWN for the person who sold or sent it.
 */
export async function settleOfflineSale(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  { staffId, note }: { readonly staffId: number; readonly note: string },
): Promise<void> {
  await context.database.write(organization, async (tx) => {
    const [[sale]] = await tx.run(lockOfflineSaleRow({ id }));
    if (sale === undefined) throw offlineSaleNotFound();
    if (sale.reasons.length === 0 || sale.settled_at !== null) {
      throw failure('OFFLINE_SALE_SETTLED', 'This sale has nothing to settle.');
    }
    if (sale.sent_by_staff_id === staffId || sale.seller_staff_id === staffId) {
      throw failure(
        'OFFLINE_SALE_IS_OWN',
        'You sold this sale or sent it: another owner or manager has to settle it.',
      );
    }
    const nowMs = context.clock.now();
    tx.queue(settleOfflineSaleRow({ id, staffId, note, at: isoTimestamp(nowMs) }));
    await announce(tx, context, origin, nowMs, {
      event: 'offline_sale.settled',
      subjectType: 'offline_sale',
      subjectId: id,
      payload: { offlineSaleId: id, orderId: sale.order_id },
      details: { number: sale.number, orderId: sale.order_id, reasons: sale.reasons, note },
    });
  });
}

/** The error for a sale that does not exist or belongs to another organization. */
export function offlineSaleNotFound() {
  return failure('OFFLINE_SALE_NOT_FOUND', 'There is no such offline sale.');
}
