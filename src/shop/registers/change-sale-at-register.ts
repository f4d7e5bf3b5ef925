import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { holdSession, insertMovements, selectPaymentMethods, selectSaleMovements } from './drawer-queries.ts';

interface SaleChange {
  readonly orderId: string;
  readonly staffId: number;
  readonly atMs: number;
}

/**
 * Takes the money of a voided sale out of the sessions that took it in, in the transaction of the void. Fails with
 * SALE_NOT_VOIDABLE when one of them is closed: its report stays as it is.
 */
export async function undoSaleAtRegister(
  tx: TenantTransaction,
  context: Pick<Context, 'ids'>,
  { orderId, staffId, atMs }: SaleChange,
): Promise<void> {
  const [taken] = await tx.run(selectSaleMovements({ orderId }));
  if (!(await holdOpen(tx, taken))) {
    throw failure('SALE_NOT_VOIDABLE', 'The drawer of this sale is closed: make a return.', {
      reason: 'drawer-is-closed',
    });
  }
  const ids = await context.ids.take(taken.length);
  tx.queue(
    ...insertMovements(
      taken.map((it, index) => ({
        id: ids[index]!,
        registerId: it.register_id,
        sessionId: it.session_id,
        kind: 'sale-voided',
        paymentTypeId: it.payment_type_id,
        isCash: it.is_cash,
        amountCents: -it.amount_cents,
        orderId,
        orderReturnId: null,
        reason: null,
        staffId,
        createdAt: isoTimestamp(atMs),
      })),
    ),
  );
}

/** Money that a correction moves from one payment type, where it is negative, to another, in cents. */
export interface CorrectedMoney {
  readonly paymentTypeId: number;
  readonly amountCents: number;
}

/**
 * Moves money of a sale between payment types in the session that took it, in the transaction of the correction. A sale without a register
 * has none to move. Fails with PAYMENT_NOT_CORRECTABLE when the session is closed: its report stays as it is.
 */
export async function correctSaleAtRegister(
  tx: TenantTransaction,
  context: Pick<Context, 'ids'>,
  { orderId, staffId, atMs, moved }: SaleChange & { readonly moved: readonly CorrectedMoney[] },
): Promise<void> {
  const [taken, methods] = await tx.run(
    selectSaleMovements({ orderId }),
    selectPaymentMethods({ ids: moved.map(({ paymentTypeId }) => paymentTypeId) }),
  );
  const [sale] = taken;
  if (sale === undefined) return;
  if (!(await holdOpen(tx, taken))) {
    throw failure(
      'PAYMENT_NOT_CORRECTABLE',
      'The drawer of this sale is closed: its report stays as it is. Note the difference there.',
      { reason: 'drawer-is-closed' },
    );
  }
  const ids = await context.ids.take(moved.length);
  tx.queue(
    ...insertMovements(
      moved.map(({ paymentTypeId, amountCents }, index) => ({
        id: ids[index]!,
        registerId: sale.register_id,
        sessionId: sale.session_id,
        kind: 'sale-corrected',
        paymentTypeId,
        isCash: methods.some(({ id, method }) => id === paymentTypeId && method === 'cash'),
        amountCents,
        orderId,
        orderReturnId: null,
        reason: null,
        staffId,
        createdAt: isoTimestamp(atMs),
      })),
    ),
  );
}

/** Holds the sessions until the commit. Resolves to whether all are open. */
async function holdOpen(
  tx: TenantTransaction,
  taken: readonly { readonly session_id: number | null }[],
): Promise<boolean> {
  const sessionIds = new Set(taken.flatMap(({ session_id }) => (session_id === null ? [] : [session_id])));
  for (const id of sessionIds) {
    const [[session]] = await tx.run(holdSession({ id }));
    if (session === undefined || session.closed_at !== null) return false;
  }
  return true;
}
