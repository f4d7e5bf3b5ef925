import type { Context, Origin } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { decimalText, zero } from '../kernel/decimal.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { giveBackCredits, takeCredits } from './account-queries.ts';
import {
  countCustomerDiscountUses,
  countDiscountUses,
  giveBackCustomerDiscountUses,
  giveBackDiscountUses,
  holdDiscounts,
} from './discount-use-queries.ts';
import { movePoints } from './move-points.ts';

/** What an order used of its organization's promotions. */
export interface UsedPromotions {
  readonly orderId: string;
  readonly userId: number | null;
  readonly discounts: readonly { readonly discountId: number }[];
  readonly credits: readonly { readonly customerCreditId: number; readonly amountUsedCents: number }[];
  readonly redemptions: readonly { readonly description: string; readonly pointsAmount: string }[];
}

/** Which step of the order does it, and when. */
interface Cause {
  readonly transitionId: number;
  readonly atMs: number;
}

/**
 * Queues what placing an order takes: a use of each discount, the credits, the points. To be queued after the
 * order's own rows, which its uses refer to.
 */
export async function usePromotions(
  tx: TenantTransaction,
  context: Pick<Context, 'ids'>,
  origin: Origin,
  used: UsedPromotions,
  cause: Cause,
): Promise<void> {
  const { userId } = used;
  const ids = discountIdsOf(used);
  if (ids.length > 0) {
    tx.queue(countDiscountUses({ ids }));
    if (userId !== null) tx.queue(countCustomerDiscountUses({ ids, userId }));
  }
  if (used.credits.length > 0) tx.queue(takeCredits(movedCredits(used, cause)));
  await moveRedeemed(tx, context, origin, used, cause, 'redeemed');
}

/** Queues what canceling an order gives back: exactly what placing it took. */
export async function giveBackPromotions(
  tx: TenantTransaction,
  context: Pick<Context, 'ids'>,
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

/** An order uses a discount once, on however many lines it works. */
function discountIdsOf({ discounts }: UsedPromotions): number[] {
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
  context: Pick<Context, 'ids'>,
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
