import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { holdOpenSession, insertMovements, selectPaymentMethods } from './drawer-queries.ts';
import { registers, selectRegister } from './register-setting.ts';

/** Money that a customer paid or got back at a register. */
export interface TakenAtRegister {
  readonly registerId: number;
  readonly kind: 'sale' | 'refund' | 'refund-voided' | 'gift-card';
  /** Null: of a gift card. */
  readonly orderId: string | null;
  readonly orderReturnId: number | null;
  readonly staffId: number;
  readonly atMs: number;
  /** In cents; what the register gave is negative. */
  readonly payments: readonly { readonly paymentTypeId: number; readonly amountCents: number }[];
}

/**
 * Records payments at a register, in the transaction of the payment (D74). They belong to the session that is open now, whenever
 * the order was placed or paid. Resolves to that session; null: no drawer is open, and the money is recorded outside a session.
 * Fails with REGISTER_NOT_FOUND, and with DRAWER_NOT_OPEN for cash if the register refuses it then.
 *
 * The session is held until the commit, so a close that begins meanwhile counts these payments.
 */
export async function recordAtRegister(
  tx: TenantTransaction,
  context: Pick<Context, 'ids'>,
  taken: TakenAtRegister,
): Promise<number | null> {
  const { registerId, payments } = taken;
  const [[register], [held], methods] = await tx.run(
    selectRegister({ id: registerId }),
    holdOpenSession({ registerId }),
    selectPaymentMethods({ ids: payments.map(({ paymentTypeId }) => paymentTypeId) }),
  );
  if (register === undefined || register.archivedAt !== null) throw registers.writes.notFound();
  // A drawer may have been closed and opened again while this waited for the lock.
  const [[reopened]] = held === undefined ? await tx.run(holdOpenSession({ registerId })) : [[held]];
  const sessionId = reopened?.id ?? null;
  const cashTypes = new Set(methods.filter(({ method }) => method === 'cash').map(({ id }) => id));
  const isCash = (paymentTypeId: number) => cashTypes.has(paymentTypeId);
  if (
    sessionId === null &&
    register.cashWithoutSession === 'refuse' &&
    payments.some(({ paymentTypeId, amountCents }) => isCash(paymentTypeId) && amountCents !== 0)
  ) {
    throw failure(
      'DRAWER_NOT_OPEN',
      `The drawer of ${register.name} is not open: open it before taking cash.`,
    );
  }
  await queueTakings(tx, context, taken, sessionId, isCash);
  return sessionId;
}

/** Queues the movements of payments, in a session or outside one. */
export async function queueTakings(
  tx: TenantTransaction,
  context: Pick<Context, 'ids'>,
  { registerId, kind, orderId, orderReturnId, staffId, atMs, payments }: TakenAtRegister,
  sessionId: number | null,
  isCash: (paymentTypeId: number) => boolean,
): Promise<void> {
  const ids = await context.ids.take(payments.length);
  tx.queue(
    ...insertMovements(
      payments.map(({ paymentTypeId, amountCents }, index) => ({
        id: ids[index]!,
        registerId,
        sessionId,
        kind,
        paymentTypeId,
        isCash: isCash(paymentTypeId),
        amountCents,
        orderId,
        orderReturnId,
        reason: null,
        staffId,
        createdAt: isoTimestamp(atMs),
      })),
    ),
  );
}

/** Records cash that a card terminal charged for and the drawer pays out to the customer, in cents: neither sale nor expense. */
export async function recordCashBack(
  tx: TenantTransaction,
  context: Pick<Context, 'ids'>,
  { registerId, staffId, cents, atMs }: Record<'registerId' | 'staffId' | 'cents' | 'atMs', number>,
): Promise<void> {
  const [[held]] = await tx.run(holdOpenSession({ registerId }));
  const id = await context.ids.takeOne();
  tx.queue(
    ...insertMovements([
      {
        ...{
          id,
          registerId,
          sessionId: held?.id ?? null,
          kind: 'paid-out',
          paymentTypeId: null,
          isCash: true,
        },
        ...{ amountCents: -cents, orderId: null, orderReturnId: null, reason: 'Cash back', staffId },
        createdAt: isoTimestamp(atMs),
      },
    ]),
  );
}

/** Money that a customer paid onto a gift card, or, negative, got for one. */
export interface CardMoney {
  readonly registerId: number;
  readonly paymentTypeId: number;
  readonly amountCents: number;
  readonly staffId: number;
  readonly atMs: number;
}

/** Records the money of a gift card at a register, as `recordAtRegister` does it. It is no sale. */
export async function recordCardMoney(
  tx: TenantTransaction,
  context: Pick<Context, 'ids'>,
  { paymentTypeId, amountCents, ...money }: CardMoney,
): Promise<void> {
  await recordAtRegister(tx, context, {
    ...money,
    ...{ kind: 'gift-card', orderId: null, orderReturnId: null },
    payments: [{ paymentTypeId, amountCents }],
  });
}
