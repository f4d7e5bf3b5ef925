import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { recordCashBack } from '../registers/registers.ts';
import { isOpen } from './intent-lifecycle.ts';
import {
  type IntentRow,
  insertLedger,
  type LedgerKind,
  lockIntentsOfOrder,
  lockPaidOrder,
  type PaidOrderRow,
  selectIntent,
  selectPaidByType,
  updateIntent,
} from './intent-queries.ts';
import { nextLookAfter } from './look-times.ts';
import { noteBatch } from './payment-connection-queries.ts';
import {
  endTasksOfIntent,
  insertTasks,
  selectOpenTaskOfIntent,
  selectTaskDoneByPerson,
  type TaskKind,
} from './payment-task-queries.ts';
import type { Sighting } from './provider.ts';
import { type Act, type Decision, type Lack, weighSighting } from './weigh-sighting.ts';

/** Doubts that people are told of: after so many looks, about a minute. */
const looksBeforeTelling = 5;

/**
 * Writes what a provider said of a payment, under locks on its order and then on it: status, amounts, ledger, tasks, audit and
 * event together. The same sighting twice changes nothing. Resolves to the payment as it is then.
 */
export async function noteSighting(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  intentId: number,
  sighting: Sighting,
  act: Act,
  captures: boolean,
): Promise<IntentRow> {
  return context.database.write(organization, async (tx) => {
    const { intent, others, order } = await lockedIntent(tx, intentId);
    const nowMs = context.clock.now();
    const decided = weighSighting(intent, sighting, act, await lackOf(tx, order, intent, others));
    const { after, event } = decided;
    const isNew = after.status !== intent.status;
    const lookCount = isNew ? 0 : intent.lookCount + 1;
    const wallMs = context.wallClock.now();
    // An abort that came after the card may have reversed what was captured.
    const wasAborted = isNew && after.status === 'captured' && intent.cancelAskedAt !== null;
    const ageMs = nowMs - intent.createdAt;
    const leftMs = intent.expiresAt === null ? null : intent.expiresAt - nowMs;
    const pauseMs = wasAborted
      ? nextLookAfter('unknown', 0, { captures, ageMs: 0 })
      : nextLookAfter(after.status, lookCount, { captures, ageMs, leftMs });
    const changed = {
      ...{ ...after, lookCount, link: sighting.link ?? intent.link },
      providerId: sighting.providerId ?? intent.providerId,
      facts: { ...intent.facts, ...sighting.facts },
    };
    tx.queue(
      updateIntent({
        ...{ ...changed, id: intentId, facts: JSON.stringify(changed.facts) },
        expiresAt: textOf(intent.expiresAt),
        nextLookAt: pauseMs === null ? null : isoTimestamp(wallMs + pauseMs),
        at: isoTimestamp(nowMs),
      }),
    );
    await moveMoney(tx, context, intent, decided, nowMs);
    await tellPeople(tx, context, { intent, sighting, decided, order, lookCount }, nowMs);
    const { batch } = sighting.facts ?? {};
    if (batch !== undefined && sighting.seen === 'captured') {
      tx.queue(noteBatch({ id: intent.connectionId, batch, reference: intent.reference }));
    }
    if (event !== null && isNew) {
      await announceIntent(tx, context, origin, { ...intent, ...changed }, nowMs, { from: intent.status });
    }
    return { ...intent, ...changed, updatedAt: nowMs };
  });
}

/** What payments have paid of the goods: their own fees are no part of what is due. */
export function paidGoodsCents(intents: readonly IntentRow[]): number {
  return intents.reduce(
    (sum, { appliedCents, feeAmountCents }) => sum + Math.max(0, appliedCents - feeAmountCents),
    0,
  );
}

async function lackOf(
  tx: TenantTransaction,
  order: PaidOrderRow,
  intent: IntentRow,
  others: readonly IntentRow[],
): Promise<Lack> {
  const leftCents = order.goodsCents + intent.feeAmountCents - paidGoodsCents(others);
  return {
    dueCents: takesMoney(order.status) ? leftCents : 0,
    balanceCents: intent.status === 'returned' ? await openCents(tx, order, intent, others, leftCents) : 0,
  };
}

/** What is open of an order since the bank took this payment back: 0 once it was paid otherwise, or people have collected it. */
async function openCents(
  tx: TenantTransaction,
  { id: orderId, status }: PaidOrderRow,
  { id: intentId, paymentTypeId }: IntentRow,
  others: readonly IntentRow[],
  leftCents: number,
): Promise<number> {
  const [[collected], [paid]] = await tx.run(
    selectTaskDoneByPerson({ intentId, kind: 'collect' }),
    selectPaidByType({ orderId, paymentTypeId }),
  );
  if (status === 'canceled' || collected !== undefined) return 0;
  if (status !== 'fulfilled') return leftCents;
  const ofType = others.filter((it) => it.paymentTypeId === paymentTypeId);
  return Math.min(leftCents, paid!.cents - ofType.reduce((sum, it) => sum + it.appliedCents, 0));
}

/** Whether an order can still be paid. */
export function takesMoney(status: PaidOrderRow['status']): boolean {
  return status === 'draft' || status === 'new' || status === 'packed';
}

/** The payment, locked after its order, as all writes take these locks. Fails with PAYMENT_INTENT_NOT_FOUND. */
export async function lockedIntent(
  tx: TenantTransaction,
  intentId: number,
): Promise<{
  readonly intent: IntentRow;
  readonly others: readonly IntentRow[];
  readonly order: PaidOrderRow;
}> {
  const [[found]] = await tx.run(selectIntent({ id: intentId }));
  if (found === undefined) throw failure('PAYMENT_INTENT_NOT_FOUND', 'There is no such payment.');
  const [[order]] = await tx.run(lockPaidOrder({ orderId: found.orderId }));
  const [all] = await tx.run(lockIntentsOfOrder({ orderId: found.orderId }));
  const intent = all.find(({ id }) => id === intentId);
  if (intent === undefined || order === undefined) {
    throw failure('PAYMENT_INTENT_NOT_FOUND', 'There is no such payment.');
  }
  return { intent, order, others: all.filter(({ id }) => id !== intentId) };
}

/** Audit entry and event of a change: of its order, so that its integrator reads it. */
export async function announceIntent(
  tx: TenantTransaction,
  context: Pick<Context, 'ids'>,
  origin: Origin,
  { id, orderId, status, capturedCents }: IntentRow,
  nowMs: number,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const payload = { orderId, paymentIntentId: id, paymentStatus: status };
  await announce(tx, context, origin, nowMs, {
    ...{ event: 'order.payment_changed', subjectType: 'order', subjectId: orderId, payload },
    details: { ...payload, captured: capturedCents, ...details },
  });
}

async function moveMoney(
  tx: TenantTransaction,
  context: Context,
  intent: IntentRow,
  { after, returnedNowCents, recoveredNowCents }: Decision,
  nowMs: number,
): Promise<void> {
  const moved = (
    [
      ['captured', after.capturedCents - intent.capturedCents],
      ['tip', after.tipCents - intent.tipCents],
      ['cash-back', after.cashBackCents - intent.cashBackCents],
      ['provider-fee', after.providerFeeCents - intent.providerFeeCents],
      ['returned', -returnedNowCents],
      ['recovered', recoveredNowCents],
    ] satisfies [LedgerKind, number][]
  ).filter(([, cents]) => cents !== 0);
  const ids = await context.ids.take(moved.length);
  tx.queue(
    ...insertLedger(
      moved.map(([kind, amountCents], index) => ({
        ...{ id: ids[index]!, intentId: intent.id, kind, amountCents, refundId: null },
        createdAt: isoTimestamp(nowMs),
      })),
    ),
  );
}

interface Told {
  readonly intent: IntentRow;
  readonly sighting: Sighting;
  readonly decided: Decision;
  readonly order: PaidOrderRow;
  readonly lookCount: number;
}

/** Tasks for what no rule settles. */
async function tellPeople(
  tx: TenantTransaction,
  context: Context,
  { intent, sighting, decided, order, lookCount }: Told,
  nowMs: number,
): Promise<void> {
  const { after, event, excessCents, returnedNowCents, recoveredNowCents } = decided;
  const isVoided = returnedNowCents > 0 && sighting.seen === 'canceled';
  const tasks: [TaskKind, number, string][] = [];
  if (excessCents > 0) tasks.push(['refund', excessCents, excessReason(intent, order)]);
  if (returnedNowCents > 0)
    tasks.push(['collect', returnedNowCents, isVoided ? 'voided-at-terminal' : 'returned-by-bank']);
  if (event === 'disputed') tasks.push(['dispute', after.capturedCents, 'disputed']);
  const cents = after.cashBackCents - intent.cashBackCents;
  if (cents > 0) {
    tasks.push(['cash-back', after.cashBackCents, 'cash-back']);
    const { registerId, staffId } = intent;
    if (registerId !== null && staffId !== null) {
      await recordCashBack(tx, context, { registerId, staffId, cents, atMs: nowMs });
    }
  }
  // Looks are counted anew when someone asks for its end.
  const isOld = after.status === 'unknown' && lookCount === looksBeforeTelling;
  const [told] = isOld
    ? await tx.run(selectOpenTaskOfIntent({ intentId: intent.id, kind: 'unknown' }))
    : [[]];
  if (isOld && told.length === 0) {
    tasks.push(['unknown', intent.amountCents + intent.feeAmountCents, 'no-answer']);
  }
  await queueTasks(tx, context, intent, tasks, nowMs);
  const ended = { intentId: intent.id, note: 'The provider has answered', at: isoTimestamp(nowMs) };
  if (intent.status === 'unknown' && after.status !== 'unknown') {
    tx.queue(endTasksOfIntent({ ...ended, kind: 'unknown' }));
  }
  if (recoveredNowCents > 0) tx.queue(endTasksOfIntent({ ...ended, kind: 'collect' }));
  // What the bank took back need not be given back.
  if (returnedNowCents > 0) tx.queue(endTasksOfIntent({ ...ended, kind: 'refund' }));
}

function excessReason(intent: IntentRow, { status }: PaidOrderRow): string {
  if (status === 'canceled') return 'order-canceled';
  if (!isOpen(intent.status) || status === 'fulfilled') return 'late';
  return 'more-than-due';
}

/** Queues tasks about a payment, with why, in a word. */
export async function queueTasks(
  tx: TenantTransaction,
  context: Pick<Context, 'ids'>,
  { id: intentId, orderId }: Pick<IntentRow, 'id' | 'orderId'>,
  tasks: readonly (readonly [kind: TaskKind, amountCents: number, reason: string])[],
  nowMs: number,
  orderReturnId: number | null = null,
): Promise<void> {
  const ids = await context.ids.take(tasks.length);
  tx.queue(
    ...insertTasks(
      tasks.map(([kind, amountCents, reason], index) => ({
        ...{
          id: ids[index]!,
          kind,
          intentId,
          orderId,
          amountCents,
          reason,
          orderReturnId,
          ...{ connectionId: null, reference: null },
          createdAt: isoTimestamp(nowMs),
        },
      })),
    ),
  );
}

function textOf(ms: number | null): string | null {
  return ms === null ? null : isoTimestamp(ms);
}
