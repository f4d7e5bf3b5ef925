import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { type IntentEvent, intentAfter, isOpen } from './intent-lifecycle.ts';
import {
  askToCancel,
  type IntentRow,
  insertLedger,
  lockIntentsOfOrder,
  selectExchangedFor,
  setApplied,
} from './intent-queries.ts';
import { nextRefundLook } from './look-times.ts';
import { announceIntent, lockedIntent, queueTasks } from './note-sighting.ts';
import { selectConnectedTypes } from './payment-connection-queries.ts';
import type { PaymentDesk } from './payment-desk.ts';
import { endTask, lockTask, lockTasksOfReturn } from './payment-task-queries.ts';
import type { RefundSighting } from './provider.ts';
import {
  addRefunded,
  beginRefund,
  insertRefunds,
  lockRefund,
  type RefundRow,
  selectRefund,
  selectRefundsOfIntent,
  selectRefundsOfReturn,
  updateRefund,
} from './refund-queries.ts';
import { open } from './start-intent.ts';

/** A key of the bank is kept for a day: after that, the same key would give again. */
const repeatMsMax = 20 * 3_600_000;
/**
 * Reads of a refund that is not known, before people are told that it was not made: four minutes, because a terminal goes on asking for
 * the card after it was given up.
 */
const absentMax = 7;
const sendingMs = 150_000;

export interface AskedToGiveBack {
  readonly amountCents: number;
  readonly reason: string;
  /** The money that its order counts, or what was captured beyond that. */
  readonly from: 'applied' | 'excess';
  readonly hasCard: boolean;
  readonly staffId: number | null;
  readonly orderReturnId: number | null;
}

/** What of a payment is still with the shop. */
export function leftCentsOf({ capturedCents, refundedCents, returnedCents }: IntentRow): number {
  return capturedCents - refundedCents - returnedCents;
}

/**
 * Queues a refund of a locked payment, for a worker to make: never more than was captured less what went back. Fails with
 * REFUND_EXCEEDS_PAYMENT. Resolves to its id.
 */
export async function queueRefund(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  intent: IntentRow,
  asked: AskedToGiveBack,
  nowMs: number,
): Promise<number> {
  const { amountCents, from } = asked;
  const leftCents = from === 'applied' ? intent.appliedCents : leftCentsOf(intent) - intent.appliedCents;
  const status = intentAfter(intent.status, 'refund-asked');
  if (amountCents > leftCents || status === null) {
    throw failure('REFUND_EXCEEDS_PAYMENT', `amount must be at most ${leftCents} cents, not ${amountCents}.`);
  }
  const [id] = await context.ids.take(1);
  assert(id !== undefined, 'an id was taken');
  const at = isoTimestamp(nowMs);
  const { reason, hasCard, staffId, orderReturnId } = asked;
  tx.queue(
    ...insertRefunds([
      {
        ...{ id, intentId: intent.id, reference: `r${id}`, amountCents, status: 'requested', reason },
        ...{ hasCard, staffId, orderReturnId, createdAt: at, updatedAt: at },
        nextLookAt: isoTimestamp(context.wallClock.now()),
      },
    ]),
    addRefunded({
      ...{ id: intent.id, refundedCents: amountCents, status, at },
      ...{ appliedCents: from === 'applied' ? -amountCents : 0, returnedCents: 0 },
    }),
  );
  await announceIntent(tx, context, origin, { ...intent, status }, nowMs, { refund: amountCents, reason });
  return id;
}

/** A member of staff gives back what a task names: at a terminal with the card, or by the bank. Resolves when it is sent. */
export async function refundTask(
  desk: PaymentDesk,
  origin: Origin,
  organization: OrganizationId,
  taskId: number,
  by: { readonly staffId: number; readonly hasCard: boolean },
): Promise<void> {
  const { context } = desk;
  const refundId = await context.database.write(organization, async (tx) => {
    const [[found]] = await tx.run(lockTask({ id: taskId }));
    if (found === undefined || found.kind !== 'refund') {
      throw failure('PAYMENT_TASK_NOT_FOUND', 'There is no such task to refund.');
    }
    if (found.doneAt !== null) throw failure('PAYMENT_TASK_DONE', 'The task is done.');
    assert(found.intentId !== null, 'what is refunded was paid');
    const { intent } = await lockedIntent(tx, found.intentId);
    const nowMs = context.clock.now();
    const asked = {
      ...by,
      amountCents: found.amountCents,
      reason: found.reason,
      from: 'excess',
      orderReturnId: null,
    } as const;
    const id = await queueRefund(tx, context, origin, intent, asked, nowMs);
    tx.queue(endTask({ id: taskId, staffId: by.staffId, note: 'Refunded', at: isoTimestamp(nowMs) }));
    return id;
  });
  desk.letGoOn(carryRefund(desk, origin, organization, refundId));
}

/** A member of staff says that a task is done otherwise, such as in cash. */
export async function doneTask(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  taskId: number,
  { staffId, note }: { readonly staffId: number; readonly note: string },
): Promise<void> {
  await context.database.write(organization, async (tx) => {
    const [[task]] = await tx.run(lockTask({ id: taskId }));
    if (task === undefined) throw failure('PAYMENT_TASK_NOT_FOUND', 'There is no such task.');
    if (task.doneAt !== null) throw failure('PAYMENT_TASK_DONE', 'The task is done.');
    const nowMs = context.clock.now();
    tx.queue(endTask({ id: taskId, staffId, note, at: isoTimestamp(nowMs) }));
    if (task.intentId === null) return;
    const { intent } = await lockedIntent(tx, task.intentId);
    await announceIntent(tx, context, origin, intent, nowMs, { task: task.kind, amount: task.amountCents });
  });
}

/**
 * Gives the money of an order back, in the transaction that cancels or voids it, under its lock: payments under way are asked to end,
 * what a provider can give back without the customer is queued, the rest becomes tasks for people. For each payment at most what
 * was captured less what went back. What goods that came back paid for it is a refund of their return from now on: by the payments at
 * providers that these goods had, unless it stands under a type that no provider takes.
 */
export async function returnMoneyOfOrder(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  {
    orderId,
    reason,
    staffId,
  }: { readonly orderId: string; readonly reason: string; readonly staffId: number | null },
): Promise<void> {
  const [intents, [exchanged], connected] = await tx.run(
    lockIntentsOfOrder({ orderId }),
    selectExchangedFor({ orderId }),
    selectConnectedTypes({}),
  );
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  const lookAt = isoTimestamp(context.wallClock.now());
  for (const intent of intents) {
    if (isOpen(intent.status)) tx.queue(askToCancel({ id: intent.id, at, lookAt }));
    if (intent.appliedCents === 0) continue;
    const asked = {
      amountCents: intent.appliedCents,
      reason,
      from: 'applied',
      hasCard: false,
      staffId,
      orderReturnId: null,
    } as const;
    if (intent.provider === 'terminal')
      await leaveToPeople(tx, context, intent, asked.amountCents, reason, nowMs);
    else await queueRefund(tx, context, origin, intent, asked, nowMs);
  }
  if (exchanged === undefined) return;
  const { paymentTypeId } = exchanged;
  if (![...connected, ...intents].some((it) => it.paymentTypeId === paymentTypeId)) return;
  const paying = byChoice(await lockPaying(tx, exchanged.orderId), paymentTypeId);
  await giveBackGoods(tx, context, origin, paying, { ...exchanged, staffId, atMs: nowMs });
}

/** The payments of an order, oldest first, after those of the orders whose goods came back for its goods: they paid for it, too. */
async function lockPaying(tx: TenantTransaction, orderId: string): Promise<readonly IntentRow[]> {
  const [intents, [exchanged]] = await tx.run(
    lockIntentsOfOrder({ orderId }),
    selectExchangedFor({ orderId }),
  );
  return exchanged === undefined ? intents : [...(await lockPaying(tx, exchanged.orderId)), ...intents];
}

/** Those that an order still counts: first of this type, newest first, then the others. */
function byChoice(intents: readonly IntentRow[], paymentTypeId: number): readonly IntentRow[] {
  const paying = intents.toReversed().filter(({ appliedCents }) => appliedCents > 0);
  const isChosen = (intent: IntentRow) => intent.paymentTypeId === paymentTypeId;
  return [...paying.filter(isChosen), ...paying.filter((it) => !isChosen(it))];
}

/** The order counts it no more; a task names it. */
async function leaveToPeople(
  tx: TenantTransaction,
  context: Context,
  intent: IntentRow,
  amountCents: number,
  reason: string,
  nowMs: number,
  orderReturnId: number | null = null,
): Promise<void> {
  const at = isoTimestamp(nowMs);
  tx.queue(setApplied({ id: intent.id, appliedCents: intent.appliedCents - amountCents, at }));
  await queueTasks(tx, context, intent, [['refund', amountCents, reason]], nowMs, orderReturnId);
}

interface GivenBack {
  readonly orderReturnId: number;
  readonly amountCents: number;
  readonly staffId: number | null;
  readonly atMs: number;
}

/**
 * Gives the refund of returned goods back to the payments at providers that the order was paid by, in the transaction of the return: first
 * to those of the type that staff chose, newest first, then to the others. A type that took nothing at a provider, such as cash, gives
 * all of it by hand. Fails with REFUND_EXCEEDS_PAYMENT for more than these payments took.
 */
export async function refundToPayments(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  given: GivenBack & { readonly orderId: string; readonly paymentTypeId: number },
): Promise<void> {
  const paying = byChoice(await lockPaying(tx, given.orderId), given.paymentTypeId);
  if (paying[0]?.paymentTypeId !== given.paymentTypeId) return;
  const leftCents = await giveBackGoods(tx, context, origin, paying, given);
  if (leftCents === 0) return;
  throw failure(
    'REFUND_EXCEEDS_PAYMENT',
    `At most ${given.amountCents - leftCents} cents go back by terminal or bank, not ${given.amountCents}: choose the payment type that took the rest as paymentTypeId.`,
  );
}

/** Resolves to what these payments do not cover. */
async function giveBackGoods(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  paying: readonly IntentRow[],
  { orderReturnId, staffId, atMs, ...given }: GivenBack,
): Promise<number> {
  const reason = 'goods-returned';
  let leftCents = given.amountCents;
  for (const intent of paying) {
    const amountCents = Math.min(leftCents, intent.appliedCents);
    if (amountCents <= 0) continue;
    leftCents -= amountCents;
    if (intent.provider === 'terminal') {
      await leaveToPeople(tx, context, intent, amountCents, reason, atMs, orderReturnId);
    } else {
      const asked = { amountCents, reason, from: 'applied', hasCard: false, staffId, orderReturnId } as const;
      await queueRefund(tx, context, origin, intent, asked, atMs);
    }
  }
  return leftCents;
}

/**
 * Takes a refund of returned goods back, in the transaction that voids the return: what people have not given back yet stays with the
 * shop. Fails with RETURN_REFUNDED once money has begun to move.
 */
export async function keepMoneyOfReturn(
  tx: TenantTransaction,
  context: Context,
  { orderId, orderReturnId }: { readonly orderId: string; readonly orderReturnId: number },
): Promise<void> {
  const [, tasks, refunds] = await tx.run(
    lockIntentsOfOrder({ orderId }),
    lockTasksOfReturn({ orderReturnId }),
    selectRefundsOfReturn({ orderReturnId }),
  );
  if (refunds.length > 0 || tasks.some(({ doneAt }) => doneAt !== null)) {
    throw failure(
      'RETURN_REFUNDED',
      'The money of this return has gone back by its provider: it cannot be voided.',
    );
  }
  const at = isoTimestamp(context.clock.now());
  for (const { id, intentId, amountCents } of tasks) {
    // Of this order, or of one whose goods came back for its goods.
    const { intent } = await lockedIntent(tx, intentId);
    tx.queue(
      endTask({ id, staffId: null, note: 'The return was voided', at }),
      setApplied({ id: intentId, appliedCents: intent.appliedCents + amountCents, at }),
    );
  }
}

/** Sends a queued refund, once, or finds out what became of it. */
export async function carryRefund(
  desk: PaymentDesk,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<void> {
  const { context } = desk;
  const [[refund]] = await context.database.read(organization, selectRefund({ id }));
  if (refund === undefined || refund.status === 'paid' || refund.status === 'failed') return;
  const { provider, intent, asked } = await open(desk, organization, refund.intentId);
  const isWhole =
    refund.amountCents === intent.capturedCents &&
    intent.tipCents + intent.cashBackCents + intent.providerFeeCents === 0;
  const given = { ...refund, isWhole };
  if (refund.status === 'requested') {
    const begun = await context.database.write(organization, async (tx) => {
      const nextLookAt = isoTimestamp(context.wallClock.now() + sendingMs);
      const [rows] = await tx.run(beginRefund({ id, nextLookAt, at: isoTimestamp(context.clock.now()) }));
      return rows.length > 0;
    });
    if (begun) await noteRefund(context, origin, organization, id, await provider.refund(asked, given));
    return;
  }
  const isYoung = context.clock.now() - refund.createdAt < repeatMsMax;
  const repeats = provider.capabilities.refundRepeats && isYoung && refund.status !== 'pending';
  const sighting = repeats ? await provider.refund(asked, given) : await provider.readRefund(asked, given);
  await noteRefund(context, origin, organization, id, sighting);
}

async function noteRefund(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  sighting: RefundSighting,
): Promise<void> {
  await context.database.write(organization, async (tx) => {
    const [[found]] = await tx.run(selectRefund({ id }));
    assert(found !== undefined, 'a refund that is made exists');
    const { intent } = await lockedIntent(tx, found.intentId);
    const [[refund], all] = await tx.run(lockRefund({ id }), selectRefundsOfIntent({ intentId: intent.id }));
    assert(refund !== undefined, 'refunds stay');
    if (refund.status === 'paid' || refund.status === 'failed') return;
    const nowMs = context.clock.now();
    const status = statusOf(refund, sighting);
    const isOver = status === 'paid' || status === 'failed';
    const wallMs = context.wallClock.now();
    const pauseMs = isOver ? null : nextRefundLook(status, refund.lookCount);
    tx.queue(
      updateRefund({
        ...{ id, status, detail: sighting.code ?? null, lookCount: refund.lookCount + 1 },
        nextLookAt: pauseMs === null ? null : isoTimestamp(wallMs + pauseMs),
        at: isoTimestamp(nowMs),
      }),
    );
    if (isOver)
      await endRefund(tx, context, origin, { intent, refund, status, others: all, sighting }, nowMs);
  });
}

function statusOf(
  { status, lookCount }: RefundRow,
  { seen }: RefundSighting,
): 'paid' | 'failed' | 'pending' | 'unknown' {
  if (seen === 'paid' || seen === 'pending') return seen;
  if (seen === 'rejected' || seen === 'needs-card') return 'failed';
  // The provider has taken it on: it may show it later.
  if (status === 'pending') return status;
  return seen === 'absent' && lookCount >= absentMax ? 'failed' : 'unknown';
}

interface EndedRefund {
  readonly intent: IntentRow;
  readonly refund: RefundRow;
  readonly status: 'paid' | 'failed' | 'pending' | 'unknown';
  readonly others: readonly RefundRow[];
  readonly sighting: RefundSighting;
}

async function endRefund(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  { intent, refund, status, others, sighting }: EndedRefund,
  nowMs: number,
): Promise<void> {
  const isUnderWay = others.some(
    (it) => it.id !== refund.id && it.status !== 'paid' && it.status !== 'failed',
  );
  const isPaid = status === 'paid';
  const isWhole = intent.refundedCents === intent.capturedCents;
  const event: IntentEvent = !isPaid ? 'refund-failed' : isWhole ? 'refund-paid-whole' : 'refund-paid';
  const after = isUnderWay ? intent.status : (intentAfter(intent.status, event) ?? intent.status);
  // Refused, because the bank has taken the payment back meanwhile: the customer has it by that.
  const isTakenBack = !isPaid && (intent.status === 'returned' || intent.returnedCents > 0);
  tx.queue(
    addRefunded({
      ...{ id: intent.id, refundedCents: isPaid ? 0 : -refund.amountCents, appliedCents: 0, status: after },
      returnedCents: isTakenBack ? refund.amountCents : 0,
      at: isoTimestamp(nowMs),
    }),
  );
  if (isPaid || isTakenBack) {
    const entry = { kind: isPaid ? 'refund' : 'returned', amountCents: -refund.amountCents } as const;
    const [id, intentId, createdAt] = [await context.ids.takeOne(), intent.id, isoTimestamp(nowMs)];
    tx.queue(...insertLedger([{ ...entry, id, intentId, refundId: isPaid ? refund.id : null, createdAt }]));
  } else {
    // The customer has not got it: a person sees to it.
    const reason = sighting.seen === 'needs-card' ? 'card-needed' : 'refund-refused';
    const task = ['refund', refund.amountCents, reason] as const;
    await queueTasks(tx, context, intent, [task], nowMs, refund.orderReturnId);
  }
  await announceIntent(tx, context, origin, { ...intent, status: after }, nowMs, {
    refund: refund.amountCents,
    outcome: status,
  });
}
