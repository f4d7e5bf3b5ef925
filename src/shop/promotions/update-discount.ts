import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { discountChanges } from './audited-discount.ts';
import { checkDiscount } from './check-discount.ts';
import { codeRows, columnsOfSetup, setupOfRow } from './discount-rows.ts';
import type { DiscountSetup } from './discount-setup.ts';
import {
  lockDiscount,
  lockDiscountSetup,
  removeDiscountCodes,
  updateDiscountRow,
} from './discount-setup-queries.ts';
import { recountDiscountUses } from './discount-use-queries.ts';
import { assertDiscountLawful, isGivenLater } from './lawful-discount.ts';
import { insertDiscountCodes } from './promotion-queries.ts';

/**
 * Changes a discount; writes nothing if it is unchanged. A new limit of uses counts the orders that have used
 * it so far. Placed orders keep their discounts. Fails with DISCOUNT_NOT_FOUND, or INVALID_PARAMS as
 * `checkDiscount` says.
 */
export async function updateDiscount(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  change: (before: DiscountSetup) => DiscountSetup,
): Promise<void> {
  const nowMs = context.clock.now();
  await context.database.write(organization, async (tx) => {
    const [, [row]] = await tx.run(lockDiscountSetup({}), lockDiscount({ id }));
    if (row === undefined) throw failure('DISCOUNT_NOT_FOUND', 'There is no such discount.');
    refuseStaleEdit(origin, row.updated_at);
    const before = setupOfRow(row);
    const after = change(before);
    await checkDiscount(tx, id, before, after, nowMs);
    if (isGivenLater(before, after, nowMs)) await assertDiscountLawful(tx, context.law.current, after, nowMs);
    const changes = discountChanges(before, after);
    if (changes === null) return;
    tx.queue(updateDiscountRow({ ...columnsOfSetup(after), id, updatedAt: isoTimestamp(nowMs) }));
    if (JSON.stringify(after.codes) !== JSON.stringify(before.codes)) {
      tx.queue(removeDiscountCodes({ discountId: id }), ...insertDiscountCodes(codeRows(id, after.codes)));
    }
    if (after.usesTotal !== before.usesTotal || after.usesPerCustomer !== before.usesPerCustomer) {
      tx.queue(...recountDiscountUses([id]));
    }
    await announce(tx, context, origin, nowMs, {
      event: 'discount.updated',
      subjectType: 'discount',
      subjectId: id,
      payload: { discountId: id },
      // The type defines the unit of an amount, so both are audited.
      details: { discountId: id, type: after.type, ...changes },
    });
  });
}
