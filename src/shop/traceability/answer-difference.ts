import { hash } from 'node:crypto';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { externalNumber } from '../../engines/state-reports/external-number.ts';
import { alarmAtMs } from '../../engines/state-reports/report-deadline.ts';
import { assert } from '../../kernel/assert.ts';
import { decimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { TextArray } from '../../platform/statements/statement.ts';
import { matchStock } from '../inventory/stock.ts';
import { type ComparedPackage, compareStock, locationsOf, quantityText } from './compare-stock.ts';
import { insertAnswers, selectLastAnswer } from './comparison-queries.ts';
import { type ConnectionRow, lockConnections, wakeLane } from './connection-queries.ts';
import type { Difference } from './list-differences.ts';
import { findReceiptDifferences } from './receipt-differences.ts';
import type { AdjustmentContent } from './report-adjustment.ts';
import { sendAgain } from './settle-report.ts';
import { insertReports, insertSteps } from './state-report-queries.ts';

/** What a person says to a difference, as they saw it. */
export interface DifferenceAnswer {
  readonly stateConnectionId: number;
  readonly kind: Difference['kind'];
  /** The label of the package, or the id of the state's receipt. */
  readonly subject: string;
  readonly ours: string | null;
  readonly theirs: string | null;
  readonly answer: 'state-is-right' | 'we-are-right';
  readonly note: string;
}

/**
 * Settles a difference. The state is right: the stock here is moved to what it has, or its receipt is left as it is. We are right: an
 * adjustment by the difference, or the report again, goes to the state as any other report. Resolves to the id of the answer. Fails with
 * STATE_DIFFERENCE_NOT_FOUND, with STALE_EDIT when it is another one by now, and with INVALID_DIFFERENCE_ANSWER when only the state's website
 * can do that.
 */
export async function answerDifference(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  staffId: number,
  answer: DifferenceAnswer,
): Promise<number> {
  const { stateConnectionId: connectionId, subject } = answer;
  const lastAnswer = selectLastAnswer({ connectionId, subject });
  const [[before]] = await context.database.read(organization, lastAnswer);
  const receipts = await findReceiptDifferences(context, organization);
  const receipt = receipts.find(
    (it) =>
      it.connectionId === answer.stateConnectionId &&
      it.kind === answer.kind &&
      String(it.stateRecordId) === answer.subject &&
      !it.isAnswered,
  );
  if (receipt !== undefined) {
    refuseOther(answer, { ours: null, theirs: receipt.theirs });
    if (answer.answer === 'we-are-right') {
      if (receipt.reportId === null) throw onWebsite(answer);
      await sendAgain(context, origin, organization, receipt.reportId);
    }
    return context.database.write(organization, (tx) => record(tx, context, origin, staffId, answer));
  }
  const compared = (
    await compareStock(context, organization, receipts, ({ id }) => id === answer.stateConnectionId)
  ).find(({ kind, row }) => kind === answer.kind && row.label === answer.subject);
  if (compared === undefined) {
    throw failure('STATE_DIFFERENCE_NOT_FOUND', 'There is no such difference any more.');
  }
  refuseOther(answer, { ours: quantityText(compared.expected), theirs: quantityText(compared.theirs) });
  if (!compared.answers.includes(answer.answer)) throw onWebsite(answer);
  return context.database.write(organization, async (tx) => {
    const [connections, [last]] = await tx.run(lockConnections({}), lastAnswer);
    // Another person has just settled it.
    if (last?.id !== before?.id) throw otherByNow();
    if (answer.answer === 'state-is-right')
      await takeOver(tx, context, origin, compared, answer, connections);
    else await insist(tx, context, compared, answer);
    return record(tx, context, origin, staffId, answer);
  });
}

function refuseOther(seen: DifferenceAnswer, now: { readonly ours: string | null; readonly theirs: string }) {
  if (seen.theirs === now.theirs && (now.ours === null || seen.ours === now.ours)) return;
  throw otherByNow();
}

function otherByNow() {
  return failure(
    'STALE_EDIT',
    'ours and theirs must be those of the difference as it is now: look at it again.',
  );
}

function onWebsite({ kind, answer }: DifferenceAnswer) {
  return failure(
    'INVALID_DIFFERENCE_ANSWER',
    "The state's interface has no way to do that: do it on the state's website. The difference goes when it is read in.",
    { kind, answer },
  );
}

/** A ledger entry of which the state is not told: it has it. */
async function takeOver(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  { known, expected, theirs, row }: ComparedPackage,
  { stateConnectionId, note }: DifferenceAnswer,
  connections: readonly ConnectionRow[],
): Promise<void> {
  assert(known !== null, 'only what is here is moved to what the state has');
  const connection = connections.find(({ id }) => id === stateConnectionId)!;
  const there = row.place === 'active' ? theirs : theirs.minus(theirs);
  await matchStock(tx, context, origin, {
    ...{ packageId: known.id, label: row.label, of: locationsOf(connection, connections) },
    delta: decimalText(there.minus(expected).times(known.multiplier).round(6, 1)),
    reason: `As the state has it. ${note}`.trim(),
  });
}

/** An adjustment of the state's package by the difference. */
async function insist(
  tx: TenantTransaction,
  context: Context,
  { connectionId, known, expected, theirs, row }: ComparedPackage,
  { note }: DifferenceAnswer,
): Promise<void> {
  const nowMs = context.clock.now();
  const [[organization], [id, stepId]] = await Promise.all([
    tx.run(selectOrganization({})).then(([rows]) => rows),
    context.ids.take(2),
  ]);
  const content: AdjustmentContent = {
    ...{ label: row.label, quantity: decimalText(expected.minus(theirs).round(4, 1)), unit: row.unit },
    date: localDateAt(nowMs, organization!.tz),
    ...{ reason: null, isWaste: false },
  };
  const payload = JSON.stringify(content);
  const at = isoTimestamp(nowMs);
  tx.queue(
    insertReports({
      ...{ id: id!, connectionId, kind: 'adjustment', revision: 1, state: 'waiting', problem: null },
      ...{ orderId: null, orderNumber: null, tripId: null, packageId: known?.id ?? null, payload },
      ...{ externalNumber: externalNumber(`A${id}`, 1), digest: hash('sha256', payload) },
      ...{ packages: new TextArray([row.label]), occurredAt: at, dueAt: null, at },
      alarmAt: isoTimestamp(alarmAtMs(nowMs, null)),
    }),
    ...insertSteps([
      {
        ...{ reportId: id!, id: stepId!, state: 'waiting', createdAt: at },
        words: `A person says that the books are right, and not the state. ${note}`.trim(),
      },
    ]),
    wakeLane({ connectionId, at }),
  );
}

async function record(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  staffId: number,
  { stateConnectionId, kind, subject, ours, theirs, answer, note }: DifferenceAnswer,
): Promise<number> {
  const nowMs = context.clock.now();
  const id = await context.ids.takeOne();
  tx.queue(
    ...insertAnswers([
      {
        ...{ id, connectionId: stateConnectionId, kind, subject, ours, theirs, answer, note, staffId },
        createdAt: isoTimestamp(nowMs),
      },
    ]),
  );
  await announce(tx, context, origin, nowMs, {
    event: 'state_difference.answered',
    subjectType: 'state_difference',
    subjectId: id,
    payload: { stateConnectionId, kind, answer },
    details: { subject, ours, theirs, note },
  });
  return id;
}
