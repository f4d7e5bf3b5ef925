import type { OrganizationRow } from '../../access/organizations/organization-queries.ts';
import { barredLoyalty } from '../../engines/duties/barred-promotions.ts';
import type { StateLaw } from '../../engines/jurisdictions/law-book.ts';
import { localDateAt } from '../../kernel/local-time.ts';
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

/** What a dollar of an order earns in points; undefined: nothing, also where the law bars points for its buyer on that day. */
export function lawfulPointsPerDollar(
  law: StateLaw,
  { state, tz }: Pick<OrganizationRow, 'state' | 'tz'>,
  { head: { isMedical } }: OrderRecord,
  pointsPerDollar: string | undefined,
  atMs: number,
): string | undefined {
  return barredLoyalty(law.find(state), localDateAt(atMs, tz), isMedical) === null
    ? pointsPerDollar
    : undefined;
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
