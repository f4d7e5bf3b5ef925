import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { checkDiscount } from './check-discount.ts';
import { codeRows, columnsOfSetup } from './discount-rows.ts';
import type { DiscountSetup } from './discount-setup.ts';
import { lockDiscountSetup } from './discount-setup-queries.ts';
import { assertDiscountLawful } from './lawful-discount.ts';
import { insertDiscountCodes, insertDiscounts } from './promotion-queries.ts';

/** Creates a discount; the next cart can use it. Fails with INVALID_PARAMS as `checkDiscount` says. */
export async function createDiscount(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  setup: DiscountSetup,
): Promise<number> {
  const id = await context.ids.takeOne();
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  await context.database.write(organization, async (tx) => {
    await tx.run(lockDiscountSetup({}));
    await checkDiscount(tx, id, null, setup, nowMs);
    await assertDiscountLawful(tx, context.law.current, setup, nowMs);
    tx.queue(
      ...insertDiscounts([{ ...columnsOfSetup(setup), id, createdAt: at, updatedAt: at }]),
      ...insertDiscountCodes(codeRows(id, setup.codes)),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'discount.created',
      subjectType: 'discount',
      subjectId: id,
      payload: { discountId: id },
      details: {
        discountId: id,
        name: setup.name,
        kind: setup.kind,
        type: setup.type,
        amount: Number(setup.amount),
        trigger: setup.trigger,
      },
    });
  });
  return id;
}
