import type { PointsMovement } from '../promotions/move-points.ts';
import { earnedPoints } from '../promotions/promotions.ts';
import type { UsedPromotions } from '../promotions/use-promotions.ts';
import type { OrderRecord } from './order-record.ts';

/**
 * The promotions that an order uses: placing it takes them, canceling it returns them. Of an unproven customer it uses nothing until
 * the person is known.
 */
export function promotionsOf({ head, discounts, credits, loyaltyRedemptions }: OrderRecord): UsedPromotions {
  const userId = head.isUnproven ? null : head.userId;
  return { orderId: head.id, userId, discounts, credits, redemptions: loyaltyRedemptions };
}

/** D24: the points that a fulfilled order earns for merchandise after discounts; none for a walk-in customer. */
export function pointsOf(
  { head }: OrderRecord,
  pointsPerDollar: string | undefined,
  { transitionId, atMs }: { readonly transitionId: number; readonly atMs: number },
): PointsMovement[] {
  if (head.userId === null || pointsPerDollar === undefined) return [];
  return [
    {
      userId: head.userId,
      type: 'earned',
      points: earnedPoints(pointsPerDollar, head.merchandiseCents),
      reason: 'Order fulfilled',
      orderId: head.id,
      causeId: transitionId,
      atMs,
    },
  ];
}
