import { decimal, decimalText, zero } from '../../kernel/decimal.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import type { OrderRecord } from '../orders/order-record.ts';
import type { ShownReturn } from '../orders/order-return-schema.ts';
import { issueRefundCredit, movePoints } from '../promotions/promotions.ts';
import type { PointShares } from './return-points.ts';

/** The effect of a return on its customer's account. */
export interface Settlement {
  /** A new store credit; 0: none. */
  readonly storeCreditCents: number;
  /** Decimal texts. */
  readonly pointsTakenBack: string;
  readonly pointsGivenBack: string;
  /** What the refund is reduced by for points that are owed; 0 where the balance goes below zero instead. */
  readonly pointsChargedCents: number;
}

type SettledReturn = Omit<Settlement, 'storeCreditCents' | 'pointsChargedCents'> & {
  readonly customerCreditId: number | null;
};

/**
 * The effect of a return on its customer's account: points, and store credit for a refund as store credit and for the
 * store credit that paid. A return without refund has no effect.
 */
export function decideSettlement(made: {
  readonly userId: number | null;
  readonly refundType: ShownReturn['refundType'];
  readonly refundCents: number;
  /** The store credit that paid for the returned goods. */
  readonly storeCreditCents: number;
  readonly points: PointShares;
  /** The customer's points. */
  readonly balance: string;
  /** Cents for each point that is owed; null: the balance goes below zero. */
  readonly owedPointCents: number | null;
}): Settlement {
  const { userId, refundType, points, owedPointCents } = made;
  if (userId === null || refundType === 'none') {
    return { storeCreditCents: 0, pointsTakenBack: '0', pointsGivenBack: '0', pointsChargedCents: 0 };
  }
  const there = lesser(points.earned, made.balance, points.redeemed);
  const owed = decimal(points.earned).minus(there);
  const chargedCents =
    owedPointCents === null
      ? 0
      : Math.min(made.refundCents, owed.times(owedPointCents).round(0, 0).toNumber());
  return {
    storeCreditCents:
      made.storeCreditCents + (refundType === 'store-credit' ? made.refundCents - chargedCents : 0),
    pointsGivenBack: points.redeemed,
    pointsTakenBack: owedPointCents === null ? points.earned : there,
    pointsChargedCents: chargedCents,
  };
}

/** Queues the changes of the customer's account, which is locked. */
export async function settleReturn(
  tx: TenantTransaction,
  context: Pick<Context, 'ids' | 'clock'>,
  origin: Origin,
  made: {
    readonly order: OrderRecord;
    readonly settlement: Settlement;
    readonly returnId: number;
    readonly atMs: number;
  },
): Promise<SettledReturn> {
  const { userId, id: orderId } = made.order.head;
  const { storeCreditCents: cents, pointsTakenBack, pointsGivenBack } = made.settlement;
  const moved = { pointsTakenBack, pointsGivenBack };
  const { atMs } = made;
  if (userId === null) return { customerCreditId: null, ...moved };
  const customerCreditId =
    cents === 0
      ? null
      : await issueRefundCredit(tx, context, { userId, cents, description: 'Returned goods', atMs });
  await exchangePoints(tx, context, origin, moved, {
    userId,
    reason: 'Goods returned',
    orderId,
    causeId: made.returnId,
    atMs,
  });
  return { customerCreditId, ...moved };
}

/** Queues the reversed points when a return is voided. Resolves to the moved points. */
export async function unsettlePoints(
  tx: TenantTransaction,
  context: Pick<Context, 'ids' | 'clock'>,
  origin: Origin,
  { head }: OrderRecord,
  settled: Pick<SettledReturn, 'pointsTakenBack' | 'pointsGivenBack'>,
  cause: { readonly causeId: number; readonly atMs: number },
): Promise<Pick<SettledReturn, 'pointsTakenBack' | 'pointsGivenBack'>> {
  if (head.userId === null) return { pointsTakenBack: '0', pointsGivenBack: '0' };
  const moved = {
    pointsGivenBack: settled.pointsTakenBack,
    // What the return gave: the balance may go below zero.
    pointsTakenBack: settled.pointsGivenBack,
  };
  await exchangePoints(tx, context, origin, moved, {
    userId: head.userId,
    reason: 'Return voided',
    orderId: head.id,
    ...cause,
  });
  return moved;
}

async function exchangePoints(
  tx: TenantTransaction,
  context: Pick<Context, 'ids' | 'clock'>,
  origin: Origin,
  { pointsGivenBack, pointsTakenBack }: Pick<SettledReturn, 'pointsTakenBack' | 'pointsGivenBack'>,
  movement: {
    readonly userId: number;
    readonly reason: string;
    readonly orderId: string;
    readonly causeId: number;
    readonly atMs: number;
  },
): Promise<void> {
  await movePoints(
    tx,
    context,
    origin,
    { ...movement, type: 'given-back', points: pointsGivenBack },
    { ...movement, type: 'taken-back', points: decimalText(zero.minus(pointsTakenBack)) },
  );
}

/** The points to remove, at most the current balance. */
function lesser(points: string, balance: string, added: string): string {
  const sum = decimal(balance).plus(added);
  const available = sum.lt(zero) ? zero : sum;
  return decimalText(available.lt(points) ? available : decimal(points));
}
