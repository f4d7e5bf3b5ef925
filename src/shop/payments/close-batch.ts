import { selectOrganization } from '../../access/organizations/organizations.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { addDays, businessDayAt, isoTimestamp, startOfBusinessDayMs } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { isOpen } from './intent-lifecycle.ts';
import { lockConnection, selectConnection } from './payment-connection-queries.ts';
import type { PaymentDesk } from './payment-desk.ts';
import type { BatchSighting, PaidOutLine } from './provider.ts';
import {
  type Difference,
  queueDifferences,
  type Settlement,
  settlementOf,
  tellSettlement,
} from './settle-day.ts';
import {
  insertSettlementLines,
  noteBatchClosed,
  selectReported,
  selectSettlementTasks,
  selectTerminalMoney,
  selectUnclear,
  settleIntents,
  type TerminalMoney,
} from './settlement-queries.ts';
import { lookAtIntent } from './start-intent.ts';

/** Payments that did not move for so long are no part of a batch. */
const daysBack = 31;

/**
 * Closes the batch of a terminal, and holds its totals against our books (D107): what fits is settled, and each difference is a task, with
 * its payment where the terminal lists them. Closed twice, the second time finds nothing new. `day`: the business day that it is booked
 * on; default: the present one. Fails with PAYMENT_CONNECTION_NOT_FOUND, and with PAYMENT_NOT_REPORTED where the terminal does not close
 * it, or does not answer.
 */
export async function closeBatch(
  desk: PaymentDesk,
  origin: Origin,
  organization: OrganizationId,
  connectionId: number,
  givenDay?: string,
): Promise<Settlement> {
  const { context } = desk;
  const [[before], unclear] = await context.database.read(
    organization,
    selectConnection({ id: connectionId }),
    selectUnclear({ connectionId }),
  );
  if (before === undefined) throw notFound();
  // Once the batch is closed, the terminal may not know them any more.
  await Promise.all(unclear.map(({ id }) => lookAtIntent(desk, origin, organization, id)));
  const provider = await desk.open(organization, connectionId);
  assert(provider.closeBatch !== undefined, 'a terminal has batches');
  const seen = await provider.closeBatch();
  if (seen.seen === 'open' || seen.seen === 'silence') throw notClosed(seen);
  const { today, nextMs } = await businessDays(context, organization);
  const day = givenDay ?? today;
  const lines = seen.lines ?? [];
  const references = lines.map(({ reference }) => reference);
  return context.database.write(organization, async (tx) => {
    const [[connection]] = await tx.run(lockConnection({ id: connectionId }));
    if (connection === undefined) throw notFound();
    const nowMs = context.clock.now();
    const at = isoTimestamp(nowMs);
    const from = isoTimestamp(nowMs - daysBack * 86_400_000);
    const [books, told, [reported]] = await tx.run(
      selectTerminalMoney({ connectionId, references, from }),
      selectSettlementTasks({ connectionId }),
      selectReported({ connectionId, references, day }),
    );
    const compared = compareBatch({
      ...{ seen, day, books, reported: reported!.references, batchBefore: before.batch },
      told: told.flatMap(({ intentId }) => intentId ?? []),
    });
    tx.queue(
      ...insertSettlementLines(
        compared.lines.map((line, index) => ({
          ...{ connectionId, day, position: reported!.nextPosition + index, createdAt: at },
          ...{
            reference: line.reference,
            kind: line.kind,
            amountCents: line.amountCents,
            feeCents: line.feeCents,
          },
        })),
      ),
      settleIntents({ ids: compared.settled, at }),
      noteBatchClosed({ id: connectionId, day, batch: before.batch, next: isoTimestamp(nextMs) }),
    );
    await queueDifferences(tx, context, connectionId, compared.differences, told, at);
    const settled = settlementOf(day, compared.lines, null, compared.differences.length);
    await tellSettlement(tx, context, origin, connectionId, settled, nowMs);
    return settled;
  });
}

/** The present business day, and when the next one begins on the clock of the worker. */
export async function businessDays(
  { database, clock, wallClock }: Pick<Context, 'database' | 'clock' | 'wallClock'>,
  organization: OrganizationId,
): Promise<{ readonly today: string; readonly nextMs: number }> {
  const [[shop]] = await database.read(organization, selectOrganization({}));
  assert(shop !== undefined, 'a shop with terminals exists');
  const days = { tz: shop.tz, dayStartsAt: shop.business_day_starts_at };
  const next = addDays(businessDayAt(wallClock.now(), days), 1);
  return { today: businessDayAt(clock.now(), days), nextMs: startOfBusinessDayMs(next, days) };
}

interface Batch {
  readonly seen: BatchSighting;
  readonly day: string;
  readonly books: readonly TerminalMoney[];
  /** References of lines that an earlier comparison has stored. */
  readonly reported: readonly string[];
  /** Payments that people were told of: they see to these. */
  readonly told: readonly number[];
  /** The batch of the last payment that was seen since we closed one; null: none was seen. */
  readonly batchBefore: string | null;
}

interface Compared {
  /** What is stored: together the terminal's own total. */
  readonly lines: readonly PaidOutLine[];
  readonly differences: readonly Difference[];
  /** Payments that fit. */
  readonly settled: readonly number[];
}

const nothing: Compared = { lines: [], differences: [], settled: [] };

/** Pure. What a batch holds against what our books hold and no batch before has told of. */
export function compareBatch({ seen, day, books, reported, told, batchBefore }: Batch): Compared {
  const lines = seen.lines ?? [];
  const fresh = lines.filter(({ reference }) => !reported.includes(reference));
  const isListed = seen.seen === 'closed' && seen.lines !== null;
  const isKnown = isListed && lines.length > 0 && fresh.length === 0;
  // No batch is open, and the terminal has taken nothing since the last one: its sums were compared.
  if (isKnown || (seen.seen === 'none' && batchBefore === null)) return nothing;
  const due = books.filter(
    (it) =>
      ownLines(it, fresh).length > 0 ||
      (it.cents !== 0 &&
        !isAwaited(it) &&
        !told.includes(it.intentId) &&
        !it.references.some((reference) => seen.leftOpen.includes(reference))),
  );
  // The terminal has closed a batch by itself since: only its sums are left.
  const isEarlier = (it: TerminalMoney) =>
    seen.seen === 'none' ||
    (it.batch !== null && seen.batch !== null && it.batch !== seen.batch && ownLines(it, fresh).length === 0);
  const earlier = due.filter(isEarlier);
  const present = due.filter((it) => !isEarlier(it));
  const awaited = books.filter(isAwaited);
  const label = (batch: string | null | undefined) => (batch == null ? day : `${day} #${batch}`);
  const before =
    earlier.length === 0
      ? nothing
      : byTotal(label(earlier.at(-1)?.batch ?? batchBefore), seen.beforeCents, earlier, awaited);
  const now =
    seen.seen === 'none'
      ? nothing
      : isListed
        ? byPayment(label(seen.batch), seen, fresh, present)
        : byTotal(label(batchBefore), seen.totalCents, present, awaited);
  return {
    lines: [...before.lines, ...now.lines],
    differences: [...before.differences, ...now.differences],
    settled: [...before.settled, ...now.settled],
  };
}

function ownLines({ references }: TerminalMoney, lines: readonly PaidOutLine[]): readonly PaidOutLine[] {
  return lines.filter(({ reference }) => references.includes(reference));
}

/** An answer is still to come: the next batch compares it. */
function isAwaited({ status }: TerminalMoney): boolean {
  return isOpen(status) || status === 'refund-pending';
}

function byPayment(
  label: string,
  { lines, totalCents }: BatchSighting,
  fresh: readonly PaidOutLine[],
  due: readonly TerminalMoney[],
): Compared {
  const strangers = fresh.filter((line) => !due.some((known) => ownLines(known, [line]).length > 0));
  const compared = due.map((known) => {
    const own = ownLines(known, fresh);
    return { known, isReported: own.length > 0, overCents: sumOf(own) - known.cents };
  });
  const listedCents = sumOf(lines ?? []);
  const restCents = (totalCents ?? listedCents) - listedCents;
  return {
    lines: [...fresh, ...restOf(label, restCents)],
    differences: [
      ...strangers.map(({ reference, amountCents }): Difference => {
        return { reason: 'not-ours', reference, known: null, amountCents };
      }),
      ...compared.flatMap(({ known, overCents, isReported }): Difference[] => {
        if (overCents === 0 || isAwaited(known)) return [];
        const [reason, amountCents] = isReported
          ? (['amount-differs', overCents] as const)
          : (['not-paid-out', known.cents] as const);
        return [{ reason, reference: known.references[0]!, known, amountCents }];
      }),
      ...differenceOf(label, restCents, null),
    ],
    settled: compared.flatMap(({ known, overCents }) => (overCents === 0 ? [known.intentId] : [])),
  };
}

/**
 * The terminal names no payments: its total, against that of ours. A single payment that explains the difference is named: one that it
 * lacks, or one whose answer is still to come.
 */
function byTotal(
  label: string,
  totalCents: number | null,
  due: readonly TerminalMoney[],
  awaited: readonly TerminalMoney[],
): Compared {
  const bookedCents = due.reduce((sum, { cents }) => sum + cents, 0);
  const restCents = (totalCents ?? bookedCents) - bookedCents;
  const [suspect = null, ...others] = [
    ...due.filter(({ cents }) => cents === -restCents),
    ...awaited.filter(({ askedCents }) => askedCents === restCents),
  ];
  return {
    lines: [
      ...due.flatMap(({ references, cents }) => restOf(references[0]!, cents)),
      ...restOf(label, restCents),
    ],
    differences: differenceOf(label, restCents, others.length === 0 ? suspect : null),
    settled: totalCents === bookedCents ? due.map(({ intentId }) => intentId) : [],
  };
}

function sumOf(lines: readonly PaidOutLine[]): number {
  return lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

function restOf(reference: string, amountCents: number): readonly PaidOutLine[] {
  const kind = amountCents < 0 ? 'refund' : 'payment';
  return amountCents === 0 ? [] : [{ reference, kind, amountCents, feeCents: 0 }];
}

function differenceOf(
  reference: string,
  amountCents: number,
  known: TerminalMoney | null,
): readonly Difference[] {
  return amountCents === 0 ? [] : [{ reason: 'batch-differs', reference, known, amountCents }];
}

function notFound() {
  return failure('PAYMENT_CONNECTION_NOT_FOUND', 'There is no such connection.');
}

function notClosed({ seen, code, advice }: BatchSighting) {
  const why =
    seen === 'silence' ? 'It did not answer; it is asked again within the hour.' : `${advice} (${code})`;
  return failure('PAYMENT_NOT_REPORTED', `The terminal did not close its batch. ${why}`);
}
