import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { holdSessionAt, selectPaymentMethods } from './drawer-queries.ts';
import { queueTakings, type TakenAtRegister } from './record-at-register.ts';
import { selectRegister } from './register-setting.ts';

/**
 * Records payments that a register took alone (D75), in the transaction of their order: in the session that was open then. If that
 * session was counted meanwhile, or the register takes no cash without one, they are recorded outside a session, because the report
 * of a closed one stays as it is: resolves to true, for review.
 */
export async function recordOfflineTakings(
  tx: TenantTransaction,
  context: Pick<Context, 'ids'>,
  taken: TakenAtRegister,
): Promise<boolean> {
  const { registerId, payments, atMs } = taken;
  const [[register], [session], methods] = await tx.run(
    selectRegister({ id: registerId }),
    holdSessionAt({ registerId, at: isoTimestamp(atMs) }),
    selectPaymentMethods({ ids: payments.map(({ paymentTypeId }) => paymentTypeId) }),
  );
  const isOpen = session !== undefined && session.closed_at === null;
  const isCash = (paymentTypeId: number) =>
    methods.some(({ id, method }) => id === paymentTypeId && method === 'cash');
  await queueTakings(tx, context, taken, isOpen ? session.id : null, isCash);
  return !isOpen && (session !== undefined || register?.cashWithoutSession === 'refuse');
}
