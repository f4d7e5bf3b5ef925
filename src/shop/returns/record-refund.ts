import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { refundToCards, takeRefundFromCards } from '../gift-cards/gift-cards.ts';
import type { StaffName } from '../orders/order-record.ts';
import { keepMoneyOfReturn, refundToPayments } from '../payments/payments.ts';
import { recordAtRegister } from '../registers/registers.ts';

/**
 * Gives a refund back to the payments at providers that it came by (D105), and records it at the register that gives it, or that it
 * was voided at (D74). Store credit and returns without refund move no money. Fails with RETURN_REFUNDED for a void that comes too late.
 */
export async function recordRefund(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  made: {
    readonly kind: 'refund' | 'refund-voided';
    readonly registerId?: number | null;
    readonly paymentTypeId: number | null;
    /** Negative. */
    readonly refundCents: number;
    /** What rounding adds to what is given in cash. */
    readonly cashRoundingCents: number;
    /** The part of it that pays for other goods: no money moves for it. */
    readonly exchangedCents?: number;
    readonly orderId: string;
    readonly id: number;
    readonly by: StaffName;
    /** Whether the payment type is of gift cards. */
    readonly takesGiftCards?: boolean;
    /** The code of a card that the customer shows. */
    readonly giftCard?: string | null;
    readonly nowMs: number;
  },
): Promise<void> {
  const { kind, registerId = null, paymentTypeId, refundCents, orderId, id: orderReturnId } = made;
  const movedCents = -refundCents - (made.exchangedCents ?? 0);
  const { nowMs: atMs, by } = made;
  const given = { orderId, orderReturnId, staffId: by.id, atMs, amountCents: movedCents };
  if (kind === 'refund-voided') {
    await keepMoneyOfReturn(tx, context, { orderId, orderReturnId });
    await takeRefundFromCards(tx, context, origin, { orderId, orderReturnId, staffId: by.id, atMs });
  } else if (paymentTypeId !== null && movedCents > 0) {
    const { giftCard: code = null } = made;
    if (made.takesGiftCards === true) {
      await refundToCards(tx, context, origin, { ...given, paymentTypeId, code });
    } else await refundToPayments(tx, context, origin, { ...given, paymentTypeId });
  }
  if (registerId === null) return;
  const givenCents = made.cashRoundingCents - refundCents;
  const amountCents = kind === 'refund' ? -givenCents : givenCents;
  await recordAtRegister(tx, context, {
    registerId,
    kind,
    orderId: made.orderId,
    orderReturnId: made.id,
    staffId: made.by.id,
    atMs: made.nowMs,
    payments: paymentTypeId === null ? [] : [{ paymentTypeId, amountCents }],
  });
}
