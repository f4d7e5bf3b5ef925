import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { isOpen } from './intent-lifecycle.ts';
import { type IntentRow, lockIntentsOfOrder, setApplied } from './intent-queries.ts';
import { queueTasks } from './note-sighting.ts';
import { selectConnectedTypes } from './payment-connection-queries.ts';

/** How an order is paid when it is handed over, in cents with fees. */
export interface HandedOverPayment {
  readonly paymentTypeId: number;
  readonly amountCents: number;
}

/**
 * Holds the payments of an order against the money at providers, in the transaction that hands it over, under its lock. A type that is
 * connected to a provider pays only what was captured; what was captured and is not used becomes a task to give back. Fails with
 * PAYMENT_IN_PROGRESS while a payment is open; one of which nothing is known may stay so by the word of a manager.
 */
export async function settleOrderMoney(
  tx: TenantTransaction,
  context: Context,
  orderId: string,
  payments: readonly HandedOverPayment[],
  { leavesUnknown }: { readonly leavesUnknown: boolean },
): Promise<void> {
  const [intents, connected] = await tx.run(lockIntentsOfOrder({ orderId }), selectConnectedTypes({}));
  if (intents.length === 0 && connected.length === 0) return;
  const open = intents.find(({ status }) => isOpen(status));
  if (open !== undefined && !(open.status === 'unknown' && leavesUnknown)) {
    throw failure(
      'PAYMENT_IN_PROGRESS',
      open.status === 'unknown'
        ? 'What became of a payment of this order is not known yet. A manager may take another tender: send leavesUnknownPayment.'
        : 'A payment of this order is under way: wait for it, or cancel it.',
      { paymentIntentId: open.id, status: open.status },
    );
  }
  const nowMs = context.clock.now();
  const types = new Set([
    ...connected.map((it) => it.paymentTypeId),
    ...intents.map((it) => it.paymentTypeId),
  ]);
  for (const typeId of types) {
    const ofType = payments.filter(({ paymentTypeId }) => paymentTypeId === typeId);
    const usedCents = ofType.reduce((sum, { amountCents }) => sum + amountCents, 0);
    const captured = intents.filter(({ paymentTypeId }) => paymentTypeId === typeId);
    await useMoney(tx, context, captured, usedCents, nowMs);
  }
}

/** Counts what the order uses of the payments of a type; the rest is to be given back. */
async function useMoney(
  tx: TenantTransaction,
  context: Context,
  intents: readonly IntentRow[],
  usedCents: number,
  nowMs: number,
): Promise<void> {
  const countedCents = intents.reduce((sum, { appliedCents }) => sum + appliedCents, 0);
  if (usedCents > countedCents) {
    throw failure(
      'INVALID_ORDER',
      `payments by a type that is connected to a provider come to ${usedCents} cents, but ${countedCents} were captured.`,
    );
  }
  let leftCents = usedCents;
  for (const intent of intents) {
    const appliedCents = Math.min(leftCents, intent.appliedCents);
    leftCents -= appliedCents;
    const unusedCents = intent.appliedCents - appliedCents;
    if (unusedCents === 0) continue;
    tx.queue(setApplied({ id: intent.id, appliedCents, at: isoTimestamp(nowMs) }));
    await queueTasks(tx, context, intent, [['refund', unusedCents, 'paid-otherwise']], nowMs);
  }
}

/** Fails with PAYMENT_IN_PROGRESS while a payment of the order is open: its price must not change under it. */
export async function assertNoOpenPayment(tx: TenantTransaction, orderId: string): Promise<void> {
  const [intents] = await tx.run(lockIntentsOfOrder({ orderId }));
  const open = intents.find(({ status }) => isOpen(status));
  if (open === undefined) return;
  throw failure(
    'PAYMENT_IN_PROGRESS',
    'A payment of this order is under way: cancel it before the amounts change.',
    {
      paymentIntentId: open.id,
      status: open.status,
    },
  );
}

/** Fails as given if one of these types pays by a provider, or a provider was asked for money of the order by it. */
export async function assertNoMoneyAtProviders(
  tx: Pick<TenantTransaction, 'run'>,
  orderId: string,
  paymentTypeIds: readonly number[],
  refusal: () => Error,
): Promise<void> {
  const [intents, connected] = await tx.run(lockIntentsOfOrder({ orderId }), selectConnectedTypes({}));
  const atProviders = [...intents, ...connected].map(({ paymentTypeId }) => paymentTypeId);
  if (paymentTypeIds.some((id) => atProviders.includes(id))) throw refusal();
}
