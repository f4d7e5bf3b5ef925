import { selectOrganization } from '../access/organizations.ts';
import { assertWithinLimits, checkLimits, legalEligibility, selectBoughtByCustomer } from '../carts/carts.ts';
import { lockCustomer } from '../customers/customers.ts';
import type { TenantTransaction } from '../database/database.ts';
import type { Law } from '../jurisdictions/law-book.ts';
import { assert } from '../kernel/assert.ts';
import { selectPurchaseLimitRules } from '../settings/terms-of-sale.ts';
import { limitedLines } from './limits-used.ts';
import type { OrderRecord } from './order-record.ts';

/**
 * D36: fulfilling an order checks it against the limits of that day, with the customer's other purchases, under
 * the lock on the customer. Fails with PURCHASE_LIMIT_EXCEEDED.
 */
export async function recheckLimits(
  tx: TenantTransaction,
  law: Law,
  order: OrderRecord,
  nowMs: number,
): Promise<void> {
  const { id, userId, type: orderType, postalCode } = order.head;
  const [[customer], [organization], ownRules, bought] = await tx.run(
    userId === null ? null : lockCustomer({ id: userId }),
    selectOrganization({}),
    selectPurchaseLimitRules({}),
    userId === null ? null : selectBoughtByCustomer(law, userId, id, nowMs),
  );
  assert(organization !== undefined, 'the organization does not exist');
  const standing = legalEligibility(
    law,
    organization,
    {
      birthday: customer?.birthday ?? null,
      medicalExpiration: customer?.medical_expiration ?? null,
    },
    nowMs,
  );
  const lines = limitedLines(order.lines);
  assertWithinLimits(checkLimits(standing, ownRules, { orderType, postalCode }, lines, bought));
}
