import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import type { StaffName } from '../orders/order-record.ts';
import { recordAtRegister } from '../registers/registers.ts';

/**
 * Records a refund by a payment type at the register that gives it, or that it was voided at (D74). Store credit and returns
 * without refund move no money of a register.
 */
export async function recordRefund(
  tx: TenantTransaction,
  context: Pick<Context, 'ids'>,
  made: {
    readonly kind: 'refund' | 'refund-voided';
    readonly registerId?: number | null;
    readonly paymentTypeId: number | null;
    /** Negative. */
    readonly refundCents: number;
    readonly orderId: string;
    readonly id: number;
    readonly by: StaffName;
    readonly nowMs: number;
  },
): Promise<void> {
  const { kind, registerId = null, paymentTypeId, refundCents } = made;
  if (registerId === null) return;
  const amountCents = kind === 'refund' ? refundCents : -refundCents;
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
