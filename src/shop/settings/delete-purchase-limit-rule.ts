import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { purchaseLimitRuleNotFound } from './change-purchase-limit-rule.ts';
import {
  deletePurchaseLimitRule as deleteRow,
  lockPurchaseLimitRule,
  type PurchaseLimitRuleRow,
} from './purchase-limit-queries.ts';
import { limitSettingsOf, toldLimit } from './purchase-limit-settings.ts';

/** Deletes a purchase limit of the organization. Fails with PURCHASE_LIMIT_RULE_NOT_FOUND. */
export async function deletePurchaseLimitRule(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<PurchaseLimitRuleRow> {
  return context.database.write(organization, async (tx) => {
    const [[row]] = await tx.run(lockPurchaseLimitRule({ id }));
    if (row === undefined) throw purchaseLimitRuleNotFound();
    tx.queue(deleteRow({ id }));
    await announce(tx, context, origin, context.clock.now(), {
      event: 'purchase_limit_rule.deleted',
      subjectType: 'purchase_limit_rule',
      subjectId: id,
      payload: { purchaseLimitRuleId: id },
      details: { purchaseLimitRuleId: id, ...toldLimit(limitSettingsOf(row)) },
    });
    return row;
  });
}
