import { parsePercent, roundCents } from '../../engines/pricing/exact-amounts.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { addDays, isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { lockConnection, selectAgreedFee } from './payment-connection-queries.ts';
import type { PaymentDesk } from './payment-desk.ts';
import { insertTasks } from './payment-task-queries.ts';
import type { PaidOutLine } from './provider.ts';
import {
  deleteSettlement,
  insertSettlementLines,
  type KnownMoney,
  noteSettled,
  selectKnownMoney,
  selectSettlementTasks,
  selectUnsettled,
  settleIntents,
} from './settlement-queries.ts';

/** What a provider paid out for a day, in cents, and how many differences from our books wait for a person. */
export interface Settlement {
  readonly day: string;
  readonly paymentsCents: number;
  readonly refundsCents: number;
  readonly returnedCents: number;
  readonly feesCents: number;
  /** What the provider may keep of these payments; null: nothing was agreed. */
  readonly agreedFeesCents: number | null;
  readonly netCents: number;
  readonly differences: number;
}

type Reason = 'not-ours' | 'amount-differs' | 'not-paid-out' | 'fee-differs' | 'batch-differs';

export interface Difference {
  readonly reason: Reason;
  readonly reference: string;
  readonly known: Pick<KnownMoney, 'intentId' | 'orderId'> | null;
  readonly amountCents: number;
}

/**
 * Reads what a provider says it paid out for a day, and holds it against what was captured, line by line (D107). What fits is settled; each
 * difference is a task, once, however often the day is read. `day`: the provider's, in UTC. Fails with PAYMENT_CONNECTION_NOT_FOUND, and
 * with PAYMENT_NOT_REPORTED where the provider gives no report, or does not answer.
 */
export async function settleDay(
  desk: PaymentDesk,
  origin: Origin,
  organization: OrganizationId,
  connectionId: number,
  day: string,
): Promise<Settlement> {
  const provider = await desk.open(organization, connectionId);
  const lines = await provider.settlements(day);
  if (lines === null) {
    throw failure('PAYMENT_NOT_REPORTED', 'The provider gave no report of what it paid out on this day.');
  }
  const { context } = desk;
  return context.database.write(organization, async (tx) => {
    const [[connection]] = await tx.run(lockConnection({ id: connectionId }));
    if (connection === undefined) {
      throw failure('PAYMENT_CONNECTION_NOT_FOUND', 'There is no such connection.');
    }
    const nowMs = context.clock.now();
    const at = isoTimestamp(nowMs);
    await tx.run(deleteSettlement({ connectionId, day }));
    const [known, tasks, [agreed]] = await tx.run(
      selectKnownMoney({ connectionId, references: lines.map(({ reference }) => reference) }),
      selectSettlementTasks({ connectionId }),
      selectAgreedFee({ connectionId }),
    );
    await tx.run(
      ...insertSettlementLines(
        lines.map(({ reference, kind, amountCents, feeCents }, position) => ({
          ...{ connectionId, day, position, reference, kind, amountCents, feeCents, createdAt: at },
        })),
      ),
    );
    // What was captured the day before may stand in this report, too; then it is missed.
    const before = addDays(day, -1);
    const isBeforeRead = connection.settledDay !== null && connection.settledDay >= before;
    const captured = { connectionId, from: `${before}T00:00:00Z`, until: `${day}T00:00:00Z` };
    const [unsettled] = await tx.run(isBeforeRead ? selectUnsettled(captured) : null);
    const agreedFeesCents = agreedFeesOf(lines, agreed!);
    const found = [
      ...differencesOf(byPayment(lines), known, unsettled),
      ...feeDifferenceOf(day, lines, agreedFeesCents),
    ];
    await queueDifferences(tx, context, connectionId, found, tasks, at);
    tx.queue(
      settleIntents({ ids: paidAsBooked(byPayment(lines), known), at }),
      noteSettled({ id: connectionId, day }),
    );
    const settled = settlementOf(day, lines, agreedFeesCents, found.length);
    await tellSettlement(tx, context, origin, connectionId, settled, nowMs);
    return settled;
  });
}

/** Queues a task for each difference that is not told yet. */
export async function queueDifferences(
  tx: TenantTransaction,
  context: Pick<Context, 'ids'>,
  connectionId: number,
  found: readonly Difference[],
  told: readonly { readonly reason: string; readonly reference: string }[],
  createdAt: string,
): Promise<void> {
  const fresh = found.filter(
    ({ reason, reference }) => !told.some((task) => task.reason === reason && task.reference === reference),
  );
  const ids = await context.ids.take(fresh.length);
  tx.queue(
    ...insertTasks(
      fresh.map(({ reason, reference, known, amountCents }, index) => ({
        ...{ id: ids[index]!, kind: 'settlement' as const, orderReturnId: null, reason, reference },
        ...{ connectionId, amountCents, createdAt },
        ...{ intentId: known?.intentId ?? null, orderId: known?.orderId ?? null },
      })),
    ),
  );
}

/** Pure. What the provider may keep of the payments of a day, each rounded to the cent; null: nothing was agreed. */
export function agreedFeesOf(
  lines: readonly PaidOutLine[],
  agreed: { readonly cents: number; readonly percent: string },
): number | null {
  const { numerator, denominator } = parsePercent(agreed.percent);
  if (agreed.cents === 0 && numerator === 0n) return null;
  return lines
    .filter(({ kind }) => kind === 'payment')
    .reduce(
      (sum, { amountCents }) => sum + agreed.cents + roundCents(BigInt(amountCents) * numerator, denominator),
      0,
    );
}

/** Pure. The fees of a day as one difference. How a provider rounds is its own: a cent for each payment is none. */
export function feeDifferenceOf(
  day: string,
  lines: readonly PaidOutLine[],
  agreedFeesCents: number | null,
): readonly Difference[] {
  if (agreedFeesCents === null) return [];
  const payments = lines.filter(({ kind }) => kind === 'payment');
  const amountCents = payments.reduce((sum, { feeCents }) => sum + feeCents, 0) - agreedFeesCents;
  if (Math.abs(amountCents) <= payments.length) return [];
  return [{ reason: 'fee-differs', reference: day, known: null, amountCents }];
}

/** Pure. The sums of a day. */
export function settlementOf(
  day: string,
  lines: readonly PaidOutLine[],
  agreedFeesCents: number | null,
  differences: number,
): Settlement {
  const sum = (of: (line: PaidOutLine) => number) => lines.reduce((total, line) => total + of(line), 0);
  const ofKind = (...kinds: readonly PaidOutLine['kind'][]) =>
    sum(({ kind, amountCents }) => (kinds.includes(kind) ? amountCents : 0));
  const feesCents = sum(({ feeCents }) => feeCents);
  return {
    ...{
      day,
      feesCents,
      agreedFeesCents,
      differences,
      paymentsCents: ofKind('payment'),
      refundsCents: ofKind('refund'),
    },
    returnedCents: ofKind('return', 'recovery'),
    netCents: sum(({ amountCents }) => amountCents) - feesCents,
  };
}

/** A payment may have been refunded in several parts on the day. */
function byPayment(lines: readonly PaidOutLine[]): readonly PaidOutLine[] {
  const sums = new Map<string, PaidOutLine>();
  for (const line of lines) {
    const key = `${line.kind} ${line.reference}`;
    const before = sums.get(key);
    const amountCents = (before?.amountCents ?? 0) + line.amountCents;
    sums.set(key, { ...line, amountCents, feeCents: (before?.feeCents ?? 0) + line.feeCents });
  }
  return [...sums.values()];
}

/** Pure. What is reported and not ours, or of another amount; and what was captured a day before and is still not reported. */
export function differencesOf(
  lines: readonly PaidOutLine[],
  known: readonly KnownMoney[],
  unsettled: readonly KnownMoney[],
): readonly Difference[] {
  const reported = lines.flatMap((line): Difference[] => {
    const ours = known.filter(({ reference }) => reference === line.reference);
    const [first] = ours;
    if (first === undefined) {
      return [{ reason: 'not-ours', reference: line.reference, known: null, amountCents: line.amountCents }];
    }
    const booked = ours.find(({ kind }) => kind === line.kind);
    // Not booked yet: the daily look at the payment finds it, and the next reading of this day compares it.
    if (booked === undefined || booked.cents === line.amountCents) return [];
    const amountCents = line.amountCents - booked.cents;
    return [{ reason: 'amount-differs', reference: line.reference, known: first, amountCents }];
  });
  return [
    ...reported,
    ...unsettled.map((it): Difference => {
      return { reason: 'not-paid-out', reference: it.reference, known: it, amountCents: it.cents };
    }),
  ];
}

function paidAsBooked(lines: readonly PaidOutLine[], known: readonly KnownMoney[]): readonly number[] {
  return lines.flatMap((line) => {
    if (line.kind !== 'payment') return [];
    const booked = known.find((it) => it.reference === line.reference && it.kind === 'payment');
    return booked?.cents === line.amountCents ? [booked.intentId] : [];
  });
}

/** Audit entry and event of a comparison. */
export async function tellSettlement(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  connectionId: number,
  settled: Settlement,
  nowMs: number,
): Promise<void> {
  assert(settled.differences >= 0, 'differences are counted');
  await announce(tx, context, origin, nowMs, {
    ...{
      event: 'payment_connection.settled',
      subjectType: 'payment_connection',
      subjectId: connectionId,
    },
    payload: { paymentConnectionId: connectionId, day: settled.day, differences: settled.differences },
    details: {
      ...{ paymentConnectionId: connectionId, day: settled.day, differences: settled.differences },
      ...{ net: settled.netCents, fees: settled.feesCents },
    },
  });
}
