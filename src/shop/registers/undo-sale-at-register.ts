import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { holdSession, insertMovements, selectSaleMovements } from './drawer-queries.ts';

/**
 * Takes the money of a voided sale out of the sessions that took it in, in the transaction of the void. Fails with
 * SALE_NOT_VOIDABLE when one of them is closed: its report stays as it is.
 */
export async function undoSaleAtRegister(
  tx: TenantTransaction,
  context: Pick<Context, 'ids'>,
  { orderId, staffId, atMs }: { readonly orderId: string; readonly staffId: number; readonly atMs: number },
): Promise<void> {
  const [taken] = await tx.run(selectSaleMovements({ orderId }));
  if (taken.length === 0) return;
  const sessionIds = new Set(taken.flatMap(({ session_id }) => (session_id === null ? [] : [session_id])));
  for (const id of sessionIds) {
    const [[session]] = await tx.run(holdSession({ id }));
    if (session === undefined || session.closed_at !== null) {
      throw failure('SALE_NOT_VOIDABLE', 'The drawer of this sale is closed: make a return.', {
        reason: 'drawer-is-closed',
      });
    }
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
