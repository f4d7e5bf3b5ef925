import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/stale-edit.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import {
  lockPurchaseLimitRule,
  type PurchaseLimitRuleRow,
  updatePurchaseLimitRule,
} from './purchase-limit-queries.ts';
import {
  assertLimitFits,
  type LimitSettings,
  limitColumns,
  limitSettingsOf,
  toldLimit,
} from './purchase-limit-settings.ts';

/**
 * Changes a rule, computed from its current state; an unchanged rule writes nothing. Placed orders are unaffected;
 * orders that are not fulfilled yet are checked by the new rule. Fails with PURCHASE_LIMIT_RULE_NOT_FOUND,
 * MISSING_PARAMS or INVALID_PARAMS.
 */
export async function changePurchaseLimitRule(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  change: (former: LimitSettings) => LimitSettings,
): Promise<PurchaseLimitRuleRow> {
  return context.database.write(organization, async (tx) => {
    const [[former]] = await tx.run(lockPurchaseLimitRule({ id }));
    if (former === undefined) throw purchaseLimitRuleNotFound();
    refuseStaleEdit(origin, former.updated_at);
    const settings = change(limitSettingsOf(former));
    assertLimitFits(settings);
    const changes = changesOf(toldLimit(limitSettingsOf(former)), toldLimit(settings));
    if (changes === null) return former;
    const nowMs = context.clock.now();
    const columns = limitColumns(settings);
    const [, [row]] = await tx.run(
      updatePurchaseLimitRule({ id, ...columns, at: isoTimestamp(nowMs) }),
      lockPurchaseLimitRule({ id }),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'purchase_limit_rule.updated',
      subjectType: 'purchase_limit_rule',
      subjectId: id,
      payload: { purchaseLimitRuleId: id },
      details: { purchaseLimitRuleId: id, ...changes },
    });
    return row!;
  });
}

/** The same error for another organization's rule. */
export function purchaseLimitRuleNotFound() {
  return failure('PURCHASE_LIMIT_RULE_NOT_FOUND', 'There is no such purchase limit rule.');
}
