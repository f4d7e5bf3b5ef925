import type { Context, Origin } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { decimal, decimalText, zero } from '../kernel/decimal.ts';
import type { OrderRecord, ShownReturn } from '../orders/orders.ts';
import { issueRefundCredit, movePoints } from '../promotions/promotions.ts';
import type { PointShares } from './return-points.ts';

/** The effect of a return on its customer's account. */
export interface Settlement {
  /** A new store credit; 0: none. */
  readonly storeCreditCents: number;
  /** Decimal texts. */
  readonly pointsTakenBack: string;
  readonly pointsGivenBack: string;
}

type SettledReturn = Omit<Settlement, 'storeCreditCents'> & { readonly customerCreditId: number | null };

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
}): Settlement {
  const { userId, refundType, points } = made;
  if (userId === null || refundType === 'none') {
    return { storeCreditCents: 0, pointsTakenBack: '0', pointsGivenBack: '0' };
  }
  return {
    storeCreditCents: made.storeCreditCents + (refundType === 'store-credit' ? made.refundCents : 0),
    pointsGivenBack: points.redeemed,
    pointsTakenBack: lesser(points.earned, made.balance, points.redeemed),
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
  const { storeCreditCents: cents, ...moved } = made.settlement;
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
  settled: Pick<SettledReturn, 'pointsTakenBack' | 'pointsGivenBack'> & { readonly balance: string },
  cause: { readonly causeId: number; readonly atMs: number },
): Promise<Pick<SettledReturn, 'pointsTakenBack' | 'pointsGivenBack'>> {
  if (head.userId === null) return { pointsTakenBack: '0', pointsGivenBack: '0' };
  const moved = {
    pointsGivenBack: settled.pointsTakenBack,
    pointsTakenBack: lesser(settled.pointsGivenBack, settled.balance, settled.pointsTakenBack),
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

/** The points to remove, at most the current balance: spent points cannot be removed. */
function lesser(points: string, balance: string, added: string): string {
  const available = decimal(balance).plus(added);
  return decimalText(available.lt(points) ? available : decimal(points));
}
