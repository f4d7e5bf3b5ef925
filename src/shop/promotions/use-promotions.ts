import { decimalText, zero } from '../../kernel/decimal.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { giveBackCredits, takeCredits } from './account-queries.ts';
import {
  countCustomerDiscountUses,
  countDiscountUses,
  giveBackCustomerDiscountUses,
  giveBackDiscountUses,
  holdDiscounts,
} from './discount-use-queries.ts';
import { movePoints } from './move-points.ts';

/** The promotions that an order used. */
export interface UsedPromotions {
  readonly orderId: string;
  readonly userId: number | null;
  readonly discounts: readonly { readonly discountId: number }[];
  readonly credits: readonly { readonly customerCreditId: number; readonly amountUsedCents: number }[];
  readonly redemptions: readonly { readonly description: string; readonly pointsAmount: string }[];
}

/** The step of the order, and its time. */
interface Cause {
  readonly transitionId: number;
  readonly atMs: number;
}

/** An order's use of its promotions. */
interface PromotionUse {
  readonly used: UsedPromotions;
  readonly cause: Cause;
  readonly origin: Origin;
}

/**
 * Queues the use of an order's promotions: a use of each discount, the credits, the points. Queue it after the
 * order's own rows, which the uses refer to.
 */
export function usePromotions(
  tx: TenantTransaction,
  context: Pick<Context, 'ids' | 'clock'>,
  origin: Origin,
  used: UsedPromotions,
  cause: Cause,
): Promise<void> {
  return usePromotionsOfAll(tx, context, [{ used, cause, origin }]);
}

/** The same for orders of different customers: counters are locked in order of id, whichever orders use them. */
export async function usePromotionsOfAll(
  tx: TenantTransaction,
  context: Pick<Context, 'ids' | 'clock'>,
  uses: readonly PromotionUse[],
): Promise<void> {
  const counts = new Map<number, number>();
  const ofCustomers: { readonly id: number; readonly userId: number }[] = [];
  for (const { used } of uses) {
    for (const id of discountIdsOf(used)) {
      counts.set(id, (counts.get(id) ?? 0) + 1);
      if (used.userId !== null) ofCustomers.push({ id, userId: used.userId });
    }
  }
  if (counts.size > 0) tx.queue(countDiscountUses({ ids: [...counts.keys()], counts: [...counts.values()] }));
  if (ofCustomers.length > 0) {
    const userIds = ofCustomers.map(({ userId }) => userId);
    tx.queue(countCustomerDiscountUses({ ids: ofCustomers.map(({ id }) => id), userIds }));
  }
  for (const { used, cause, origin } of uses) {
    if (used.credits.length > 0) tx.queue(takeCredits(movedCredits(used, cause)));
    await moveRedeemed(tx, context, origin, used, cause, 'redeemed');
  }
}

/** Queues a use of each discount by the customer, who has become known after the order was placed. */
export function useDiscountsOf(
  tx: Pick<TenantTransaction, 'queue'>,
  userId: number,
  discounts: UsedPromotions['discounts'],
): void {
  const ids = discountIdsOf({ discounts });
  if (ids.length > 0) tx.queue(countCustomerDiscountUses({ ids, userIds: ids.map(() => userId) }));
}

/** Queues the return of an order's promotions on cancelation: exactly what placing it took. */
export async function giveBackPromotions(
  tx: TenantTransaction,
  context: Pick<Context, 'ids' | 'clock'>,
  origin: Origin,
  used: UsedPromotions,
  cause: Cause,
): Promise<void> {
  const { userId } = used;
  const ids = discountIdsOf(used);
  if (ids.length > 0) {
    tx.queue(holdDiscounts({ ids }), giveBackDiscountUses({ ids }));
    if (userId !== null) tx.queue(giveBackCustomerDiscountUses({ ids, userId }));
  }
  if (used.credits.length > 0) tx.queue(giveBackCredits(movedCredits(used, cause)));
  await moveRedeemed(tx, context, origin, used, cause, 'given-back');
}

/** An order counts as one use of a discount, on any number of lines. */
function discountIdsOf({ discounts }: Pick<UsedPromotions, 'discounts'>): number[] {
  return [...new Set(discounts.map(({ discountId }) => discountId))].sort((a, b) => a - b);
}

function movedCredits({ credits }: UsedPromotions, { atMs }: Cause) {
  return {
    ids: credits.map(({ customerCreditId }) => customerCreditId),
    cents: credits.map(({ amountUsedCents }) => amountUsedCents),
    at: isoTimestamp(atMs),
  };
}

async function moveRedeemed(
  tx: TenantTransaction,
  context: Pick<Context, 'ids' | 'clock'>,
  origin: Origin,
  { orderId, userId, redemptions }: UsedPromotions,
  { transitionId, atMs }: Cause,
  type: 'redeemed' | 'given-back',
): Promise<void> {
  if (userId === null || redemptions.length === 0) return;
  const sum = redemptions.reduce((total, { pointsAmount }) => total.plus(pointsAmount), zero);
  await movePoints(tx, context, origin, {
    userId,
    type,
    points: decimalText(type === 'redeemed' ? zero.minus(sum) : sum),
    reason: redemptions.map(({ description }) => description).join(', '),
    orderId,
    causeId: transitionId,
    atMs,
  });
}
