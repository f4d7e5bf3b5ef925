import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { endDiscountRow, lockDiscount } from './discount-setup-queries.ts';

/** Ends a discount now; an ended one stays as it is. Fails with DISCOUNT_NOT_FOUND. */
export async function endDiscount(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<void> {
  const nowMs = context.clock.now();
  await context.database.write(organization, async (tx) => {
    const [[row]] = await tx.run(lockDiscount({ id }));
    if (row === undefined) throw failure('DISCOUNT_NOT_FOUND', 'There is no such discount.');
    if (row.ends_at !== null && row.ends_at <= nowMs) return;
    tx.queue(endDiscountRow({ id, at: isoTimestamp(nowMs) }));
    await announce(tx, context, origin, nowMs, {
      event: 'discount.ended',
      subjectType: 'discount',
      subjectId: id,
      payload: { discountId: id },
      details: {
        discountId: id,
        name: row.name,
        endsAt: { from: row.ends_at === null ? null : isoTimestamp(row.ends_at), to: isoTimestamp(nowMs) },
      },
    });
  });
}
