import { selectOrganization } from '../../access/organizations/organizations.ts';
import type { Law } from '../../engines/jurisdictions/law-book.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import { localDateAt } from '../../kernel/local-time.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import {
  assertLawful,
  audienceOf,
  checkLimits,
  legalEligibility,
  limitsFor,
  selectBoughtByCustomer,
} from '../carts/carts.ts';
import { lockCustomer, selectCaregiver } from '../customers/customers.ts';
import { selectSpentDiscounts, useDiscountsOf } from '../promotions/promotions.ts';
import { selectPurchaseLimitRules } from '../settings/terms-of-sale.ts';
import { limitedLines } from './limits-used.ts';
import type { OrderRecord } from './order-record.ts';

/**
 * D36: fulfilling an order checks it against the limits of that day, with the customer's other purchases, under
 * the lock on the customer. Fails with PURCHASE_LIMIT_EXCEEDED, and with the error of a duty that the hand-over would break (D93). An order of an unproven customer meets the history here for the
 * first time (D62a): also the age on file (CUSTOMER_UNDERAGE), and discounts that the customer may have once (INVALID_ORDER), whose
 * use it queues. `idIsSeen`: a member of staff says so with the step.
 */
export async function recheckLimits(
  tx: TenantTransaction,
  law: Law,
  order: OrderRecord,
  nowMs: number,
  idIsSeen: boolean,
): Promise<void> {
  const { id, userId, boughtById, type: orderType, postalCode, isUnproven } = order.head;
  const ids = order.discounts.map(({ discountId }) => discountId);
  const asksDiscounts = isUnproven && userId !== null && ids.length > 0;
  const [[customer], [organization], ownRules, bought, [spent], [caregiver]] = await tx.run(
    userId === null ? null : lockCustomer({ id: userId }),
    selectOrganization({}),
    selectPurchaseLimitRules({}),
    userId === null ? null : selectBoughtByCustomer(law, userId, id, nowMs),
    asksDiscounts ? selectSpentDiscounts({ ids, userId, exceptOrderId: id }) : null,
    boughtById === null || userId === null
      ? null
      : selectCaregiver({ caregiverId: boughtById, patientId: userId }),
  );
  assert(organization !== undefined, 'the organization does not exist');
  const standing = legalEligibility(
    law,
    organization,
    {
      birthday: customer?.birthday ?? null,
      medicalExpiration: customer?.medical_expiration ?? null,
      residence: customer?.residence ?? null,
    },
    nowMs,
  );
  const lines = limitedLines(order.lines);
  const limits = limitsFor(standing, audienceOf(standing), ownRules, { orderType, postalCode });
  assertLawful({
    handOver: {
      ...{ organization, standing, nowMs, channel: orderType, limits: [] },
      // Where a driver was at that time is not known here, and who bought was asked when the order was placed.
      ...{ isHandOver: orderType !== 'delivery', isNamed: true },
      ...{ asksAge: isUnproven, caregiver },
      isIdChecked: idIsSeen || isSeenOn(standing.today, order, organization.tz),
      lines: lines.map((line, index) => {
        const { productName: name, unitPriceCents } = order.lines[index]!;
        return { ...line, name, unitPriceCents };
      }),
    },
    purchaseLimits: checkLimits(limits, standing.today, lines, bought),
  });
  if (spent !== undefined) {
    const why = spent.is_first_order
      ? "is for a customer's first order, and this customer has ordered before"
      : 'has reached its limit of uses for this customer';
    throw failure(
      'INVALID_ORDER',
      `The discount “${spent.name}” ${why}. Edit the order to take it off, then take payment.`,
    );
  }
  if (asksDiscounts) useDiscountsOf(tx, userId, order.discounts);
}

/** An ID that was seen on another day says nothing of who stands at the counter today. */
function isSeenOn(today: string, { head: { idCheckedAt } }: OrderRecord, tz: string): boolean {
  return idCheckedAt !== null && localDateAt(idCheckedAt, tz) === today;
}
