import { decimal, decimalText, zero } from '../../kernel/decimal.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { tell } from '../../platform/events/announce.ts';
import { insertLoyaltyEvents, moveLoyaltyBalances, openLoyaltyBalances } from './account-queries.ts';

export interface PointsMovement {
  readonly userId: number;
  readonly type: 'open-api' | 'earned' | 'redeemed' | 'given-back' | 'taken-back' | 'adjusted';
  /** Decimal text; negative removes points. */
  readonly points: string;
  readonly reason: string;
  readonly orderId: string | null;
  /**
   * The causing row: a transition of an order, or a return. The table's key allows one entry of a type for
   * each.
   */
  readonly causeId: number | null;
  readonly atMs: number;
  /** For an integrator's own events (D38). */
  readonly integratorId?: number;
  readonly idempotencyKey?: string;
}

/**
 * Queues changes of points: a ledger entry for each, and the customers' balances; the database refuses a
 * balance below zero, except by points that are taken back (D89). Changes of 0 are left out. Resolves to the ids of the entries.
 */
export async function movePoints(
  tx: TenantTransaction,
  context: Pick<Context, 'ids' | 'clock'>,
  origin: Origin,
  ...movements: readonly PointsMovement[]
): Promise<number[]> {
  const moved = movements.filter(({ points }) => !decimal(points).eq(zero));
  if (moved.length === 0) return [];
  const ids = await context.ids.take(moved.length);
  const at = isoTimestamp(Math.max(...moved.map(({ atMs }) => atMs)));
  const sums = new Map<number, string>();
  for (const { userId, points } of moved) {
    sums.set(userId, decimalText(decimal(sums.get(userId) ?? '0').plus(points)));
  }
  tx.queue(
    ...insertLoyaltyEvents(
      moved.map((movement, index) => ({
        id: ids[index]!,
        userId: movement.userId,
        type: movement.type,
        pointsAmount: movement.points,
        reason: movement.reason,
        orderId: movement.orderId,
        causeId: movement.causeId,
        integratorId: movement.integratorId ?? null,
        idempotencyKey: movement.idempotencyKey ?? null,
        actor: origin.actor,
        createdAt: isoTimestamp(movement.atMs),
      })),
    ),
    openLoyaltyBalances({ userIds: [...sums.keys()], at }),
    moveLoyaltyBalances({
      userIds: [...sums.keys()],
      deltas: [...sums.values()],
      owingIds: moved.filter(({ type }) => type === 'taken-back').map(({ userId }) => userId),
      at,
    }),
  );
  // Points that were given by hand or by an integrator are announced by who gives them.
  await tell(
    tx,
    context,
    context.clock.now(),
    ...moved.flatMap(({ type, userId }, index) =>
      type === 'open-api' || type === 'adjusted'
        ? []
        : [
            {
              event: 'loyalty_event.created' as const,
              subjectId: ids[index]!,
              payload: { loyaltyEventId: ids[index]!, customerId: userId, type },
            },
          ],
    ),
  );
  return ids;
}
