import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import {
  insertPurchaseLimitRule,
  lockPurchaseLimitRule,
  type PurchaseLimitRuleRow,
} from './purchase-limit-queries.ts';
import { assertLimitFits, type LimitSettings, limitColumns, toldLimit } from './purchase-limit-settings.ts';

/** Adds a purchase limit of the organization. Fails with MISSING_PARAMS or INVALID_PARAMS. */
export async function createPurchaseLimitRule(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  settings: LimitSettings,
): Promise<PurchaseLimitRuleRow> {
  assertLimitFits(settings);
  const id = await context.ids.takeOne();
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    const columns = limitColumns(settings);
    const [, [row]] = await tx.run(
      insertPurchaseLimitRule({ id, ...columns, at: isoTimestamp(nowMs) }),
      lockPurchaseLimitRule({ id }),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'purchase_limit_rule.created',
      subjectType: 'purchase_limit_rule',
      subjectId: id,
      payload: { purchaseLimitRuleId: id },
      details: { purchaseLimitRuleId: id, ...toldLimit(settings) },
    });
    return row!;
  });
}
